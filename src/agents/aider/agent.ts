// Aider, 0.47 to 0.86: one Markdown file per repository holds all its sessions. There are no ids and no times per message.
import { readFileSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { messageOf } from '../../core/errors.ts'
import type { Agent, DocumentTranscript, ReaderOutput } from '../agent.ts'
import { listSubfolders } from '../folders.ts'
import { type Block, blocksOf } from './blocks.ts'
import { openReading, openShell, prompt, type Reading, settle, tell } from './reading.ts'
import { readStatus } from './status.ts'

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
  return listSubfolders(folder).filter((path) => !/^(?:\.|node_modules$)/.test(basename(path)))
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
        out.problem(0, messageOf(error))
      }
      return undefined
    },
  }
}

const sessionStart = /^# aider chat started at (\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)/

function readHistory(source: string, path: string, out: ReaderOutput): void {
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
  out: ReaderOutput
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
