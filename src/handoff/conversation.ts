// Turns the events of a session into a conversation that another agent can continue: prompts,
// replies, and tool calls with their results. Thinking, reminders and what was rewound are left out.
import type { Agent } from '../agents/agent.ts'
import { isSummary, startsSummary } from '../compaction/summary.ts'
import { type CommonTools, commonCall, commonResult } from '../core/conversation/common-tools.ts'
import type { ConversationItem } from '../core/conversation/conversation.ts'
import { type CallOutput, isHandedOverText, parseCall, parseNote } from '../core/conversation/handed-over.ts'
import type { Json } from '../core/session.ts'
import type { StoredEvent } from '../store/sessions/bodies.ts'
import type { SourcedEvent } from './session-events.ts'

export interface ConversationSource {
  agents: readonly Agent[]
  cwd: string | null
  /** The task of a subagent is a text of the agent that started it. */
  isSubagent: boolean
}

export interface SessionConversation {
  /** What the agent wrote when it compacted the conversation before; `items` follow it. */
  summary: string | undefined
  items: ConversationItem[]
  /** Number of events that were read. */
  events: number
}

/** `isFull`: everything, also from before a compaction. */
export function conversationOf(
  events: Iterable<SourcedEvent>,
  source: ConversationSource,
  isFull: boolean,
): SessionConversation {
  const state: ReadingState = {
    ...{ source, items: [], ids: [], places: new Map(), open: new Map(), boundary: undefined, summary: undefined },
  }
  let count = 0
  for (const event of events) {
    count++
    readEvent(event, state, isFull)
  }
  return { summary: state.summary, items: state.items, events: count }
}

interface ReadingState {
  source: ConversationSource
  items: ConversationItem[]
  /** The agent's own ids of the records that the items come from. */
  ids: string[]
  /** Number of items before the record with this id. */
  places: Map<string, number>
  /** Calls without a result so far, by the agent's id of the call. */
  open: Map<string, ConversationItem & { kind: 'call' }>
  /** What the last compaction leaves, until its summary is found. */
  boundary: Boundary | undefined
  summary: string | undefined
}

/** Items before these stay only if they are prompts, and the agent keeps those. */
interface Boundary {
  keepsFrom: number
  keepsPrompts: boolean
}

function readEvent(event: SourcedEvent, state: ReadingState, isFull: boolean): void {
  const { ts, text } = event
  if (event.undoes) rewind(state, event.undoes)
  if (event.replaces) drop(state, new Set(event.replaces))
  if (event.id !== '' && !state.places.has(event.id)) state.places.set(event.id, state.items.length)
  const add = (item: ConversationItem) => {
    state.items.push(item)
    state.ids.push(event.id)
  }
  switch (event.kind) {
    case 'prompt':
      return text.trim() === '' ? undefined : add({ kind: 'prompt', ts, text })
    case 'reply':
      return text.trim() === '' ? undefined : add({ kind: 'reply', ts, text })
    case 'command':
      return add({ kind: 'note', ts, text: `The user ran the command ${text}` })
    case 'shell':
      return add({ kind: 'note', ts, text: `The user ran in a shell: ${text}` })
    case 'interrupt':
      return add({ kind: 'note', ts, text: 'The user stopped the agent.' })
    case 'tool_call':
      return add(callOf(event, state))
    case 'tool_result':
    case 'test_run':
      return closeCall(event, state, add)
    case 'compaction':
      return isFull ? undefined : compact(event, state)
    case 'context':
      return readContext(event, state, add, isFull)
    case 'error':
    case 'thinking':
    case 'edit':
    case 'lifecycle':
      return
    default:
      return event.kind satisfies never
  }
}

function callOf(event: SourcedEvent, { source, open }: ReadingState): ConversationItem {
  const { ts, tool = 'unnamed', call } = event
  const input = event.input ?? {}
  const tools = toolsOf(event.session, source)
  const common = commonOf(tool, input, source, tools)
  const item: ConversationItem & { kind: 'call' } = { kind: 'call', ts, tool, input, ...(common ? { common } : {}) }
  if (call) open.set(call, item)
  return item
}

/** A result that no call asked for stands for its call: searches of the model service. */
function closeCall(event: SourcedEvent, state: ReadingState, add: (item: ConversationItem) => void): void {
  const { call = '', tool = 'unnamed', input = {}, ts } = event
  const asked = state.open.get(call)
  if (!asked) return add({ kind: 'call', ts, tool, input, result: resultOf(event) })
  state.open.delete(call)
  const tools = toolsOf(event.session, state.source)
  const result = resultOf(event)
  asked.result = asked.common && tools ? commonResult(tools, asked.common, result) : result
}

function resultOf({ text, error, exit }: StoredEvent): CallOutput {
  return { text, ...(error === undefined ? {} : { error }), ...(exit === undefined ? {} : { exit }) }
}

function toolsOf(session: string, source: ConversationSource) {
  return agentOf(session, source)?.handoff?.tools
}

function agentOf(session: string, { agents }: ConversationSource) {
  const id = session.slice(0, session.indexOf(':'))
  return agents.find((agent) => agent.id === id)
}

/**
 * The summary is in the event, or in the context that follows it. A model service may keep it to
 * itself: then the conversation before stays.
 */
function compact({ text, keepsFrom = '', session }: SourcedEvent, state: ReadingState): void {
  state.boundary = {
    keepsFrom: state.places.get(keepsFrom) ?? state.items.length,
    keepsPrompts: agentOf(session, state.source)?.keepsPrompts === true,
  }
  if (isSummary(text)) useSummary(text, state)
}

function useSummary(text: string, state: ReadingState): void {
  state.summary = text
  const { keepsFrom, keepsPrompts } = state.boundary ?? { keepsFrom: state.items.length, keepsPrompts: false }
  const isKept = state.items.map(({ kind }, at) => at >= keepsFrom || (keepsPrompts && kind === 'prompt'))
  keep(state, isKept)
  state.boundary = undefined
}

function readContext(
  event: SourcedEvent,
  state: ReadingState,
  add: (item: ConversationItem) => void,
  isFull: boolean,
): void {
  const { ts, text, role } = event
  if (isHandedOverText(text)) {
    const call = parseCall(text)
    const note = parseNote(text)
    const common = call && commonOf(call.tool, call.input, state.source)
    if (call) add({ kind: 'call', ts, ...call, ...(common ? { common } : {}) })
    else if (note !== undefined) add({ kind: 'note', ts, text: note })
  } else if (state.boundary !== undefined && !isFull && startsSummary(text)) useSummary(text, state)
  else if (state.source.isSubagent && role === 'user' && state.items.length === 0)
    add({ kind: 'note', ts, text: `Task of this subagent, from the agent that started it:\n${text}` })
}

/** The agent's own names first; others use the same ones for the same tools. */
function commonOf(tool: string, input: Json, { agents, cwd }: ConversationSource, own?: CommonTools) {
  const tables = agents.flatMap(({ handoff }) => (handoff ? [handoff.tools] : []))
  for (const tools of own ? [own, ...tables] : tables) {
    const common = commonCall(tools, tool, input, cwd)
    if (common) return common
  }
  return undefined
}

/** Drops the last prompts and everything since. */
function rewind(state: ReadingState, prompts: number): void {
  const places = state.items.flatMap(({ kind }, at) => (kind === 'prompt' ? [at] : []))
  const from = places.at(-prompts)
  if (from === undefined) return
  state.items.length = from
  state.ids.length = from
}

function drop(state: ReadingState, replaced: ReadonlySet<string>): void {
  keep(
    state,
    state.ids.map((id) => id === '' || !replaced.has(id)),
  )
}

function keep(state: ReadingState, isKept: readonly boolean[]): void {
  state.items = state.items.filter((_, at) => isKept[at])
  state.ids = state.ids.filter((_, at) => isKept[at])
  let kept = 0
  const places = isKept.map((isKept) => (isKept ? kept++ : kept))
  for (const [id, place] of state.places) state.places.set(id, places[place] ?? kept)
}
