// Prints the runs of sweep and worker with what became of each session in them.
import type { App } from '../../app.ts'
import { isoTime } from '../../core/clock.ts'
import { shortId } from '../../core/session.ts'
import type { Ledger } from '../../store/ledger.ts'
import { findSessions } from '../../store/sessions/sessions.ts'
import { readRuns, type WorkLogEntry, type WorkRun } from '../../store/work-log.ts'
import { oneLine, shortLine } from '../../text/truncate.ts'
import { countOption, sessionNamed } from '../command.ts'
import { type Terminal, wrapText } from '../terminal.ts'

interface Options {
  session?: string
  limit?: string
  json?: boolean
}

export function printRuns(terminal: Terminal, { zone }: App, ledger: Ledger, options: Options): void {
  const session = options.session === undefined ? undefined : uidNamed(ledger, options.session)
  const runs = readRuns(ledger, { limit: countOption(options.limit, 'limit'), session })
  if (options.json) return terminal.json(runs.map(runJson))
  if (runs.length === 0)
    return terminal.say(session ? `No run has a record of ${session}.` : 'No run has done anything yet.')
  const { print, style, columns } = terminal
  for (const run of runs) {
    print(shortLine(`${style.bold(zone.minute(isoTime(run.atMs)))}  ${headOf(run)}`, columns + boldLength(style.bold)))
    for (const entry of run.entries) for (const line of linesOf(entry, columns - 2)) print(`  ${line}`)
  }
}

/** The reason why something was held back is not cut off. */
function linesOf(entry: WorkLogEntry, columns: number): string[] {
  const line = lineOf(entry)
  if (entry.what !== 'held back') return [shortLine(line, columns)]
  return wrapText(line, columns - 2).map((part, index) => (index === 0 ? part : `  ${part}`))
}

/** Escape codes take no room on the screen. */
function boldLength(bold: (text: string) => string): number {
  return bold('').length
}

function headOf({ parts }: WorkRun): string {
  if (parts.length === 0) return ''
  const ms = parts.reduce((sum, part) => sum + (part.ms ?? 0), 0)
  const [trigger] = parts[0]!.detail.split(': ')
  const told = parts
    .map(({ detail }) => detail.slice(detail.indexOf(': ') + 2))
    .filter((text) => text !== 'nothing new')
  return `${trigger}, ${ms} ms: ${told.join('; ') || 'nothing new'}`
}

/** `claude-code 030df228: 3 exchanges read by rules: 1 proposed`. */
export function lineOf({ session, what, detail }: WorkLogEntry): string {
  const who = session === '' ? '' : `${session.slice(0, session.indexOf(':'))} ${shortId(session)}: `
  const isSaid = what === 'read' || what === 'judged'
  return `${who}${isSaid ? '' : `${what}: `}${oneLine(detail)}`
}

function runJson({ atMs, parts, entries }: WorkRun) {
  const json = ({ atMs: at, ...entry }: WorkLogEntry) => ({ at: isoTime(at), ...entry })
  return { at: isoTime(atMs), parts: parts.map(json), entries: entries.map(json) }
}

/** A session that was deleted, or never captured, may still be in the log. */
function uidNamed(ledger: Ledger, id: string): string {
  return findSessions(ledger, id).length === 0 ? id : sessionNamed(ledger, id).id
}
