import { once } from 'node:events'
import type { AddressInfo, Server } from 'node:net'
import { UserError } from './errors.ts'

/** `port` 0 is any that is free; the address says which. */
export async function listenOn(server: Server, { host, port }: { host: string; port: number }): Promise<AddressInfo> {
  server.listen(port, host)
  try {
    await once(server, 'listening')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EADDRINUSE')
      throw new UserError(`Port ${port} is in use`, 'Choose another one: --port 0 takes any that is free.')
    if (code === 'EACCES') throw new UserError(`Port ${port} may not be used`, 'Choose one above 1023.')
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
      throw new UserError(`This machine has no address ${host}`, 'For example: --host 127.0.0.1, or 0.0.0.0 for all.')
    throw error
  }
  return server.address() as AddressInfo
}
