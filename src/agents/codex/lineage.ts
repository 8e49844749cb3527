// Finds which lines of a fork were copied. To mid 2026 a fork, and a subagent with its parent's
// history, begins with a copy of the parent's lines with new timestamps; those turns belong to the
// parent. Later forks only name the point from which they continue. Both continue the parent's
// token total.
import { parseJsonlLine } from '../../core/jsonl.ts'
import { asArray, asObject, asString, type JsonObject, optionalString } from '../json-values.ts'
import { isMachineText, isPersonEvent, typedText } from './prompts.ts'
import { homeOf, type RolloutFile, rolloutFile, rolloutFiles, rolloutLines } from './rollout-files.ts'
import type { CodexThread, TokenTotals } from './state.ts'
import { startTotalsAt, totalsIn } from './usage.ts'

export function startCopy(thread: CodexThread, from: string): void {
  thread.copy = { from, hasTurns: false, prompts: 0 }
}

/**
 * Whether a line belongs to the copy at the start of a fork; its first own turn or prompt ends the
 * copy.
 */
export function isCopied(thread: CodexThread, type: string, payload: JsonObject): boolean {
  if (!thread.copy || isSubagentTask(thread.copy, type, payload)) return false
  const isCopy = isStillCopied(thread, thread.copy, type, payload)
  if (!isCopy) thread.copy = undefined
  return isCopy
}

/** The task of a subagent may come before its first turn. */
function isSubagentTask({ hasTurns }: NonNullable<CodexThread['copy']>, type: string, payload: JsonObject): boolean {
  return !hasTurns && (type === 'inter_agent_communication' || payload.type === 'agent_message')
}

function isStillCopied(
  thread: CodexThread,
  copy: NonNullable<CodexThread['copy']>,
  type: string,
  payload: JsonObject,
): boolean {
  const turn = type === 'turn_context' || payload.type === 'task_started' ? optionalString(payload.turn_id) : undefined
  // TRAE CLI may number the turns of each thread, so that a turn of the parent has the same id.
  if (turn && !(turn.length < 36 && parentOf(thread, copy.from).turns.has(turn))) {
    copy.hasTurns = true
    return isInherited(thread, copy.from, turn)
  }
  if (payload.type === 'token_count') {
    const total = totalsIn(payload)
    if (total) startTotalsAt(thread, total)
    return true
  }
  const prompt = copy.hasTurns ? undefined : promptOf(type, payload)
  return prompt === undefined || isNextPrompt(thread, copy, prompt.words, prompt.isMirror)
}

/**
 * Turn ids contain a time (UUIDv7): a turn older than the thread is its parent's. Other ids are
 * looked up in the parent.
 */
function isInherited(thread: CodexThread, parent: string, turn: string): boolean {
  const startedAt = timeOfId(turn)
  if (startedAt !== undefined && thread.madeAt > 0) return startedAt < thread.madeAt
  return parentOf(thread, parent).turns.has(turn)
}

/** Milliseconds in a UUIDv7; undefined for ids of another kind. */
export function timeOfId(id: string): number | undefined {
  return /^[0-9a-f]{8}-[0-9a-f]{4}-7/i.test(id) ? Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16) : undefined
}

/**
 * For versions without turn ids: the copy lasts as long as its prompts equal the parent's, in
 * order.
 */
function isNextPrompt(
  thread: CodexThread,
  copy: NonNullable<CodexThread['copy']>,
  words: string,
  isMirror: boolean,
): boolean {
  const { prompts } = parentOf(thread, copy.from)
  if (isMirror && copy.prompts > 0 && prompts[copy.prompts - 1] === words) return true
  if (prompts[copy.prompts] !== words) return false
  copy.prompts++
  return true
}

function promptOf(type: string, payload: JsonObject): { words: string; isMirror: boolean } | undefined {
  if (isPersonEvent(payload)) return { words: asString(payload.message), isMirror: true }
  if (type !== 'response_item' || payload.type !== 'message' || payload.role !== 'user') return undefined
  const words = typedText(asArray(payload.content).map(asObject))
  return isMachineText(words) ? undefined : { words, isMirror: false }
}

interface ParentThread {
  turns: Set<string>
  prompts: string[]
}

const unknownParent: ParentThread = { turns: new Set(), prompts: [] }
const parents = new WeakMap<CodexThread, ParentThread>()

function parentOf(thread: CodexThread, id: string): ParentThread {
  let parent = parents.get(thread)
  if (!parent) {
    const file = rolloutFiles(homeOf(thread.path)).find((other) => other.thread === id)
    parent = file ? readParent(file) : unknownParent
    parents.set(thread, parent)
  }
  return parent
}

function readParent(file: RolloutFile): ParentThread {
  const parent: ParentThread = { turns: new Set(), prompts: [] }
  for (const { type, payload } of recordsWith(file, ['turn_id', '"user"'])) {
    if (optionalString(payload.turn_id)) parent.turns.add(asString(payload.turn_id))
    const prompt = promptOf(type, payload)
    if (prompt && !prompt.isMirror) parent.prompts.push(prompt.words)
  }
  return parent
}

/** The token total at the point where a fork starts; undefined if its rollout cannot be found. */
export function inheritedTotals(path: string, base: JsonObject, depth = 8): TokenTotals | undefined {
  const file = baseFile(path, base)
  if (!file || depth === 0) return undefined
  let total: TokenTotals | undefined
  let earlier: JsonObject | undefined
  for (const { type, payload, ordinal } of recordsWith(file, ['"token_count"', '"session_meta"'])) {
    if (ordinal >= endOf(base)) break
    if (type === 'session_meta') earlier ??= asObject(payload.history_base)
    total = (payload.type === 'token_count' ? totalsIn(payload) : undefined) ?? total
  }
  return total ?? (optionalString(earlier?.thread_id) ? inheritedTotals(path, earlier!, depth - 1) : undefined)
}

/** Number of prompts after the point of a revert; undefined if it is no revert. */
export function revertedPrompts(path: string, base: JsonObject): number | undefined {
  const file = baseFile(path, base)
  if (!file || file.path === path || file.thread !== rolloutFile(path).thread) return undefined
  let prompts = 0
  for (const { payload, ordinal } of recordsWith(file, ['"user_message"', '"UserMessage"'])) {
    const isPrompt = isPersonEvent(payload) || asObject(payload.item).type === 'UserMessage'
    if (ordinal >= endOf(base) && isPrompt) prompts++
  }
  return prompts
}

function baseFile(path: string, base: JsonObject): RolloutFile | undefined {
  return rolloutFiles(homeOf(path)).find((file) => file.rollout === asString(base.thread_id))
}

function endOf(base: JsonObject): number {
  return typeof base.end_ordinal_exclusive === 'number' ? base.end_ordinal_exclusive : Number.POSITIVE_INFINITY
}

const maxBytes = 256 << 20

/** Records whose line contains one of the words; other lines are not parsed. */
function* recordsWith(file: RolloutFile, words: string[]) {
  try {
    for (const line of rolloutLines(file)) {
      if (line.offset > maxBytes) return
      if (!words.some((word) => line.bytes.includes(word))) continue
      for (const record of parseJsonlLine(line).records) {
        const ordinal = typeof record.ordinal === 'number' ? record.ordinal : -1
        yield { type: asString(record.type), payload: asObject(record.payload), ordinal }
      }
    }
  } catch {
    // Gone or unreadable: treated as unknown.
  }
}
