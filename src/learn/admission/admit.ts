// Decides what becomes of a candidate: excluded ones are dropped, known ones are counted, newer
// statements supersede older ones, and possible contradictions go to the inbox.
import { createHash } from 'node:crypto'
import { type Clock, isoTime } from '../../core/clock.ts'
import { UserError } from '../../core/errors.ts'
import { limitsToProject, type MemoryCandidate } from '../../memory/candidate.ts'
import { compare } from '../../memory/compare.ts'
import { excluded } from '../../memory/exclusions.ts'
import type { Evidence, Memory } from '../../memory/memory.ts'
import type { Ledger } from '../../store/ledger.ts'
import { beginChange, changeMemory, type NewChange } from '../../store/memories/changes.ts'
import { projectOfSession } from '../../store/memories/learning.ts'
import { memoryById } from '../../store/memories/memories.ts'
import { sharedCount } from '../../text/similarity.ts'
import { statementTermSet } from '../../text/statement.ts'
import { comparableMemories, compareWithTeams } from './team-conflicts.ts'

export interface AdmissionContext {
  ledger: Ledger
  clock: Clock
  /** The name of this machine. */
  origin: string
  /** Lines of the project's instruction files. */
  instructionsOf?(project: string | null): readonly string[]
}

export interface AdmissionReport {
  kept: Memory[]
  /**
   * Known statements: the user's memory that counts it now, or the team's memory, which is not
   * changed.
   */
  merged: Memory[]
  superseded: Memory[]
  inbox: Memory[]
  /** `known` is the memory because of which it was dropped. */
  dropped: { text: string; reason: string; known?: Memory }[]
}

/** Admits all candidates as one change. Call inside a transaction. */
export function admit(
  context: AdmissionContext,
  candidates: readonly MemoryCandidate[],
  change: NewChange,
): AdmissionReport {
  const report: AdmissionReport = { kept: [], merged: [], superseded: [], inbox: [], dropped: [] }
  let id: number | undefined
  for (const candidate of candidates) {
    for (const memory of settle(context, candidate, judge(context, candidate), report)) {
      id ??= beginChange(context.ledger, change)
      changeMemory(context.ledger, id, memory)
    }
  }
  return report
}

export type AdmissionVerdict =
  /** `against` is a contradicting memory of a team or of wider scope; both stay. */
  | { kind: 'keep'; against?: Memory }
  | { kind: 'merge'; into: Memory }
  /** A team has this memory already. */
  | { kind: 'known'; by: Memory }
  | { kind: 'supersede'; old: Memory; against?: Memory }
  /** A newer memory says otherwise: the candidate is kept as history. */
  | { kind: 'outdated'; by: Memory }
  | { kind: 'inbox'; contradicts: Memory }
  /** The user takes back what was said: the candidate ends these memories and is not shown itself. */
  | { kind: 'retract'; old: Memory[] }
  | { kind: 'drop'; reason: string; known?: Memory }

function judge(context: AdmissionContext, candidate: MemoryCandidate): AdmissionVerdict {
  if (candidate.isRetraction) return judgeRetraction(context, candidate)
  const verdict = judgeAmongOwn(context, candidate)
  return verdict.kind === 'keep' || verdict.kind === 'supersede' ? besideTeams(context, candidate, verdict) : verdict
}

/** More than this would be a guess at what the user meant. */
const maxRetracted = 3

function judgeRetraction({ ledger }: AdmissionContext, candidate: MemoryCandidate): AdmissionVerdict {
  const subject = statementTermSet(candidate.text)
  const old = comparableMemories(ledger, candidate).filter(
    ({ text, trust, state, space, validFrom }) =>
      trust === 'user said' &&
      state === 'kept' &&
      space === null &&
      validFrom <= candidate.at &&
      sharedCount(subject, statementTermSet(text)) === subject.size,
  )
  if (subject.size === 0 || old.length === 0) return { kind: 'drop', reason: 'it takes back something unknown' }
  if (old.length > maxRetracted) return { kind: 'drop', reason: 'it may take back several memories' }
  return { kind: 'retract', old }
}

/** The user's memories and those of a team never supersede each other. */
function besideTeams(
  { ledger }: AdmissionContext,
  candidate: MemoryCandidate,
  verdict: Extract<AdmissionVerdict, { kind: 'keep' | 'supersede' }>,
): AdmissionVerdict {
  const named = candidate.supersedes ? currentOf(ledger, candidate.supersedes) : undefined
  if (named && named.space !== null && named.state === 'kept') return { ...verdict, against: named }
  const view = compareWithTeams(ledger, candidate)
  if (view.kind === 'against') return { ...verdict, against: view.by }
  return view.kind === 'known' && verdict.kind === 'keep' ? view : verdict
}

function judgeAmongOwn({ ledger, instructionsOf }: AdmissionContext, candidate: MemoryCandidate): AdmissionVerdict {
  const reason = excluded(candidate, instructionsOf?.(candidate.project))
  if (reason) return { kind: 'drop', reason }
  const named = candidate.supersedes ? currentOf(ledger, candidate.supersedes) : undefined
  // An explicit `supersedes` of the user counts even if the clocks disagree.
  if (named && named.space === null && named.state !== 'forgotten')
    return candidate.trust === 'user said' ? { kind: 'supersede', old: named } : against(candidate, named, true)
  const known = memoryById(ledger, idOf(candidate))
  let exceptionTo: Memory | undefined
  if (known?.space === null) return known.state === 'forgotten' ? forgotten(known) : { kind: 'merge', into: known }
  const home = candidate.project ?? homeOf(ledger, candidate.evidence)
  for (const memory of comparableMemories(ledger, { ...candidate, project: home }).filter(isOwn)) {
    const isLater = candidate.at >= memory.validFrom
    const relation = isLater ? compare(candidate.text, memory.text) : compare(memory.text, candidate.text)
    if (relation.kind === 'other') continue
    if (memory.state === 'forgotten') {
      if (relation.kind === 'same') return forgotten(memory)
      continue
    }
    if (relation.kind === 'same') return again(candidate, memory)
    if (memory.state === 'inbox' || isTentative(candidate) || isTentative(memory)) continue
    if (isWider(ledger, memory, candidate)) exceptionTo ??= memory
    else return against(candidate, memory, relation.isSure)
  }
  return exceptionTo ? { kind: 'keep', against: exceptionTo } : { kind: 'keep' }
}

function isOwn({ space }: Memory): boolean {
  return space === null
}

/**
 * A memory that holds everywhere is not superseded by one of a single project; both stay. But rules
 * guess the scope: what was only ever said in this project can be reversed in it.
 */
function isWider(ledger: Ledger, memory: Memory, { project, text }: MemoryCandidate): boolean {
  if (memory.project !== null || project === null) return false
  return limitsToProject(text) || homeOf(ledger, memory.evidence) !== project
}

/** The project of the sessions in which it was said; null if it was said elsewhere too. */
function homeOf(ledger: Ledger, evidence: readonly Evidence[]): string | null {
  const projects = new Set(evidence.map(({ session }) => session && projectOfSession(ledger, session)))
  return projects.size === 1 ? ([...projects][0] ?? null) : null
}

function forgotten(known: Memory): AdmissionVerdict {
  return { kind: 'drop', reason: 'it was forgotten on purpose', known }
}

/** A hypothetical statement contradicts nothing. */
function isTentative({ status }: Pick<Memory, 'status'>): boolean {
  return status === 'hypothetical'
}

/** A repeated statement is counted, unless it is more detailed now or has another status. */
function again(candidate: MemoryCandidate, memory: Memory): AdmissionVerdict {
  const isWider = memory.project === null && candidate.project !== null
  const saysMore = !isWider && candidate.text.length > memory.text.length * 1.3 && mayOverrule(candidate, memory)
  if (memory.state === 'inbox') return { kind: 'merge', into: memory }
  if (sameStatus(candidate, memory) && !(saysMore && candidate.at >= memory.validFrom))
    return { kind: 'merge', into: memory }
  return against(candidate, memory, true)
}

function sameStatus(candidate: MemoryCandidate, memory: Memory): boolean {
  return candidate.status === memory.status || isTentative(candidate)
}

/** The newer statement wins, but only the user's own supersedes one of the user. */
function against(candidate: MemoryCandidate, memory: Memory, isSure: boolean): AdmissionVerdict {
  if (!isSure || !mayOverrule(candidate, memory)) return { kind: 'inbox', contradicts: memory }
  return candidate.at >= memory.validFrom ? { kind: 'supersede', old: memory } : { kind: 'outdated', by: memory }
}

function mayOverrule(candidate: MemoryCandidate, memory: Memory): boolean {
  return candidate.trust === 'user said' || memory.trust !== 'user said'
}

/** Returns the memories to write and adds them to the report. */
function settle(
  context: AdmissionContext,
  candidate: MemoryCandidate,
  verdict: AdmissionVerdict,
  report: AdmissionReport,
): Memory[] {
  const now = isoTime(context.clock.nowMs())
  switch (verdict.kind) {
    case 'keep': {
      const memory = memoryFrom(context, candidate, now, verdict.against)
      report.kept.push(memory)
      return [memory]
    }
    case 'merge': {
      const merged = mergeInto(verdict.into, candidate)
      if (!merged) return []
      report.merged.push(merged)
      return [merged]
    }
    case 'known':
      report.merged.push(verdict.by)
      return []
    case 'supersede': {
      const at = candidate.at > verdict.old.validFrom ? candidate.at : verdict.old.validFrom
      const memory = memoryFrom(context, { ...candidate, at }, now, verdict.against)
      const old = {
        ...verdict.old,
        supersededBy: memory.id,
        supersededAt: candidate.at,
        version: verdict.old.version + 1,
      }
      report.kept.push(memory)
      report.superseded.push(old)
      return [memory, old]
    }
    case 'outdated': {
      const memory = memoryFrom(context, candidate, now)
      const past = { ...memory, supersededBy: verdict.by.id, supersededAt: verdict.by.validFrom }
      report.superseded.push(past)
      return [past]
    }
    case 'inbox': {
      const memory: Memory = {
        ...memoryFrom(context, candidate, now),
        state: 'inbox',
        contradicts: verdict.contradicts.id,
      }
      report.inbox.push(memory)
      return [memory]
    }
    case 'retract': {
      const quote = candidate.evidence[0]?.quote || candidate.text
      const memory: Memory = { ...memoryFrom(context, { ...candidate, text: quote }, now), state: 'forgotten' }
      const ended = { supersededBy: memory.id, supersededAt: candidate.at }
      const old = verdict.old.map((one) => ({ ...one, ...ended, version: one.version + 1 }))
      report.superseded.push(...old)
      return [memory, ...old]
    }
    case 'drop':
      report.dropped.push({
        text: candidate.text,
        reason: verdict.reason,
        ...(verdict.known ? { known: verdict.known } : {}),
      })
      return []
    default:
      return verdict satisfies never
  }
}

const maxEvidence = 10

/** Evidence that was read back from a memory file has no event. */
function isSameEvidence(known: Evidence, { session, event, file, quote }: Evidence): boolean {
  if (known.session !== session || known.file !== file) return false
  return known.event === event || (session !== null && known.event === null && known.quote === quote.trim())
}

/** Undefined if the same evidence was counted before: a deep pass reads windows again. */
function mergeInto(memory: Memory, candidate: MemoryCandidate): Memory | undefined {
  const fresh = candidate.evidence.filter(
    ({ session, event, file, quote }) =>
      // Each time a user enters it by hand counts.
      (session === null && file === undefined && quote !== '') ||
      !memory.evidence.some((known) => isSameEvidence(known, { session, event, quote, ...(file ? { file } : {}) })),
  )
  if (fresh.length === 0) return undefined
  const isUsers = candidate.trust === 'user said' && memory.trust !== 'user said'
  return {
    ...memory,
    ...(isUsers ? { trust: candidate.trust, text: candidate.text } : {}),
    why: memory.why ?? candidate.why,
    apply: memory.apply ?? candidate.apply,
    importance: Math.min(1, Math.round((Math.max(memory.importance, candidate.importance) + 0.02) * 100) / 100),
    tags: [...new Set([...memory.tags, ...candidate.tags])].slice(0, 12),
    keywords: [...new Set([...memory.keywords, ...candidate.keywords])].slice(0, 20),
    evidence: [...memory.evidence, ...fresh].slice(-maxEvidence),
    confirmedAt: candidate.at > memory.confirmedAt ? candidate.at : memory.confirmedAt,
    counts: { ...memory.counts, said: memory.counts.said + 1 },
    version: memory.version + 1,
  }
}

export function memoryFrom(
  context: Pick<AdmissionContext, 'origin'>,
  candidate: MemoryCandidate,
  now: string,
  against?: Memory,
): Memory {
  const { at, supersedes: _, isRetraction: __, ...rest } = candidate
  return {
    ...rest,
    id: idOf(candidate),
    text: candidate.text.trim(),
    state: 'kept',
    importance: Math.min(1, Math.max(0, candidate.importance)),
    learnedAt: now,
    validFrom: at,
    confirmedAt: at,
    supersededAt: null,
    links: [],
    supersededBy: null,
    contradicts: against?.id ?? null,
    doubt: null,
    counts: { said: 1, shown: 0, used: 0 },
    version: 1,
    origin: context.origin,
    space: null,
    author: null,
  }
}

/**
 * The same text of the same event has the same id on every machine. A copy for a team has another
 * id than the user's own.
 */
export function idOf({ project, text, evidence, at }: MemoryCandidate, space = ''): string {
  const source = evidence[0]
  const place = source?.session ? `${source.session} ${source.event}` : (source?.file ?? at)
  const digest = createHash('sha256')
    .update(`${space}${project ?? ''}\n${place}\n${text.trim()}`)
    .digest()
  return `m-${[...digest.subarray(0, 10)].map((byte) => alphabet[byte % 32]).join('')}`
}

const alphabet = 'abcdefghijkmnpqrstuvwxyz23456789'

/**
 * Follows `supersededBy` to the newest memory of the chain; undefined if there is no such memory.
 */
export function currentOf(ledger: Ledger, id: string): Memory | undefined {
  let memory = memoryById(ledger, id)
  const seen = new Set<string>()
  while (memory?.supersededBy && !seen.has(memory.id)) {
    seen.add(memory.id)
    memory = memoryById(ledger, memory.supersededBy) ?? memory
  }
  return memory
}

/** Rejects a link that would close a cycle. */
export function checkSupersedes(ledger: Ledger, by: Memory, old: Memory): void {
  if (by.id === old.id) throw new UserError(`${by.id} cannot supersede itself`, 'Name another memory.')
  for (let next = by, steps = 0; next.supersededBy && steps < 1000; steps++) {
    if (next.supersededBy === old.id)
      throw new UserError(`${old.id} already supersedes ${by.id}`, `See: recollect history ${by.id}`)
    const after = memoryById(ledger, next.supersededBy)
    if (!after) return
    next = after
  }
}
