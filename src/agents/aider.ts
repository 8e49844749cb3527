// Aider, 0.47 to 0.86: one Markdown file per repository holds all its sessions. There are no ids and no times per message.
import { readFileSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { messageOf } from '../core/errors.ts'
import type { Event, FileChange, Role } from '../core/session.ts'
import type { Agent, DocumentTranscript, Out, SessionOut } from './agent.ts'
import { type CallBook, callBook } from './calls.ts'
import { editBlocks } from './cline/search-replace.ts'
import { subfolders } from './folders.ts'
import { fingerprint } from './values.ts'

const historyFile = '.aider.chat.history.md'
/** Where people keep repositories; any other place is named in the config. */
const codeFolders = 'src code dev projects repos work git Documents Developer workspace'.split(' ')

export const aider: Agent = {
  id: 'aider',
  name: 'Aider',
  roots({ home, env }) {
    return [...(env.AIDER_CHAT_HISTORY_FILE ? [env.AIDER_CHAT_HISTORY_FILE] : []), home]
  },
  *find(root) {
    if (isFile(root)) yield transcript(root)
    for (const folder of repositoriesOf(root)) {
      if (isFile(join(folder, historyFile))) yield transcript(join(folder, historyFile))
    }
  },
}

function* repositoriesOf(root: string): Iterable<string> {
  yield root
  for (const name of codeFolders) {
    for (const folder of visibleSubfolders(join(root, name))) {
      yield folder
      yield* visibleSubfolders(folder)
    }
  }
}

function visibleSubfolders(folder: string): string[] {
  return subfolders(folder).filter((path) => !/^(?:\.|node_modules$)/.test(basename(path)))
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false
}

function transcript(path: string): DocumentTranscript {
  return {
    shape: 'document',
    path,
    read(out) {
      try {
        readHistory(readFileSync(path, 'utf8'), path, out)
      } catch (error) {
        out.bad(0, messageOf(error))
      }
      return undefined
    },
  }
}

const sessionStart = /^# aider chat started at (\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)/

function readHistory(source: string, path: string, out: Out): void {
  const lines = source.replace(/^\ufeff/, '').split(/\r?\n/)
  const keepsBreaks = lines.some((line) => /^#### .* {2}$/.test(line))
  const seen = new Map<string, number>()
  const starts = lines.flatMap((line, index) => (index > 0 && sessionStart.test(line) ? [index] : []))
  for (const [index, from] of [0, ...starts].entries()) {
    readSession(lines.slice(from, starts[index]), { path, keepsBreaks, seen, out })
  }
}

interface History {
  path: string
  /** Aider ends what it writes itself with two spaces; an editor that strips them leaves less to go by. */
  keepsBreaks: boolean
  /** How often a start time occurred: two sessions may start in the same second. */
  seen: Map<string, number>
  out: Out
}

function readSession(lines: string[], { path, keepsBreaks, seen, out }: History): void {
  const [, day, hour] = sessionStart.exec(lines[0] ?? '') ?? []
  const stamp = day ? `${day}T${hour}` : 'start'
  const nth = (seen.get(stamp) ?? 0) + 1
  seen.set(stamp, nth)
  const blocks = [...blocksOf(day ? lines.slice(1) : lines, keepsBreaks)]
  const native = `${basename(dirname(path))}@${stamp}${nth > 1 ? `#${nth}` : ''}`
  const reading = openReading(native, day ? localTime(stamp) : null)
  for (const block of blocks) readBlock(block, reading)
  settle(reading)
  if (reading.events.length === 0) return // started and left
  const session = out.session(native)
  session.about({ cwd: reading.cwd ?? dirname(path), version: reading.version, model: reading.model })
  for (const hand of reading.events) hand(session)
}

/** Without a zone the stamp is the time of the machine that wrote it, which is taken to be this one. */
function localTime(stamp: string): string | null {
  const time = new Date(stamp)
  return Number.isNaN(time.getTime()) ? null : time.toISOString()
}

interface Block {
  kind: 'user' | 'status' | 'reply'
  text: string
}

/**
 * Who wrote which lines. Code fences do not tell: an interrupted answer leaves one open, and prompts follow it. What Aider
 * writes for itself and for the user ends with two spaces, and an answer begins after a blank line.
 */
function* blocksOf(lines: string[], keepsBreaks: boolean): Generator<Block> {
  let reply: string[] = []
  let last: Block['kind'] = 'status'
  const isUser = (line: string): boolean =>
    /^####(?: |$)/.test(line) && (keepsBreaks ? line.endsWith('  ') : last !== 'reply')
  const isStatus = (line: string): boolean =>
    /^>(?: |$)/.test(line) && (last !== 'reply' || (keepsBreaks && line.endsWith('  ')) || statusOpener.test(line))
  for (let at = 0; at < lines.length; ) {
    const line = lines[at]!
    if (!isUser(line) && !isStatus(line)) {
      if (line.trim() !== '') last = 'reply'
      reply.push(line)
      at++
      continue
    }
    const said = reply.join('\n').trim()
    if (said) yield { kind: 'reply', text: said }
    reply = []
    last = isUser(line) ? 'user' : 'status'
    const end = last === 'user' ? userEnd(lines, at) : statusEnd(lines, at, keepsBreaks)
    const own = last === 'user' ? /^#### ?/ : /^> ?/
    const text = lines
      .slice(at, end)
      .map((each, index) => (last === 'user' || index === 0 ? each.replace(own, '') : each))
    yield {
      kind: last,
      text: text
        .map((each) => each.trimEnd())
        .join('\n')
        .trim(),
    }
    at = end
  }
  const said = reply.join('\n').trim()
  if (said) yield { kind: 'reply', text: said }
}

/** How Aider's own lines begin, where an answer that quotes something stands before them. */
const statusOpener =
  /^> (?:Tokens:|Applied edit|Commit |Committing |Did not apply|Skipping |Creating |Add |Added |Allow |Create |Removed|Running |Run shell|Attempt |Aider v|Main model|Models?:|Git repo|Repo-map|\^C|Retrying|litellm\.|Unexpected error|The LLM did not|You can use \/undo|# Fix any)/

function userEnd(lines: string[], from: number): number {
  let end = from + 1
  while (end < lines.length && /^####(?: |$)/.test(lines[end]!)) end++
  return end
}

/** Output of several lines is marked only on its first: the two spaces stand at its end, or no blank line comes between. */
function statusEnd(lines: string[], from: number, keepsBreaks: boolean): number {
  let end = from + 1
  if (keepsBreaks && !lines[from]!.endsWith('  ')) {
    let close = end
    while (close < lines.length && !/\S {2}$/.test(lines[close]!)) close++
    if (close < lines.length && !lines[close]!.startsWith('#### ')) end = close + 1
  }
  while (end < lines.length && lines[end]!.trim() !== '' && !/^(?:####|>)(?: |$)/.test(lines[end]!)) end++
  return end
}

interface Reading {
  native: string
  ts: string | null
  events: ((session: SessionOut) => void)[]
  calls: CallBook
  cwd?: string
  version?: string
  model?: string
  hasBegun: boolean
  /** A prompt was sent and nothing says yet that its answer is complete. */
  isWaiting: boolean
  /** Status lines that no rule named, until something else comes. */
  pending: string[]
  /** The shell command whose output the pending lines are. */
  shell?: { call: string; isAgents: boolean }
  reply: string
  /** Files whose edit of the last answer was already told, and files that are new. */
  applied: Set<string>
  created: Set<string>
  /** Commits that stand, by prompt. */
  commits: Set<string>[]
}

function openReading(native: string, ts: string | null): Reading {
  return {
    native,
    ts,
    events: [],
    calls: callBook(undefined),
    hasBegun: false,
    isWaiting: false,
    pending: [],
    reply: '',
    applied: new Set(),
    created: new Set(),
    commits: [],
  }
}

function readBlock(block: Block, reading: Reading): void {
  if (block.kind === 'status') return readStatus(block.text, reading)
  settle(reading)
  if (block.kind === 'user') return readUser(block.text, reading)
  if (!reading.hasBegun) return // an editor's mode line, a note by hand
  reading.reply = block.text
  reading.applied.clear()
  const [, thinking, answer] =
    /^(?:-{5,}\n)?► \*\*THINKING\*\*\n([\s\S]*?)\n(?:-{5,}\n)?► \*\*ANSWER\*\*\n?([\s\S]*)$/.exec(block.text) ?? []
  if (thinking?.trim()) tell(reading, 'thinking', 'assistant', thinking.trim())
  tell(reading, 'reply', 'assistant', (answer ?? block.text).trim())
}

/** Aider hands lint output, help pages and an architect's plan to itself as if a user had written them. */
function readUser(text: string, reading: Reading): void {
  reading.hasBegun = true
  if (text === '' || text === '<blank>') return
  const isMachine = /^# (?:Fix any errors below, if possible\.|Question: )/.test(text) || text === reading.reply
  if (isMachine) return tell(reading, 'context', 'user', text)
  const command = /^(?:\/run |\/test |!)\s*(\S[\s\S]*)$/.exec(text)?.[1] ?? /^\/(git [\s\S]+)$/.exec(text)?.[1]
  if (command) return openShell(command, 'shell', reading)
  if (/^\/[a-z][a-z-]*(?:\s|$)/.test(text)) return tell(reading, 'command', 'user', text)
  prompt(text, reading)
}

function prompt(text: string, reading: Reading): void {
  tell(reading, 'prompt', 'user', text)
  reading.commits.push(new Set())
  reading.isWaiting = true
}

function readStatus(text: string, reading: Reading): void {
  const rule = statusRules.find(([pattern]) => pattern.test(text))
  if (rule) return rule[1](rule[0].exec(text)!, reading, text)
  if (reading.hasBegun || failure.test(text)) reading.pending.push(text)
}

const noise =
  /^(?:$|(?:Weak|Editor) model: |Git repo: |Repo-map: |Use \/help |You can use \/undo |Add(?:ed)? |Dropping |Removed \S+ from|Committing |Diff since |HEAD is: |Now at: )/

type StatusRule = [RegExp, (found: RegExpExecArray, reading: Reading, text: string) => void]

const statusRules: StatusRule[] = [
  [/^Tokens: /, (_, reading, text) => usage(text, reading)],
  [/^Applied edit to (.+)/, ([, path], reading) => edit(path!.trim(), reading)],
  [/^Creating empty file (.+)/, ([, path], reading) => void reading.created.add(path!.trim())],
  [/^Allow creation of new file (.+)\? .*y(?:es)?$/i, ([, path], reading) => void reading.created.add(path!)],
  [/^Create new file\?.*y(?:es)?$/i, (_, reading) => void reading.created.add(reading.pending.pop() ?? '')],
  [/^Commit ([0-9a-f]{7,40}) (.*)/, ([, hash, subject], reading) => commit(hash!, subject!, reading)],
  [/^Removed: ([0-9a-f]{7,40}) (.*)/, ([, hash, subject], reading) => undo(hash!, subject!, reading)],
  [/^Running (.+)/, ([, command], reading) => openShell(command!.trim(), 'tool_call', reading)],
  [/^Run shell commands?\?.*\bn(?:o)?$/i, (_, reading) => refuse(reading.pending.pop() ?? '', reading)],
  [/^Run shell commands?\?/i, (_, reading) => void reading.pending.pop()], // `Running` says it again
  [/^\^C (?:again to exit|KeyboardInterrupt)/, (_, reading) => interrupt(reading)],
  [/^(?:Aider v|(?:Main model|Models?): |(?:Cur|Git) working dir: )/, (_, reading, text) => banner(text, reading)],
  [/[([]y\/n\/instructions[\])]:? +(?!(?:y|n|yes|no)$)(.+)$/is, ([, said], reading) => instruct(said!, reading)],
  [noise, () => {}],
]

function banner(text: string, reading: Reading): void {
  reading.version ??= /^Aider v(\S+)/.exec(text)?.[1]
  reading.model = /^(?:Main model|Models?): (\S+?)⚡? with /.exec(text)?.[1] ?? reading.model
  reading.cwd = /^Cur working dir: (.+)/.exec(text)?.[1] ?? reading.cwd ?? /^Git working dir: (.+)/.exec(text)?.[1]
}

/** Old versions asked what to do with the output of a command, and took an answer as the next prompt. */
function instruct(said: string, reading: Reading): void {
  settle(reading)
  prompt(said.trim(), reading)
}

function usage(text: string, reading: Reading): void {
  settle(reading)
  reading.isWaiting = false
  const part = (name: string): number => tokens(new RegExp(`([\\d.,]+k?) ${name}`).exec(text)?.[1])
  const sent = part('sent')
  const cacheWrite = part('cache write')
  const cacheRead = part('(?:cache hit|cached)')
  const uncached = sent - cacheWrite // what is sent counts cache writes; hits only with some services
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
function tokens(count: string | undefined): number {
  if (!count) return 0
  const number = Number(count.replace(/,|k$/g, ''))
  return Number.isFinite(number) ? Math.round(count.endsWith('k') ? number * 1000 : number) : 0
}

function edit(path: string, reading: Reading): void {
  settle(reading)
  if (reading.applied.has(path)) return
  reading.applied.add(path)
  const blocks = editBlocks(reading.reply).filter((block) => block.path === path)
  const isNew = blocks[0]?.isNew || [...reading.created].some((each) => each === path || each.endsWith(`/${path}`))
  const file: FileChange = { path, change: isNew ? 'add' : 'update' }
  if (blocks.length > 0) {
    file.added = blocks.reduce((sum, block) => sum + block.added, 0)
    file.removed = blocks.reduce((sum, block) => sum + block.removed, 0)
  }
  tell(reading, 'edit', 'tool', '', { files: [file] })
}

function commit(hash: string, subject: string, reading: Reading): void {
  settle(reading)
  reading.commits.at(-1)?.add(hash)
  tell(reading, 'lifecycle', 'system', `Commit ${hash} ${subject}`.trim())
}

/** `/undo` takes back one commit; a prompt is undone with the last of its commits. */
function undo(hash: string, subject: string, reading: Reading): void {
  settle(reading)
  const latest = reading.commits.at(-1)
  const isUndone = latest?.delete(hash) === true && latest.size === 0
  if (isUndone) reading.commits.pop()
  tell(reading, 'lifecycle', 'system', `Undone: ${hash} ${subject}`.trim(), isUndone ? { undoes: 1 } : {})
}

function openShell(command: string, kind: 'shell' | 'tool_call', reading: Reading): void {
  settle(reading)
  const call = fingerprint(reading.native, 'shell', reading.events.length)
  const isAgents = kind === 'tool_call'
  reading.shell = { call, isAgents }
  const text = isAgents ? '' : command
  tell(reading, kind, isAgents ? 'assistant' : 'user', text, { call, tool: 'shell', input: { command } })
}

function refuse(command: string, reading: Reading): void {
  settle(reading)
  if (!command) return
  openShell(command, 'tool_call', reading)
  const { call } = reading.shell!
  reading.shell = undefined
  tell(reading, 'tool_result', 'tool', '', { call, error: 'denied' })
}

function interrupt(reading: Reading): void {
  if (!reading.isWaiting) return // at an idle prompt it only leaves
  settle(reading)
  reading.isWaiting = false
  tell(reading, 'interrupt', 'user', 'Interrupted')
}

const failure =
  /^(?:litellm\.|Unexpected error|Error during API call|Retrying in |The LLM did not conform|Model \S+ has hit a token limit|\w*Error: litellm\.|[\w.]*(?:API|RateLimit|Connection|Timeout)\w*Error\b)/m

/** Tells what the pending status lines were: output of a command, a failure, or what else Aider said. */
function settle(reading: Reading): void {
  const text = reading.pending.join('\n').trim()
  reading.pending = []
  const shell = reading.shell
  reading.shell = undefined
  if (shell) {
    if (!text && !shell.isAgents) return
    const exit = /exited with status (\d+)/.exec(text)?.[1]
    return tell(reading, 'tool_result', 'tool', text, {
      call: shell.call,
      ...(exit === undefined ? {} : { exit: Number(exit), error: exit === '0' ? undefined : 'failed' }),
    })
  }
  if (!text) return
  const isFailure = failure.test(text)
  if (isFailure) reading.isWaiting = false
  tell(reading, isFailure ? 'error' : 'context', 'system', text)
}

function tell(reading: Reading, kind: Event['kind'], role: Role, text: string, rest: Partial<Event> = {}): void {
  const key = fingerprint(reading.native, reading.events.length, kind, text)
  const event: Event = { id: '', key, kind, role, ts: reading.ts, text, ...rest }
  if (role === 'assistant' && reading.model) event.model = reading.model
  if (kind === 'shell' || kind === 'tool_call') reading.calls.opened(event)
  if (kind === 'tool_result') reading.calls.closed(event)
  reading.events.push((session) => session.event(event))
}
