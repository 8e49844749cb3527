// What a rollout says of its thread as a whole: the header, and per turn the model and the working folder.
import { type Fields, fields, named, text, time } from '../values.ts'
import { inheritedTotals, revertedPrompts, startCopy, timeOfId } from './lineage.ts'
import { rolloutFile } from './places.ts'
import { emit, sessionOf, type Thread } from './thread.ts'
import { startFrom } from './tokens.ts'

/** `session_meta`, or the bare header line of 2025. Only the first one counts: copies and resumed files hold more. */
export function readHeader(thread: Thread, meta: Fields, ts: string | null): void {
  if (thread.hasHeader) return readSecondHeader(thread, meta)
  thread.hasHeader = true
  thread.id ||= text(meta.id)
  const lineage = lineageOf(meta)
  const git = fields(meta.git)
  thread.isSubagent = lineage.kind === 'subagent'
  thread.cwd = text(meta.cwd)
  thread.madeAt = timeOfId(thread.id) ?? (Date.parse(time(meta.timestamp) ?? ts ?? '') || 0)
  sessionOf(thread).about({
    ...lineage,
    cwd: named(meta.cwd),
    branch: named(git.branch),
    remote: named(git.repository_url),
    version: named(meta.cli_version),
    started: time(meta.timestamp) ?? ts ?? undefined,
    ...(thread.isSubagent ? subagentTitle(meta) : {}),
  })
  const base = fields(meta.history_base)
  if (named(base.thread_id)) return readBase(thread, base, ts)
  if (lineage.parent) startCopy(thread, lineage.parent)
}

/** Forks to the end of 2025 say nothing of their origin, but begin with its header. */
function readSecondHeader(thread: Thread, meta: Fields): void {
  const origin = text(meta.id)
  if (!origin || origin === thread.id || thread.copy || thread.turn) return
  if (!thread.isSubagent) sessionOf(thread).about({ kind: 'fork', parent: origin })
  startCopy(thread, origin)
}

interface Lineage {
  kind?: 'subagent' | 'fork'
  parent?: string
}

function lineageOf(meta: Fields): Lineage {
  const source = fields(meta.source)
  const spawn = fields(fields(source.subagent).thread_spawn)
  const origin = named(meta.forked_from_id)
  const above = named(meta.parent_thread_id) ?? named(spawn.parent_thread_id)
  const root = named(meta.session_id)
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

function subagentTitle(meta: Fields): { title?: string; titleRank?: number } {
  const spawn = fields(fields(fields(meta.source).subagent).thread_spawn)
  const role = named(meta.agent_role) ?? named(spawn.agent_role) ?? named(fields(meta.source).subagent)
  const nickname = named(meta.agent_nickname) ?? named(spawn.agent_nickname)
  const title = [role, nickname].filter(Boolean).join(': ')
  return title ? { title, titleRank: 3 } : {}
}

/** Since about July 2026 a fork names the part of another rollout that it goes on from; so does a thread after a revert. */
function readBase(thread: Thread, base: Fields, ts: string | null): void {
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

export function readTurnContext(thread: Thread, payload: Fields): void {
  startTurn(thread, payload)
  const model = named(payload.model)
  const cwd = named(payload.cwd)
  if (model === undefined && cwd === undefined) return
  if ((model ?? thread.model) === thread.model && (cwd ?? thread.cwd) === thread.cwd) return
  thread.model = model ?? thread.model
  // A session belongs to the folder it began in, wherever its later turns run.
  sessionOf(thread).about({ model, cwd: thread.cwd ? undefined : cwd })
  thread.cwd = cwd ?? thread.cwd
}

export function startTurn(thread: Thread, payload: Fields): void {
  const turn = named(payload.turn_id)
  if (turn) thread.turn = turn
}
