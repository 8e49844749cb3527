// What a compaction dropped, for the agent that goes on and for a person who asks.
import type { Agent } from '../agents/agent.ts'
import type { Event } from '../core/session.ts'
import type { Zone } from '../core/units.ts'
import type { Ledger } from '../store/ledger.ts'
import { readableEvents, type StoredEvent } from '../store/sessions/bodies.ts'
import { type RunningSession, runningSessionNamed } from '../store/sessions/running-sessions.ts'
import { estimateTokens } from '../text/tokens.ts'
import { droppedFacts } from './dropped.ts'
import type { DroppedFact } from './fact.ts'
import { type FactState, newFactState } from './fact-state.ts'
import { foldFacts } from './facts.ts'
import { maxDroppedTokens } from './prepare.ts'
import { renderDropped } from './render.ts'
import { factsOfSession, isQuicklyRead } from './session-facts.ts'
import { isSummary, summaryAfter } from './summary.ts'

export interface GiveBackContext {
  ledger: Ledger
  zone: Zone
  agents: readonly Agent[]
}

export interface GivenBack {
  session: string
  text: string
  tokens: number
  /** Compared with the summary; false before it is written, and in a session without compaction. */
  isCompared: boolean
  facts: DroppedFact[]
}

/**
 * `later` are the events of the transcript that are not captured yet. Of a large session that the
 * worker has not prepared only these are read, because an agent is waiting.
 */
export function giveBack(
  context: GiveBackContext,
  uid: string,
  later: readonly Event[],
  maxRawBytes = 10_000_000,
): GivenBack {
  const found = runningSessionNamed(context.ledger, uid)
  const session = found && isQuicklyRead(context.ledger, found, maxRawBytes) ? found : undefined
  const agent = uid.slice(0, uid.indexOf(':'))
  const state = session ? factsOfSession(context.ledger, session) : newFactState()
  for (const event of later) foldFacts(state, { ...event, seq: state.through }, { agent, cwd: session?.cwd ?? null })
  return given(context, uid, state, state.summary?.text)
}

/** What was or would have been given back at the last compaction of a session; else what would be now. */
export function lastDropped(context: GiveBackContext, session: RunningSession): GivenBack {
  const { ledger } = context
  const { uid, agent, cwd, body } = session
  const events: StoredEvent[] = [...readableEvents(ledger.layout.bodies, body.file, body.bytes)]
  const at = events.findLastIndex(({ kind }) => kind === 'compaction')
  const state = newFactState()
  for (const event of at < 0 ? events : events.slice(0, at)) foldFacts(state, event, { agent, cwd })
  return given(context, uid, state, at < 0 ? undefined : summaryAfter(events, at).text)
}

function given({ zone, agents }: GiveBackContext, uid: string, state: FactState, text: string | undefined): GivenBack {
  const summary = text !== undefined && isSummary(text) ? text : undefined
  const agent = agents.find(({ id }) => id === uid.slice(0, uid.indexOf(':')))
  const keepsPrompts = agent?.keepsPrompts === true
  const facts = droppedFacts(state, { summary, keepsPrompts, maxTokens: maxDroppedTokens })
  const purpose = summary === undefined ? 'uncompared' : 'compared'
  const rendered = renderDropped(facts, { session: uid, maxTokens: maxDroppedTokens, zone, purpose })
  const isCompared = summary !== undefined
  return { session: uid, text: rendered, tokens: estimateTokens(rendered), isCompared, facts }
}
