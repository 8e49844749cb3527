// Reads the spool: one small file per hook event, named `<agent>.<event>.<process>…`, with a line
// per payload field and a dot as its last line, without which it is still being written. Events are
// read in the order in which they happened; a file that cannot be read is moved to `bad/` with the
// reason.
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Agent, HookMoment } from '../agents/agent.ts'
import type { Clock } from '../core/clock.ts'
import { messageOf } from '../core/errors.ts'

export interface HookEvent {
  /** File name in the spool. */
  file: string
  agent: string
  event: string
  moment: HookMoment | 'other'
  /** The agent's own id; '' if the payload has none. */
  session: string
  transcript: string | undefined
  cwd: string | undefined
  /** Why the session started, ended or was compacted, in one word. */
  detail: string
  atMs: number
}

export interface SpoolContext {
  spool: string
  clock: Clock
  agents: readonly Agent[]
  /** Returns the agent with hooks whose folders contain a transcript; `named` has the hook. */
  agentOfPath(path: string, named: string): string | undefined
}

/** Unreadable events that are kept. */
const maxBad = 100

export function readSpool(place: SpoolContext): HookEvent[] {
  const events: HookEvent[] = []
  for (const file of spoolFiles(place.spool, place.clock)) {
    try {
      events.push(readEvent(place, file))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') setAside(place.spool, file, messageOf(error))
    }
  }
  return events.sort((a, b) => a.atMs - b.atMs || (a.file < b.file ? -1 : 1))
}

/** Complete events, and incomplete ones of hooks that were killed. */
export function spoolFiles(spool: string, clock: Clock): string[] {
  return filesIn(spool).filter((name) => {
    try {
      const path = join(spool, name)
      return endMark.test(readFileSync(path, 'utf8')) || Math.abs(clock.nowMs() - statSync(path).mtimeMs) > maxWritingMs
    } catch {
      return false
    }
  })
}

/** Names of events that could not be read. */
export function setAsideIn(spool: string): string[] {
  return filesIn(join(spool, 'bad')).filter((name) => !name.endsWith('.reason'))
}

const endMark = /(?:^|\n)\.\n$/
const maxWritingMs = 10_000

function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => entry.name)
  } catch {
    return []
  }
}

export function removeFromSpool(spool: string, files: readonly string[]): void {
  for (const file of files) rmSync(join(spool, file), { force: true })
}

function readEvent({ spool, clock, agents, agentOfPath }: SpoolContext, file: string): HookEvent {
  const path = join(spool, file)
  const named = /^([a-z-]+)\.([A-Za-z._-]+?)\.\d/.exec(file)
  if (!named) throw new Error('its name does not say which agent and event it is of')
  const fields = parseFields(readFileSync(path, 'utf8'))
  const transcript = pathOf(fields, 'transcript_path', 'transcriptPath')
  // Some agents also run the hooks that were installed for another agent.
  const sender = agents.find(({ hooks, sender = hooks?.sender }) => sender?.recognises(fields))
  const agent = (transcript && agentOfPath(transcript, named[1]!)) || sender?.id || named[1]!
  const known = agents.find(({ id }) => id === agent)
  if (!known) throw new Error(`no agent is called ${agent}`)
  const event = named[2]!
  return {
    file,
    agent,
    event,
    moment:
      momentOf(known, event) ??
      momentOf(
        agents.find(({ id }) => id === named[1]),
        event,
      ) ??
      'other',
    session: textOf(fields, ...sessionFields) ?? '',
    transcript,
    cwd: pathOf(fields, 'cwd'),
    detail: singleWord(textOf(fields, 'source', 'reason', 'trigger')),
    atMs: Math.min(statSync(path).mtimeMs, clock.nowMs()), // a clock that was set back must not delay the event
  }
}

/** Names of the session's id. Windsurf and Antigravity have the last two. */
const sessionFields = ['session_id', 'sessionId', 'conversation_id', 'trajectory_id', 'conversationId']

/** Agents give a reason in one word; anything longer may be user text, which is not stored here. */
function singleWord(text = ''): string {
  return /^[A-Za-z_-]{1,40}$/.test(text) ? text : ''
}

/** The event name comes from a file, so it may be `constructor` or the like. */
function momentOf(agent: Agent | undefined, event: string): HookMoment | undefined {
  const events = agent?.hooks?.events
  return events && Object.hasOwn(events, event) ? events[event] : undefined
}

/** The first value of each field as raw JSON. */
function parseFields(text: string): Map<string, string> {
  const fields = new Map<string, string>()
  for (const line of text.split('\n')) {
    const match = /^"(\w+)"\s*:\s*(.+?)\s*$/.exec(line)
    if (match && !fields.has(match[1]!)) fields.set(match[1]!, match[2]!)
  }
  return fields
}

function textOf(fields: Map<string, string>, ...names: string[]): string | undefined {
  for (const name of names) {
    const value = parseString(fields.get(name))
    if (value) return value
  }
  return undefined
}

/** Some clients on Windows send unescaped paths: `C:\temp` must not be parsed as a tab. */
function pathOf(fields: Map<string, string>, ...names: string[]): string | undefined {
  for (const name of names) {
    const raw = fields.get(name) ?? ''
    const unescaped = /^"((?:[A-Za-z]:\\|\\\\)[^\\].*?)(?:"|"?,".*)$/.exec(raw)?.[1]
    const value = unescaped ?? parseString(raw || undefined)
    if (value) return value
  }
  return undefined
}

/** Undefined for anything but a string. */
function parseString(raw: string | undefined): string | undefined {
  if (!raw?.startsWith('"')) return undefined
  try {
    return JSON.parse(raw) as string
  } catch {
    return raw.slice(1, -1)
  }
}

/** Another process may have moved the file already. */
function setAside(spool: string, file: string, reason: string): void {
  const folder = join(spool, 'bad')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  try {
    renameSync(join(spool, file), join(folder, file))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return
    throw error
  }
  writeFileSync(join(folder, `${file}.reason`), `${reason}\n`, { mode: 0o600 })
  forgetOldest(spool, folder)
}

function forgetOldest(spool: string, folder: string): void {
  const ageOf = (name: string) => statSync(join(folder, name), { throwIfNoEntry: false })?.mtimeMs ?? 0
  const kept = setAsideIn(spool)
  if (kept.length <= maxBad) return
  for (const name of kept.toSorted((a, b) => ageOf(a) - ageOf(b)).slice(0, kept.length - maxBad)) {
    for (const path of [name, `${name}.reason`]) rmSync(join(folder, path), { force: true })
  }
}
