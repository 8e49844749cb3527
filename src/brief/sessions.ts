// Sections of a brief with recent sessions: how they ended, open ends and changed files.
import { shortId } from '../core/session.ts'
import { plural, type Zone } from '../core/units.ts'
import { type Digest, digestOf } from '../digest/digest.ts'
import type { DigestState, Signals } from '../digest/digest-state.ts'
import { endsInOpenCall } from '../digest/outcome.ts'
import { excluded } from '../memory/exclusions.ts'
import type { Ledger } from '../store/ledger.ts'
import { readBody } from '../store/sessions/bodies.ts'
import { digestStateOf } from '../store/sessions/digests.ts'
import { bodyOfSession, listSessions, type SessionView } from '../store/sessions/sessions.ts'
import { leftOffIn } from '../store/sessions/summaries.ts'
import type { BriefSection } from './budget.ts'
import { shortLine } from './short-line.ts'

export interface RecentSession {
  session: SessionView
  digest: Digest
  signals: Signals
}

/** Sessions that are read, shown with details, and shown in all. */
const maxSessions = 30
const maxDetailed = 3
const maxListed = 10

/** Latest first. */
export function recentSessions(ledger: Ledger, project: string): RecentSession[] {
  return listSessions(ledger, { project, isConversation: true, limit: maxSessions }).flatMap((session) => {
    const state = digestStateOf<DigestState>(ledger, session.id)
    return state ? [{ session, digest: digestOf(state), signals: state.signals }] : []
  })
}

export function whereWeLeftOff(ledger: Ledger, zone: Zone, recent: readonly RecentSession[]): BriefSection {
  const items = recent.slice(0, maxListed).map((one, index) => {
    const line = summaryLine(one, zone)
    const session = one.session.id
    if (index >= maxDetailed) return { text: line, session }
    return { text: [line, ...details(ledger, one)].join('\n'), short: line, session }
  })
  return { title: 'Where we left off', share: 0.27, items }
}

function summaryLine({ session, digest }: RecentSession, zone: Zone): string {
  const when = session.ended ? zone.minute(session.ended) : 'undated'
  const branch = session.branch && session.branch !== 'HEAD' ? `, branch ${shortLine(session.branch, 60)}` : ''
  return `- ${when}, ${session.agent}${branch}, ${digest.outcome} (${shortLine(digest.because, 100)}): ${shortLine(session.title ?? digest.title, 100)} [${shortId(session.id)}]`
}

function details(ledger: Ledger, recent: RecentSession): string[] {
  const { session, digest } = recent
  const leftOff = leftOffIn(ledger, session.id)
  // A model wrote it from what others said, so it is checked as a memory is.
  const isTold = leftOff !== undefined && !excluded({ text: leftOff, trust: 'user said' })
  const lines = isTold ? [`  left off: ${shortLine(leftOff, 320)}`] : [`  asked: ${shortLine(digest.goal, 240)}`]
  if (digest.lastReply && !isTold) lines.push(`  last answer: ${shortLine(digest.lastReply, 300)}`)
  const files = digest.files.slice(-5).map(({ path }) => shortLine(path, 120))
  if (files.length > 0) lines.push(`  changed: ${files.join(', ')}`)
  return [...lines, ...openEnds(ledger, recent).map((open) => `  open: ${open}`)]
}

function openEnds(ledger: Ledger, { session, digest, signals }: RecentSession): string[] {
  const { prompt, test, interrupt } = signals
  const answeredAt = Math.max(signals.assistant ?? -1, signals.result?.seq ?? -1)
  const open: string[] = []
  if (test && !test.isOk) {
    const { lastFailed } = digest.tests
    open.push(lastFailed > 0 ? `${plural(lastFailed, 'test')} failed in the last run` : 'the last test run failed')
  }
  if (prompt && prompt.seq > answeredAt && prompt.act !== 'approval') {
    const asked = textAt(ledger, session.id, prompt.seq)
    open.push(asked ? `no answer to "${shortLine(asked, 160)}"` : 'the last prompt has no answer')
  } else if (interrupt !== null && interrupt >= answeredAt) open.push('the user stopped the agent at its last step')
  else if (endsInOpenCall(signals)) open.push('the agent was stopped while a tool ran')
  return open
}

/** Undefined where the body was deleted or is damaged. */
function textAt(ledger: Ledger, uid: string, seq: number): string | undefined {
  const body = bodyOfSession(ledger, uid)
  if (!body) return undefined
  try {
    for (const event of readBody(ledger.layout.bodies, body.file, body.bytes, seq)) return event.text
  } catch {
    return undefined
  }
  return undefined
}

export function filesInMotion(recent: readonly RecentSession[]): BriefSection {
  const counts = new Map<string, number>()
  for (const { digest } of recent.slice(0, maxListed)) {
    for (const { path } of digest.files) counts.set(path, (counts.get(path) ?? 0) + 1)
  }
  const items = [...counts]
    .filter(([, sessions]) => sessions > 1)
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, 8)
    .map(([path, sessions]) => ({ text: `- ${shortLine(path, 130)} (in ${sessions} of the last sessions)` }))
  return { title: 'Files in motion', share: 0.06, items }
}
