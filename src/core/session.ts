// The words of the pipeline as types: what an agent reader hands over and what every later stage reads.

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json | undefined }

export const eventKinds = [
  'prompt', // a person wrote it
  'command', // a slash command that a person typed
  'shell', // a shell line that a person ran inside the agent
  'reply',
  'thinking',
  'tool_call',
  'tool_result',
  'test_run', // the result of a tool call that ran tests
  'edit', // a change to files that really happened
  'error', // the agent or its model service failed
  'interrupt', // a person stopped the agent
  'compaction',
  'context', // machine text given to the model: reminders, task texts, hook output
  'lifecycle', // start, end, resume, model change, rollback
] as const

export type EventKind = (typeof eventKinds)[number]
export type EventRole = 'user' | 'assistant' | 'tool' | 'system'

/** Why a tool result is not what was asked for. */
export type ToolError = 'failed' | 'denied' | 'interrupted' | 'cancelled'

export interface FileChange {
  path: string
  change: 'add' | 'update' | 'delete' | 'move'
  added?: number
  removed?: number
}

/** One normalised record of a session. */
export interface Event {
  /** The agent's own record id; '' where the agent has none. */
  id: string
  /** Tells this event from every other of the same agent: the same key seen again is the same event. */
  key: string
  kind: EventKind
  role: EventRole
  /** ISO time as the agent wrote it; order in the session comes from the sequence, not from here. */
  ts: string | null
  text: string
  tool?: string
  /** Joins a tool call, its result and its edits. */
  call?: string
  input?: Json
  error?: ToolError
  exit?: number
  files?: FileChange[]
  /** Counts of a test run, where its output tells. */
  tests?: { passed: number; failed: number }
  model?: string
  /** Number of latest prompts that this event takes back (rewind, rollback). */
  undoes?: number
  /** Ids of events that this one replaces (an answer that was retried). */
  replaces?: string[]
}

/** What one model response consumed. The same key again is the same response: the larger output wins. */
export interface Usage {
  key: string
  ts: string | null
  model: string | null
  /** Without cached tokens. */
  input: number
  cacheRead: number
  /** Cache writes that live five minutes (or whose life is not told). */
  cacheWrite: number
  cacheWrite1h: number
  /** With reasoning. */
  output: number
  reasoning: number
  /** Money as the agent itself recorded it. */
  costUsd?: number
  /** The agent wrote the count before the answer was complete. */
  isLowerBound?: boolean
}

export type SessionKind = 'main' | 'subagent' | 'fork'

/** What a transcript says about its session as a whole; later values win, a title only over one of its own rank or less. */
export interface SessionDetails {
  kind?: SessionKind
  /** Native id of the session that started this one. */
  parent?: string
  cwd?: string
  branch?: string
  remote?: string
  title?: string
  titleRank?: number
  model?: string
  version?: string
  started?: string
  ended?: string
}

export function sessionId(agent: string, native: string): string {
  return `${agent}:${native}`
}

/** Enough of an id for `recollect show`: where ids begin alike (a parent, a folder), their end. */
export function shortId(id: string): string {
  const native = id.slice(id.indexOf(':') + 1)
  if (native.length <= 13) return native
  return /[/@]/.test(native) ? native.slice(-13) : native.slice(0, 13)
}
