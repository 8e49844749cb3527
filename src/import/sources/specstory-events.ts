// Splits a conversation that SpecStory wrote as Markdown into events. Output of tools may contain
// anything, also other conversations, so it is skipped as a block: from the tag of a tool to its end
// outside of a code fence.
import { fingerprint } from '../../agents/json-values.ts'
import type { Event } from '../../core/session.ts'
import { kindOfUserText } from '../machine-text.ts'

export function eventsOf(content: string, native: string, started: string | null): Event[] {
  const events: Event[] = []
  let ts = started
  for (const message of messagesIn(content)) {
    ts = message.ts ?? ts
    for (const part of message.parts) {
      const key = fingerprint(native, events.length, part.text.slice(0, 500))
      events.push(...partEvents(message, part, { id: key, key, ts }))
    }
  }
  return events
}

interface Message {
  isUser: boolean
  /** Between agents: the prompt is of an agent, too. */
  isSidechain: boolean
  model: string | undefined
  ts: string | null
  parts: MessagePart[]
}

interface MessagePart {
  kind: 'text' | 'thinking' | 'tool'
  text: string
  tool?: { type: string; name: string }
}

/**
 * `_**User (2026-07-02 15:28:22Z)**_`, `_**Agent - sidechain (claude-opus-4-8 2026-07-02 …)**_`,
 * and `_**Agent (model claude-4.5-sonnet, mode Agent)**_` in files of 2025.
 */
const header = /^_\*\*(User|Agent|Assistant)( - sidechain)?(?: \((.*)\))?\*\*_$/
const toolTag = /^<tool-use(?: data-tool-type="([^"]*)")?(?: data-tool-name="([^"]*)")?/
const toolEnd = /<\/tool-use>\s*$/
const thinkTag = /^<think>/
const thinkEnd = /<\/think>\s*$/

function messagesIn(content: string): Message[] {
  const messages: Message[] = []
  let part: MessagePart | undefined
  let lines: string[] = []
  let fence = ''
  const close = () => {
    const text = lines.join('\n').trim()
    const last = messages.at(-1)
    if (last && part && (part.kind === 'tool' || withoutRule(text) !== ''))
      last.parts.push({ ...part, text: part.kind === 'text' ? withoutRule(text) : text })
    lines = []
    part = { kind: 'text', text: '' }
    fence = ''
  }
  for (const line of content.split('\n')) {
    if (part?.kind === 'tool' || part?.kind === 'thinking') {
      lines.push(line)
      fence = part.kind === 'tool' ? nextFence(fence, line) : ''
      if (fence === '' && (part.kind === 'tool' ? toolEnd : thinkEnd).test(line)) close()
      continue
    }
    const start = header.exec(line.trimEnd())
    const tool = toolTag.exec(line)
    if (start || tool || thinkTag.test(line)) close()
    if (start) messages.push(messageOf(start))
    else if (!messages.at(-1)) continue
    else if (tool) {
      part = { kind: 'tool', text: '', tool: { type: tool[1] ?? '', name: tool[2] ?? '' } }
      lines.push(line)
    } else if (thinkTag.test(line)) {
      part = { kind: 'thinking', text: '' }
      lines.push(line)
      if (thinkEnd.test(line)) close()
    } else if (!/^<!-- message-id: .* -->$/.test(line)) lines.push(line)
  }
  close()
  return messages
}

function messageOf([, role, sidechain, details = '']: RegExpExecArray): Message {
  const time = /\d{4}-\d\d-\d\d \d\d:\d\d(?::\d\d)?\s?(?:Z|[+-]\d{4})?/.exec(details)?.[0]
  const model = details
    .replace(time ?? '', '')
    .replace(/^model /, '')
    .replace(/, mode .*$/, '')
    .trim()
  return {
    isUser: role === 'User',
    isSidechain: sidechain !== undefined,
    model: model === '' || model.startsWith('<') ? undefined : model,
    ts: time ? isoTimeOf(time) : null,
    parts: [],
  }
}

/** The fence that is open behind a line; a longer one contains shorter ones. */
function nextFence(open: string, line: string): string {
  const mark = /^\s*(`{3,}|~{3,})(.*)$/.exec(line)
  if (!mark) return open
  if (open === '') return mark[1]!
  return mark[1]![0] === open[0] && mark[1]!.length >= open.length && mark[2]!.trim() === '' ? '' : open
}

/** A rule separates messages. */
function withoutRule(text: string): string {
  return text.replace(/(?:^|\n)\s*---\s*$/, '').trim()
}

function partEvents(
  { isUser, isSidechain, model, ts: _ }: Message,
  { kind, text, tool }: MessagePart,
  base: Pick<Event, 'id' | 'key' | 'ts'>,
): Event[] {
  if (tool) return toolEvents(tool, text, base)
  const said = kind === 'thinking' ? text.replace(/<\/?(?:think|details)>|<summary>.*?<\/summary>/g, '').trim() : text
  if (isUser && isSidechain) return [{ ...base, kind: 'context', role: 'system', text: said }]
  if (isUser) return [{ ...base, ...kindOfUserText(said), text: said }]
  const isThought = kind === 'thinking'
  return [
    { ...base, kind: isThought ? 'thinking' : 'reply', role: 'assistant', text: said, ...(model ? { model } : {}) },
  ]
}

/** The call and what the file shows of its result. Whether it failed is not recorded. */
function toolEvents(
  { type, name }: { type: string; name: string },
  block: string,
  { id, key, ts }: Pick<Event, 'id' | 'key' | 'ts'>,
): Event[] {
  const text = block
    .replace(/^<tool-use[^>]*>/, '')
    .replace(/<\/tool-use>\s*$/, '')
    .replace(/<\/?details>|<summary>.*?<\/summary>/g, '')
    .trim()
  const subject = /^\s*`([^`\n]+)`\s*$/m.exec(text)?.[1] ?? /^```(?:bash|sh|shell)\n([\s\S]*?)\n```/m.exec(text)?.[1]
  const input = subject === undefined ? {} : { input: type === 'shell' ? { command: subject } : { path: subject } }
  return [
    { id, key, ts, kind: 'tool_call', role: 'assistant', text: '', tool: name || type, call: id, ...input },
    { id, key: `${key} result`, ts, kind: 'tool_result', role: 'tool', text, tool: name || type, call: id },
  ]
}

/** `2026-07-02 15:28:22Z` or with an offset such as `-0700`; null for other texts. */
export function isoTimeOf(text: string): string | null {
  const match = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d(?::\d\d)?)\s?(Z|[+-]\d{4})?$/.exec(text.trim())
  if (!match) return null
  const ms = Date.parse(`${match[1]}T${match[2]}${(match[3] ?? 'Z').replace(/^([+-]\d\d)(\d\d)$/, '$1:$2')}`)
  return Number.isNaN(ms) ? null : new Date(ms).toISOString()
}
