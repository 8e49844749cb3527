import { existsSync } from 'node:fs'
import type { App } from '../../app.ts'
import { isoTime } from '../../core/clock.ts'
import { UserError } from '../../core/errors.ts'
import { shortId } from '../../core/session.ts'
import { ownCommand } from '../../core/shell/command-line.ts'
import { formatUsd, plural, type Zone } from '../../core/units.ts'
import { type Digest, readDigest } from '../../digest/digest.ts'
import { memoryNamed } from '../../learn/change.ts'
import type { Ledger } from '../../store/ledger.ts'
import { bodyState, readableEvents, type StoredEvent } from '../../store/sessions/bodies.ts'
import { bodyOfSession } from '../../store/sessions/session-bodies.ts'
import { childrenOf, findSessions, type SessionView } from '../../store/sessions/sessions.ts'
import { commitsByHash } from '../../store/sessions/timeline.ts'
import { readWorkLog, type WorkKind } from '../../store/work-log.ts'
import { oneLine } from '../../text/truncate.ts'
import { type CommandContext, examples, sessionNamed, withLedger } from '../command.ts'
import { printMemory } from '../memories/memories.ts'
import type { Terminal } from '../terminal.ts'
import { pageText } from '../wiki/page-text.ts'
import { readPage } from '../wiki/wiki.ts'
import { eventTexts, headText, type ShownSession, type TextOptions } from './session-text.ts'

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
          const shown = { session, digest, learning: learningOf(ledger, session, app.zone) }
          printHead(terminal, shown, textOptions(app, terminal, options))
          for (const { text } of eventTexts(events, textOptions(app, terminal, options))) if (text) terminal.print(text)
          printChildren(terminal, childrenOf(ledger, session.id))
        }
        if (damage.length > 0) throw damagedConversation(session, damage[0]!)
      }),
    )
}

function textOptions({ zone }: App, { style, columns }: Terminal, { full }: Options): TextOptions {
  return { style, columns, zone, isFull: full ?? false }
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
  const { print, tell, style } = terminal
  const when = session.started ? `, ${app.zone.minute(session.started)}` : ''
  tell(style.bold(session.title ?? session.id))
  tell(style.dim(`${session.id}${when}, event ${seq} of ${session.counts.events}\n`))
  for (const { event, text } of eventTexts(events, textOptions(app, terminal, options))) {
    if (event.seq === seq) print(`${text.startsWith('\n') ? '\n' : ''}${style.yellow(`► ${seq}`)}`)
    if (text) print(event.seq === seq ? text.trimStart() : text)
  }
  tell(style.dim(`\nTo read the whole session: ${ownCommand('show', shortId(session.id))}`))
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
    isGone
      ? `To see its digest: ${ownCommand('show', shortId(session.id))}`
      : `It has ${session.counts.events} events.`,
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

function printHead(terminal: Terminal, shown: ShownSession, options: TextOptions): void {
  const { print, tell, style } = terminal
  const { session } = shown
  print(headText(shown, options))
  if (session.evictedAt)
    tell(
      style.yellow(
        `The conversation was deleted on ${options.zone.day(session.evictedAt)} to save space; the digest is kept.`,
      ),
    )
  if (session.evictedAt && session.transcript && existsSync(session.transcript.path))
    tell(style.yellow('To restore it from its transcript: recollect sweep --full'))
  print('')
}

function printChildren({ print, tell, style }: Terminal, children: SessionView[]): void {
  if (children.length === 0) return
  print(style.bold('\nSubagents'))
  for (const child of children) {
    const cost = formatUsd(child.costUsd, child.isCostLowerBound)
    print(`  ${child.id}`)
    tell(`    ${oneLine(child.title ?? '')} (${plural(child.counts.toolCalls, 'tool call')}, ${cost})`)
  }
}
