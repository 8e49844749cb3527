/**
 * Parses OLLAMA_HOST as Ollama does: a host, a host with a port, an IPv4 or IPv6 address, a URL, or
 * nothing for this machine. The port defaults to that of the scheme if there is one, else to 11434.
 */
export function ollamaUrl(written: string): string {
  const text = written.trim().replace(/^["']|["']$/g, '')
  const [, scheme = '', place = '', path = ''] = /^(?:([a-z]+):\/\/)?([^/]*)(\/.*)?$/i.exec(text) ?? []
  const { host, port } = partsOf(place)
  const number = isPort(port) ? Number(port) : ({ http: 80, https: 443 }[scheme] ?? 11_434)
  return `${scheme || 'http'}://${reachable(host)}:${number}${path.replace(/\/+$/, '')}`
}

function partsOf(place: string): { host: string; port: string } {
  // More than one colon without brackets: an IPv6 address without a port.
  if (/^[^[\]]*:[^[\]]*:/.test(place)) return { host: `[${place}]`, port: '' }
  const [, host = '', port = ''] = /^(\[[^\]]*\]|[^:]*)(?::(.*))?$/.exec(place) ?? []
  return { host, port }
}

/** Servers listen on these addresses, but not every system can connect to them. */
function reachable(host: string): string {
  if (host === '' || host === '0.0.0.0') return '127.0.0.1'
  return host === '[::]' ? '[::1]' : host
}

function isPort(text: string): boolean {
  return /^\d{1,5}$/.test(text) && Number(text) <= 65_535
}
