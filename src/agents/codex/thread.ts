// What is known of a thread while its rollout is read, and what of that the next sweep needs.
import { basename } from 'node:path'
import type { Event, Json, ToolError } from '../../core/session.ts'
import type { ReaderOutput, SessionOutput } from '../agent.ts'
import { type PendingChanges, pendingChanges } from '../file-changes.ts'
import { asArray, asCount, asObject, asString, type JsonObject, optionalString } from '../json-values.ts'
import { type PendingCalls, pendingCalls } from '../pending-calls.ts'
import { rolloutFile } from './places.ts'
import { type TokenState, tokenState } from './totals.ts'

export interface Thread {
  out: ReaderOutput
  path: string
  /** Native id of the session; '' until the header tells where the file name does not. */
  id: string
  session: SessionOutput | undefined
  hasHeader: boolean
  isSubagent: boolean
  /** When the thread was made, in ms; turns older than this are copies from the thread it was forked from. */
  madeAt: number
  cwd: string
  model: string
  turn: string
  /** Turn whose failure was told already. */
  failedTurn: string
  counters: Map<string, number>
  calls: PendingCalls
  /** Files that an open call wants to change. */
  patches: PendingChanges
  /** How a call ended, told before its output. */
  verdicts: Map<string, Verdict>
  /** Processes that run tests in the background, and the calls that look at one. */
  tests: Set<string>
  looks: Set<string>
  prompts: PromptState
  tokens: TokenState
  /** Set while the lines at the start of a fork are its parent's. */
  copy: { from: string; hasTurns: boolean; prompts: number } | undefined
}

export interface Verdict {
  error?: ToolError
  exit?: number
}

export interface PromptState {
  /** Whether prompts of this rollout are told by events, or only by the items sent to the model. */
  toldBy: 'unknown' | 'events' | 'items'
  /** User messages that wait for the event which says that a person wrote them. */
  waiting: Message[]
  /** An event that came before its message. */
  ahead: string
}

export interface Message {
  text: string
  ts: string | null
  id: string
  /** The record itself says that a person wrote it. */
  isSure: boolean
}

export function openThread(path: string, out: ReaderOutput, state: Json | undefined): Thread {
  const saved = asObject(state)
  const prompts = asObject(saved.prompts)
  const copy = asObject(saved.copy)
  return {
    out,
    path,
    id: asString(saved.id) || rolloutFile(path).thread,
    session: undefined,
    hasHeader: saved.hasHeader === true,
    isSubagent: saved.isSubagent === true,
    madeAt: asCount(saved.madeAt),
    cwd: asString(saved.cwd),
    model: asString(saved.model),
    turn: asString(saved.turn),
    failedTurn: asString(saved.failedTurn),
    counters: new Map(
      asArray(saved.counters).map((entry) => [asString(asArray(entry)[0]), asCount(asArray(entry)[1])]),
    ),
    calls: pendingCalls(saved.calls),
    patches: pendingChanges(saved.patches),
    verdicts: new Map(
      asArray(saved.verdicts).map((entry) => [asString(asArray(entry)[0]), verdict(asObject(asArray(entry)[1]))]),
    ),
    tests: new Set(asArray(saved.tests).map(asString)),
    looks: new Set(asArray(saved.looks).map(asString)),
    prompts: {
      toldBy: prompts.toldBy === 'events' || prompts.toldBy === 'items' ? prompts.toldBy : 'unknown',
      waiting: asArray(prompts.waiting).map((message) => savedMessage(asObject(message))),
      ahead: asString(prompts.ahead),
    },
    tokens: tokenState(saved.tokens),
    copy: optionalString(copy.from)
      ? { from: asString(copy.from), hasTurns: copy.hasTurns === true, prompts: asCount(copy.prompts) }
      : undefined,
  }
}

export function threadState(thread: Thread): Json {
  const { id, hasHeader, isSubagent, madeAt, cwd, model, turn, failedTurn, prompts, tokens, copy } = thread
  return {
    ...{ id, hasHeader, isSubagent, madeAt, cwd, model, turn, failedTurn },
    counters: [...thread.counters],
    calls: thread.calls.state(),
    patches: thread.patches.state(),
    verdicts: [...thread.verdicts].map(([call, { error, exit }]) => [call, { error, exit }]),
    tests: [...thread.tests],
    looks: [...thread.looks],
    prompts: { ...prompts, waiting: prompts.waiting.map((message) => ({ ...message })) },
    tokens: { ...tokens, last: { ...tokens.last }, held: tokens.held ? { ...tokens.held } : undefined },
    copy: copy ? { ...copy } : undefined,
  }
}

function verdict({ error, exit }: JsonObject): Verdict {
  return { error: optionalString(error) as ToolError | undefined, exit: typeof exit === 'number' ? exit : undefined }
}

function savedMessage(message: JsonObject): Message {
  const { ts, id, isSure } = message
  return { text: asString(message.text), ts: optionalString(ts) ?? null, id: asString(id), isSure: isSure === true }
}

export function sessionOf(thread: Thread): SessionOutput {
  thread.id ||= basename(thread.path).replace(/^rollout-|\.jsonl?(?:\.zst)?$/g, '')
  thread.session ??= thread.out.session(thread.id)
  return thread.session
}

/** Where an event belongs. Turn ids are unique and kept in copies, so a copied event gets the key of its original. */
export function scope({ turn, id }: Thread): string {
  return turn.length === 36 ? turn : turn ? `${id}/${turn}` : id
}

/** Codex gives most records no id: the key is the place among its kind in the turn. */
export function nextKey(thread: Thread, kind: string): string {
  const place = `${scope(thread)}/${kind}`
  const number = (thread.counters.get(place) ?? -1) + 1
  thread.counters.delete(place) // to the end: the places of old turns are the first to go
  thread.counters.set(place, number)
  forgetOldest(thread.counters, 60)
  return `${place}/${number}`
}

/** Sessions that are killed never close what they opened. */
export function forgetOldest(from: Map<string, unknown> | Set<string>, max: number): void {
  if (from.size > max) from.delete(from.keys().next().value!)
}

export function emit(thread: Thread, event: Omit<Event, 'id' | 'key'> & { id?: string; key?: string }): void {
  const { id = '', key = nextKey(thread, event.kind), ...rest } = event
  sessionOf(thread).event({ id, key, ...rest })
}
