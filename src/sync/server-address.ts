import { UserError } from '../core/errors.ts'

/** Without a slash at its end. Plain http would show the key and every memory to whoever is on the way. */
export function checkAddress(text: string, isInsecure: boolean): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !/^https?:$/.test(url.protocol))
    throw new UserError(`${text} is not the address of a server`, 'For example: https://memory.example.com')
  if (url.username || url.password || url.search || url.hash)
    throw new UserError(
      'The address of a server has no key in it',
      'The key is asked for, or taken from RECOLLECT_KEY.',
    )
  if (url.protocol === 'http:' && !isInsecure && !isLoopback(url.hostname))
    throw new UserError(
      `${url.origin} would be asked without encryption: anybody on the way could read the key and your memories`,
      'Use https. To do it all the same: --insecure',
    )
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '')
}

export function isLoopback(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost') || host === '[::1]' || /^127(?:\.\d+){3}$/.test(host)
}
