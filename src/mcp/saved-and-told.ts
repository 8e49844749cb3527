// What an agent saved on its own is told once: after an answer has told it, it waits for the person.
import { putBeforePerson } from '../brief/usage-tracking.ts'
import { isoTime } from '../core/clock.ts'
import type { Memory } from '../memory/memory.ts'
import { memoryById } from '../store/memories/memories.ts'
import type { ToolCall } from './tool-result.ts'

/** Memories are named by their ids in every answer that tells them; `own` were saved by who is told. */
export function noteTold(
  { app, ledger, source }: ToolCall,
  answer: string,
  own: ReadonlySet<string> = new Set(),
): void {
  if (ledger.isReadOnly) return
  const ids = new Set(answer.match(/\bm-[a-z2-9]{10}\b/g) ?? [])
  const told = [...ids]
    .flatMap((id) => memoryById(ledger, id) ?? [])
    .filter((memory) => !own.has(memory.id) && isSaved(memory, source.session))
  putBeforePerson(
    ledger,
    told.map((memory) => ({ memory, at: isoTime(app.clock.nowMs()) })),
  )
}

/** The session that saved it knows it. */
function isSaved({ because, trust, state, space, supersededBy, evidence }: Memory, session: string | null): boolean {
  const isOwn = session !== null && evidence.some((one) => one.session === session)
  return because === 'agent' && trust === 'agent said' && state === 'kept' && space === null && !supersededBy && !isOwn
}
