// A network between a machine and the server that loses, cuts and repeats requests.
import fc from 'fast-check'

export type NetworkFault =
  | { kind: 'fine' | 'request lost' | 'answer lost' | 'twice' | 'gateway' | 'busy' }
  /** The share of the answer that arrives, 0 to 1. */
  | { kind: 'answer cut'; at: number }

export const networkFault: fc.Arbitrary<NetworkFault> = fc.oneof(
  { weight: 6, arbitrary: fc.constant<NetworkFault>({ kind: 'fine' }) },
  {
    weight: 4,
    arbitrary: fc.constantFrom<NetworkFault>(
      { kind: 'request lost' },
      { kind: 'answer lost' },
      { kind: 'twice' },
      { kind: 'gateway' },
      { kind: 'busy' },
    ),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('answer cut' as const), at: fc.double({ min: 0, max: 1, noNaN: true }) }),
  },
)

export interface FaultyNetwork {
  fetch: typeof fetch
  /** Faults of the next requests, in order; later requests have none. */
  faults: readonly NetworkFault[]
  /** Parts of paths whose requests never arrive. */
  closed?: readonly string[]
  /** Called for every request that arrives; `again` delivers it once more. */
  onArrival?(body: string, again: () => Promise<unknown>): void
}

export function faultyFetch({
  fetch,
  faults,
  closed = [],
  onArrival = () => {},
}: FaultyNetwork): typeof globalThis.fetch {
  const left = [...faults]
  const lost = () => Promise.reject(new TypeError('fetch failed', { cause: new Error('connection reset') }))
  return async (input, init) => {
    const next = left.shift() ?? { kind: 'fine' }
    if (closed.some((part) => String(input).includes(part))) return lost()
    const deliver = () => {
      onArrival(String(init?.body ?? ''), () => fetch(input, init))
      return fetch(input, init)
    }
    switch (next.kind) {
      case 'fine':
        return deliver()
      case 'request lost':
        return lost()
      case 'answer lost':
        await deliver()
        return lost()
      case 'answer cut': {
        const answer = await deliver()
        const bytes = new Uint8Array(await answer.arrayBuffer())
        const { status, headers } = answer
        return new Response(bytes.slice(0, Math.floor(bytes.length * next.at)), { status, headers })
      }
      case 'twice':
        await deliver()
        return deliver()
      case 'gateway':
        return new Response('<html>Bad gateway</html>', { status: 502, headers: { 'content-type': 'text/html' } })
      case 'busy':
        return new Response('', { status: 503, headers: { 'retry-after': '600' } })
      default:
        return next satisfies never
    }
  }
}
