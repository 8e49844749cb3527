// Replaces a damaged ledger by one made from what can still be read of it. The sweep that follows
// adds the rest from transcripts, bodies and the vault. One process at a time.
import { join } from 'node:path'
import type { App } from './app.ts'
import { isoTime } from './core/clock.ts'
import { appendLog } from './core/files.ts'
import { waitForLock } from './core/lock.ts'
import { writeValue } from './store/key-values.ts'
import { clearSuspicion, finishReplacement, isDamageSuspected } from './store/recovery/ledger-files.ts'
import type { LedgerRecovery } from './store/recovery/replace-ledger.ts'

/** Learning may wait minutes for a model; a later sweep tries again. */
const maxWaitMs = 120_000

export type RecoveryResult =
  | { kind: 'replaced'; recovery: LedgerRecovery }
  /** The search index is built again by the sweep. */
  | { kind: 'index due' }
  /** SQLite finds nothing wrong, or the ledger is of a newer version. */
  | { kind: 'nothing' }

/** To be called with the sweep lock held and the ledger closed. */
export async function recoverLedger(app: App): Promise<RecoveryResult> {
  const { layout, clock } = app
  const { ledgerHealth, replaceLedger } = await import('./store/recovery/replace-ledger.ts')
  const release = await waitForLock(join(layout.run, 'learn.lock'), 'recovery', clock, () => {}, maxWaitMs)
  try {
    finishReplacement(layout)
    const health = ledgerHealth(layout)
    if (health.kind === 'damaged') {
      const recovery = replaceLedger(layout, health.reason, isoTime(clock.nowMs()))
      appendLog(
        layout.logs,
        'work',
        clock,
        `${layout.ledger} was damaged (${health.reason}); moved to ${recovery.folder}`,
      )
      return { kind: 'replaced', recovery }
    }
    clearSuspicion(layout)
    if (health.kind !== 'index') return { kind: 'nothing' }
    const ledger = app.ledger()
    try {
      writeValue(ledger, 'index is due', true)
    } finally {
      ledger.close()
    }
    return { kind: 'index due' }
  } finally {
    release()
  }
}

/** Checks the ledger if another process has met damage. To be called with the sweep lock held. */
export async function recoverIfSuspected(app: App): Promise<RecoveryResult> {
  finishReplacement(app.layout)
  return isDamageSuspected(app.layout) ? recoverLedger(app) : { kind: 'nothing' }
}
