// Types of the normalised session: what agent readers produce and every later stage reads.
import { createHash } from 'node:crypto'

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

/** Why a tool call has no regular result. */
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
  /** Unique among all events of the agent: the same key again is the same event. */
  key: string
  kind: EventKind
  role: EventRole
  /** ISO time as written by the agent; the order in the session is the sequence. */
  ts: string | null
  text: string
  tool?: string
  /** Id that links a tool call, its result and its edits. */
  call?: string
  input?: Json
  error?: ToolError
  exit?: number
  files?: FileChange[]
  /** Counts of a test run, when its output has them. */
  tests?: { passed: number; failed: number }
  model?: string
  /** Number of latest prompts that this event undoes (rewind, rollback). */
  undoes?: number
  /** Ids of events that this one replaces (an answer that was retried). */
  replaces?: string[]
  /** Id of the first event before this compaction that the agent keeps word for word, with all that follow. */
  keepsFrom?: string
}

/** How much of an allowance of the account was used in a window of time, when the agent last recorded it. */
export interface UsageLimit {
  /** The agent's name of the limit: an account may have others for single models. */
  limit: string
  at: string
  /** 0 to 100. */
  usedPercent: number
  /** Length of the window. */
  minutes: number
  /** ISO time; null if the agent does not record it. */
  resetsAt: string | null
}

/**
 * Tokens of one model response. The same key again is the same response: the larger output wins.
 */
export interface Usage {
  key: string
  ts: string | null
  model: string | null
  /** Without cached tokens. */
  input: number
  cacheRead: number
  /** Cache writes that live five minutes, or an unknown time. */
  cacheWrite: number
  cacheWrite1h: number
  /** With reasoning. */
  output: number
  reasoning: number
  /** Cost in USD that the agent recorded. */
  costUsd?: number
  /** The agent wrote the count before the response was complete. */
  isLowerBound?: boolean
}

/** How a session came to be: started by a person, by another session, or as a copy of one. */
export type Lineage = 'main' | 'subagent' | 'fork'

/**
 * Properties of the session as a whole. Later values win; a title only replaces one of the same or
 * a lower rank.
 */
export interface SessionDetails {
  kind?: Lineage
  /** Native id of the session that started this one. */
  parent?: string
  cwd?: string
  branch?: string
  remote?: string
  /** Main working tree of the repository, if the agent recorded it. */
  root?: string
  title?: string
  titleRank?: number
  model?: string
  version?: string
  /** A program writes the prompts, through the SDK of the agent. */
  isProgram?: true
  started?: string
  ended?: string
}

/** Programs that sessions are imported from, which stand for their agent: see `import`. */
export const importedAgents = ['claude-mem', 'specstory']

export function sessionId(agent: string, native: string): string {
  return `${agent}:${nativeId(native)}`
}

/**
 * An agent's own id as it is stored. A transcript can name any text as its id, and ids stand in
 * commands, paths and addresses: one that begins like an option, leads out of a folder or has
 * characters of a shell is stored in a harmless form, which is the same wherever it is named.
 */
export function nativeId(id: string): string {
  if (isNativeId(id)) return id
  const readable = id.slice(0, maxReadableId).replace(harmful, '_').replace(dotSegments, '$1_').replace(/^-/, '_-')
  return `${readable}~${createHash('sha256').update(id).digest('hex').slice(0, 12)}`
}

export function isNativeId(id: string): boolean {
  return id.length <= maxNativeId && !id.startsWith('-') && id.search(harmful) < 0 && id.search(dotSegments) < 0
}

const maxNativeId = 500
const maxReadableId = 200
/** Crush writes `$$` into ids of subagents, Aider's have the name of the folder. */
const harmful = /[\p{C}\p{Zl}\p{Zp}`"\\;|&<>*?]|(?<!\$)\$(?!\$)|\${3,}/gu
const dotSegments = /(^|\/)\.+(?=\/|$)/g

/**
 * Shortened id that `recollect show` accepts. Ids that may begin alike (with a time, a parent or a
 * folder) get both ends, as `019f6000..5e25cf`. Never begins with a dash, which would be an option.
 */
export function shortId(id: string): string {
  const native = id.slice(id.indexOf(':') + 1).replace(/^-+/, '')
  if (native.length <= maxWholeId) return native
  if (randomUuid.test(native)) return native.slice(0, 13)
  return `${native.slice(0, 8)}${idGap}${native.slice(/[/@]/.test(native) ? -13 : -6)}`
}

/** Stands for the middle of a shortened id. */
export const idGap = '..'
const maxWholeId = 26
/** Version 4; others begin with the time. */
const randomUuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/i

export interface ResumableAgent {
  id: string
  resume?: string
}

/**
 * The arguments as they are started: no id is an option, and none needs quotes. Undefined if the
 * agent documents none, or for a part of a session (`parent/agent-1`).
 */
export function resumeCommand(agents: readonly ResumableAgent[], session: string): string[] | undefined {
  const at = session.indexOf(':')
  const id = session.slice(at + 1)
  const command = agents.find((agent) => agent.id === session.slice(0, at))?.resume
  return /^\w[\w-]*$/.test(id) ? command?.split(' ').map((word) => word.replace('<id>', id)) : undefined
}
