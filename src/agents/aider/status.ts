// Reads Aider's own status lines (tokens, edits, commits, commands) and holds the state of the
// session that is being read.
import type { Event, EventRole, FileChange } from '../../core/session.ts'
import type { SessionOutput } from '../agent.ts'
import { editBlocks } from '../file-changes.ts'
import { fingerprint } from '../json-values.ts'
import { type PendingCalls, pendingCalls } from '../pending-calls.ts'

export function readStatus(text: string, reading: AiderState): void {
  const rule = statusRules.find(([pattern]) => pattern.test(text))
  if (rule) return rule[1](rule[0].exec(text)!, reading, text)
  if (reading.hasBegun || failurePattern.test(text)) reading.pending.push(text)
}

const ignoredStatus =
  /^(?:$|(?:Weak|Editor) model: |Git repo: |Repo-map: |Use \/help |You can use \/undo |Add(?:ed)? |Dropping |Removed \S+ from|Committing |Diff since |HEAD is: |Now at: )/

type StatusRule = [RegExp, (found: RegExpExecArray, reading: AiderState, text: string) => void]

const statusRules: StatusRule[] = [
  [/^Tokens: /, (_, reading, text) => readUsage(text, reading)],
  [/^Applied edit to (.+)/, ([, path], reading) => readEdit(path!.trim(), reading)],
  [/^Creating empty file (.+)/, ([, path], reading) => void reading.created.add(path!.trim())],
  [/^Allow creation of new file (.+)\? .*y(?:es)?$/i, ([, path], reading) => void reading.created.add(path!)],
  [/^Create new file\?.*y(?:es)?$/i, (_, reading) => void reading.created.add(reading.pending.pop() ?? '')],
  [/^Create new file\?.*\bn(?:o)?$/i, (_, reading) => void reading.pending.pop()], // repeated by `Skipping edits`
  [/^Skipping edits to (.+)/, ([, path], reading) => readRefusedEdit(path!.trim(), reading)],
  [/^Committing .* before applying edits/, (_, reading) => Object.assign(reading, { isOwnCommit: true })],
  [/^Commit ([0-9a-f]{7,40}) (.*)/, ([, hash, subject], reading) => readCommit(hash!, subject!, reading)],
  [/^Removed: ([0-9a-f]{7,40}) (.*)/, ([, hash, subject], reading) => readUndo(hash!, subject!, reading)],
  [/^Running (.+)/, ([, command], reading) => openShell(command!.trim(), 'tool_call', reading)],
  [/^Run shell commands?\?.*\bn(?:o)?$/i, (_, reading) => readRefusal(reading.pending.pop() ?? '', reading)],
  [/^Run shell commands?\?/i, (_, reading) => void reading.pending.pop()], // repeated by `Running`
  [/^\^C (?:again to exit|KeyboardInterrupt)/, (_, reading) => readInterrupt(reading)],
  [/^(?:Aider v|(?:Main model|Models?): |(?:Cur|Git) working dir: )/, (_, reading, text) => readBanner(text, reading)],
  [/[([]y\/n\/instructions[\])]:? +(?!(?:y|n|yes|no)$)(.+)$/is, ([, said], reading) => readInstruction(said!, reading)],
  [ignoredStatus, () => {}],
]

function readBanner(text: string, reading: AiderState): void {
  reading.version ??= /^Aider v(\S+)/.exec(text)?.[1]
  reading.model = /^(?:Main model|Models?): (\S+?)⚡? with /.exec(text)?.[1] ?? reading.model
  reading.root = /^Git working dir: (.+)/.exec(text)?.[1] ?? reading.root
  reading.cwd = /^Cur working dir: (.+)/.exec(text)?.[1] ?? reading.cwd ?? reading.root
}

/**
 * Old versions asked what to do with the output of a command and used the answer as the next
 * prompt.
 */
function readInstruction(said: string, reading: AiderState): void {
  flushPending(reading)
  emitPrompt(said.trim(), reading)
}

function readUsage(text: string, reading: AiderState): void {
  flushPending(reading)
  reading.isWaiting = false
  const part = (name: string): number => parseTokens(new RegExp(`([\\d.,]+k?) ${name}`).exec(text)?.[1])
  const sent = part('sent')
  const cacheWrite = part('cache write')
  const cacheRead = part('(?:cache hit|cached)')
  const uncached = sent - cacheWrite // "sent" includes cache writes; hits only with some services
  const cost = /\$([\d.]+) (?:message|request)/.exec(text)?.[1]
  const { native, ts, model, events } = reading
  const key = fingerprint(native, 'usage', events.length)
  events.push((session) =>
    session.usage({
      key,
      ts,
      model: model ?? null,
      input: Math.max(0, uncached >= cacheRead ? uncached - cacheRead : uncached),
      cacheRead,
      cacheWrite,
      cacheWrite1h: 0,
      output: part('received'),
      reasoning: 0,
      costUsd: cost === undefined ? undefined : Number(cost),
    }),
  )
}

/** `5,244` to version 0.51, `7.3k` after it. */
function parseTokens(count: string | undefined): number {
  if (!count) return 0
  const number = Number(count.replace(/,|k$/g, ''))
  return Number.isFinite(number) ? Math.round(count.endsWith('k') ? number * 1000 : number) : 0
}

function readEdit(path: string, reading: AiderState): void {
  flushPending(reading)
  if (reading.applied.has(path)) return
  reading.applied.add(path)
  const blocks = editBlocks(reading.reply).filter((block) => block.path === path)
  const isNew = blocks[0]?.isNew || [...reading.created].some((each) => each === path || each.endsWith(`/${path}`))
  const file: FileChange = { path, change: isNew ? 'add' : 'update' }
  if (blocks.length > 0) {
    file.added = blocks.reduce((sum, block) => sum + block.added, 0)
    file.removed = blocks.reduce((sum, block) => sum + block.removed, 0)
  }
  emit(reading, 'edit', 'tool', '', { files: [file] })
}

/** Before it edits a file with uncommitted changes, Aider commits those, which are the person's own. */
function readCommit(hash: string, subject: string, reading: AiderState): void {
  flushPending(reading)
  const isOwn = reading.isOwnCommit
  reading.isOwnCommit = false
  if (isOwn) return emit(reading, 'lifecycle', 'system', `Committed before the edit: ${hash} ${subject}`.trim())
  reading.commits.at(-1)?.add(hash)
  emit(reading, 'lifecycle', 'system', `Commit ${hash} ${subject}`.trim())
}

/** `/undo` reverts one commit; a prompt counts as undone with the last of its commits. */
function readUndo(hash: string, subject: string, reading: AiderState): void {
  flushPending(reading)
  const latest = reading.commits.at(-1)
  const isUndone = latest?.delete(hash) === true && latest.size === 0
  if (isUndone) reading.commits.pop()
  emit(reading, 'lifecycle', 'system', `Undone: ${hash} ${subject}`.trim(), isUndone ? { undoes: 1 } : {})
}

function readRefusal(command: string, reading: AiderState): void {
  flushPending(reading)
  if (!command) return
  openShell(command, 'tool_call', reading)
  const { call } = reading.shell!
  reading.shell = undefined
  emit(reading, 'tool_result', 'tool', '', { call, error: 'denied' })
}

function readRefusedEdit(path: string, reading: AiderState): void {
  flushPending(reading)
  const call = fingerprint(reading.native, 'edit', reading.events.length)
  emit(reading, 'tool_call', 'assistant', '', { call, tool: 'edit', input: { path } })
  emit(reading, 'tool_result', 'tool', `Skipping edits to ${path}`, { call, error: 'denied' })
}

/** Aider writes what it has of the answer after this line. */
function readInterrupt(reading: AiderState): void {
  if (!reading.isWaiting) return // at an idle prompt it only quits
  flushPending(reading)
  reading.isWaiting = false
  reading.isStopped = true
}

/** Emits an interruption after the part of the answer that it left, if there is one. */
export function flushInterrupt(reading: AiderState): void {
  if (!reading.isStopped) return
  reading.isStopped = false
  emit(reading, 'interrupt', 'user', 'Interrupted')
}

export interface AiderState {
  native: string
  ts: string | null
  events: ((session: SessionOutput) => void)[]
  calls: PendingCalls
  cwd?: string
  root?: string
  version?: string
  model?: string
  hasBegun: boolean
  /** A prompt was sent and its answer is not known to be complete. */
  isWaiting: boolean
  /** The person stopped the answer, and it may still follow as far as it got. */
  isStopped: boolean
  /** The next commit is of the person's own changes. */
  isOwnCommit: boolean
  /** Status lines that match no rule, until the next block. */
  pending: string[]
  /** The shell command that printed the pending lines. */
  shell?: { call: string; isAgents: boolean }
  reply: string
  /** Files whose edit in the last answer was emitted already, and files that are new. */
  applied: Set<string>
  created: Set<string>
  /** Commits that were not undone, by prompt. */
  commits: Set<string>[]
}

export function createState(native: string, ts: string | null): AiderState {
  return {
    native,
    ts,
    events: [],
    calls: pendingCalls(undefined),
    hasBegun: false,
    isWaiting: false,
    isStopped: false,
    isOwnCommit: false,
    pending: [],
    reply: '',
    applied: new Set(),
    created: new Set(),
    commits: [],
  }
}

export function emitPrompt(text: string, reading: AiderState): void {
  emit(reading, 'prompt', 'user', text)
  reading.commits.push(new Set())
  reading.isWaiting = true
}

export function openShell(command: string, kind: 'shell' | 'tool_call', reading: AiderState): void {
  flushPending(reading)
  const call = fingerprint(reading.native, 'shell', reading.events.length)
  const isAgents = kind === 'tool_call'
  reading.shell = { call, isAgents }
  const text = isAgents ? '' : command
  emit(reading, kind, isAgents ? 'assistant' : 'user', text, { call, tool: 'shell', input: { command } })
}

/** Emits the pending status lines: as output of a command, as a failure, or as context. */
export function flushPending(reading: AiderState): void {
  const text = reading.pending.join('\n').trim()
  reading.pending = []
  const shell = reading.shell
  reading.shell = undefined
  if (shell) {
    if (!text && !shell.isAgents) return
    const exit = /exited with status (\d+)/.exec(text)?.[1]
    return emit(reading, 'tool_result', 'tool', text, {
      call: shell.call,
      ...(exit === undefined ? {} : { exit: Number(exit), error: exit === '0' ? undefined : 'failed' }),
    })
  }
  if (!text) return
  const isFailure = failurePattern.test(text)
  if (isFailure) reading.isWaiting = false
  emit(reading, isFailure ? 'error' : 'context', 'system', text)
}

const failurePattern =
  /^(?:litellm\.|Unexpected error|Error during API call|Retrying in |The LLM did not conform|Model \S+ has hit a token limit|\w*Error: litellm\.|[\w.]*(?:API|RateLimit|Connection|Timeout)\w*Error\b)/m

export function emit(
  reading: AiderState,
  kind: Event['kind'],
  role: EventRole,
  text: string,
  rest: Partial<Event> = {},
): void {
  const key = fingerprint(reading.native, reading.events.length, kind, text)
  const event: Event = { id: '', key, kind, role, ts: reading.ts, text, ...rest }
  if (role === 'assistant' && reading.model) event.model = reading.model
  if (kind === 'shell' || kind === 'tool_call') reading.calls.open(event)
  if (kind === 'tool_result') reading.calls.close(event)
  reading.events.push((session) => session.event(event))
}
