import type { App } from '../../app.ts'
import { commandOf, pathsOf } from '../../core/commands.ts'
import { messageOf, UserError } from '../../core/errors.ts'
import { shortId } from '../../core/session.ts'
import { formatCount, formatDuration, formatUsd, plural, type Zone } from '../../core/units.ts'
import { type Digest, readDigest } from '../../digest/digest.ts'
import { memoryNamed } from '../../learn/change.ts'
import type { Ledger } from '../../store/ledger.ts'
import { bodyState, readBody, type SessionBody, type StoredEvent } from '../../store/sessions/bodies.ts'
import { bodyOfSession, childrenOf, findSessions, type SessionView } from '../../store/sessions/sessions.ts'
import { commitsByHash } from '../../store/sessions/timeline.ts'
import { type CommandContext, examples, withLedger } from '../command.ts'
import { printMemory } from '../memories/memories.ts'
import { type Style, type Terminal, withoutControls } from '../terminal.ts'
import { readPage } from '../wiki/wiki.ts'
import { outcomeText } from './sessions.ts'

interface Options {
  json?: boolean
  full?: boolean
}

export function addShow({ program, terminal }: CommandContext): void {
  program
    .command('show <id>')
    .description(
      'one session: its digest and the conversation; or one event with what is around it, a memory, a commit, an article',
    )
    .option('--full', 'tool output and thinking in full')
    .option('--json', 'session, digest and events as JSON')
    .addHelpText(
      'after',
      examples(
        'recollect show 0a1b2c3d',
        'recollect show codex:019f15f7-b472-7bc3-8651-5547781e25cf --full',
        'recollect show 0a1b2c3d --json',
        'recollect show 0a1b2c3d#12                 the event that a search found',
        'recollect show m-k3j5',
      ),
    )
    .action((id: string, options: Options) =>
      withLedger((app, ledger) => {
        if (/^(?:wiki|journal)\//.test(id)) return showPage(app, terminal, id, options.json ?? false)
        if (/^m-\w+$/.test(id))
          return printMemory(app, ledger, terminal, memoryNamed(ledger, id), options.json ?? false)
        const { session, event } = placeNamed(ledger, id)
        if (!session) return showCommit(app, ledger, terminal, id, options)
        const digest = readDigest(ledger, session.id)
        if (event !== undefined) return showAround(app, ledger, terminal, session, event, options)
        if (options.json) return printJson(terminal, session, digest, eventsOf(ledger, session))
        printHead(terminal, app.zone, session, digest)
        for (const event of eventsOf(ledger, session)) {
          const text = eventText(printable(event), terminal.style, options.full ?? false, app.zone)
          if (text) terminal.print(text)
        }
        printChildren(terminal, childrenOf(ledger, session.id))
      }),
    )
}

function showPage(app: App, terminal: Terminal, path: string, isJson: boolean): void {
  const text = readPage(app, path.replace(/\.md$/, ''))
  if (isJson) terminal.json({ path, text })
  else terminal.print(withoutControls(text))
}

/** `<session>#<place>` as a search result says it, or `<session>#<the agent's own id>`. No session where it may be a commit. */
function placeNamed(ledger: Ledger, id: string): { session?: SessionView; event?: string } {
  const [, uid, event] = /^(.+)#([^#]+)$/s.exec(id) ?? []
  if (uid !== undefined && findSessions(ledger, id).length === 0)
    return { session: oneSession(ledger, uid), event: event! }
  if (/^[0-9a-f]{7,64}$/i.test(id) && findSessions(ledger, id).length === 0 && commitsByHash(ledger, id).length > 0)
    return {}
  return { session: oneSession(ledger, id) }
}

/** What is shown before and after an event. */
const before = 4
const after = 10

function showAround(
  app: App,
  ledger: Ledger,
  terminal: Terminal,
  session: SessionView,
  named: string,
  options: Options,
): void {
  const { events, seq } = around(ledger, session, named)
  const digest = readDigest(ledger, session.id)
  if (options.json) return printJson(terminal, session, digest, events)
  const { print, style } = terminal
  const when = session.started ? `, ${app.zone.minute(session.started)}` : ''
  print(style.bold(withoutControls(session.title ?? session.id)))
  print(style.dim(`${session.id}${when}, event ${seq} of ${session.counts.events}\n`))
  for (const event of events) {
    const text = eventText(printable(event), style, options.full ?? false, app.zone)
    if (event.seq === seq) print(style.yellow(`► ${seq}`))
    if (text) print(text)
  }
  print(style.dim(`\nThe whole session: recollect show ${shortId(session.id)}`))
}

function around(ledger: Ledger, session: SessionView, named: string): { events: StoredEvent[]; seq: number } {
  const place = /^\d{1,8}$/.test(named) ? Number(named) : undefined
  const events: StoredEvent[] = []
  let seq: number | undefined
  for (const event of eventsOf(ledger, session, Math.max(0, (place ?? 0) - before))) {
    if (seq === undefined && (place === undefined ? event.id === named : event.seq === place)) seq = event.seq
    if (seq !== undefined && event.seq > seq + after) break
    events.push(event)
    if (seq === undefined && events.length > before) events.shift()
  }
  if (seq !== undefined) return { events, seq }
  const isGone = session.evictedAt !== null
  throw new UserError(
    isGone ? `The text of ${session.id} was let go` : `${session.id} has no event ${named}`,
    isGone ? `Its digest stays: recollect show ${shortId(session.id)}` : `It has ${session.counts.events} events.`,
    1,
  )
}

async function showCommit(app: App, ledger: Ledger, terminal: Terminal, id: string, { json }: Options): Promise<void> {
  const found = commitsByHash(ledger, id)
  if (new Set(found.map(({ hash }) => hash)).size > 1)
    throw new UserError(
      `"${id}" fits ${found.length} commits`,
      `Which one? ${found.map(({ hash }) => hash).join(', ')}`,
    )
  const { commitsByNumber } = await import('../../store/sessions/commits.ts')
  const commit = commitsByNumber(ledger, [found[0]!.number]).get(found[0]!.number)!
  if (json) return terminal.json(commit)
  const { print, style } = terminal
  print(style.bold(`commit ${commit.hash}`))
  print(style.dim(`${app.zone.minute(commit.at)}  ${commit.project}\n`))
  print(withoutControls(commit.message.trim()))
  if (commit.files.length > 0)
    print(`\n${commit.files.map((path) => `${style.green('✎')} ${withoutControls(path)}`).join('\n')}`)
}

function oneSession(ledger: Ledger, id: string): SessionView {
  const found = findSessions(ledger, id)
  if (found.length === 1) return found[0]!
  if (found.length === 0) throw new UserError(`No session "${id}"`, 'Run "recollect sessions" to see them.', 1)
  throw new UserError(
    `"${id}" fits ${found.length} sessions`,
    `Which one? ${found.map((session) => session.id).join(', ')}`,
  )
}

function eventsOf(ledger: Ledger, session: SessionView, fromSeq = 0): Iterable<StoredEvent> {
  const body = bodyOfSession(ledger, session.id)
  if (!body) return []
  if (bodyState(ledger.layout.bodies, body.file, body.bytes) !== 'whole') {
    throw new UserError(
      `The text of ${session.id} is missing from the store (${body.file})`,
      'If its transcript is still there: recollect rebuild, then recollect sweep',
      3,
    )
  }
  return readWhole(ledger, session, body, fromSeq)
}

function* readWhole(ledger: Ledger, session: SessionView, body: SessionBody, fromSeq: number): Generator<StoredEvent> {
  try {
    yield* readBody(ledger.layout.bodies, body.file, body.bytes, fromSeq)
  } catch (error) {
    throw new UserError(
      `The text of ${session.id} is damaged from here on (${body.file}): ${messageOf(error)}`,
      'Its digest and its cost are not affected.',
      3,
    )
  }
}

function printJson(
  terminal: Terminal,
  session: SessionView,
  digest: Digest | null,
  stored: Iterable<StoredEvent>,
): void {
  const events: unknown[] = []
  for (const { id, ...event } of stored) events.push({ ...event, event: id, error: event.error ?? null })
  terminal.json({ session, digest, events })
}

function printHead({ print, style }: Terminal, zone: Zone, session: SessionView, digest: Digest | null): void {
  const { tokens, counts } = session
  const lines = [
    ['session', session.id],
    ['project', [session.project, session.branch && `branch ${session.branch}`].filter(Boolean).join(', ')],
    [
      'time',
      [session.started && zone.minute(session.started), session.ended && zone.minute(session.ended)]
        .filter(Boolean)
        .join(' to ') + (session.endReason ? ` (${session.endReason})` : ''),
    ],
    ['outcome', digest ? `${outcomeText(digest.outcome, style)}: ${digest.because}` : 'not digested yet'],
    [
      'counts',
      `${plural(counts.prompts, 'prompt')}, ${plural(counts.toolCalls, 'tool call')}, ${plural(counts.toolErrors, 'tool error')}, active ${formatDuration(digest?.activeMs ?? 0)}`,
    ],
    ['model', session.model ?? 'unknown'],
    [
      'tokens',
      `${formatCount(tokens.input)} in, ${formatCount(tokens.cacheRead)} cached, ${formatCount(tokens.cacheWrite)} written to cache, ${formatCount(tokens.output)} out${tokens.isLowerBound ? ' (at least)' : ''}`,
    ],
    ['cost', formatUsd(session.costUsd)],
    ['from', session.origin ?? ''],
    ['parent', session.parent ?? ''],
    ['fork of', session.forkedFrom ? `${session.forkedFrom} (${session.inherited} events are there)` : ''],
    ['files', fileList(digest)],
    [
      'errors',
      (digest?.errors ?? [])
        .slice(0, 5)
        .map((error) => `${error.count}× ${error.message}`)
        .join('\n           '),
    ],
  ]
  print(style.bold(withoutControls(session.title ?? session.id)))
  for (const [name, value] of lines) if (value) print(`${style.dim(name!.padEnd(9))}  ${value}`)
  if (session.evictedAt)
    print(style.yellow(`The conversation was let go on ${zone.day(session.evictedAt)}; the digest stays.`))
  print('')
}

function fileList(digest: Digest | null): string {
  const files = digest?.files ?? []
  const shown = files.slice(0, 8).map((file) => `${file.path} +${file.added} -${file.removed}`)
  return (
    shown.join('\n           ') +
    (files.length > shown.length ? `\n           and ${files.length - shown.length} more` : '')
  )
}

/** A conversation as people read it: what was said in full, what tools did in one line. */
function eventText(event: StoredEvent, style: Style, isFull: boolean, zone: Zone): string {
  const time = event.ts ? style.dim(zone.minute(event.ts).slice(11)) : '     '
  switch (event.kind) {
    case 'prompt':
      return `\n${time} ${style.bold(style.blue('You'))}\n${event.text}\n`
    case 'command':
    case 'shell':
      return `${time} ${style.blue(event.kind === 'shell' ? '!' : '>')} ${event.text}`
    case 'reply':
      return `\n${time} ${style.bold('Agent')}\n${event.text}\n`
    case 'thinking':
      return isFull ? style.dim(`${time} (thinking) ${event.text}`) : ''
    case 'tool_call':
      return `${time} ${style.yellow('●')} ${event.tool} ${isFull ? JSON.stringify(event.input) : clip(callText(event), 110)}`
    case 'tool_result':
    case 'test_run':
      return resultText(event, style, isFull)
    case 'edit':
      return (event.files ?? [])
        .map((file) => `        ${style.green('✎')} ${file.path} +${file.added ?? 0} -${file.removed ?? 0}`)
        .join('\n')
    case 'error':
      return `${time} ${style.red('error')} ${isFull ? event.text : clip(event.text, 200)}`
    case 'interrupt':
      return `${time} ${style.red('■')} stopped by the user`
    case 'compaction':
      return style.dim(`${time} ── compaction: ${isFull ? event.text : clip(event.text, 100)}`)
    case 'context':
      return isFull ? style.dim(`${time} (context) ${event.text}`) : ''
    case 'lifecycle':
      return style.dim(`${time} ${event.text}`)
    default:
      event.kind satisfies never
      return ''
  }
}

/** What a transcript holds may hold control codes: a terminal must not obey them. */
function printable(event: StoredEvent): StoredEvent {
  return { ...event, text: withoutControls(event.text) }
}

function callText(event: StoredEvent): string {
  return (
    commandOf(event.input) || pathsOf(event.input).join(' ') || patchedFiles(event) || JSON.stringify(event.input ?? {})
  )
}

/** A patch as a tool's input: its files are enough, the change itself is shown below it. */
function patchedFiles({ input }: StoredEvent): string {
  const source = typeof input === 'string' ? input : typeof input === 'object' ? JSON.stringify(input) : ''
  return [...source.matchAll(/\*\*\* (?:Add|Update|Delete) File: (.+?)(?=\\n|\n|")/g)]
    .map((match) => match[1]!)
    .join(' ')
}

function resultText(event: StoredEvent, style: Style, isFull: boolean): string {
  const lines = event.text.split('\n').filter((line) => line.trim() !== '')
  const mark = event.tests ? testMark(event.tests, style) : event.error ? style.red(`✗ ${event.error}`) : ''
  if (isFull) return `        ${mark}\n${event.text}`
  const shown = event.error ? clip(lines.slice(0, 3).join(' / '), 200) : clip(lines[0] ?? '', 90)
  const folded = lines.length > 1 ? style.dim(` (+${plural(lines.length - 1, 'line')})`) : ''
  return `        ${[mark, style.dim(shown)].filter(Boolean).join(' ')}${folded}`
}

function testMark({ passed, failed }: { passed: number; failed: number }, style: Style): string {
  return failed > 0
    ? style.red(`✗ ${failed} of ${passed + failed} tests failed`)
    : style.green(`✓ ${passed} tests passed`)
}

function printChildren({ print, style }: Terminal, children: SessionView[]): void {
  if (children.length === 0) return
  print(style.bold('\nSubagents'))
  for (const child of children)
    print(
      `  ${child.id}  ${child.title ?? ''} (${plural(child.counts.toolCalls, 'tool call')}, ${formatUsd(child.costUsd)})`,
    )
}

function clip(text: string, max: number): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length <= max ? line : `${line.slice(0, max - 1)}…`
}
