// Decides what becomes of a draft: excluded ones are dropped, known ones are counted, newer
// statements supersede older ones, and possible contradictions go to the inbox.
import { type Clock, isoTime } from '../../core/clock.ts'
import { UserError } from '../../core/errors.ts'
import { compare } from '../../memory/compare.ts'
import { limitsToProject, type MemoryDraft } from '../../memory/draft.ts'
import { excluded } from '../../memory/exclusions.ts'
import type { Evidence, Memory } from '../../memory/memory.ts'
import type { Ledger } from '../../store/ledger.ts'
import { beginChange, changeMemory, type NewChange, removeMemoryInChange } from '../../store/memories/changes.ts'
import { projectOfSession } from '../../store/memories/learning.ts'
import { memoryById } from '../../store/memories/memories.ts'
import { writeMemory } from '../../store/memories/rows.ts'
import { sharedCount } from '../../text/similarity.ts'
import { statementTermSet } from '../../text/statement.ts'
import { confirmedAtOf, idOf, isProposal, memoryFrom } from './memory-from-draft.ts'
import { mayOverrule, mergeInto, supersededBy, withEvidenceOf } from './merge-draft.ts'
import { deletionProposal } from './propose-deletion.ts'
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
  /** What rules propose, new in the ledger. */
  candidates: Memory[]
  /**
   * Known statements: the user's memory that counts it now, or the team's memory, which is not
   * changed.
   */
  merged: Memory[]
  superseded: Memory[]
  inbox: Memory[]
  /** Candidates that a memory with the same statement replaces. */
  absorbed: Memory[]
  /** `known` is the memory because of which it was dropped. */
  dropped: { text: string; reason: string; known?: Memory }[]
}

/**
 * Admits all drafts as one change, or as part of the change with this number. Call inside a
 * transaction.
 */
export function admit(
  context: AdmissionContext,
  drafts: readonly MemoryDraft[],
  change: NewChange | number,
): AdmissionReport {
  const report = emptyReport()
  let id = typeof change === 'number' ? change : undefined
  const begin = () => {
    id ??= beginChange(context.ledger, change as NewChange)
    return id
  }
  for (const draft of drafts) {
    const absorbed = report.absorbed.length
    for (const memory of settle(context, draft, judge(context, draft), report)) {
      // Candidates have no history: they are derived from sessions and expire.
      if (memory.state === 'candidate') writeMemory(context.ledger, memory)
      else changeMemory(context.ledger, begin(), memory)
    }
    report.absorbed.push(...candidateBehind(context, draft))
    for (const { id } of report.absorbed.slice(absorbed)) removeMemoryInChange(context.ledger, begin(), id)
  }
  return report
}

/** The candidate that a draft was made of, if it was merged into a memory instead. */
function candidateBehind({ ledger }: AdmissionContext, { id }: MemoryDraft): Memory[] {
  const candidate = id === undefined ? undefined : memoryById(ledger, id)
  return candidate?.state === 'candidate' ? [candidate] : []
}

export function emptyReport(): AdmissionReport {
  return { kept: [], candidates: [], merged: [], superseded: [], inbox: [], absorbed: [], dropped: [] }
}

export type AdmissionVerdict =
  /** `against` is a contradicting memory of a team or of wider scope; both stay. */
  | { kind: 'keep'; against?: Memory; absorbs?: Memory[]; widens?: Memory[] }
  | { kind: 'merge'; into: Memory }
  /** A team has this memory already. */
  | { kind: 'known'; by: Memory }
  /** `others` are further memories that it reverses. */
  | { kind: 'supersede'; old: Memory; others?: Memory[]; against?: Memory; absorbs?: Memory[] }
  /** A newer memory says otherwise: the draft is kept as history. */
  | { kind: 'outdated'; by: Memory }
  | { kind: 'inbox'; contradicts: Memory }
  /** The user takes back what was said: candidates go, and memories are put before the user. */
  | { kind: 'retract'; old: Memory[] }
  | { kind: 'drop'; reason: string; known?: Memory }

/** The memories that a draft would supersede, or wait in the inbox for. Writes nothing. */
export function contradictedByDraft(context: AdmissionContext, draft: MemoryDraft): Memory[] {
  const verdict = judge(context, draft)
  if (verdict.kind === 'supersede') return [verdict.old, ...(verdict.others ?? [])]
  return verdict.kind === 'inbox' ? [verdict.contradicts] : []
}

function judge(context: AdmissionContext, draft: MemoryDraft): AdmissionVerdict {
  if (draft.isRetraction) return judgeRetraction(context, draft)
  const verdict = judgeAmongOwn(context, draft)
  const beside =
    verdict.kind === 'keep' || verdict.kind === 'supersede' ? besideTeams(context, draft, verdict) : verdict
  return isProposal(draft) ? proposalVerdict(beside) : beside
}

/** Rules decide nothing about kept memories: an opposite is put before the user. */
function proposalVerdict(verdict: AdmissionVerdict): AdmissionVerdict {
  if (verdict.kind === 'supersede' && verdict.old.state !== 'candidate')
    return { kind: 'inbox', contradicts: verdict.old }
  if (verdict.kind === 'outdated' && verdict.by.state !== 'candidate')
    return { kind: 'drop', reason: 'a newer memory says otherwise', known: verdict.by }
  // Too unsure for the inbox: the mark is shown when the candidate is reviewed.
  if (verdict.kind === 'inbox')
    return verdict.contradicts.state === 'candidate' ? { kind: 'keep' } : { kind: 'keep', against: verdict.contradicts }
  return verdict
}

/** More than this would be a guess at what the user meant. */
const maxRetracted = 3

function judgeRetraction({ ledger }: AdmissionContext, draft: MemoryDraft): AdmissionVerdict {
  const subject = statementTermSet(draft.text)
  const old = comparableMemories(ledger, draft).filter(
    ({ text, trust, state, space, confirmedAt }) =>
      trust === 'user said' &&
      (state === 'kept' || state === 'candidate') &&
      space === null &&
      confirmedAt <= draft.at &&
      sharedCount(subject, statementTermSet(text)) === subject.size,
  )
  if (subject.size === 0 || old.length === 0) return { kind: 'drop', reason: 'it takes back something unknown' }
  if (old.length > maxRetracted) return { kind: 'drop', reason: 'it may take back several memories' }
  return { kind: 'retract', old }
}

/** The user's memories and those of a team never supersede each other. */
function besideTeams(
  { ledger }: AdmissionContext,
  draft: MemoryDraft,
  verdict: Extract<AdmissionVerdict, { kind: 'keep' | 'supersede' }>,
): AdmissionVerdict {
  const named = draft.supersedes ? currentOf(ledger, draft.supersedes) : undefined
  if (named && named.space !== null && named.state === 'kept') return { ...verdict, against: named }
  const view = compareWithTeams(ledger, draft)
  if (view.kind === 'against') return { ...verdict, against: view.by }
  return view.kind === 'known' && verdict.kind === 'keep' ? view : verdict
}

function judgeAmongOwn({ ledger, instructionsOf }: AdmissionContext, draft: MemoryDraft): AdmissionVerdict {
  const reason = excluded(draft, instructionsOf?.(draft.project))
  if (reason) return { kind: 'drop', reason }
  const named = draft.supersedes ? currentOf(ledger, draft.supersedes) : undefined
  // An explicit `supersedes` of the user counts even if the clocks disagree.
  if (named && named.space === null && named.state !== 'forgotten')
    return draft.trust === 'user said' ? { kind: 'supersede', old: named } : against(draft, named, true)
  const repeated = draft.repeats ? currentOf(ledger, draft.repeats) : undefined
  // A judge that takes the opposite for a repetition must not have it counted.
  if (repeated?.state === 'kept' && repeated.space === null && compare(draft.text, repeated.text).kind !== 'conflict')
    return { kind: 'merge', into: repeated }
  const known = memoryById(ledger, draft.id ?? idOf(draft))
  if (known?.space === null && (isProposal(draft) || known.state !== 'candidate'))
    return known.state === 'forgotten' ? forgotten(known) : { kind: 'merge', into: known }
  const home = draft.project ?? homeOf(ledger, draft.evidence)
  const absorbs: Memory[] = known?.state === 'candidate' ? [known] : []
  const widens: Memory[] = []
  const conflicts: { memory: Memory; isSure: boolean }[] = []
  let exceptionTo: Memory | undefined
  const ofAllProjects = draft.project === null && !isProposal(draft)
  for (const memory of comparableMemories(ledger, { ...draft, project: home }, { ofAllProjects }).filter(isOwn)) {
    const isLater = confirmedAtOf(draft) >= memory.confirmedAt
    const relation = isLater ? compare(draft.text, memory.text) : compare(memory.text, draft.text)
    if (relation.kind === 'other') continue
    if (memory.state === 'candidate' && !isProposal(draft)) {
      if (relation.kind === 'same') absorbs.push(memory)
      continue
    }
    if (relation.kind === 'same' && isNarrower(memory, draft)) {
      widens.push(memory)
      continue
    }
    // A rule of one project is an exception to one that holds everywhere.
    if (memory.project !== null && memory.project !== home) continue
    if (memory.state === 'forgotten') {
      if (relation.kind === 'same') return forgotten(memory)
      continue
    }
    if (relation.kind === 'same') return again(draft, memory)
    if (memory.state === 'inbox' || isTentative(draft) || isTentative(memory) || draft.keepsBoth) continue
    if (isExceptionTo(memory, draft)) exceptionTo ??= memory
    else conflicts.push({ memory, isSure: relation.isSure && !isWider(ledger, memory, draft) })
  }
  const kept = {
    ...(exceptionTo ? { against: exceptionTo } : {}),
    ...(absorbs.length > 0 ? { absorbs } : {}),
    ...(widens.length > 0 ? { widens } : {}),
  }
  const verdict: AdmissionVerdict = conflicts.length > 0 ? againstAll(draft, conflicts) : { kind: 'keep', ...kept }
  return verdict.kind === 'supersede' ? { ...verdict, absorbs } : verdict
}

function isOwn({ space }: Memory): boolean {
  return space === null
}

/** The draft holds everywhere, the memory says the same for one project. */
function isNarrower(memory: Memory, draft: MemoryDraft): boolean {
  return (
    memory.project !== null &&
    draft.project === null &&
    !isProposal(draft) &&
    memory.state === 'kept' &&
    memory.status === draft.status &&
    // A private memory is not counted by one that may leave the machine.
    (memory.type === 'user') === (draft.type === 'user')
  )
}

/** "Use tabs here" leaves a rule that holds everywhere as it is. */
function isExceptionTo(memory: Memory, { project, text }: MemoryDraft): boolean {
  return memory.project === null && project !== null && limitsToProject(text)
}

/**
 * Whether a memory that holds everywhere may go on to hold elsewhere. What was only ever said in
 * this project can be reversed in it.
 */
function isWider(ledger: Ledger, memory: Memory, { project }: MemoryDraft): boolean {
  return memory.project === null && project !== null && homeOf(ledger, memory.evidence) !== project
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

/** A repeated statement is counted, unless it has another status. */
function again(draft: MemoryDraft, memory: Memory): AdmissionVerdict {
  const isKnown = memory.state === 'inbox' || (isProposal(draft) && memory.state !== 'candidate')
  return isKnown || sameStatus(draft, memory) ? { kind: 'merge', into: memory } : against(draft, memory, true)
}

function sameStatus(draft: MemoryDraft, memory: Memory): boolean {
  return draft.status === memory.status || isTentative(draft)
}

/** All that it surely reverses are superseded; if nothing is sure, a person decides. */
function againstAll(draft: MemoryDraft, found: readonly { memory: Memory; isSure: boolean }[]): AdmissionVerdict {
  const verdicts = found.map(({ memory, isSure }) => against(draft, memory, isSure))
  const [first, ...others] = verdicts.flatMap((verdict) => (verdict.kind === 'supersede' ? verdict.old : []))
  if (!first) return verdicts.find(({ kind }) => kind === 'outdated') ?? verdicts[0]!
  return { kind: 'supersede', old: first, ...(others.length > 0 ? { others } : {}) }
}

/**
 * The statement that was said or confirmed last wins, but only the user's own supersedes one of the
 * user.
 */
function against(draft: MemoryDraft, memory: Memory, isSure: boolean): AdmissionVerdict {
  if (!isSure || !mayOverrule(draft, memory)) return { kind: 'inbox', contradicts: memory }
  const isLater = confirmedAtOf(draft) >= memory.confirmedAt
  return isLater ? { kind: 'supersede', old: memory } : { kind: 'outdated', by: memory }
}

/** When a statement takes the place of another: when it was said, or confirmed if that was earlier. */
function replacedAt(draft: MemoryDraft, { validFrom }: Memory): string {
  if (draft.at > validFrom) return draft.at
  const confirmedAt = confirmedAtOf(draft)
  return confirmedAt > validFrom ? confirmedAt : validFrom
}

/** Returns the memories to write and adds them to the report. */
function settle(
  context: AdmissionContext,
  draft: MemoryDraft,
  verdict: AdmissionVerdict,
  report: AdmissionReport,
): Memory[] {
  const now = isoTime(context.clock.nowMs())
  switch (verdict.kind) {
    case 'keep': {
      const { against, absorbs = [], widens = [] } = verdict
      const memory = withEvidenceOf(memoryFrom(context, draft, now, against), [...absorbs, ...widens])
      const narrower = widens.map((one) => supersededBy(memory, one, draft.at))
      ;(isProposal(draft) ? report.candidates : report.kept).push(memory)
      report.absorbed.push(...absorbs.filter(({ id }) => id !== memory.id))
      report.superseded.push(...narrower)
      return [memory, ...narrower]
    }
    case 'merge': {
      const merged = mergeInto(verdict.into, draft)
      if (merged || draft.id !== undefined) report.merged.push(merged ?? verdict.into)
      return merged ? [merged] : []
    }
    case 'known':
      report.merged.push(verdict.by)
      return []
    case 'supersede': {
      const at = replacedAt(draft, verdict.old)
      const { absorbs = [] } = verdict
      const memory = withEvidenceOf(memoryFrom(context, { ...draft, at }, now, verdict.against), absorbs)
      report.absorbed.push(...absorbs.filter(({ id }) => id !== memory.id))
      const old = [verdict.old, ...(verdict.others ?? [])].map((one) => supersededBy(memory, one, at))
      ;(isProposal(draft) ? report.candidates : report.kept).push(memory)
      report.superseded.push(...old)
      return [memory, ...old]
    }
    case 'outdated': {
      const memory = memoryFrom(context, draft, now)
      const { id, validFrom, confirmedAt } = verdict.by
      const past = {
        ...memory,
        supersededBy: id,
        supersededAt: validFrom >= memory.validFrom ? validFrom : confirmedAt,
      }
      report.superseded.push(past)
      return [past]
    }
    case 'inbox': {
      const memory: Memory = {
        ...memoryFrom(context, draft, now),
        state: 'inbox',
        contradicts: verdict.contradicts.id,
      }
      report.inbox.push(memory)
      return [memory]
    }
    case 'retract': {
      report.absorbed.push(...verdict.old.filter(({ state }) => state === 'candidate'))
      const [evidence] = draft.evidence
      const source = { session: evidence?.session ?? null, event: evidence?.event ?? null, ...draft }
      const proposals = verdict.old
        .filter(({ state }) => state === 'kept')
        .map((one) => deletionProposal(context, one, source, now))
        .flatMap(({ proposal, isNew }) => (isNew ? [proposal] : []))
      report.inbox.push(...proposals)
      return proposals
    }
    case 'drop':
      report.dropped.push({
        text: draft.text,
        reason: verdict.reason,
        ...(verdict.known ? { known: verdict.known } : {}),
      })
      return []
    default:
      return verdict satisfies never
  }
}

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
