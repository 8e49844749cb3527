// Replays the person's own history: what each past session needed although an earlier session of its
// project knew it, and whether the memory would have told it: in the brief at the start, with a prompt
// before it was needed, or asked for. All of it is composed with today's rules as of the start of the session.

import { composeBrief } from '../brief/brief.ts'
import { composeForPrompt } from '../brief/per-prompt.ts'
import { fixedClock, isoTime } from '../core/clock.ts'
import { weekOf } from '../core/days.ts'
import type { Zone } from '../core/units.ts'
import { recall } from '../recall/recall.ts'
import type { Ledger } from '../store/ledger.ts'
import { openPastLedger, type PastLedger } from '../store/past/past-ledger.ts'
import { type ReplayedSession, sessionsToReplay } from '../store/past/replayed-sessions.ts'
import { readableEvents } from '../store/sessions/bodies.ts'
import { projectName } from '../store/sessions/projects.ts'
import { estimateTokens } from '../text/tokens.ts'
import { type Known, knownIn } from './known.ts'
import { type Need, type NeedKind, needKinds } from './need.ts'
import { findNeeds, type SessionNeeds } from './needs.ts'
import { isToldIn } from './told.ts'

export interface ReplayContext {
  ledger: Ledger
  zone: Zone
  maxQuotes: number
  onProgress?(done: number, of: number): void
}

export interface ReplayFilter {
  project?: string
  sinceMs?: number
  maxExamples: number
}

export interface Delivered {
  /** Told at the start. */
  brief: number
  /** Not told at the start, but with a prompt before it was needed. */
  prompt: number
  /** Found by recall, told or not. */
  asked: number
}

export interface ReplayCounts {
  sessions: number
  /** Things that an earlier session knew. */
  needed: number
  delivered: Delivered
}

export interface ReplayReport extends ReplayCounts {
  byKind: Record<NeedKind, Omit<ReplayCounts, 'sessions'>>
  /** Of the texts, over the sessions that needed something. */
  tokens: Delivered
  projects: (ReplayCounts & { project: string; name: string })[]
  /** By the Monday of the week in which sessions began. */
  weeks: (ReplayCounts & { week: string })[]
  /** The latest first. */
  examples: ReplayExample[]
}

export interface ReplayExample {
  kind: NeedKind
  needed: string
  project: string
  session: string
  seq: number
  at: string
  /** The session that knew it. */
  known: { session: string; at: string }
  told: 'brief' | 'prompt' | null
  asked: boolean
}

export function replay(context: ReplayContext, filter: ReplayFilter): ReplayReport {
  const { ledger } = context
  const sessions = sessionsToReplay(ledger, filter.project)
  const report = newReport()
  const past = openPastLedger(ledger.layout)
  try {
    let done = 0
    for (const [project, own] of Map.groupBy(sessions, (session) => session.project)) {
      const known = knownIn(ledger, project)
      const forks = new Map(own.map(({ uid, forkedFrom }) => [uid, forkedFrom]))
      const counts = { project, name: projectName(ledger, project), ...newCounts() }
      report.projects.push(counts)
      for (const session of own) {
        context.onProgress?.(done++, sessions.length)
        // An earlier session is read, too: what it searched for is known to later ones.
        const found = needsOf(ledger, session, known, forks)
        if (session.startedMs < (filter.sinceMs ?? 0)) continue
        const week = weekOf(context.zone.day(isoTime(session.startedMs)))
        const all = [report, counts, weekIn(report, week)]
        for (const one of all) one.sessions++
        if (found.needs.length > 0) addDelivered({ ...context, past }, session, found, report, all)
      }
    }
  } finally {
    past.close()
  }
  report.weeks.sort((a, b) => (a.week < b.week ? -1 : 1))
  report.projects = report.projects
    .filter(({ needed }) => needed > 0)
    .sort((a, b) => b.needed - a.needed || (a.name < b.name ? -1 : 1))
  report.examples.sort((a, b) => (a.at > b.at ? -1 : a.at < b.at ? 1 : a.seq - b.seq)).splice(filter.maxExamples)
  return report
}

function newCounts(): ReplayCounts {
  return { sessions: 0, needed: 0, delivered: { brief: 0, prompt: 0, asked: 0 } }
}

function newReport(): ReplayReport {
  const byKind = Object.fromEntries(
    needKinds.map((kind) => [kind, { needed: 0, delivered: { brief: 0, prompt: 0, asked: 0 } }]),
  ) as ReplayReport['byKind']
  return { ...newCounts(), byKind, tokens: { brief: 0, prompt: 0, asked: 0 }, projects: [], weeks: [], examples: [] }
}

function weekIn({ weeks }: ReplayReport, week: string): ReplayCounts {
  const known = weeks.find((one) => one.week === week)
  if (known) return known
  const one = { week, ...newCounts() }
  weeks.push(one)
  return one
}

function needsOf(
  ledger: Ledger,
  { uid, cwd, startedMs, body }: ReplayedSession,
  known: Known,
  forks: ReadonlyMap<string, string | null>,
): SessionNeeds {
  if (!body) return { needs: [], prompts: [] }
  // A session that continues another one has what that one knew.
  const origins = new Set<string>()
  for (let from = forks.get(uid); from && !origins.has(from); from = forks.get(from)) origins.add(from)
  const isBefore = ({ session, endedMs }: { session: string; endedMs: number }) =>
    endedMs < startedMs && session !== uid && !origins.has(session)
  return findNeeds({ uid, cwd, known, isBefore }, readableEvents(ledger.layout.bodies, body.file, body.bytes))
}

interface PastContext extends ReplayContext {
  past: PastLedger
}

function addDelivered(
  context: PastContext,
  session: ReplayedSession,
  { needs, prompts }: SessionNeeds,
  report: ReplayReport,
  all: readonly ReplayCounts[],
): void {
  const { past, zone, maxQuotes } = context
  const { project, startedMs } = session
  past.moveTo(startedMs)
  const clock = fixedClock(isoTime(startedMs))
  const brief = composeBrief({ ledger: past, clock, zone, maxQuotes }, project)
  report.tokens.brief += brief?.tokens ?? 0
  const untold = needs.filter(({ names }) => !isToldIn(brief?.text ?? '', names))
  const texts = promptTexts(context, session, prompts, untold, new Set(brief?.memories))
  for (const { text } of texts) report.tokens.prompt += estimateTokens(text)
  for (const need of needs) {
    const isInTime = texts.filter(({ seq }) => seq < need.seq)
    const isWithPrompt = untold.includes(need) && isInTime.some(({ text }) => isToldIn(text, need.names))
    const told = !untold.includes(need) ? 'brief' : isWithPrompt ? 'prompt' : null
    const answer = recall(past, need.question, { project, budget: askedTokens, nowMs: startedMs })
    report.tokens.asked += answer.tokens
    const asked = isToldIn(answer.text, need.names)
    for (const counts of [...all, report.byKind[need.kind]]) count(counts, told, asked)
    report.examples.push(exampleOf(need, session, told, asked))
  }
}

/** What `recollect recall` gives by default. */
const askedTokens = 800
const maxPrompts = 60

/** What would have been told with the prompts before the last thing that was not told at the start. */
function promptTexts(
  { past, zone }: PastContext,
  { project, startedMs }: ReplayedSession,
  prompts: SessionNeeds['prompts'],
  untold: readonly Need[],
  shown: Set<string>,
): { seq: number; text: string }[] {
  const lastSeq = Math.max(-1, ...untold.map(({ seq }) => seq))
  return prompts
    .filter(({ seq }) => seq < lastSeq)
    .slice(0, maxPrompts)
    .map(({ seq, text }) => {
      const answer = composeForPrompt({ ledger: past, nowMs: startedMs, zone }, text, project, shown)
      for (const id of answer.memories) shown.add(id)
      return { seq, text: answer.text }
    })
}

function count(counts: Omit<ReplayCounts, 'sessions'>, told: ReplayExample['told'], asked: boolean): void {
  counts.needed++
  if (told) counts.delivered[told]++
  if (asked) counts.delivered.asked++
}

function exampleOf(
  { kind, text, seq, known }: Need,
  { uid, project, startedMs }: ReplayedSession,
  told: ReplayExample['told'],
  asked: boolean,
): ReplayExample {
  return {
    ...{ kind, needed: text, project, session: uid, seq, at: isoTime(startedMs) },
    known: { session: known.session, at: isoTime(known.endedMs) },
    ...{ told, asked },
  }
}
