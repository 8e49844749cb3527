// State of the reader of one rollout, and the part of it that is saved between sweeps.
import { basename } from 'node:path'
import type { Event, Json, ToolError } from '../../core/session.ts'
import type { ReaderOutput, SessionOutput } from '../agent.ts'
import { type PendingChanges, pendingChanges } from '../file-changes.ts'
import { asArray, asCount, asObject, asString, type JsonObject, optionalString } from '../json-values.ts'
import { type PendingCalls, pendingCalls } from '../pending-calls.ts'
import type { Print } from './program/reading.ts'
import { rolloutFile } from './rollout-files.ts'

export interface CodexThread {
  out: ReaderOutput
  path: string
  /** Native id of the session; '' until the header names it, if the file name does not. */
  id: string
  session: SessionOutput | undefined
  hasHeader: boolean
  isSubagent: boolean
  /**
   * Creation time of the thread in ms; older turns are copies from the thread that it was forked
   * from.
   */
  madeAt: number
  cwd: string
  model: string
  /** Whether the user asked for priority processing, which costs more. */
  isFast: boolean
  turn: string
  /** Turn whose failure was emitted already. */
  failedTurn: string
  counters: Map<string, number>
  calls: PendingCalls
  /** Files that an open call will change. */
  patches: PendingChanges
  /** End of a call, which is reported before its output. */
  verdicts: Map<string, CallEnd>
  /** Background processes that run tests, and the calls that poll one. */
  tests: Set<string>
  looks: Set<string>
  /** Programs whose calls are not all at their end, by the call that runs them. */
  programs: Map<string, OpenProgram>
  /** Calls that wait for a program, and the call that runs it. */
  waits: Map<string, string>
  prompts: PromptState
  tokens: TokenState
  /** Set while the copied lines at the start of a fork are read. */
  copy: { from: string; hasTurns: boolean; prompts: number } | undefined
}

export interface CallEnd {
  error?: ToolError
  exit?: number
}

/** A program that the model passed to the tool `exec`. */
export interface OpenProgram {
  calls: InsideCall[]
  prints: Print[] | undefined
  /** Whether its calls stand for it; otherwise it has events of its own too. */
  isWhole: boolean
  /** What it printed before it was waited for. */
  parts: string[]
  /** Id of a program that still runs. */
  cell: string
}

export interface InsideCall {
  id: string
  tool: string
  command: string
  state: 'open' | 'running' | 'closed'
  /** Whether the changes of its patch were reported. */
  isPatched: boolean
}

export interface PromptState {
  /** Whether prompts of this rollout have events, or only items. */
  toldBy: 'unknown' | 'events' | 'items'
  /** User messages that wait for their event. */
  waiting: PendingMessage[]
  /** Text of an event that came before its message. */
  ahead: string
}

export interface PendingMessage {
  text: string
  ts: string | null
  id: string
  /** The record itself marks it as typed. */
  isSure: boolean
}

export function openThread(path: string, out: ReaderOutput, state: Json | undefined): CodexThread {
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
    isFast: saved.isFast === true,
    turn: asString(saved.turn),
    failedTurn: asString(saved.failedTurn),
    counters: new Map(
      asArray(saved.counters).map((entry) => [asString(asArray(entry)[0]), asCount(asArray(entry)[1])]),
    ),
    calls: pendingCalls(saved.calls),
    patches: pendingChanges(saved.patches),
    verdicts: new Map(
      asArray(saved.verdicts).map((entry) => [
        asString(asArray(entry)[0]),
        restoreCallEnd(asObject(asArray(entry)[1])),
      ]),
    ),
    tests: new Set(asArray(saved.tests).map(asString)),
    looks: new Set(asArray(saved.looks).map(asString)),
    programs: new Map(asArray(saved.programs).flatMap(restoreProgram)),
    waits: new Map(asArray(saved.waits).map((entry) => [asString(asArray(entry)[0]), asString(asArray(entry)[1])])),
    prompts: {
      toldBy: prompts.toldBy === 'events' || prompts.toldBy === 'items' ? prompts.toldBy : 'unknown',
      waiting: asArray(prompts.waiting).map((message) => restoreMessage(asObject(message))),
      ahead: asString(prompts.ahead),
    },
    tokens: restoreTokens(saved.tokens),
    copy: optionalString(copy.from)
      ? { from: asString(copy.from), hasTurns: copy.hasTurns === true, prompts: asCount(copy.prompts) }
      : undefined,
  }
}

export function saveThread(thread: CodexThread): Json {
  const { id, hasHeader, isSubagent, madeAt, cwd, model, isFast, turn, failedTurn, prompts, tokens, copy } = thread
  return {
    ...{ id, hasHeader, isSubagent, madeAt, cwd, model, isFast, turn, failedTurn },
    counters: [...thread.counters],
    calls: thread.calls.state(),
    patches: thread.patches.state(),
    verdicts: [...thread.verdicts].map(([call, { error, exit }]) => [call, { error, exit }]),
    tests: [...thread.tests],
    looks: [...thread.looks],
    programs: [...thread.programs].map(([call, program]) => [call, { ...program } as unknown as Json]),
    waits: [...thread.waits],
    prompts: { ...prompts, waiting: prompts.waiting.map((message) => ({ ...message })) },
    tokens: { ...tokens, last: { ...tokens.last }, held: tokens.held ? { ...tokens.held } : undefined },
    copy: copy ? { ...copy } : undefined,
  }
}

function restoreCallEnd({ error, exit }: JsonObject): CallEnd {
  return { error: optionalString(error) as ToolError | undefined, exit: typeof exit === 'number' ? exit : undefined }
}

/** Nothing of another shape: the reader would stop at it, and then the program only lacks its calls. */
function restoreProgram(entry: Json): [string, OpenProgram][] {
  const [call, value] = asArray(entry)
  const { calls, prints, isWhole, parts, cell } = asObject(value)
  const isProgram = typeof call === 'string' && Array.isArray(calls) && Array.isArray(parts) && typeof cell === 'string'
  if (!isProgram || !calls.every(isInsideCall) || !parts.every((part) => typeof part === 'string')) return []
  if (prints !== undefined && !isPrints(prints)) return []
  return [[call, { calls, prints, isWhole: isWhole === true, parts, cell } as unknown as OpenProgram]]
}

function isInsideCall(value: Json): boolean {
  const { id, tool, command, state } = asObject(value)
  return [id, tool, command, state].every((field) => typeof field === 'string')
}

function isPrints(value: Json): boolean {
  return (
    Array.isArray(value) &&
    value.every(
      (one) =>
        asArray(asObject(one).calls).every((at) => typeof at === 'number') &&
        isExit(asObject(one).exit) &&
        Array.isArray(asObject(one).calls),
    )
  )
}

function isExit(value: Json | undefined): boolean {
  return value === undefined || typeof asObject(value).after === 'string'
}

function restoreMessage(message: JsonObject): PendingMessage {
  const { ts, id, isSure } = message
  return { text: asString(message.text), ts: optionalString(ts) ?? null, id: asString(id), isSure: isSure === true }
}

export function sessionOf(thread: CodexThread): SessionOutput {
  thread.id ||= basename(thread.path).replace(/^rollout-|\.jsonl?(?:\.zst)?$/g, '')
  thread.session ??= thread.out.session(thread.id)
  return thread.session
}

/**
 * Prefix of keys. Turn ids are unique and kept in copies, so a copied event gets the key of its
 * original.
 */
export function keyScope({ turn, id }: CodexThread): string {
  return turn.length === 36 ? turn : turn ? `${id}/${turn}` : id
}

/** Most records have no id: the key is the position among the records of its kind in the turn. */
export function nextKey(thread: CodexThread, kind: string): string {
  const place = `${keyScope(thread)}/${kind}`
  const number = (thread.counters.get(place) ?? -1) + 1
  thread.counters.delete(place) // moved to the end, so that old turns are dropped first
  thread.counters.set(place, number)
  forgetOldest(thread.counters, 60)
  return `${place}/${number}`
}

/** Killed sessions never close what they opened. */
export function forgetOldest(from: Map<string, unknown> | Set<string>, max: number): void {
  if (from.size > max) from.delete(from.keys().next().value!)
}

export function emit(thread: CodexThread, event: Omit<Event, 'id' | 'key'> & { id?: string; key?: string }): void {
  const { id = '', key = nextKey(thread, event.kind), ...rest } = event
  sessionOf(thread).event({ id, key, ...rest })
}

export interface TokenTotals {
  input: number
  cached: number
  written: number
  output: number
  reasoning: number
}

export interface TokenState {
  last: TokenTotals
  /** Whether `last` is known; not so for a fork whose parent's total is unknown. */
  isKnown: boolean
  /** A usage record of the newest format: it counts only if no running total follows. */
  held: TokenTotals | undefined
  countedBy: 'unknown' | 'totals' | 'records'
}

export const noTokens: TokenTotals = Object.freeze({ input: 0, cached: 0, written: 0, output: 0, reasoning: 0 })

function restoreTokens(state: Json | undefined): TokenState {
  const { last, isKnown, held, countedBy } = asObject(state)
  return {
    last: restoreTotals(asObject(last)),
    isKnown: isKnown !== false,
    held: held ? restoreTotals(asObject(held)) : undefined,
    countedBy: countedBy === 'totals' || countedBy === 'records' ? countedBy : 'unknown',
  }
}

function restoreTotals({ input, cached, written, output, reasoning }: JsonObject): TokenTotals {
  return {
    input: asCount(input),
    cached: asCount(cached),
    written: asCount(written),
    output: asCount(output),
    reasoning: asCount(reasoning),
  }
}

/** Token counts of the Responses API: input includes cached, output includes reasoning. */
export function parseTotals(value: Json | undefined): TokenTotals | undefined {
  const usage = asObject(value)
  if (usage.input_tokens === undefined && usage.output_tokens === undefined) return undefined
  return {
    input: asCount(usage.input_tokens),
    cached: asCount(usage.cached_input_tokens),
    written: asCount(usage.cache_write_input_tokens),
    output: asCount(usage.output_tokens),
    reasoning: asCount(usage.reasoning_output_tokens),
  }
}

export function areEqual(a: TokenTotals, b: TokenTotals): boolean {
  return a.input === b.input && a.output === b.output && a.cached === b.cached && a.reasoning === b.reasoning
}

export function addTotals(a: TokenTotals, b: TokenTotals): TokenTotals {
  return combineTotals(a, b, (x, y) => x + y)
}

export function subtractTotals(a: TokenTotals, b: TokenTotals): TokenTotals {
  return combineTotals(a, b, (x, y) => Math.max(0, x - y))
}

function combineTotals(a: TokenTotals, b: TokenTotals, join: (x: number, y: number) => number): TokenTotals {
  return {
    input: join(a.input, b.input),
    cached: join(a.cached, b.cached),
    written: join(a.written, b.written),
    output: join(a.output, b.output),
    reasoning: join(a.reasoning, b.reasoning),
  }
}
