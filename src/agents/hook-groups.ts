// Hooks in the format that Claude Code introduced and others adopted: a list of groups below an
// event's name, and in each group the commands to run. Groups have no matcher where the hook itself
// can decide what an event means.
import { join } from 'node:path'
import type { Json } from '../core/session.ts'
import type { HintEvent, Hooks, JsonEntry, JsonExtension } from './agent.ts'

/** Much more than our hook takes, but short enough that an agent never seems to hang. */
export const hookTimeoutSeconds = 10

/** The answer to a SessionStart. Codex drops an answer with any other field. */
export const sessionStartAnswer = {
  before: '{"hookSpecificOutput":{"hookEventName":"SessionStart","additionalContext":',
  after: '}}',
}

export function hookGroup(command: string, timeout: number, matcher?: string): Json {
  // Never `async`: Claude Code and Codex kill such a hook when the turn ends.
  return { ...(matcher === undefined ? {} : { matcher }), hooks: [{ type: 'command', command, timeout }] }
}

/** One item below `hooks` for every event. */
export function hookEntries(events: Hooks['events'], item: (event: string) => Json): JsonEntry[] {
  return Object.keys(events).map((event) => ({ at: ['hooks', event], item: item(event) }))
}

/** After this the prompt is sent without an answer; our own limit is shorter. */
export const promptTimeoutSeconds = 5

export function promptHook(event: string, timeout: number): NonNullable<Hooks['prompt']> {
  return { event, entry: (command) => ({ at: ['hooks', event], item: hookGroup(command, timeout) }) }
}

/** A hook that runs only for tools whose name matches. */
export function toolHook(event: string, matcher: string): HintEvent {
  const group = (command: string) => ({ matcher, hooks: [{ type: 'command', command, timeout: hookTimeoutSeconds }] })
  return { event, entry: (command) => ({ at: ['hooks', event], item: group(command) }) }
}

/** Content of a hook file of our own. */
export function hookFileContent(
  events: Hooks['events'],
  item: (event: string) => Json,
  head: Record<string, Json> = {},
): string {
  const hooks = Object.fromEntries(Object.keys(events).map((event) => [event, [item(event)]]))
  return `${JSON.stringify({ ...head, hooks }, null, 2)}\n`
}

/** The name of our plugin in the configuration of an agent: plugin and marketplace. */
export const pluginName = 'recollect@recollect'

type GroupedHooks = Omit<Hooks, 'files'> & {
  /** The JSON file in the agent's home. */
  file: string
  /** The agent does not read the file if it has these. */
  rejects?: readonly JsonExtension[]
  /** Timeout of each event in the unit of the agent; seconds by default. */
  timeoutOf?(event: string): number
  /** What the agent runs the hook for; everything by default. */
  matcherOf?(event: string): string | undefined
}

/** Hooks of an agent that keeps them in one JSON file of its home. */
export function groupedHooks(grouped: GroupedHooks): Hooks {
  const { file, rejects, timeoutOf = () => hookTimeoutSeconds, matcherOf = () => undefined, ...hooks } = grouped
  return {
    brief: sessionStartAnswer,
    ...hooks,
    files(machine, command) {
      const entries = hookEntries(hooks.events, (event) =>
        hookGroup(command(event), timeoutOf(event), matcherOf(event)),
      )
      return [{ kind: 'json', path: join(hooks.home(machine), file), entries, ...(rejects ? { rejects } : {}) }]
    },
  }
}
