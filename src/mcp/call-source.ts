// Reads the session and call that a tool call comes from, if the client sends them with the call.
// A session id in the environment (Claude Code 2.1.325) is not used: the client may have started
// another session since.
import type { Evidence } from '../memory/memory.ts'

export type CallSource = Pick<Evidence, 'session' | 'event'>

export const unknownSource: CallSource = { session: null, event: null }

/** As sent by Codex 0.166 in `_meta`: `{callId, "x-codex-turn-metadata": {thread_id, …}}`. */
export function callSourceOf(meta: Readonly<Record<string, unknown>> | undefined): CallSource {
  const turn = meta?.['x-codex-turn-metadata']
  const thread = typeof turn === 'object' && turn !== null && 'thread_id' in turn ? turn.thread_id : undefined
  const call = meta?.callId
  if (!isId(thread) || !isId(call)) return unknownSource
  return { session: `codex:${thread}`, event: call }
}

function isId(value: unknown): value is string {
  return typeof value === 'string' && /^[\w-]{1,100}$/.test(value)
}
