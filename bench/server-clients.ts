// Clients of the server in their own process: machines that push and users that query, each over a
// connection that stays open. Started with a job as its argument; prints its measurements.
import { madeUpDocument, madeUpQuestion } from './server-memories.ts'

export interface Job {
  urls: string[]
  keys: string[]
  /** Ends when each client has pushed this many batches, or when the time is over. */
  what: { kind: 'bulk'; batches: number; size: number } | { kind: 'single' | 'recall'; ms: number }
  /** Number of the first memory. */
  from: number
}

export interface Done {
  requests: number
  ms: number
  times: number[]
}

const job = JSON.parse(process.argv[2]!) as Job
const times: number[] = []
let next = job.from
const begun = performance.now()
await Promise.all(job.keys.map((key, index) => client(key, job.urls[index % job.urls.length]!)))
const done: Done = { requests: times.length, ms: performance.now() - begun, times }
process.stdout.write(JSON.stringify(done))

async function client(key: string, url: string): Promise<void> {
  const { what } = job
  if (what.kind === 'bulk') for (let batch = 0; batch < what.batches; batch++) await push(url, key, what.size)
  else while (performance.now() - begun < what.ms) await (what.kind === 'single' ? push(url, key, 1) : recall(url, key))
}

async function push(url: string, key: string, size: number): Promise<void> {
  const items = Array.from({ length: size }, () => {
    const number = next++
    return {
      id: `mem_${number.toString(36).padStart(8, '0')}`,
      kind: 'memory',
      base: null,
      document: madeUpDocument(number),
    }
  })
  const answer = await post(`${url}/api/spaces/me/push`, key, { items })
  const refused = (answer as { results: { status: string }[] }).results.find(({ status }) => status !== 'stored')
  if (refused) throw new Error(`a memory was not stored: ${JSON.stringify(refused).slice(0, 300)}`)
}

async function recall(url: string, key: string): Promise<void> {
  await post(`${url}/api/recall`, key, { query: madeUpQuestion(next++), limit: 10 })
}

async function post(url: string, key: string, body: unknown): Promise<unknown> {
  const text = JSON.stringify(body)
  const at = performance.now()
  const response = await fetch(url, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: text,
  })
  const answer: unknown = await response.json()
  times.push(performance.now() - at)
  if (!response.ok) throw new Error(`${response.status}: ${JSON.stringify(answer).slice(0, 300)}`)
  return answer
}
