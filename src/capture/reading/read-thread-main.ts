// The program of the reading thread: see read-thread.ts.
import { parentPort, workerData } from 'node:worker_threads'
import type { Agent, Transcript } from '../../agents/agent.ts'
import { agentsWith } from '../../agents/registry.ts'
import { priceOf } from '../../core/prices.ts'
import { redact } from '../../core/redact/redact.ts'
import type { DiscoveredTranscript } from '../context.ts'
import { rootsOf } from '../discover.ts'
import { createIgnoreFilter } from '../prepare.ts'
import { type ReadJob, readBatches } from './read-batches.ts'
import type { ReadThreadJob, ReadThreadMessage } from './read-thread.ts'

const { machine, config, changed, cursors, maxLength, partSize, isolated, next, position } = workerData as ReadThreadJob
const port = parentPort!

/** Batches that may be sent before the writer asks for the next. */
const maxCredit = 2
let credit = maxCredit
let wake = () => {}
port.on('message', () => {
  credit++
  wake()
})

// A file that has grown meanwhile keeps the stamp with which it was discovered, so the next sweep
// reads the rest.
const found = findAgain(changed)
const indexes = new Map(changed.map(({ path }, index) => [path, index]))
const job: ReadJob = {
  cursors,
  isolated,
  ...(maxLength === undefined ? {} : { maxLength }),
  partSize,
  places: untakenPlaces(),
  onPosition(path, offset) {
    position[0] = indexes.get(path)!
    position[1] = offset
  },
  changed: found,
}

/** The transcripts with their readers. Only agents that have some are asked, and no file is read. */
function findAgain(given: ReadThreadJob['changed']): DiscoveredTranscript[] {
  const wanted = new Map(given.map((one) => [one.path, one]))
  const ids = new Set(given.map(({ agent }) => agent))
  const transcripts = new Map<string, { agent: Agent; transcript: Transcript }>()
  for (const agent of agentsWith(config.sources).filter(({ id }) => ids.has(id))) {
    for (const root of rootsOf(agent, machine, config)) {
      for (const transcript of agent.find(root)) {
        const isWanted = wanted.get(transcript.path)?.agent === agent.id
        if (isWanted && !transcripts.has(transcript.path)) transcripts.set(transcript.path, { agent, transcript })
      }
    }
  }
  return given.map(({ agent: _, path, ...one }) => ({ ...one, ...transcripts.get(path)! }))
}

/** Takes one place after the other that no thread has taken. A transcript that was deleted since is skipped. */
function* untakenPlaces(): Generator<number> {
  for (let place = Atomics.add(next, 0, 1); place < changed.length; place = Atomics.add(next, 0, 1))
    if (found[place]!.transcript) yield place
}

for (const result of readBatches(job, {
  redact,
  priceOf,
  isIgnored: createIgnoreFilter({ config, machine }),
})) {
  while (credit === 0) {
    await new Promise<void>((resolve) => {
      wake = resolve
    })
  }
  credit--
  send({ kind: 'result', result })
}
send({ kind: 'done' })
port.close()

function send(message: ReadThreadMessage): void {
  port.postMessage(message)
}
