// The stage that keeps the facts of running sessions up to date, so that a compaction finds them
// ready: the hook that runs before it may not wait.
import { rmSync } from 'node:fs'
import type { Agent } from '../agents/agent.ts'
import type { Clock } from '../core/clock.ts'
import { readTextOrEmpty, writeAtomically } from '../core/files.ts'
import type { Zone } from '../core/units.ts'
import { ignoresMemoryIn } from '../digest/digest.ts'
import type { Ledger } from '../store/ledger.ts'
import { type RunningSession, runningSessionsAmong } from '../store/sessions/running-sessions.ts'
import { droppedFacts } from './dropped.ts'
import { renderDropped } from './render.ts'
import { factsOfSession } from './session-facts.ts'
import { factFilesOf, removeOldFactFiles, writeFactState } from './state-files.ts'

export interface CompactionContext {
  ledger: Ledger
  clock: Clock
  zone: Zone
  agents: readonly Agent[]
}

export const maxDroppedTokens = 600
/** A smaller session does not fill the context of any model. */
const minRawBytes = 20_000
/** Later the session is over, or begins from its body. */
const runningMs = 86_400_000

/** `sessions` are the row ids of those that have grown. Returns how many were prepared. */
export function prepareCompactions(context: CompactionContext, sessions: Iterable<number>): number {
  const { ledger, clock, agents } = context
  const sinceMs = clock.nowMs() - runningMs
  const briefed = new Set(agents.filter(({ hooks }) => hooks?.brief).map(({ id }) => id))
  const running = runningSessionsAmong(ledger, sessions, sinceMs).filter(
    ({ agent, body }) => briefed.has(agent) && body.raw >= minRawBytes,
  )
  for (const session of running) prepareSession(context, session)
  if (running.length > 0) removeOldFactFiles(ledger.layout, sinceMs)
  return running.length
}

function prepareSession({ ledger, zone, agents }: CompactionContext, session: RunningSession): void {
  const files = factFilesOf(ledger.layout, session.uid)
  if (!files) return
  const agent = agents.find(({ id }) => id === session.agent)!
  const state = factsOfSession(ledger, session)
  writeFactState(ledger.layout, files, state)
  if (!agent.hooks?.summaryEvent) return
  const facts = droppedFacts(state, { keepsPrompts: agent.keepsPrompts === true, maxTokens: maxDroppedTokens })
  const render = { session: session.uid, maxTokens: maxDroppedTokens, zone, purpose: 'request' } as const
  const text = ignoresMemoryIn(ledger, session.uid) ? '' : renderDropped(facts, render)
  if (text === '') rmSync(files.text, { force: true })
  else if (readTextOrEmpty(files.text) !== `${text}\n`) writeAtomically(files.text, `${text}\n`)
}
