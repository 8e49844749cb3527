// One session of Aider while it is read: what was told, and what waits for the lines that explain it.
import type { Event, Role } from '../../core/session.ts'
import type { SessionOutput } from '../agent.ts'
import { fingerprint } from '../json-values.ts'
import { type PendingCalls, pendingCalls } from '../pending-calls.ts'

export interface Reading {
  native: string
  ts: string | null
  events: ((session: SessionOutput) => void)[]
  calls: PendingCalls
  cwd?: string
  version?: string
  model?: string
  hasBegun: boolean
  /** A prompt was sent and nothing says yet that its answer is complete. */
  isWaiting: boolean
  /** Status lines that no rule named, until something else comes. */
  pending: string[]
  /** The shell command whose output the pending lines are. */
  shell?: { call: string; isAgents: boolean }
  reply: string
  /** Files whose edit of the last answer was already told, and files that are new. */
  applied: Set<string>
  created: Set<string>
  /** Commits that stand, by prompt. */
  commits: Set<string>[]
}

export function openReading(native: string, ts: string | null): Reading {
  return {
    native,
    ts,
    events: [],
    calls: pendingCalls(undefined),
    hasBegun: false,
    isWaiting: false,
    pending: [],
    reply: '',
    applied: new Set(),
    created: new Set(),
    commits: [],
  }
}

export function prompt(text: string, reading: Reading): void {
  tell(reading, 'prompt', 'user', text)
  reading.commits.push(new Set())
  reading.isWaiting = true
}

export function openShell(command: string, kind: 'shell' | 'tool_call', reading: Reading): void {
  settle(reading)
  const call = fingerprint(reading.native, 'shell', reading.events.length)
  const isAgents = kind === 'tool_call'
  reading.shell = { call, isAgents }
  const text = isAgents ? '' : command
  tell(reading, kind, isAgents ? 'assistant' : 'user', text, { call, tool: 'shell', input: { command } })
}

/** Tells what the pending status lines were: output of a command, a failure, or what else Aider said. */
export function settle(reading: Reading): void {
  const text = reading.pending.join('\n').trim()
  reading.pending = []
  const shell = reading.shell
  reading.shell = undefined
  if (shell) {
    if (!text && !shell.isAgents) return
    const exit = /exited with status (\d+)/.exec(text)?.[1]
    return tell(reading, 'tool_result', 'tool', text, {
      call: shell.call,
      ...(exit === undefined ? {} : { exit: Number(exit), error: exit === '0' ? undefined : 'failed' }),
    })
  }
  if (!text) return
  const isFailure = failure.test(text)
  if (isFailure) reading.isWaiting = false
  tell(reading, isFailure ? 'error' : 'context', 'system', text)
}

export const failure =
  /^(?:litellm\.|Unexpected error|Error during API call|Retrying in |The LLM did not conform|Model \S+ has hit a token limit|\w*Error: litellm\.|[\w.]*(?:API|RateLimit|Connection|Timeout)\w*Error\b)/m

export function tell(reading: Reading, kind: Event['kind'], role: Role, text: string, rest: Partial<Event> = {}): void {
  const key = fingerprint(reading.native, reading.events.length, kind, text)
  const event: Event = { id: '', key, kind, role, ts: reading.ts, text, ...rest }
  if (role === 'assistant' && reading.model) event.model = reading.model
  if (kind === 'shell' || kind === 'tool_call') reading.calls.open(event)
  if (kind === 'tool_result') reading.calls.close(event)
  reading.events.push((session) => session.event(event))
}
