import type { App } from '../../app.ts'
import { UserError } from '../../core/errors.ts'
import type { LockOwner } from '../../core/lock.ts'
import { formatCount, plural } from '../../core/units.ts'
import { memoryNamed, undo } from '../../learn/change.ts'
import { changeSummary, versionText } from '../../learn/change-text.ts'
import { deletionUndoneBy } from '../../store/deletion/deletions.ts'
import { importedBy } from '../../store/imported.ts'
import type { Ledger } from '../../store/ledger.ts'
import {
  type ChangeRecord,
  changeById,
  lastUndoableChange,
  listChanges,
  type MemoryVersion,
  memoryHistory,
  versionsOfChange,
} from '../../store/memories/changes.ts'
import { ellipsize } from '../../text/truncate.ts'
import { type CommandContext, changeContext, examples, refreshMemoryFiles, withLedger } from '../command.ts'
import { lockOwnerText, maxWaitMs, withWaitLimit } from '../reports.ts'
import { type Terminal, wrapText } from '../terminal.ts'
import { memoryLine } from './memory-text.ts'

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
          if (changes.length === 0) exit(1)
          if (options.json) return terminal.json(changes)
          if (changes.length === 0) return terminal.say('No changes yet.')
          for (const change of changes) terminal.print(listLine(app, ledger, terminal, change))
          return terminal.say('To undo one: recollect undo <number>')
        }
        const deleted = deletionToUndo(ledger, numberOf(number))
        if (deleted) return undoDeletion(app, ledger, deleted, options.json ?? false)
        const imported = importToUndo(ledger, numberOf(number))
        if (imported !== undefined) return undoImported(app, ledger, imported, options.json ?? false)
        const done = undo(changeContext(app, ledger), numberOf(number))
        await refreshMemoryFiles(app, ledger)
        if (options.json) return terminal.json(done)
        terminal.say(`Undone: ${changeSummary(done.change, done.versions)}`)
        printVersions(terminal, done.versions)
      }),
    )

  async function undoImported(app: App, ledger: Ledger, change: number, isJson: boolean): Promise<void> {
    const { undoImport } = await import('../../import/undo.ts')
    const onWait = (owner: LockOwner | undefined) => terminal.say(`Waiting for ${lockOwnerText(owner)} to end`)
    const done = await withWaitLimit(() => undoImport(app.context(ledger), change, { onWait, maxWaitMs }))
    await refreshMemoryFiles(app, ledger)
    if (isJson) return terminal.json(done)
    terminal.say(`Undone: ${changeSummary(done.change, done.versions)}`)
    printVersions(terminal, done.versions)
    const counts: [number, string][] = [
      [done.sessions, plural(done.sessions, 'session')],
      [done.candidates, plural(done.candidates, 'candidate')],
      [done.pages, plural(done.pages, 'page')],
    ]
    const removed = counts.filter(([count]) => count > 0).map(([, text]) => text)
    if (removed.length > 0) terminal.print(`  ${removed.join(', ')} removed`)
    for (const path of done.left) terminal.say(`${path} was changed since the import; it is left as it is.`)
  }

  async function undoDeletion(app: App, ledger: Ledger, change: ChangeRecord, isJson: boolean): Promise<void> {
    const { runUndo } = await import('../../delete/run.ts')
    const onWait = (owner: LockOwner | undefined) => terminal.say(`Waiting for ${lockOwnerText(owner)} to end`)
    const { summary } = await withWaitLimit(() => runUndo(app.context(ledger), change, { onWait, maxWaitMs }))
    if (isJson) return terminal.json({ change, ...summary })
    terminal.say(`Undone: ${changeSummary(change, [])}`)
    terminal.print(
      `${plural(summary.sessions, 'session')} and ${plural(summary.memories, 'memory', 'memories')} restored`,
    )
  }
}

/** The import that is to be undone, if it added more than memories. */
function importToUndo(ledger: Ledger, number: number | undefined): number | undefined {
  const change = number === undefined ? lastUndoableChange(ledger) : changeById(ledger, number)
  const isImport = change?.kind === 'imported' && change.undoneBy === null && importedBy(ledger, change.id).length > 0
  return isImport ? change.id : undefined
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
        const memory = memoryNamed(ledger, id)
        const versions = memoryHistory(ledger, memory.id)
        if (options.json) return terminal.json(versions)
        terminal.tell(memoryLine(ledger, memory, app, terminal.style))
        if (versions.length === 0) terminal.say('No changes yet: candidates have no history.')
        for (const version of versions) {
          const { id, at, undoneBy } = version.change
          const head = `${String(id).padStart(4)}  ${app.zone.minute(at)}  `
          const text = `${versionText(version)}${undoneBy === null ? '' : ` (undone by ${undoneBy})`}`
          const lines = wrapText(text, terminal.columns - head.length)
          terminal.print(
            lines.map((line, index) => `${index === 0 ? head : ' '.repeat(head.length)}${line}`).join('\n'),
          )
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

/** One line, as wide as the terminal. */
function listLine(app: App, ledger: Ledger, { columns }: Terminal, change: ChangeRecord): string {
  const { id, at, undoneBy } = change
  const head = `${String(id).padStart(4)}  ${app.zone.minute(at)}  `
  const tail = undoneBy === null ? '' : ` (undone by ${undoneBy})`
  const summary = changeSummary(change, versionsOfChange(ledger, id))
  return `${head}${ellipsize(summary, Math.max(30, columns - head.length - tail.length))}${tail}`
}

/** An import may have changed thousands. */
const maxShown = 50

function printVersions({ print }: Terminal, versions: readonly MemoryVersion[]): void {
  for (const version of versions.slice(0, maxShown)) print(`  ${restoredText(version)}`)
  if (versions.length > maxShown) print(`  and ${formatCount(versions.length - maxShown)} more`)
}

function restoredText({ before, after }: MemoryVersion): string {
  if (!before) return `${after!.id} removed: ${after!.text}`
  return `${before.id} restored: ${before.text}`
}
