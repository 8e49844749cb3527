// Which call of which session a client speaks for, where it says so with the call itself. What a client says only when it starts us
// (Claude Code 2.1.325 in the environment) may be another session by now, so it is no evidence.
import type { Evidence } from '../memory/memory.ts'

export type CallSource = Pick<Evidence, 'session' | 'event'>

export const unknownSource: CallSource = { session: null, event: null }

/** As Codex 0.166 tells it in `_meta`: `{callId, "x-codex-turn-metadata": {thread_id, …}}`. */
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
