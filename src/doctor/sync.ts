// Checks that synchronisation with the server works.

import type { App } from '../app.ts'
import { isoTime } from '../core/clock.ts'
import { ownCommand } from '../core/shell/command-line.ts'
import { plural } from '../core/units.ts'
import type { Ledger } from '../store/ledger.ts'
import { refusedItems } from '../store/sync/outbox.ts'
import type { SyncRefusal } from '../sync/item-kind.ts'
import { type SyncSummary, syncSummary } from '../sync/state.ts'
import { failedCheck, type HealthCheck, passedCheck } from './check.ts'

export const syncChecks: Readonly<Record<string, (app: App, ledger: Ledger) => HealthCheck>> = { sync: checkSync }

function checkSync(app: App, ledger: Ledger): HealthCheck {
  const summary = syncSummary({ config: app.config, ledger })
  if (!summary) return passedCheck('sync', 'no server; all data stays on this machine')
  if (summary.key === 'refused')
    return failedCheck(
      'sync',
      `the server rejects the key: ${summary.keyProblem}; ${waitingText(summary)}`,
      ownCommand('sync', 'join', summary.server),
    )
  if (summary.refused > 0) {
    const shown = refusedItems(ledger, 5).map(({ space, id, refusal }) => {
      const { reason, message } = refusal as unknown as SyncRefusal
      return `${id} for ${space}: ${reason}. ${message}`
    })
    return failedCheck(
      'sync',
      `${plural(summary.refused, 'item')} refused\n${shown.join('\n')}`,
      'Correct them and run: recollect sync retry. To discard them: recollect sync dismiss',
    )
  }
  const [failure] = summary.failures
  const since = summary.lastPullMs === null ? 'never' : app.zone.minute(isoTime(summary.lastPullMs))
  if (!failure) return passedCheck('sync', `${summary.server}, last ${since}; ${waitingText(summary)}`)
  const next = `next try ${app.zone.minute(isoTime(failure.nextMs))}`
  // A server that is down for less than a week is not a problem of this machine.
  const isLong = summary.lastPullMs === null || app.clock.nowMs() - summary.lastPullMs > 7 * 86_400_000
  const detail = `${failure.reason}; last ${since}, ${next}; ${waitingText(summary)}`
  return isLong ? failedCheck('sync', detail, 'recollect sync') : passedCheck('sync', detail)
}

function waitingText({ waiting }: SyncSummary): string {
  return waiting === 0 ? 'nothing to send' : `${plural(waiting, 'change')} to send`
}
