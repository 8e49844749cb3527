// The program of the reading thread: see read-thread.ts.
import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads'
import { agentsWith } from '../agents/registry.ts'
import { priceOf } from '../core/prices.ts'
import { redact } from '../core/redact/redact.ts'
import { discover } from './discover.ts'
import { createIgnoreFilter } from './prepare.ts'
import { type ReadJob, readBatches } from './read-batches.ts'
import type { ReadThreadJob, ReadThreadMessage } from './read-thread.ts'

const { machine, config, changed, cursors, maxLength, isolated, position } = workerData as ReadThreadJob
const port = parentPort!
const found = new Map(
  discover({ agents: agentsWith(config.sources), machine, config }).map((one) => [one.transcript.path, one]),
)

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
const indexes = new Map(changed.map(({ path }, index) => [path, index]))
const job: ReadJob = {
  cursors,
  isolated,
  ...(maxLength === undefined ? {} : { maxLength }),
  onPosition(path, offset) {
    position[0] = indexes.get(path)!
    position[1] = offset
  },
  changed: changed.flatMap(({ path, stamp }) => {
    const one = found.get(path)
    return one ? [{ ...one, stamp }] : []
  }),
}
/** Whether every batch that was sent has been written. */
const isWriterIdle = () => {
  while (receiveMessageOnPort(port)) credit++
  return credit === maxCredit
}
for (const result of readBatches(job, {
  redact,
  priceOf,
  isIgnored: createIgnoreFilter({ config, machine }),
  isWriterIdle,
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
