// The reading thread: see thread.ts.
import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads'
import { agents } from '../agents/registry.ts'
import { priceOf } from '../core/prices.ts'
import { redact } from '../core/redact.ts'
import { discover } from './discover.ts'
import { ignoring } from './prepare.ts'
import { produce } from './produce.ts'
import type { ThreadJob, ThreadMessage } from './thread.ts'

const { machine, config, changed, cursors, longest } = workerData as ThreadJob
const port = parentPort!
const found = new Map(discover({ agents, machine, config }).map((one) => [one.transcript.path, one]))

const maxCredit = 2
let credit = maxCredit
let wake = () => {}
port.on('message', () => {
  credit++
  wake()
})

// A file that grew since it was found keeps the stamp of that moment: the next sweep sees the rest.
const job = {
  cursors,
  longest,
  changed: changed.flatMap(({ path, stamp }) => {
    const one = found.get(path)
    return one ? [{ ...one, stamp }] : []
  }),
}
/** Everything that was sent has been written. */
const isWriterIdle = () => {
  while (receiveMessageOnPort(port)) credit++
  return credit === maxCredit
}
for (const produced of produce(job, { redact, priceOf, isIgnored: ignoring({ config, machine }), isWriterIdle })) {
  while (credit === 0) {
    await new Promise<void>((resolve) => {
      wake = resolve
    })
  }
  credit--
  send({ kind: 'produced', produced })
}
send({ kind: 'done' })
port.close()

function send(message: ThreadMessage): void {
  port.postMessage(message)
}
