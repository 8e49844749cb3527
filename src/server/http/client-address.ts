// Finds the address of the client behind proxies. Everyone can send X-Forwarded-For, so it is read
// only if a trusted proxy sent the request, and only up to the last hop that is not one of them.
import { BlockList, isIP, isIPv6 } from 'node:net'
import { UserError } from '../../core/errors.ts'

export interface TrustedProxies {
  /** Who may send X-Forwarded-For. */
  peers: BlockList
  /** Entries of the header that are proxies, too. */
  hops: BlockList
}

const loopback = ['127.0.0.0/8', '::1/128']
const privateNetworks = ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '169.254.0.0/16', 'fc00::/7', 'fe80::/10']

/**
 * From a list of addresses and networks. Without a list, proxies are on this machine or in a
 * private network; clients may be there as well, so of the entries only loopback is skipped.
 */
export function trustedProxies(list?: string): TrustedProxies {
  if (list === undefined) return { peers: listOf([...loopback, ...privateNetworks]), hops: listOf(loopback) }
  const given = listOf(
    list
      .split(',')
      .map((one) => one.trim())
      .filter(Boolean),
  )
  return { peers: given, hops: given }
}

function listOf(networks: readonly string[]): BlockList {
  const list = new BlockList()
  for (const network of networks) {
    const [address = '', prefix] = network.split('/')
    const kind = isIP(address)
    const bits = prefix === undefined ? (kind === 6 ? 128 : 32) : Number(prefix)
    const isRight = kind !== 0 && /^\d{1,3}$/.test(prefix ?? '0') && bits <= (kind === 6 ? 128 : 32)
    if (!isRight)
      throw new UserError(
        `--behind-proxy takes addresses and networks, not "${network}"`,
        'For example: --behind-proxy 10.0.0.5,192.168.1.0/24',
      )
    list.addSubnet(address, bits, kind === 6 ? 'ipv6' : 'ipv4')
  }
  return list
}

/** Without `proxies` the header is ignored. */
export function clientAddress(peer: string, forwarded: string, proxies: TrustedProxies | undefined): string {
  let client = plainAddress(peer)
  if (!proxies || !contains(proxies.peers, client)) return client
  for (const hop of forwarded.split(',').reverse()) {
    const address = plainAddress(hop.trim())
    if (isIP(address) === 0) return client
    client = address
    if (!contains(proxies.hops, address)) return client
  }
  return client
}

export function isTrustedProxy({ peers }: TrustedProxies, address: string): boolean {
  return contains(peers, address)
}

function contains(list: BlockList, address: string): boolean {
  return isIP(address) !== 0 && list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')
}

/** Without a port, brackets, a zone, and the prefix of IPv4 addresses in IPv6. */
function plainAddress(text: string): string {
  const [, bracketed] = /^\[([^\]]*)\](?::\d+)?$/.exec(text) ?? []
  const address = (bracketed ?? text.replace(/^(\d+(?:\.\d+){3}):\d+$/, '$1')).replace(/%.*$/, '')
  return address.replace(/^::ffff:(?=\d+(?:\.\d+){3}$)/i, '')
}
