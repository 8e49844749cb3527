// The state of synchronisation with the server, as text and as JSON.
import type { App } from '../../app.ts'
import { isoTime } from '../../core/clock.ts'
import { plural } from '../../core/units.ts'
import type { Ledger } from '../../store/ledger.ts'
import { listMemories } from '../../store/memories/memories.ts'
import { countPending, refusedItems } from '../../store/sync/outbox.ts'
import { listSpaces } from '../../store/sync/spaces.ts'
import type { SyncRefusal } from '../../sync/item-kind.ts'
import { isPrivate } from '../../sync/privacy.ts'
import { syncSummary } from '../../sync/state.ts'
import { pendingSharesText } from '../reports.ts'
import type { Terminal } from '../terminal.ts'

export interface SyncStatus {
  /** Null if this machine uses no server. */
  server: string | null
  user: string | null
  key: 'good' | 'refused' | 'not tried'
  keyProblem: string | null
  spaces: { name: string; role: string; projects: string[] | null; waiting: number; reconciled: string | null }[]
  waiting: number
  /** Number of memories that are never sent: private by type, tag or project. */
  private: number
  refused: { space: string; id: string; kind: string; reason: string; message: string; rules: string[] }[]
  push: LaneStatus
  pull: LaneStatus
  notUnderstood: number
  /** Shares of others that wait for the user's decision. */
  pendingShares: number
}

interface LaneStatus {
  lastSuccess: string | null
  failure: string | null
  nextTry: string | null
}

export function syncStatusOf(app: App, ledger: Ledger): SyncStatus {
  const summary = syncSummary({ config: app.config, ledger })
  const waiting = countPending(ledger)
  const lane = (what: 'push' | 'pull', lastMs: number | null): LaneStatus => {
    const failure = summary?.failures.find((one) => one.what === what)
    return {
      lastSuccess: moment(lastMs),
      failure: failure?.reason ?? null,
      nextTry: moment(failure?.nextMs ?? null),
    }
  }
  return {
    server: summary?.server ?? null,
    user: summary?.user ?? null,
    key: summary?.key ?? 'not tried',
    keyProblem: summary?.keyProblem ?? null,
    spaces: listSpaces(ledger).map(({ name, role, projects, reconciledMs }) => ({
      name,
      role,
      projects,
      waiting: waiting.get(name) ?? 0,
      reconciled: moment(reconciledMs),
    })),
    waiting: summary?.waiting ?? 0,
    private: listMemories(ledger, { state: 'kept' }).filter(
      (memory) =>
        memory.space === null && isPrivate({ ledger, config: app.config, origin: app.machine.name ?? '' }, memory),
    ).length,
    refused: refusedItems(ledger).map(({ space, id, kind, refusal }) => {
      const { reason, message, rules = [] } = refusal as unknown as SyncRefusal
      return { space, id, kind, reason, message, rules }
    }),
    push: lane('push', summary?.lastPushMs ?? null),
    pull: lane('pull', summary?.lastPullMs ?? null),
    notUnderstood: summary?.notUnderstood ?? 0,
    pendingShares: summary?.pendingShares ?? 0,
  }
}

function moment(ms: number | null): string | null {
  return ms === null ? null : isoTime(ms)
}

export function printSyncStatus({ print, style }: Terminal, { zone }: App, status: SyncStatus): void {
  if (status.server === null) return print('This machine uses no server. To join one: recollect sync join <url>')
  print(`${style.bold(status.server)}${status.user ? `, as ${status.user}` : ''}`)
  if (status.key === 'refused')
    print(style.red(`The server rejects the key: ${status.keyProblem}. Nothing is sent until this is fixed.`))
  for (const { name, role, projects, waiting } of status.spaces) {
    const limits = projects ? `, only ${projects.join(', ') || 'items without a project'}` : ''
    print(`  ${name.padEnd(16)} ${role}${limits}${waiting > 0 ? `, ${waiting} pending` : ''}`)
  }
  for (const what of ['push', 'pull'] as const) {
    const { lastSuccess, failure, nextTry } = status[what]
    const name = what === 'push' ? 'Last push' : 'Last pull'
    print(`${name}: ${lastSuccess ? zone.minute(lastSuccess) : 'never'}`)
    if (failure) print(style.yellow(`  failed: ${failure}; next try ${zone.minute(nextTry!)}`))
  }
  print(`${plural(status.waiting, 'change')} to send`)
  if (status.private > 0)
    print(`${plural(status.private, 'private memory', 'private memories')}, never sent (by type, tag or sync.private)`)
  if (status.pendingShares > 0) print(style.yellow(pendingSharesText(status.pendingShares)))
  if (status.notUnderstood > 0)
    print(style.yellow(`${plural(status.notUnderstood, 'item')} on the server need a newer Recollect`))
  for (const { space, id, reason, message } of status.refused)
    print(style.yellow(`Refused: ${id} for ${space}: ${reason}. ${message}`))
  if (status.refused.length > 0)
    print('Correct them, send them again (recollect sync retry) or discard them (recollect sync dismiss)')
}
