// Turns Aider's Markdown history into events. The history does not name the author of a line, so it
// is inferred from prefixes, trailing spaces and blank lines.
import { basename, dirname } from 'node:path'
import type { ReaderOutput } from '../agent.ts'
import {
  type AiderState,
  createState,
  emit,
  emitPrompt,
  flushInterrupt,
  flushPending,
  openShell,
  readStatus,
} from './status.ts'

const sessionStart = /^# aider chat started at (\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)/

export function readHistory(source: string, path: string, out: ReaderOutput): void {
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
  /**
   * Whether lines that Aider writes end with two spaces; some editors strip them, which leaves
   * fewer clues.
   */
  keepsBreaks: boolean
  /** Number of sessions by start time: two may start in the same second. */
  seen: Map<string, number>
  out: ReaderOutput
}

function readSession(lines: string[], { path, keepsBreaks, seen, out }: History): void {
  const [, day, hour] = sessionStart.exec(lines[0] ?? '') ?? []
  const stamp = day ? `${day}T${hour}` : 'start'
  const nth = (seen.get(stamp) ?? 0) + 1
  seen.set(stamp, nth)
  const blocks = [...parseBlocks(day ? lines.slice(1) : lines, keepsBreaks)]
  const native = `${basename(dirname(path))}@${stamp}${nth > 1 ? `#${nth}` : ''}`
  const reading = createState(native, day ? localTime(stamp) : null)
  for (const block of blocks) readBlock(block, reading)
  flushPending(reading)
  flushInterrupt(reading)
  if (reading.events.length === 0) return // nothing was said
  const session = out.session(native)
  const { cwd = dirname(path), root, version, model } = reading
  session.about({ cwd, root, version, model })
  for (const hand of reading.events) hand(session)
}

/** The stamp has no zone: local time of the machine that wrote it, assumed to be this one. */
function localTime(stamp: string): string | null {
  const time = new Date(stamp)
  return Number.isNaN(time.getTime()) ? null : time.toISOString()
}

function readBlock(block: HistoryBlock, reading: AiderState): void {
  if (block.kind === 'status') return readStatus(block.text, reading)
  flushPending(reading)
  if (block.kind === 'user') {
    flushInterrupt(reading)
    return readUser(block.text, reading)
  }
  if (!reading.hasBegun) return // for example a mode line of an editor
  reading.reply = block.text
  reading.applied.clear()
  const [, thinking, answer] =
    /^(?:-{5,}\n)?► \*\*THINKING\*\*\n([\s\S]*?)\n(?:-{5,}\n)?► \*\*ANSWER\*\*\n?([\s\S]*)$/.exec(block.text) ?? []
  if (thinking?.trim()) emit(reading, 'thinking', 'assistant', thinking.trim())
  emit(reading, 'reply', 'assistant', (answer ?? block.text).trim())
  flushInterrupt(reading)
}

/** Aider also writes lint output, help pages and an architect's plan as user text. */
function readUser(text: string, reading: AiderState): void {
  reading.hasBegun = true
  if (text === '' || text === '<blank>') return
  const [, question, pages] = /^# Question: +([\s\S]+?)\n+(# Relevant docs:[\s\S]*)$/.exec(text) ?? []
  if (question && pages) {
    emit(reading, 'context', 'system', pages)
    return emitPrompt(question.trim(), reading)
  }
  const isMachine = /^# (?:Fix any errors below, if possible\.|Question: )/.test(text) || text === reading.reply
  if (isMachine) return emit(reading, 'context', 'user', text)
  const command = /^(?:\/run |\/test |!)\s*(\S[\s\S]*)$/.exec(text)?.[1] ?? /^\/(git [\s\S]+)$/.exec(text)?.[1]
  if (command) return openShell(command, 'shell', reading)
  if (/^\/[a-z][a-z-]*(?:\s|$)/.test(text)) return emit(reading, 'command', 'user', text)
  emitPrompt(text, reading)
}

interface HistoryBlock {
  kind: 'user' | 'status' | 'reply'
  text: string
}

/**
 * Code fences are no clue: an interrupted answer leaves one open, and prompts follow it. Lines that
 * Aider writes itself end with two spaces, and an answer begins after a blank line.
 */
function* parseBlocks(lines: string[], keepsBreaks: boolean): Generator<HistoryBlock> {
  let reply: string[] = []
  let last: HistoryBlock['kind'] = 'status'
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

/** Beginnings of Aider's own lines, to find them below an answer that contains quotes. */
const statusOpener =
  /^> (?:Tokens:|Applied edit|Commit |Committing |Did not apply|Skipping |Creating |Add |Added |Allow |Create |Removed|Running |Run shell|Attempt |Aider v|Main model|Models?:|Git repo|Repo-map|\^C|Retrying|litellm\.|Unexpected error|The LLM did not|You can use \/undo|# Fix any)/

function userEnd(lines: string[], from: number): number {
  let end = from + 1
  while (end < lines.length && /^####(?: |$)/.test(lines[end]!)) end++
  return end
}

/**
 * Only the first line of an output is marked. It ends with the line that has two trailing spaces,
 * or else at a blank line.
 */
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
