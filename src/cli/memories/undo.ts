import type { App } from '../../app.ts'
import { UserError } from '../../core/errors.ts'
import type { LockOwner } from '../../core/lock.ts'
import { plural } from '../../core/units.ts'
import { memoryNamed, undo } from '../../learn/change.ts'
import { deletionUndoneBy } from '../../store/deletion/deletions.ts'
import type { Ledger } from '../../store/ledger.ts'
import {
  type ChangeRecord,
  changeById,
  lastUndoableChange,
  listChanges,
  type MemoryVersion,
  memoryHistory,
} from '../../store/memories/changes.ts'
import { type CommandContext, changeContext, examples, refreshMemoryFiles, withLedger } from '../command.ts'
import { lockOwnerText, maxWaitMs, withWaitLimit } from '../reports.ts'

export function addUndo({ program, terminal, exit }: CommandContext): void {
  program
    .command('undo')
    .description('Undo the last change of memories or deletion, or a given one')
    .argument('[change]', 'Number of a change')
    .option('--list', 'List the last changes')
    .option('--json', 'Print JSON')
    .addHelpText('after', examples('recollect undo', 'recollect undo --list', 'recollect undo 12'))
    .action((number: string | undefined, options: { list?: boolean; json?: boolean }) =>
      withLedger(async (app, ledger) => {
        if (options.list) {
          const changes = listChanges(ledger, 30)
          if (options.json) return terminal.json(changes)
          if (changes.length === 0) exit(1)
          for (const change of changes) terminal.print(changeLine(change, app.zone.minute(change.at)))
          return
        }
        const deleted = deletionToUndo(ledger, numberOf(number))
        if (deleted) return undoDeletion(app, ledger, deleted, options.json ?? false)
        const done = undo(changeContext(app, ledger), numberOf(number))
        await refreshMemoryFiles(app, ledger)
        if (options.json) return terminal.json(done)
        terminal.say(`Undone: ${changeLine(done.change, app.zone.minute(done.change.at))}`)
        for (const version of done.versions) terminal.print(`  ${restoredText(version)}`)
      }),
    )

  async function undoDeletion(app: App, ledger: Ledger, change: ChangeRecord, isJson: boolean): Promise<void> {
    const { runUndo } = await import('../../delete/run.ts')
    const onWait = (owner: LockOwner | undefined) => terminal.say(`Waiting for ${lockOwnerText(owner)} to end`)
    const { summary } = await withWaitLimit(() => runUndo(app.context(ledger), change, { onWait, maxWaitMs }))
    if (isJson) return terminal.json({ change, ...summary })
    terminal.say(`Undone: ${changeLine(change, app.zone.minute(change.at))}`)
    terminal.print(
      `${plural(summary.sessions, 'session')} and ${plural(summary.memories, 'memory', 'memories')} restored`,
    )
  }
}

/** The deletion of sessions that is to be undone; undefined for a change of memories. */
function deletionToUndo(ledger: Ledger, number: number | undefined): ChangeRecord | undefined {
  const change = number === undefined ? lastUndoableChange(ledger) : changeById(ledger, number)
  if (change?.kind === 'undone' && deletionUndoneBy(ledger, change.id) !== undefined)
    throw new UserError(
      'Sessions that were restored are deleted again with: recollect delete',
      'See: recollect sessions',
      1,
    )
  return change?.kind === 'deleted' && change.undoneBy === null ? change : undefined
}

export function addHistory({ program, terminal }: CommandContext): void {
  program
    .command('history <id>')
    .description('Show all changes of a memory')
    .option('--json', 'Print JSON')
    .addHelpText('after', examples('recollect history m-k3j5h2'))
    .action((id: string, options: { json?: boolean }) =>
      withLedger((app, ledger) => {
        const versions = memoryHistory(ledger, memoryNamed(ledger, id).id)
        if (options.json) return terminal.json(versions)
        for (const version of versions) {
          terminal.print(changeLine(version.change, app.zone.minute(version.change.at)))
          for (const line of differences(version)) terminal.print(`  ${line}`)
        }
      }),
    )
}

function numberOf(value: string | undefined): number | undefined {
  if (value === undefined) return undefined
  if (!/^\d+$/.test(value))
    throw new UserError(`A change is given by its number, not "${value}"`, 'To list changes: recollect undo --list')
  return Number(value)
}

function changeLine({ id, kind, about, undoneBy }: ChangeRecord, when: string): string {
  return `${id}  ${when}  ${kind}: ${about}${undoneBy === null ? '' : ` (undone by ${undoneBy})`}`
}

function restoredText({ before, after }: MemoryVersion): string {
  if (!before) return `${after!.id} removed: ${after!.text}`
  return `${before.id} restored: ${before.text}`
}

/** The changed fields; only the text for a memory that was created or removed. */
function differences({ before, after }: MemoryVersion): string[] {
  if (!before || !after) return [(after ?? before)!.text]
  return (Object.keys(after) as (keyof typeof after)[])
    .filter((name) => name !== 'version' && JSON.stringify(before[name]) !== JSON.stringify(after[name]))
    .map((name) =>
      name === 'evidence'
        ? `evidence: ${plural(after.evidence.length, 'source')}`
        : `${name}: ${shown(before[name])} -> ${shown(after[name])}`,
    )
}

function shown(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
