// Agent transcripts of 2025: plain text with a line before every block.
import { readFileSync } from 'node:fs'
import { messageOf } from '../../core/errors.ts'
import type { Event } from '../../core/session.ts'
import type { DocumentTranscript, ReaderOutput } from '../agent.ts'
import { asObject, fingerprint } from '../json-values.ts'
import { pendingCalls } from '../pending-calls.ts'
import { aboutChat, folderOf, isInEditor, type Place } from './place.ts'
import { promptTime, readPrompt } from './prompt.ts'
import { changedFiles } from './tool.ts'

export function textTranscript(path: string, place: Place): DocumentTranscript {
  return {
    shape: 'document',
    path,
    read(out) {
      if (!isInEditor(place)) readText(path, place, out)
      return undefined
    },
  }
}

interface Block {
  /** user, assistant, thinking, call or result. */
  kind: string
  /** The tool, for calls and results. */
  name: string
  text: string
}

function readText(path: string, place: Place, out: ReaderOutput): void {
  let source: string
  try {
    source = readFileSync(path, 'utf8')
  } catch (error) {
    return out.problem(0, messageOf(error))
  }
  const blocks = blocksOf(source)
  if (blocks.length === 0) return
  const session = out.session(place.id)
  session.about(aboutChat(place))
  const calls = pendingCalls(undefined)
  let open: string | undefined
  let cwd: string | undefined
  blocks.forEach((block, index) => {
    const base = { id: '', key: fingerprint(place.id, index, block.kind, block.text), ts: null }
    if (block.kind === 'call') {
      open = base.key
      const input = inputOf(block.text)
      const made: Event = {
        ...base,
        kind: 'tool_call',
        role: 'assistant',
        text: '',
        tool: block.name,
        call: open,
        input,
      }
      session.event(calls.open(made))
      cwd ??= Object.values(input)
        .map((path) => folderOf(path, place.slug))
        .find(Boolean)
      const files = changedFiles(block.name, asObject(input))
      if (files.length > 0)
        session.event({ ...made, key: `${base.key}/edit`, kind: 'edit', role: 'tool', input: undefined, files })
    } else if (block.kind === 'result') {
      const result: Event = {
        ...base,
        kind: 'tool_result',
        role: 'tool',
        text: block.text,
        tool: block.name,
        call: open,
      }
      session.event(calls.close(result))
      open = undefined
    } else if (block.kind === 'user') {
      const { kind, text } = readPrompt(block.text)
      if (text)
        session.event({
          ...base,
          kind: place.parent ? 'context' : kind,
          role: 'user',
          text,
          ts: promptTime(block.text),
        })
    } else {
      const text = block.text.replaceAll('[REDACTED]', '').trim()
      const kind = block.kind === 'thinking' ? 'thinking' : 'reply'
      if (text) session.event({ ...base, kind, role: 'assistant', text })
    }
  })
  session.about({ cwd: aboutChat(place).cwd ?? cwd })
}

function blocksOf(source: string): Block[] {
  const blocks: Block[] = []
  let isQuoted = false // inside a prompt these words are a person's
  for (const line of source.split(/\r?\n/)) {
    if (line.includes('<user_query>')) isQuoted = true
    if (line.includes('</user_query>')) isQuoted = false
    const head = isQuoted ? null : /^(?:(user|assistant):|\[(Tool call|Tool result|Thinking)\] ?(.*))$/.exec(line)
    if (!head) {
      const last = blocks.at(-1)
      if (last) last.text += `${line}\n`
      continue
    }
    const kind = head[1] ?? head[2]!.replace('Tool ', '').toLowerCase()
    const rest = head[3] ?? ''
    blocks.push({ kind, name: rest.trim() || 'unknown', text: kind === 'thinking' ? `${rest}\n` : '' })
  }
  return blocks.map((block) => ({ ...block, text: block.text.trim() }))
}

/** Arguments stand below the call as `  name: value`; a value may go on over lines. */
function inputOf(source: string): Record<string, string> {
  const input = new Map<string, string>()
  let name: string | undefined
  for (const line of source.split('\n')) {
    const found = /^\s{0,4}(\w+): ?(.*)$/.exec(line)
    if (found) {
      name = found[1]!
      input.set(name, found[2]!)
    } else if (name !== undefined) input.set(name, `${input.get(name)}\n${line}`)
  }
  return Object.fromEntries(input)
}
