// Pairs tool calls with their results, for the readers of all agents.
import { commandOf, isTestCommand, testCounts } from '../core/commands.ts'
import type { Event, Json } from '../core/session.ts'
import { asObject, asString } from './json-values.ts'

interface PendingCall {
  tool: string
  isTest: boolean
}

export interface PendingCalls {
  /** Saves a tool call until its result. */
  open(event: Event): Event
  /** Adds the tool's name to a result, and turns it into a test run if its call ran tests. */
  close(event: Event): Event
  state(): Json
}

/** Killed sessions never close their calls: the oldest are dropped beyond this. */
const maxPending = 500

export function pendingCalls(state: Json | undefined): PendingCalls {
  const open = new Map<string, PendingCall>()
  for (const [call, value] of Object.entries(asObject(state))) {
    open.set(call, { tool: asString(asObject(value).tool), isTest: asObject(value).isTest === true })
  }
  return {
    open(event) {
      if (event.call) {
        open.set(event.call, { tool: event.tool ?? '', isTest: isTestCommand(commandOf(event.input)) })
        if (open.size > maxPending) open.delete(open.keys().next().value!)
      }
      return event
    },
    close(event) {
      const call = event.call ? open.get(event.call) : undefined
      if (!call) return event
      open.delete(event.call!)
      event.tool ??= call.tool
      if (call.isTest && event.kind === 'tool_result') {
        event.kind = 'test_run'
        event.tests = testCounts(event.text)
      }
      return event
    },
    state: () => Object.fromEntries([...open].map(([call, { tool, isTest }]) => [call, { tool, isTest }])),
  }
}
