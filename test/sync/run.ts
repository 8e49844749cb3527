// The built program beside a server in this process: its runs must not block the server.
import { once } from 'node:events'
import { type Place, start } from '../program.ts'

export interface Ran {
  status: number
  out: string
  err: string
}

export async function run(at: Place, ...args: string[]): Promise<Ran> {
  const child = start(at, ...args)
  let out = ''
  let err = ''
  child.stdout!.setEncoding('utf8').on('data', (piece: string) => (out += piece))
  child.stderr!.setEncoding('utf8').on('data', (piece: string) => (err += piece))
  const [status] = (await once(child, 'close')) as [number | null]
  return { status: status ?? -1, out, err }
}
