// A process that runs a sweep or a rebuild of a test home and kills itself at its n-th write, to a file or to a database:
// node test/killed-run.ts '{"home": …, "atWrite": …, "run": …}'. The moment is the same in every run.
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { DatabaseSync, StatementSync } from 'node:sqlite'

export interface KilledRun {
  home: string
  atWrite: number
  run: 'sweep' | 'rebuild'
  isFull?: boolean
  partSize?: number
}

const { home, atWrite, run, isFull = false, partSize } = JSON.parse(process.argv[2]!) as KilledRun
let writes = 0

function count<T extends object>(owner: T, ...names: (keyof T & string)[]): void {
  for (const name of names) {
    const original = owner[name] as (...values: unknown[]) => unknown
    const counted = function (this: unknown, ...values: unknown[]) {
      if (++writes === atWrite) process.kill(process.pid, 'SIGKILL')
      return original.apply(this, values)
    }
    owner[name] = counted as (typeof owner)[typeof name]
  }
}

count(StatementSync.prototype, 'run')
count(DatabaseSync.prototype, 'exec')
count(
  fs,
  'writeSync',
  'writeFileSync',
  'appendFileSync',
  'renameSync',
  'rmSync',
  'unlinkSync',
  'ftruncateSync',
  'fsyncSync',
)
syncBuiltinESMExports()

// After the functions are replaced, so that every module gets the counted ones.
const { appOfHome } = await import('./corpus/home.ts')
const app = appOfHome(home)
if (run === 'rebuild') {
  const { rebuild } = await import('../src/rebuild.ts')
  const { tryLock } = await import('../src/core/lock.ts')
  tryLock(join(app.layout.run, 'sweep.lock'), 'rebuild', app.clock)
  const ledger = app.ledger()
  await rebuild(app, ledger, () => {})
  ledger.close()
} else {
  const { sweep } = await import('../src/sweep.ts')
  await sweep(app, { isFull, waitsForLearning: true, ...(partSize ? { threadLimits: { partSize } } : {}) })
}
