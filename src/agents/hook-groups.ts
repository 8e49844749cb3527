// Hooks in the shape that Claude Code gave them and others took over: below an event's name a list of groups, in each group
// the commands to run. No group has a matcher: the hook itself decides what a start or an end means.
import type { Json } from '../core/session.ts'
import type { Hooks, JsonEntry } from './agent.ts'

/** Far more than our hook takes, and short enough that an agent never seems to hang. */
export const hookTimeoutSeconds = 10

/** The answer to a SessionStart, with no field besides: Codex drops an answer that has one. */
export const sessionStartAnswer = {
  before: '{"hookSpecificOutput":{"hookEventName":"SessionStart","additionalContext":',
  after: '}}',
}

export function hookGroup(command: string, timeout: number): Json {
  // Never `async`: Claude Code and Codex kill such a hook when the turn ends.
  return { hooks: [{ type: 'command', command, timeout }] }
}

/** One item below `hooks` for every event. */
export function hookEntries(events: Hooks['events'], item: (event: string) => Json): JsonEntry[] {
  return Object.keys(events).map((event) => ({ at: ['hooks', event], item: item(event) }))
}

/** Without an answer after this long the prompt goes its way; ours has given up before. */
export const promptTimeoutSeconds = 5

export function promptHook(event: string, timeout: number): NonNullable<Hooks['prompt']> {
  return { event, entry: (command) => ({ at: ['hooks', event], item: hookGroup(command, timeout) }) }
}

/** A file of our own with the same lists in it. */
export function hookFileContent(
  events: Hooks['events'],
  item: (event: string) => Json,
  head: Record<string, Json> = {},
): string {
  const hooks = Object.fromEntries(Object.keys(events).map((event) => [event, [item(event)]]))
  return `${JSON.stringify({ ...head, hooks }, null, 2)}\n`
}
