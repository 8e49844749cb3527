// Hands a conversation over to another agent and back, through the readers of both, and compares.
import type { Agent } from '../../src/agents/agent.ts'
import { agents } from '../../src/agents/registry.ts'
import type { ConversationItem } from '../../src/core/conversation/conversation.ts'
import type { Layout } from '../../src/core/paths.ts'
import { sessionId } from '../../src/core/session.ts'
import { conversationOf } from '../../src/handoff/conversation.ts'
import { readBack } from '../../src/handoff/read-back.ts'

export interface Comparison {
  items: number
  equal: number
  /** What differs, for a reader. */
  differences: { before: string; after: string }[]
}

export function roundTrip(
  items: ConversationItem[],
  cwd: string,
  { via, home, layout }: { via: Agent; home: Agent; layout: Layout },
): Comparison {
  const there = handOverItems(items, cwd, via, layout)
  return compare(items, handOverItems(there, cwd, home, layout))
}

/** The conversation that the agent's reader finds in the transcript that was written for it. */
export function handOverItems(
  items: readonly ConversationItem[],
  cwd: string,
  agent: Agent,
  layout: Layout,
): ConversationItem[] {
  const at = '2026-11-01T10:00:00.000Z'
  const origin = {
    ...{ agent: 'Test', session: 'test:1', title: null, started: at, ended: at, handedOverAt: at, notes: [] },
  }
  const machine = { home: '/nowhere', env: {}, platform: 'linux' } as const
  const native = agent.handoff!.write({ origin, cwd, branch: null, title: null, items }, machine)
  const session = sessionId(agent.id, native.id)
  const events = readBack(agent, native, layout).map((event, seq) => ({ ...event, seq, session }))
  return conversationOf(events, { agents, cwd, isSubagent: false }, true).items
}

function compare(before: readonly ConversationItem[], after: readonly ConversationItem[]): Comparison {
  const [wanted, found] = [before.map(keyOf), after.map(keyOf)]
  const differences: Comparison['differences'] = []
  let at = 0
  for (const key of wanted) {
    const next = found.indexOf(key, at)
    // A difference costs one item, and not all that follow.
    if (next >= 0 && next - at < 3) at = next + 1
    else {
      differences.push({ before: key, after: found[at] ?? '' })
      if (next < 0) at++
    }
  }
  return { items: wanted.length, equal: wanted.length - differences.length, differences }
}

/** Arguments that only steer the client are left out by the comparison of common calls. */
function keyOf(item: ConversationItem): string {
  if (item.kind !== 'call') return `${item.kind} ${item.text.trim()}`
  const { tool, input, common, result } = item
  return `call ${JSON.stringify(common ?? [tool, input])} ${result ? result.text.trim() : 'no result'}`
}
