import { existsSync } from 'node:fs'
import type { App } from '../../app.ts'
import { isoTime } from '../../core/clock.ts'
import { commandOf, pathsOf } from '../../core/commands.ts'
import { UserError } from '../../core/errors.ts'
import { shortId } from '../../core/session.ts'
import { formatCount, formatDuration, formatSize, formatUsd, plural, type Zone } from '../../core/units.ts'
import { type Digest, readDigest } from '../../digest/digest.ts'
import { memoryNamed } from '../../learn/change.ts'
import type { Ledger } from '../../store/ledger.ts'
import { bodyState, readableEvents, type StoredEvent } from '../../store/sessions/bodies.ts'
import { bodyOfSession } from '../../store/sessions/session-bodies.ts'
import { childrenOf, findSessions, type SessionView } from '../../store/sessions/sessions.ts'
import { commitsByHash } from '../../store/sessions/timeline.ts'
import { readWorkLog, type WorkKind } from '../../store/work-log.ts'
import { oneLine, shortLine } from '../../text/truncate.ts'
import { type CommandContext, examples, sessionNamed, withLedger } from '../command.ts'
import { printMemory } from '../memories/memories.ts'
import type { Style, Terminal } from '../terminal.ts'
import { pageText } from '../wiki/page-text.ts'
import { readPage } from '../wiki/wiki.ts'
import { outcomeText } from './sessions.ts'

interface Options {
  json?: boolean
  full?: boolean
}

export function addShow({ program, terminal }: CommandContext): void {
  program
    .command('show <id>')
    .description('Show a session, an event, a memory, a commit or an article')
    .option('--full', 'Show tool output and thinking in full')
    .option('--json', 'Print JSON')
    .addHelpText(
      'after',
      examples(
        'recollect show 0a1b2c3d',
        'recollect show codex:019f15f7-b472-7bc3-8651-5547781e25cf --full',
        'recollect show 0a1b2c3d --json',
        'recollect show 0a1b2c3d#12    # one event with the events around it',
        'recollect show m-k3j5         # a memory',
      ),
    )
    .action((id: string, options: Options) =>
      withLedger((app, ledger) => {
        if (/^(?:wiki|journal)\//.test(id)) return showPage(app, terminal, id, options.json ?? false)
        if (/^m-\w+$/.test(id))
          return printMemory(app, ledger, terminal, memoryNamed(ledger, id), options.json ?? false)
        const { session, event } = parseId(ledger, id)
        if (!session) return showCommit(app, ledger, terminal, id, options)
        const digest = readDigest(ledger, session.id)
        if (event !== undefined) return showEvent(app, ledger, terminal, session, event, options)
        const damage: string[] = []
        const events = eventsOf(ledger, session, 0, (reason) => damage.push(reason))
        if (options.json) printJson(terminal, session, digest, events)
        else {
          printHead(terminal, app.zone, { session, digest, learning: learningOf(ledger, session, app.zone) })
          for (const event of events) {
            const text = eventText(event, terminal.style, options.full ?? false, app.zone)
            if (text) terminal.print(text)
          }
          printChildren(terminal, childrenOf(ledger, session.id))
        }
        if (damage.length > 0) throw damagedConversation(session, damage[0]!)
      }),
    )
}

function showPage(app: App, terminal: Terminal, path: string, isJson: boolean): void {
  const text = readPage(app, path.replace(/\.md$/, ''))
  if (isJson) terminal.json({ path, text })
  else terminal.print(pageText(text, { ...terminal, nowMs: app.clock.nowMs() }))
}

/**
 * Parses `<session>#<seq>` as search prints it, or `<session>#<event id of the agent>`. Returns no
 * session if the id is that of a commit.
 */
function parseId(ledger: Ledger, id: string): { session?: SessionView; event?: string } {
  const [, uid, event] = /^(.+)#([^#]+)$/s.exec(id) ?? []
  if (uid !== undefined && findSessions(ledger, id).length === 0)
    return { session: sessionNamed(ledger, uid), event: event! }
  if (/^[0-9a-f]{7,64}$/i.test(id) && findSessions(ledger, id).length === 0 && commitsByHash(ledger, id).length > 0)
    return {}
  return { session: sessionNamed(ledger, id) }
}

/** Number of events shown before and after the named one. */
const before = 4
const after = 10

function showEvent(
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
  print(style.bold(session.title ?? session.id))
  print(style.dim(`${session.id}${when}, event ${seq} of ${session.counts.events}\n`))
  for (const event of events) {
    const text = eventText(event, style, options.full ?? false, app.zone)
    if (event.seq === seq) print(style.yellow(`► ${seq}`))
    if (text) print(text)
  }
  print(style.dim(`\nTo read the whole session: recollect show ${shortId(session.id)}`))
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
    isGone ? `The conversation of ${session.id} was deleted to save space` : `${session.id} has no event ${named}`,
    isGone ? `To see its digest: recollect show ${shortId(session.id)}` : `It has ${session.counts.events} events.`,
    1,
  )
}

async function showCommit(app: App, ledger: Ledger, terminal: Terminal, id: string, { json }: Options): Promise<void> {
  const found = commitsByHash(ledger, id)
  if (new Set(found.map(({ hash }) => hash)).size > 1)
    throw new UserError(
      `"${id}" matches ${found.length} commits`,
      `Give more of the id: ${found.map(({ hash }) => hash).join(', ')}`,
    )
  const { commitsByNumber } = await import('../../store/sessions/commits.ts')
  const commit = commitsByNumber(ledger, [found[0]!.number]).get(found[0]!.number)!
  if (json) return terminal.json(commit)
  const { print, style } = terminal
  print(style.bold(`commit ${commit.hash}`))
  print(style.dim(`${app.zone.minute(commit.at)}  ${commit.project}\n`))
  print(commit.message.trim())
  if (commit.files.length > 0) print(`\n${commit.files.map((path) => `${style.green('✎')} ${path}`).join('\n')}`)
}

/** All events that can be read. */
function* eventsOf(
  ledger: Ledger,
  session: SessionView,
  fromSeq = 0,
  onDamage: (reason: string) => void = () => {},
): Generator<StoredEvent> {
  const body = bodyOfSession(ledger, session.id)
  if (!body) return
  const state = bodyState(ledger.layout.bodies, body.file, body.bytes)
  if (state === 'missing') {
    throw new UserError(
      `The conversation of ${session.id} is missing from the store (${body.file})`,
      'If the transcript still exists: recollect rebuild, then recollect sweep',
      3,
    )
  }
  const events = readableEvents(ledger.layout.bodies, body.file, body.bytes, { fromSeq, onDamage })
  for (const { key: _, ...event } of events) yield event
}

function damagedConversation({ id }: SessionView, reason: string): UserError {
  return new UserError(
    `A part of the conversation of ${id} is damaged: ${reason}`,
    'To read it again from its transcript: recollect sweep --full',
    3,
  )
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

const learningKinds: ReadonlySet<WorkKind> = new Set(['read', 'judged', 'waits', 'postponed', 'skipped', 'dropped'])

/** What was last learned from the session, or why nothing was. */
function learningOf(ledger: Ledger, { id, kind, origin }: SessionView, zone: Zone): string[] {
  const entries = readWorkLog(ledger, { session: id }).filter(({ what }) => learningKinds.has(what))
  if (entries.length > 0)
    return entries
      .slice(0, 3)
      .map(({ atMs, what, detail }) => `${zone.minute(isoTime(atMs))} ${what}: ${oneLine(detail)}`)
  if (kind === 'subagent') return ['a subagent: not learned from']
  return origin ? [`left to ${origin}`] : []
}

/** With what its subagents cost, if it had some. */
function sessionCost(session: SessionView): string {
  const { costUsd, isCostLowerBound, totalCostUsd, isTotalCostLowerBound } = session
  const own = formatUsd(costUsd, isCostLowerBound)
  const total = formatUsd(totalCostUsd, isTotalCostLowerBound)
  return total === own ? own : `${own}, with subagents ${total}`
}

interface ShownSession {
  session: SessionView
  digest: Digest | null
  learning: readonly string[]
}

function printHead({ print, style }: Terminal, zone: Zone, { session, digest, learning }: ShownSession): void {
  const { tokens, counts } = session
  const digested = session.digestedAt ? `, digested ${zone.minute(session.digestedAt)}` : ''
  const lines = [
    ['session', session.id],
    ['project', [session.project, session.branch && `branch ${session.branch}`].filter(Boolean).join(', ')],
    [
      'time',
      [session.started && zone.minute(session.started), session.ended && zone.minute(session.ended)]
        .filter(Boolean)
        .join(' to ') + (session.endReason ? ` (${session.endReason})` : ''),
    ],
    ['kind', session.kind ?? ''],
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
    ['cost', sessionCost(session)],
    ['read from', transcriptText(session)],
    ['captured', `${zone.minute(session.capturedAt)}${digested}`],
    ['from', session.origin ?? ''],
    ['parent', session.parent ?? ''],
    ['fork of', session.forkedFrom ? `${session.forkedFrom} (shares ${plural(session.inherited, 'event')})` : ''],
    ['asked', threadText(digest)],
    ['waits for', digest?.outcome === 'waiting' ? digest.question : ''],
    ['learning', learning.join('\n           ')],
    ['files', fileList(digest)],
    [
      'errors',
      (digest?.errors ?? [])
        .slice(0, 5)
        .map((error) => `${error.count}× ${error.message}`)
        .join('\n           '),
    ],
  ]
  print(style.bold(session.title ?? session.id))
  for (const [name, value] of lines) if (value) print(`${style.dim(name!.padEnd(9))}  ${value}`)
  if (session.evictedAt)
    print(
      style.yellow(`The conversation was deleted on ${zone.day(session.evictedAt)} to save space; the digest is kept.`),
    )
  if (session.evictedAt && session.transcript && existsSync(session.transcript.path))
    print(style.yellow('To restore it from its transcript: recollect sweep --full'))
  print('')
}

function transcriptText({ transcript }: SessionView): string {
  if (!transcript) return ''
  const size = transcript.bytes === null ? '' : ` (${formatSize(transcript.bytes)})`
  return `${transcript.path}${size}`
}

/** What was asked first, on the way and last. */
function threadText(digest: Digest | null): string {
  const parts = (digest?.thread ?? []).map(({ seq, text }) => `#${seq} ${shortLine(text, 100)}`)
  return parts.length > 1 ? parts.join('\n           ') : ''
}

function fileList(digest: Digest | null): string {
  const files = digest?.files ?? []
  const shown = files.slice(0, 8).map((file) => `${file.path} +${file.added} -${file.removed}`)
  return (
    shown.join('\n           ') +
    (files.length > shown.length ? `\n           and ${files.length - shown.length} more` : '')
  )
}

/** One event for reading: prompts and replies in full, tool calls and results on one line. */
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
      return `${time} ${style.yellow('●')} ${event.tool} ${isFull ? JSON.stringify(event.input) : shortLine(callText(event), 110)}`
    case 'tool_result':
    case 'test_run':
      return resultText(event, style, isFull)
    case 'edit':
      return (event.files ?? [])
        .map((file) => `        ${style.green('✎')} ${file.path} +${file.added ?? 0} -${file.removed ?? 0}`)
        .join('\n')
    case 'error':
      return `${time} ${style.red('error')} ${isFull ? event.text : shortLine(event.text, 200)}`
    case 'interrupt':
      return `${time} ${style.red('■')} stopped by the user`
    case 'compaction':
      return style.dim(`${time} ── compaction: ${isFull ? event.text : shortLine(event.text, 100)}`)
    case 'context':
      return isFull ? style.dim(`${time} (context) ${event.text}`) : ''
    case 'lifecycle':
      return style.dim(`${time} ${event.text}`)
    default:
      event.kind satisfies never
      return ''
  }
}

function callText(event: StoredEvent): string {
  return (
    commandOf(event.input) || pathsOf(event.input).join(' ') || patchedFiles(event) || JSON.stringify(event.input ?? {})
  )
}

/** The files of a patch in a tool's input; its changes are shown by the edit event that follows. */
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
  const shown = event.error ? shortLine(lines.slice(0, 3).join(' / '), 200) : shortLine(lines[0] ?? '', 90)
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
      `  ${child.id}  ${child.title ?? ''} (${plural(child.counts.toolCalls, 'tool call')}, ${formatUsd(child.costUsd, child.isCostLowerBound)})`,
    )
}
