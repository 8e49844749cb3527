// Says what an import of another program's memory did.
import { shortPath } from '../../core/paths.ts'
import { formatCount, plural } from '../../core/units.ts'
import type { SourceImportReport } from '../../import/import.ts'
import type { Memory } from '../../memory/memory.ts'
import { ellipsize, oneLine } from '../../text/truncate.ts'
import type { Terminal } from '../terminal.ts'

/** Lines of a kind that are shown; a database may have thousands. */
const maxShown = 15

export function printImportReport(
  terminal: Terminal,
  report: SourceImportReport,
  { name, home, isDryRun }: { name: string; home: string; isDryRun: boolean },
): void {
  const { say } = terminal
  const shown = (path: string) => shortPath(path, home)
  say(`${name}: ${shown(report.path)}`)
  printMemories(terminal, '+', report.kept)
  printMemories(terminal, '-', report.superseded)
  printMemories(terminal, '?', report.inbox)
  printList(
    terminal,
    [...report.pages.days, ...report.pages.articles].map((path) => `+ ${path}`),
  )
  for (const text of [memoriesText(report), sessionsText(report), pagesText(report)]) if (text !== '') say(text)
  if (report.left.length > 0)
    say(
      `${plural(report.left.length, 'memory', 'memories')} differ from yours or were forgotten, and stay as they are.`,
    )
  if (report.ofTeams > 0) say(`${plural(report.ofTeams, 'memory', 'memories')} of teams left out: they come with sync.`)
  printList(
    terminal,
    report.problems.map(({ file, line, reason }) => `${shown(file)}${line === undefined ? '' : `:${line}`}: ${reason}`),
    say,
  )
  if (isDryRun) say('Dry run: nothing was changed.')
  else if (report.change !== null) say(`To undo: recollect undo ${report.change}`)
  else say('Nothing new.')
}

function printMemories(terminal: Terminal, mark: string, memories: readonly Memory[]): void {
  printList(
    terminal,
    memories.map(({ id, text }) => ellipsize(`${mark} ${id}  ${oneLine(text)}`, terminal.columns)),
  )
}

function printList({ print }: Terminal, lines: readonly string[], write: (line: string) => void = print): void {
  for (const line of lines.slice(0, maxShown)) write(line)
  if (lines.length > maxShown) write(`  and ${formatCount(lines.length - maxShown)} more`)
}

function memoriesText({ kept, candidates, merged, known, superseded, inbox, dropped }: SourceImportReport): string {
  const counts: [number, string][] = [
    [kept.length, 'new'],
    [merged.length + known, 'already known'],
    [superseded.length, 'superseded'],
    [inbox.length, 'in the inbox (recollect inbox)'],
    [candidates.length, 'to review (recollect memories review)'],
    [dropped.length, `left out (${reasonsOf(dropped)})`],
  ]
  const texts = counts.filter(([count]) => count > 0).map(([count, text]) => `${formatCount(count)} ${text}`)
  return texts.length === 0 ? '' : `Memories: ${texts.join(', ')}.`
}

/** The most frequent ones. */
function reasonsOf(dropped: SourceImportReport['dropped']): string {
  const reasons = [...Map.groupBy(dropped, ({ reason }) => reason)].sort(([, a], [, b]) => b.length - a.length)
  return reasons
    .slice(0, 2)
    .map(([reason]) => reason)
    .join('; ')
}

function sessionsText({ sessions }: SourceImportReport): string {
  const { written, events, known, captured, left } = sessions
  const counts: [number, string][] = [
    [written, `imported with ${plural(events, 'event')}`],
    [known, 'imported before'],
    [captured, 'captured from the agent already'],
    [left, 'left out (deleted by you, or in an ignored folder)'],
  ]
  const texts = counts.filter(([count]) => count > 0).map(([count, text]) => `${formatCount(count)} ${text}`)
  return texts.length === 0 ? '' : `Sessions: ${texts.join(', ')}.`
}

function pagesText({ pages }: SourceImportReport): string {
  const { days, articles, known, left } = pages
  const counts: [number, string][] = [
    [days.length, days.length === 1 ? 'day of the journal' : 'days of the journal'],
    [articles.length, articles.length === 1 ? 'article' : 'articles'],
    [known, 'imported before'],
    [left.length, `left out, because another file is there: ${left.slice(0, 3).join(', ')}`],
  ]
  const texts = counts.filter(([count]) => count > 0).map(([count, text]) => `${formatCount(count)} ${text}`)
  return texts.length === 0 ? '' : `Pages: ${texts.join(', ')}.`
}
