// One marked line in a table that belongs to the user. The table is text with one character per byte: whatever encoding
// its other lines are in, they come out as they went in.
import { type Cadence, cadenceIn } from './scheduler.ts'

const mark = / # recollect schedule (?:hourly|daily) since (\S+)( \([^)]*\))?$/
const inNewTable = ' (in a new crontab)'
const afterOpenLine = ' (after a line without end)'

export interface OurLine {
  /** The line up to its mark. */
  job: string
  cadence: Cadence
  since: string
}

export function ourLine(table: string): OurLine | undefined {
  const line = linesOf(table).find((one) => isOurs(one) && !one.startsWith('#'))
  if (!line) return undefined
  const match = mark.exec(line.trimEnd())!
  return { job: line.slice(0, match.index), cadence: cadenceIn(match[0])!, since: match[1]! }
}

/** In the place of our old line, else at the end. What the table was like before is kept in the mark. */
export function withOurLine(table: string | undefined, { job, cadence, since }: OurLine): string {
  const line = (note: string) => `${job} # recollect schedule ${cadence} since ${since}${note}\n`
  if (table === undefined) return line(inNewTable)
  const lines = linesOf(table)
  const at = lines.findIndex(isOurs)
  if (at < 0) return table === '' || table.endsWith('\n') ? table + line('') : `${table}\n${line(afterOpenLine)}`
  const rest = lines.map((one, index) => (index === at ? line(noteOf(one)) : isOurs(one) ? '' : one))
  return rest.join('')
}

/** The table without what was added; undefined where there was none before. */
export function withoutOurLine(table: string): string | undefined {
  const lines = linesOf(table)
  const first = lines.find(isOurs)
  if (!first) return table
  const rest = lines.filter((line) => !isOurs(line)).join('')
  if (rest === '' && noteOf(first) === inNewTable) return undefined
  return noteOf(first) === afterOpenLine && isOurs(lines.at(-1)!) ? rest.replace(/\n$/, '') : rest
}

/** Which lines of ours go and which come. The others are the user's, and may hold his secrets. */
export function tableChanges(before: string, after: string): string[] {
  const shown = (table: string, sign: string) =>
    linesOf(table)
      .filter(isOurs)
      .map((line) => `${sign} ${Buffer.from(line.trimEnd(), 'latin1').toString('utf8')}`)
  return [...shown(before, '-'), ...shown(after, '+')]
}

function linesOf(table: string): string[] {
  return table.match(/[^\n]*\n|[^\n]+$/g) ?? []
}

function isOurs(line: string): boolean {
  return mark.test(line.trimEnd())
}

function noteOf(line: string): string {
  return mark.exec(line.trimEnd())?.[2] ?? ''
}
