// Formats search results for the terminal, grouped by session: a heading for each session, below it
// its passages with the id that `recollect show` takes, who said it and why it was found.
import type { App } from '../../app.ts'
import { resumeCommand, shortId } from '../../core/session.ts'
import { validityMarks } from '../../memory/age.ts'
import { attributionText } from '../../memory/attribution.ts'
import type { Query } from '../../search/query.ts'
import type { SearchResult } from '../../search/search.ts'
import { markMatches } from '../../search/snippet.ts'
import { ellipsize, oneLine } from '../../text/truncate.ts'
import { type Style, wrapText } from '../terminal.ts'

export interface ReferencedResult extends SearchResult {
  /** What `recollect show` takes: `0a1b2c3d#12`, an id of a memory, a hash, a path. */
  ref: string
  /** The command that continues the session. */
  resume?: string
}

export function withReferences(results: SearchResult[], { agents }: Pick<App, 'agents'>): ReferencedResult[] {
  return results.map((result) => {
    const resume = result.session === null ? undefined : resumeCommand(agents, result.session)
    return { ...result, ref: referenceOf(result), ...(resume === undefined ? {} : { resume: resume.join(' ') }) }
  })
}

function referenceOf({ kind, id, session, seq, commit }: SearchResult): string {
  if (commit !== null) return commit.slice(0, 12)
  if (kind === 'memory' || session === null) return id
  return seq === null ? shortId(session) : `${shortId(session)}#${seq}`
}

/** Limit of passages of one session; the rest of them repeats it. */
const maxPerSession = 3
/** Longer lines are hard to read, and a terminal has 80 columns by default. */
const maxColumns = 80

export interface SearchTextOptions {
  query: Query
  app: Pick<App, 'zone' | 'clock'>
  style: Style
  columns: number
  /** The readable name of a project. */
  nameOf(project: string): string
  /** Limit of passages. */
  limit: number
}

/** In the order of the best passage of each group. */
export function searchText(results: ReferencedResult[], options: SearchTextOptions): string {
  const columns = Math.min(options.columns, maxColumns)
  return groupsOf(results, options.limit)
    .map((group) => groupLines(group, { ...options, columns }).join('\n'))
    .join('\n\n')
}

/** The same passage is shown once. */
function groupsOf(results: ReferencedResult[], limit: number): ReferencedResult[][] {
  const groups = new Map<string, ReferencedResult[]>()
  const shown: string[] = []
  for (const result of results) {
    const key = isOfSession(result) ? result.session! : result.id
    const group = groups.get(key) ?? []
    const text = result.snippet.replace(/^…|…$/g, '')
    if (shown.length === limit || group.length === maxPerSession) continue
    if (shown.some((other) => other.includes(text.slice(0, sameLength)) || text.includes(other.slice(0, sameLength))))
      continue
    shown.push(text)
    groups.set(key, [...group, result])
  }
  return [...groups.values()]
}

/** Passages with the same beginning of this length are the same. */
const sameLength = 100

function isOfSession({ kind }: SearchResult): boolean {
  return kind === 'exchange' || kind === 'digest'
}

function groupLines(group: ReferencedResult[], options: SearchTextOptions): string[] {
  const { style, columns } = options
  const first = group[0]!
  const resume = first.kind === 'memory' ? undefined : first.resume
  return [
    style.bold(ellipsize(headingOf(first, options), columns)),
    ...group.flatMap((result) => passageLines(result, options)),
    ...(resume ? [style.dim(`  Resume: ${resume}`)] : []),
  ]
}

/** Date, agent and session or kind and id, project, title. */
function headingOf(result: ReferencedResult, { app: { zone }, nameOf }: SearchTextOptions): string {
  const { kind, session, project, title, ts, tier, ref } = result
  const source = isOfSession(result)
    ? `${session!.slice(0, session!.indexOf(':'))} ${shortId(session!)}`
    : `${kind === 'memory' ? tier : kind} ${ref}`
  const place = project ? nameOf(project) : kind === 'memory' ? 'everywhere' : ''
  return [ts ? zone.minute(ts) : '', source, place, title ? oneLine(title) : ''].filter(Boolean).join('  ')
}

function passageLines(result: ReferencedResult, { query, app, style, columns }: SearchTextOptions): string[] {
  const about = [...speakerMarks(result, app.clock.nowMs()), `matches ${result.why.join(', ')}`].join('; ')
  const paint = (line: string) => markMatches(line, query, (match) => style.bold(style.yellow(match)))
  const isTitle = result.title !== null && oneLine(result.title).startsWith(result.snippet.replace(/…$/, ''))
  return [
    ...indented(isOfSession(result) ? `${result.ref}  ${about}` : about, columns, 2).map((line) => style.dim(line)),
    ...(isTitle ? [] : indented(oneLine(result.snippet), columns, 6).map(paint)),
  ]
}

function indented(text: string, columns: number, indent: number): string[] {
  return wrapText(text, columns - indent).map((line) => `${' '.repeat(indent)}${line}`)
}

function speakerMarks(result: ReferencedResult, nowMs: number): string[] {
  const { kind, role, tier, trust, supersededBy, space, author, ts, doubt } = result
  if (kind === 'memory')
    return [
      [
        tier === 'candidate' ? 'not confirmed' : '',
        attributionText({ trust: trust!, space: space ?? null, author: author ?? null }),
        ...(ts ? validityMarks({ confirmedAt: ts, doubt: doubt ?? null }, nowMs) : []),
        supersededBy ? `superseded by ${supersededBy}` : '',
      ]
        .filter(Boolean)
        .join(', '),
    ]
  if (kind === 'commit' || kind === 'article' || kind === 'journal') return []
  return [role ? { user: 'you', assistant: 'agent', tool: 'tool output', system: 'agent' }[role] : 'digest']
}
