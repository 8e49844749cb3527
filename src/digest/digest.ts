// digest: the compact record of every session, kept when its bodies are gone. No model is asked.
import { type Clock, isoTime } from '../core/clock.ts'
import { readBody } from '../store/bodies.ts'
import { digestStateOf, readDigestState, saveDigest, type Undigested, undigested } from '../store/digests.ts'
import type { Ledger } from '../store/ledger.ts'
import { type DigestState, foldEvent, newDigestState, type TurningPoint } from './fold.ts'
import { judgeOutcome, type Outcome } from './outcome.ts'

export interface Digest {
  title: string
  goal: string
  outcome: Outcome
  because: string
  quality: Quality
  lastReply: string
  kinds: DigestState['kinds']
  tools: Record<string, number>
  files: { path: string; change: string; added: number; removed: number; times: number }[]
  commands: { command: string; times: number; failed: number }[]
  tests: DigestState['tests']
  errors: { fingerprint: string; count: number; message: string; tool: string; firstSeq: number }[]
  corrections: DigestState['corrections']
  counts: DigestState['counts']
  turningPoints: TurningPoint[]
  activeMs: number
}

/** Only `good` sessions are evidence of how work goes. */
export type Quality = 'good' | 'talk' | 'health-check' | 'empty'

export interface DigestContext {
  ledger: Ledger
  clock: Clock
}

/** Sessions in one transaction; few enough that a killed run repeats little. */
const together = 100

/** Digests what has grown; gives back which sessions those were. */
export function digest({ ledger, clock }: DigestContext, onProgress?: (done: number, of: number) => void): number[] {
  const todo = undigested(ledger)
  for (let at = 0; at < todo.length; at += together) {
    ledger.transaction(() => {
      for (const session of todo.slice(at, at + together)) digestSession(ledger, session, isoTime(clock.nowMs()))
    })
    onProgress?.(Math.min(at + together, todo.length), todo.length)
  }
  return todo.map((session) => session.id)
}

function digestSession(ledger: Ledger, session: Undigested, digestedAt: string): void {
  const state =
    (session.digestedThrough > 0 ? readDigestState<DigestState>(ledger, session.id) : undefined) ?? newDigestState()
  const from = Math.max(0, session.digestedThrough)
  if (session.body) {
    for (const event of readBody(ledger.layout.bodies, session.body.file, session.body.bytes, from))
      foldEvent(state, event)
  }
  const { title, outcome, quality } = digestOf(state)
  saveDigest(ledger, { session: session.id, through: session.events, title, outcome, quality, state, digestedAt })
}

export function readDigest(ledger: Ledger, uid: string): Digest | null {
  const state = digestStateOf<DigestState>(ledger, uid)
  return state ? digestOf(state) : null
}

export function digestOf(state: DigestState): Digest {
  const { outcome, because } = judgeOutcome(state)
  return {
    title: state.title || state.goal.split('\n')[0]!.slice(0, 80),
    goal: state.goal,
    outcome,
    because,
    quality: qualityOf(state),
    lastReply: state.lastReply,
    kinds: state.kinds,
    tools: state.tools,
    files: Object.entries(state.files).map(([path, file]) => ({ path, ...file })),
    commands: Object.entries(state.commands).map(([command, counts]) => ({ command, ...counts })),
    tests: state.tests,
    errors: Object.entries(state.errors).map(([fingerprint, error]) => ({ fingerprint, ...error })),
    corrections: state.corrections,
    counts: state.counts,
    turningPoints: state.turningPoints,
    activeMs: state.activeMs,
  }
}

function qualityOf({ kinds, signals, isHealthCheck, goal }: DigestState): Quality {
  if (signals.assistant === null || (!kinds.prompt && !kinds.command && !goal)) return 'empty'
  if ((kinds.tool_call ?? 0) > 0) return 'good'
  return isHealthCheck && kinds.prompt ? 'health-check' : 'talk'
}
