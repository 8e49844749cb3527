// Syncs with the server in the background of tool calls, so that what an agent stores reaches other
// machines, and what they store arrives here, also where no hook starts a sweep.
import type { App } from '../app.ts'
import { messageOf } from '../core/errors.ts'
import { appendLog } from '../core/files.ts'
import type { Ledger } from '../store/ledger.ts'
import { isSyncDue } from '../sync/state.ts'

/** Several writes in a row are sent together. */
const delayMs = 1000

interface ScheduledSync {
  app: App
  /** Undefined while the sync runs. */
  timer: NodeJS.Timeout | undefined
  /** A call asked for another sync while this one ran. */
  isWanted: boolean
  done: Promise<void>
  start(): void
}

/** By home folder; one process has one, tests have several. */
const scheduled = new Map<string, ScheduledSync>()

/** Starts a sync soon if one is due. Returns at once: the answer of a tool does not wait for it. */
export function syncLater(app: App, ledger: Ledger): void {
  const { config, clock, layout } = app
  if (ledger.isReadOnly || !isSyncDue({ config, ledger, clock })) return
  const known = scheduled.get(layout.root)
  if (known) known.isWanted ||= known.timer === undefined
  else schedule(app)
}

/** Runs scheduled syncs now and waits for them, at most this long. Call before the process ends. */
export async function finishSyncs(maxMs: number): Promise<void> {
  const all = [...scheduled.values()]
  for (const { start } of all) start()
  const timeout = Promise.withResolvers<void>()
  const timer = setTimeout(timeout.resolve, maxMs)
  await Promise.race([Promise.all(all.map(({ done }) => done)), timeout.promise])
  clearTimeout(timer)
}

function schedule(app: App): void {
  const { root } = app.layout
  const { promise: done, resolve } = Promise.withResolvers<void>()
  const start = () => {
    if (one.timer === undefined) return
    clearTimeout(one.timer)
    one.timer = undefined
    void runSync(app).finally(() => {
      scheduled.delete(root)
      if (one.isWanted) schedule(app)
      resolve()
    })
  }
  // Does not keep a process alive that ends otherwise.
  const one: ScheduledSync = { app, timer: setTimeout(start, delayMs).unref(), isWanted: false, done, start }
  scheduled.set(root, one)
}

async function runSync(app: App): Promise<void> {
  try {
    const ledger = app.existingLedger()
    try {
      // The stage of a sweep: with its limit of time, its lock, and its record of failures.
      const { syncInSweep } = await import('../sync/sync.ts')
      const context = app.context(ledger)
      const { pulled } = await syncInSweep(context)
      if (pulled === 0) return
      const { readMemoryEdits } = await import('../learn/files/read.ts')
      const { writeMemoryFiles } = await import('../learn/files/write.ts')
      await readMemoryEdits(context)
      writeMemoryFiles(context)
    } finally {
      ledger.close()
    }
  } catch (error) {
    appendLog(app.layout.logs, 'mcp', app.clock, `sync: ${messageOf(error)}`)
  }
}
