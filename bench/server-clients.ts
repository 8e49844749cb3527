// Clients of the server in their own process: machines that push and users that query, each over a
// connection that stays open. They write and read HTTP on plain sockets, because the clients share
// the cores with what is measured. Started with a job as its argument; prints its measurements.
import { once } from 'node:events'
import { connect } from 'node:net'
import { madeUpDocument, madeUpQuestion } from './server-memories.ts'

export interface Job {
  urls: string[]
  keys: string[]
  /**
   * Ends when each client has pushed this many batches, or when the time is over. `pauseMs`: each
   * client starts a request this long after the one before, or at once if that took longer.
   */
  what:
    | { kind: 'bulk'; batches: number; size: number }
    | { kind: 'single'; ms: number }
    | { kind: 'recall'; ms: number; pauseMs?: number }
  /** Number of the first memory. */
  from: number
}

export interface Done {
  requests: number
  ms: number
  times: number[]
  /** Answers with a status other than 200. */
  failures: number
  /** Processor time of the clients. */
  cpuMs: number
}

const job = JSON.parse(process.argv[2]!) as Job
const times: number[] = []
let failures = 0
let next = job.from
const clients = await Promise.all(job.keys.map((key, index) => openClient(job.urls[index % job.urls.length]!, key)))
const cpu = process.cpuUsage()
const begun = performance.now()
await Promise.all(clients.map((client, index) => work(client, index)))
const { user, system } = process.cpuUsage(cpu)
const done: Done = {
  requests: times.length,
  ms: performance.now() - begun,
  times,
  failures,
  cpuMs: (user + system) / 1000,
}
for (const client of clients) client.close()
process.stdout.write(JSON.stringify(done))

async function work(client: Client, index: number): Promise<void> {
  const { what } = job
  if (what.kind === 'bulk') {
    for (let batch = 0; batch < what.batches; batch++) await push(client, what.size)
    return
  }
  const pauseMs = what.kind === 'recall' ? (what.pauseMs ?? 0) : 0
  // Spread over the pause, as clients that do not know of each other are.
  let due = begun + (pauseMs * index) / job.keys.length
  while (performance.now() - begun < what.ms) {
    const early = due - performance.now()
    if (early > 0) await new Promise((resolve) => setTimeout(resolve, early))
    due = Math.max(due + pauseMs, performance.now())
    await (what.kind === 'single' ? push(client, 1) : recall(client))
  }
}

async function push(client: Client, size: number): Promise<void> {
  const items = Array.from({ length: size }, () => {
    const number = next++
    return {
      id: `mem_${number.toString(36).padStart(8, '0')}`,
      kind: 'memory',
      base: null,
      document: madeUpDocument(number),
    }
  })
  const answer = (await client.post('/api/spaces/me/push', { items })) as { results: { status: string }[] } | undefined
  const refused = answer?.results.find(({ status }) => status !== 'stored')
  if (refused) throw new Error(`a memory was not stored: ${JSON.stringify(refused).slice(0, 300)}`)
}

async function recall(client: Client): Promise<void> {
  await client.post('/api/recall', { query: madeUpQuestion(next++), limit: 10 })
}

interface Client {
  /** Undefined if the request failed. */
  post(path: string, body: unknown): Promise<unknown>
  close(): void
}

async function openClient(url: string, key: string): Promise<Client> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  await once(socket, 'connect')
  socket.setNoDelay(true)
  let answered: ((body: string | undefined) => void) | undefined
  let received = Buffer.alloc(0)
  socket.on('data', (piece) => {
    received = received.length === 0 ? piece : Buffer.concat([received, piece])
    const bodyAt = received.indexOf('\r\n\r\n') + 4
    if (bodyAt < 4) return
    const head = received.toString('latin1', 0, bodyAt)
    const end = bodyAt + Number(/content-length: (\d+)/i.exec(head)![1])
    if (received.length < end) return
    const body = received.toString('utf8', bodyAt, end)
    received = Buffer.alloc(0)
    answered!(head.startsWith('HTTP/1.1 200') ? body : undefined)
  })
  return {
    async post(path, value) {
      const body = JSON.stringify(value)
      const head = `POST ${path} HTTP/1.1\r\nhost: ${hostname}\r\nauthorization: Bearer ${key}\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n`
      const at = performance.now()
      const text = await new Promise<string | undefined>((resolve) => {
        answered = resolve
        socket.write(head + body)
      })
      if (text === undefined) failures++
      else times.push(performance.now() - at)
      return text === undefined ? undefined : JSON.parse(text)
    },
    close: () => socket.destroy(),
  }
}
