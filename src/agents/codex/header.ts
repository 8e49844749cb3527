// What a rollout says of its thread as a whole: the header, and per turn the model and the working folder.
import { asIsoTime, asObject, asString, type JsonObject, optionalString } from '../json-values.ts'
import { inheritedTotals, revertedPrompts, startCopy, timeOfId } from './lineage.ts'
import { rolloutFile } from './places.ts'
import { emit, sessionOf, type Thread } from './thread.ts'
import { startFrom } from './tokens.ts'

/** `session_meta`, or the bare header line of 2025. Only the first one counts: copies and resumed files hold more. */
export function readHeader(thread: Thread, meta: JsonObject, ts: string | null): void {
  if (thread.hasHeader) return readSecondHeader(thread, meta)
  thread.hasHeader = true
  thread.id ||= asString(meta.id)
  const lineage = lineageOf(meta)
  const git = asObject(meta.git)
  thread.isSubagent = lineage.kind === 'subagent'
  thread.cwd = asString(meta.cwd)
  thread.madeAt = timeOfId(thread.id) ?? (Date.parse(asIsoTime(meta.timestamp) ?? ts ?? '') || 0)
  sessionOf(thread).about({
    ...lineage,
    cwd: optionalString(meta.cwd),
    branch: optionalString(git.branch),
    remote: optionalString(git.repository_url),
    version: optionalString(meta.cli_version),
    started: asIsoTime(meta.timestamp) ?? ts ?? undefined,
    ...(thread.isSubagent ? subagentTitle(meta) : {}),
  })
  const base = asObject(meta.history_base)
  if (optionalString(base.thread_id)) return readBase(thread, base, ts)
  if (lineage.parent) startCopy(thread, lineage.parent)
}

/** Forks to the end of 2025 say nothing of their origin, but begin with its header. */
function readSecondHeader(thread: Thread, meta: JsonObject): void {
  const origin = asString(meta.id)
  if (!origin || origin === thread.id || thread.copy || thread.turn) return
  if (!thread.isSubagent) sessionOf(thread).about({ kind: 'fork', parent: origin })
  startCopy(thread, origin)
}

interface Lineage {
  kind?: 'subagent' | 'fork'
  parent?: string
}

function lineageOf(meta: JsonObject): Lineage {
  const source = asObject(meta.source)
  const spawn = asObject(asObject(source.subagent).thread_spawn)
  const origin = optionalString(meta.forked_from_id)
  const above = optionalString(meta.parent_thread_id) ?? optionalString(spawn.parent_thread_id)
  const root = optionalString(meta.session_id)
  const isUnderRoot = root !== undefined && root !== meta.id && !origin
  const isSubagent =
    above !== undefined ||
    source.subagent !== undefined ||
    source.internal !== undefined ||
    meta.thread_source === 'subagent' ||
    meta.thread_source === 'memory_consolidation' ||
    isUnderRoot
  if (isSubagent) return { kind: 'subagent', parent: above ?? origin ?? (isUnderRoot ? root : undefined) }
  return origin ? { kind: 'fork', parent: origin } : {}
}

function subagentTitle(meta: JsonObject): { title?: string; titleRank?: number } {
  const spawn = asObject(asObject(asObject(meta.source).subagent).thread_spawn)
  const role =
    optionalString(meta.agent_role) ??
    optionalString(spawn.agent_role) ??
    optionalString(asObject(meta.source).subagent)
  const nickname = optionalString(meta.agent_nickname) ?? optionalString(spawn.agent_nickname)
  const title = [role, nickname].filter(Boolean).join(': ')
  return title ? { title, titleRank: 3 } : {}
}

/** Since about July 2026 a fork names the part of another rollout that it goes on from; so does a thread after a revert. */
function readBase(thread: Thread, base: JsonObject, ts: string | null): void {
  startFrom(thread, inheritedTotals(thread.path, base))
  const undoes = revertedPrompts(thread.path, base)
  if (undoes === undefined) return
  emit(thread, {
    key: `${rolloutFile(thread.path).rollout}/revert`,
    kind: 'lifecycle',
    role: 'system',
    ts,
    text: 'Thread reverted to an earlier point',
    undoes: undoes || undefined,
  })
}

export function readTurnContext(thread: Thread, payload: JsonObject): void {
  startTurn(thread, payload)
  const model = optionalString(payload.model)
  const cwd = optionalString(payload.cwd)
  if (model === undefined && cwd === undefined) return
  if ((model ?? thread.model) === thread.model && (cwd ?? thread.cwd) === thread.cwd) return
  thread.model = model ?? thread.model
  // A session belongs to the folder it began in, wherever its later turns run.
  sessionOf(thread).about({ model, cwd: thread.cwd ? undefined : cwd })
  thread.cwd = cwd ?? thread.cwd
}

export function startTurn(thread: Thread, payload: JsonObject): void {
  const turn = optionalString(payload.turn_id)
  if (turn) thread.turn = turn
}
