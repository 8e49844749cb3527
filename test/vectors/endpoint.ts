// An endpoint for vectors by script, on a real socket, in both protocols. Words that mean the same have the same direction.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Act =
  | { kind: 'embeds'; dimensions?: number }
  | { kind: 'status'; status: number }
  | { kind: 'garbage'; text: string }
  | { kind: 'silence' }
  /** One vector less than there are texts. */
  | { kind: 'forgets one' }
  | { kind: 'vectors of two lengths' }

export interface Endpoint {
  url: string
  /** With `next`, another act from the request after so many on. */
  script(act: Act, next?: { after: number; act: Act }): void
  /** Every request as it arrived. */
  asked: { path: string; authorization: string | undefined; model: string; input: string[] }[]
  close(): Promise<void>
}

const usualDimensions = 512
const alike: Record<string, string> = { couch: 'sofa', settee: 'sofa' }

export async function endpoint(): Promise<Endpoint> {
  let act: Act = { kind: 'embeds' }
  let change: { after: number; act: Act } | undefined
  const asked: Endpoint['asked'] = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const piece of request) body += piece
    const { model, input } = JSON.parse(body) as { model: string; input: string[] }
    if (change && change.after-- === 0) act = change.act
    asked.push({ path: request.url!, authorization: request.headers.authorization, model, input })
    if (act.kind === 'silence') return
    if (act.kind === 'status') return void response.writeHead(act.status).end('{"error":{"message":"scripted"}}')
    if (act.kind === 'garbage') return void response.end(act.text)
    response.end(JSON.stringify(envelope(request.url!, vectorsFor(input, act))))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    script(first, next) {
      act = first
      change = next && { ...next }
    },
    asked,
    close() {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}

function vectorsFor(input: string[], act: Act): number[][] {
  const dimensions = (act.kind === 'embeds' ? act.dimensions : undefined) ?? usualDimensions
  const vectors = input.map((text) => vectorOf(text, dimensions))
  if (act.kind === 'forgets one') return vectors.slice(1)
  if (act.kind === 'vectors of two lengths') return [...vectors.slice(1), [1, 0]]
  return vectors
}

function vectorOf(text: string, dimensions: number): number[] {
  const vector = new Array<number>(dimensions).fill(0)
  for (const word of text.toLowerCase().match(/[a-z]+/g) ?? []) {
    let hash = 7
    for (const letter of alike[word] ?? word) hash = (hash * 31 + letter.charCodeAt(0)) % 1_000_003
    vector[hash % dimensions]! += 1
  }
  return vector
}

/** OpenAI numbers its answers, and here they come in another order. */
function envelope(path: string, vectors: number[][]): object {
  if (path === '/api/embed') return { model: 'scripted', embeddings: vectors, prompt_eval_count: 12 }
  const data = vectors.map((embedding, index) => ({ object: 'embedding', index, embedding }))
  return { object: 'list', data: data.reverse(), usage: { prompt_tokens: 12, total_tokens: 12 } }
}
