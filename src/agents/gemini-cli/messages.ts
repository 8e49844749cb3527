// Turns a message of a Gemini conversation into events.
import type { Event, Json, Usage } from '../../core/session.ts'
import type { EventBase, ReaderOutput, SessionOutput } from '../agent.ts'
import { asArray, asCount, asIsoTime, asObject, asString, type JsonObject, optionalString } from '../json-values.ts'
import type { PendingCalls } from '../pending-calls.ts'
import { changedFiles, contentParts, partText, shellLine, toolOutcome, userKind, userTurn } from './content.ts'

export interface ChatState {
  native: string
  session: SessionOutput
  out: ReaderOutput
  isSubagent: boolean
  calls: PendingCalls
  /**
   * Calls whose result was emitted: results are stored in the call and in a message of their own.
   */
  closed: Set<string>
  /** Ids of typed messages. */
  prompts: Set<string>
}

/** `keepsFrom`: of a summary, the first message that stays behind it. */
export function readMessage(id: string, message: JsonObject, telling: ChatState, keepsFrom?: string): void {
  const type = asString(message.type)
  const base: EventBase = { id: asString(message.id), key: `${telling.native}/${id}`, ts: asIsoTime(message.timestamp) }
  switch (type) {
    case 'user':
      return readUser(id, message, base, telling, keepsFrom)
    case 'gemini':
    case 'qwen': // Qwen Code, while it kept this format
    case 'model':
      return readAnswer(message, base, telling)
    case 'info':
    case 'warning':
    case 'error':
      return readNotice(type, message, base, telling)
    default:
      telling.out.unknownType(type || 'message without type')
  }
}

function readUser(
  id: string,
  message: JsonObject,
  base: EventBase,
  telling: ChatState,
  keepsFrom: string | undefined,
): void {
  const { session, isSubagent } = telling
  const content = contentParts(message.content)
  if (content.some((part) => part.functionResponse !== undefined)) return readResponses(content, base, telling)
  const { said: sent, added } = userTurn(content)
  // `displayContent` is the typed text if the program expanded it (mentioned files, custom
  // commands).
  const said = message.displayContent === undefined ? sent : userTurn(contentParts(message.displayContent)).said || sent
  added.forEach((text, index) => {
    session.event({ ...base, key: `${base.key}/added${index}`, kind: 'context', role: 'user', text })
  })
  if (!said) return
  const kind = isSubagent ? 'context' : userKind(said)
  if (kind === 'prompt') telling.prompts.add(id)
  const kept = kind === 'compaction' && keepsFrom ? { keepsFrom } : {}
  session.event({ ...base, kind, role: 'user', text: kind === 'shell' ? shellLine(said)! : said, ...kept })
  if (kind === 'command' && sent && sent !== said)
    session.event({ ...base, key: `${base.key}/sent`, kind: 'context', role: 'user', text: sent })
}

/**
 * Results are sent to the model with the user's role; mostly they are stored in their calls too.
 */
function readResponses(content: JsonObject[], base: EventBase, telling: ChatState): void {
  for (const part of content) {
    const answer = asObject(part.functionResponse)
    const call = optionalString(answer.id)
    if (call) emitResult({ id: call, name: answer.name, result: [part] }, base.ts, base.id, telling)
  }
  const { said } = userTurn(content)
  if (said) telling.session.event({ ...base, kind: 'context', role: 'user', text: said })
}

function readAnswer(message: JsonObject, base: EventBase, telling: ChatState): void {
  const { session } = telling
  const model = optionalString(message.model)
  const content = contentParts(message.content ?? message.parts)
  const thoughts = asArray(message.thoughts).map(asObject)
  if (model) session.about({ model })
  thoughts.forEach((thought, index) => {
    const said = [optionalString(thought.subject), optionalString(thought.description)].filter(Boolean).join(': ')
    const ts = asIsoTime(thought.timestamp) ?? base.ts
    if (said)
      session.event({
        ...base,
        key: `${base.key}/thought${index}`,
        ts,
        kind: 'thinking',
        role: 'assistant',
        text: said,
        model,
      })
  })
  const pondered = content.map((part) => (part.thought === true ? asString(part.text) : '')).join('')
  if (pondered && thoughts.length === 0)
    session.event({ ...base, key: `${base.key}/thought`, kind: 'thinking', role: 'assistant', text: pondered, model })
  const said = content.map(partText).join('')
  if (said.trim())
    session.event({ ...base, kind: isReceipt(said) ? 'context' : 'reply', role: 'assistant', text: said, model })
  for (const call of callsOf(message, content, base.key)) {
    emitCall(call, base, model, telling)
    if (isFinished(call)) emitResult(call, asIsoTime(call.timestamp) ?? base.ts, base.id, telling)
  }
  const usage = usageOf(asObject(message.tokens), base, model)
  if (usage) session.usage(usage)
}

/** With this sentence the program lets the model acknowledge a summary. */
function isReceipt(said: string): boolean {
  return said.startsWith('Got it. Thanks for the additional context!')
}

function callsOf(message: JsonObject, content: JsonObject[], key: string): JsonObject[] {
  const calls = asArray(message.toolCalls).map(asObject)
  const inContent = content.map((part) => asObject(part.functionCall)).filter((call) => optionalString(call.name))
  return [...calls, ...inContent.filter(({ id }) => !id || !calls.some((call) => call.id === id))].map(
    (call, index) => ({
      ...call,
      id: optionalString(call.id) ?? `${key}/${index}`,
    }),
  )
}

function emitCall(
  call: JsonObject,
  base: EventBase,
  model: string | undefined,
  { native, session, calls }: ChatState,
): void {
  session.event(
    calls.open({
      id: base.id,
      key: `${native}/call/${asString(call.id)}`,
      kind: 'tool_call',
      role: 'assistant',
      ts: asIsoTime(call.timestamp) ?? base.ts,
      text: '',
      tool: optionalString(call.name) ?? 'unknown',
      call: asString(call.id),
      input: call.args ?? {},
      model,
    }),
  )
}

function isFinished(call: JsonObject): boolean {
  return /^(?:success|error|cancelled)$/.test(asString(call.status)) || asArray(call.result).length > 0
}

function emitResult(
  call: JsonObject,
  ts: string | null,
  id: string,
  { native, session, calls, closed }: ChatState,
): void {
  const name = asString(call.id)
  if (closed.has(name)) return
  closed.add(name)
  const key = `${native}/result/${name}`
  const status = asString(call.status)
  const outcome = toolOutcome({ call: name, tool: asString(call.name), result: contentParts(call.result), status })
  const shown = outcome.text || asString(call.resultDisplay)
  const tool = optionalString(call.name)
  session.event(
    calls.close({ ...outcome, id, key, ts, kind: 'tool_result', role: 'tool', text: shown, tool, call: name }),
  )
  const files =
    status === 'success' && !outcome.error ? changedFiles(tool ?? '', call.args, call.resultDisplay, shown) : []
  if (files.length > 0)
    session.event({ id, key: `${key}/edit`, ts, kind: 'edit', role: 'tool', text: '', tool, call: name, files })
}

/** Input includes cached tokens, output excludes thoughts. */
function usageOf(tokens: JsonObject, base: EventBase, model: string | undefined): Usage | undefined {
  const input = asCount(tokens.input)
  const cached = Math.min(asCount(tokens.cached), input)
  const reasoning = asCount(tokens.thoughts)
  const output = asCount(tokens.output) + reasoning
  if (input + output === 0) return undefined
  return {
    key: base.key,
    ts: base.ts,
    model: model ?? null,
    input: input - cached + asCount(tokens.tool),
    cacheRead: cached,
    cacheWrite: 0,
    cacheWrite1h: 0,
    output,
    reasoning,
  }
}

/** Messages of the program to the user. */
function readNotice(type: string, message: JsonObject, base: EventBase, { session }: ChatState): void {
  const said = noticeText(message.content)
  if (said) session.event({ ...base, kind: noticeKind(type, said), role: 'system', text: said })
}

function noticeText(content: Json | undefined): string {
  return contentParts(content).map(partText).join('').trim()
}

function noticeKind(type: string, said: string): Event['kind'] {
  if (type === 'error') return 'error'
  if (/^Request cancell?ed/.test(said)) return 'interrupt'
  return /\bcompress(?:ed|ion)\b/i.test(said) ? 'compaction' : 'lifecycle'
}
