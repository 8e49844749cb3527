// The tool calls of a session that still wait for their result. Every agent joins calls and results; this is the one place.
import { commandOf, isTestCommand, testCounts } from '../core/commands.ts'
import type { Event, Json } from '../core/session.ts'
import { fields, text } from './values.ts'

interface OpenCall {
  tool: string
  isTest: boolean
}

export interface CallBook {
  /** Remembers a tool call until its result comes. */
  opened(event: Event): Event
  /** Names the tool of a result, and makes it a test run when its call ran tests. */
  closed(event: Event): Event
  state(): Json
}

/** A session killed in the middle of calls never closes them: the oldest are forgotten past this. */
const max = 500

export function callBook(state: Json | undefined): CallBook {
  const open = new Map<string, OpenCall>()
  for (const [call, value] of Object.entries(fields(state))) {
    open.set(call, { tool: text(fields(value).tool), isTest: fields(value).isTest === true })
  }
  return {
    opened(event) {
      if (event.call) {
        open.set(event.call, { tool: event.tool ?? '', isTest: isTestCommand(commandOf(event.input)) })
        if (open.size > max) open.delete(open.keys().next().value!)
      }
      return event
    },
    closed(event) {
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
