import { describe, expect, it } from 'vitest'
import { clientAddress, trustedProxies } from './client-address.ts'

describe('clientAddress', () => {
  const listed = trustedProxies('10.0.0.5, 2001:db8::/32')
  const unlisted = trustedProxies()

  it.each([
    ['no proxy: the header is ignored', '203.0.113.9', '1.2.3.4', undefined, '203.0.113.9'],
    ['a client that is no proxy cannot choose its address', '203.0.113.9', '1.2.3.4', unlisted, '203.0.113.9'],
    ['nor with a list', '10.0.0.6', '1.2.3.4', listed, '10.0.0.6'],
    ['a proxy on this machine', '127.0.0.1', '1.2.3.4', unlisted, '1.2.3.4'],
    ['a proxy in a private network', '192.168.1.5', '1.2.3.4', unlisted, '1.2.3.4'],
    ['the last entry, which the proxy added', '127.0.0.1', '6.6.6.6, 1.2.3.4', unlisted, '1.2.3.4'],
    ['a client in a private network cannot forge another', '127.0.0.1', '6.6.6.6, 10.0.0.77', unlisted, '10.0.0.77'],
    ['two listed proxies', '10.0.0.5', '6.6.6.6, 1.2.3.4, 2001:db8::7', listed, '1.2.3.4'],
    ['an entry that is no address', '10.0.0.5', '1.2.3.4, unknown', listed, '10.0.0.5'],
    ['no header', '10.0.0.5', '', listed, '10.0.0.5'],
    ['IPv4 in IPv6', '::ffff:10.0.0.5', '1.2.3.4', listed, '1.2.3.4'],
    ['ports and brackets', '10.0.0.5', '[2001:db9::1]:443', listed, '2001:db9::1'],
    ['a port of IPv4', '10.0.0.5', '1.2.3.4:5678', listed, '1.2.3.4'],
    ['nothing but proxies', '10.0.0.5', '10.0.0.5', listed, '10.0.0.5'],
  ])('%s', (_, peer, forwarded, proxies, expected) => {
    expect(clientAddress(peer, forwarded, proxies)).toBe(expected)
  })

  it.each(['proxy.example.com', '10.0.0.0/33', '10.0.0.1/x', '::1/129'])('%s is no network', (text) => {
    expect(() => trustedProxies(text)).toThrow('--behind-proxy takes addresses and networks')
  })
})
