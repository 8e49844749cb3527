// A conversation as data that no agent owns: what is handed over from one to another.
import type { CommonCall } from './common-tools.ts'
import type { HandoffOrigin, RecordedCall } from './handed-over.ts'

/** A conversation of any agent. Every call has its result, so that any API accepts the order. */
export interface Conversation {
  origin: HandoffOrigin
  cwd: string
  branch: string | null
  title: string | null
  items: readonly ConversationItem[]
}

export type ConversationItem = { ts: string | null } & (
  | { kind: 'prompt' | 'reply' | 'note'; text: string }
  | ({ kind: 'call' } & ConversationCall)
)

/** `common` is set if agents of several kinds have this tool with these arguments. */
export interface ConversationCall extends RecordedCall {
  common?: CommonCall
}
