// Review of memories: what waits for a person, and what the person decides about it. The command line,
// the tools of agents and pages call the same functions. Decisions about the inbox are in change.ts.
import { isoTime } from '../../core/clock.ts'
import { UserError } from '../../core/errors.ts'
import { proposesDeletion } from '../../memory/deletion-proposal.ts'
import type { Memory } from '../../memory/memory.ts'
import { isObject, readChecked, writeValue } from '../../store/key-values.ts'
import type { Ledger } from '../../store/ledger.ts'
import { beginChange, changeMemory, removeMemoryInChange } from '../../store/memories/changes.ts'
import { listCandidates, listInbox, similarMemories } from '../../store/memories/memories.ts'
import { truncate } from '../../text/truncate.ts'
import { type AdmissionReport, admit } from '../admission/admit.ts'
import { withEvidenceOf } from '../admission/merge-draft.ts'
import { changeObstacle } from '../admission/team-access.ts'
import {
  type ChangeContext,
  checkNoObstacle,
  checkNotDropped,
  contradictedBy,
  memoriesNamed,
  memoryNamed,
  writeChange,
} from '../change.ts'
import { draftOfCandidate, type MemoryEdits } from './edit-memory.ts'

export interface MemoryReviewItem {
  /** All but candidates wait in the inbox; `saved` was stored by an agent on its own. */
  kind: 'candidate' | 'contradiction' | 'deletion' | 'saved'
  memory: Memory
  /** The memory that it may contradict, or that would be forgotten. */
  against: Memory | null
}

export interface ReviewFilter {
  /** Null for what holds everywhere. */
  project?: string | null
  /** Said on or after this time, ISO. */
  since?: string
  limit?: number
  /** Items that were put off until later than this are left out. */
  now: string
}

/** The inbox, oldest first, then candidates, the most likely first. */
export function reviewQueue(ledger: Ledger, { project, since, limit, now }: ReviewFilter): MemoryReviewItem[] {
  const postponed = postponedUntil(ledger)
  const place = project === undefined ? {} : { project }
  // Filters by time may leave out any number of candidates, but only those put off are left out otherwise.
  const most = limit === undefined || since !== undefined ? {} : { limit: limit + Object.keys(postponed).length }
  const candidates = listCandidates(ledger, { ...place, ...most })
  return [...listInbox(ledger, place), ...candidates]
    .filter(({ id, confirmedAt }) => (postponed[id] ?? '') <= now && confirmedAt >= (since ?? ''))
    .slice(0, limit)
    .map((memory) => reviewItem(ledger, memory))
}

export function reviewItem(ledger: Ledger, memory: Memory): MemoryReviewItem {
  return { kind: kindOf(memory), memory, against: contradictedBy(ledger, memory) ?? null }
}

function kindOf(memory: Memory): MemoryReviewItem['kind'] {
  if (memory.state === 'candidate') return 'candidate'
  if (proposesDeletion(memory)) return 'deletion'
  return memory.because === 'agent' && memory.contradicts === null ? 'saved' : 'contradiction'
}

/**
 * Keeps a candidate as a memory of the person, with other words or for another project if given. It
 * is compared with what is known, as `remember` does: a repetition is merged, an opposite supersedes
 * or goes to the inbox. Secrets must have been removed from the text.
 */
export function keepCandidate(context: ChangeContext, id: string, edits: MemoryEdits = {}): AdmissionReport {
  return keepCandidates(context, [id], edits)
}

/** All of them are one change. */
export function keepCandidates(
  context: ChangeContext,
  ids: readonly string[],
  edits: MemoryEdits = {},
): AdmissionReport {
  const { ledger, clock } = context
  const at = isoTime(clock.nowMs())
  const drafts = memoriesNamed(ledger, ids).map((one) => draftOfCandidate(checkCandidate(one), edits, at))
  return ledger.transaction(() => {
    const change = { at, kind: 'reviewed' as const, about: truncate(drafts[0]?.text ?? '', 80) }
    const report = admit(context, drafts, change)
    checkNotDropped(ledger, report)
    return report
  })
}

/** Counts a candidate as a repetition of a memory, which keeps its words. */
export function mergeCandidate(context: ChangeContext, id: string, into: string): Memory {
  const { ledger, clock } = context
  const candidate = checkCandidate(memoryNamed(ledger, id))
  const memory = memoryNamed(ledger, into)
  if (memory.state !== 'kept') throw new UserError(`${memory.id} is not a memory`, 'Choose one that is kept.', 1)
  checkNoObstacle(changeObstacle(ledger, memory))
  const at = isoTime(clock.nowMs())
  const merged = { ...withEvidenceOf(memory, [candidate]), confirmedAt: at, version: memory.version + 1 }
  ledger.transaction(() => {
    const change = beginChange(ledger, { at, kind: 'reviewed', about: truncate(memory.text, 80) })
    changeMemory(ledger, change, merged)
    removeMemoryInChange(ledger, change, candidate.id)
  })
  return merged
}

/** The kept memory that a candidate most likely repeats. */
export function mergeTarget(ledger: Ledger, { text, project }: Memory): Memory | undefined {
  return similarMemories(ledger, text, project, 10).find(({ state, space }) => state === 'kept' && space === null)
}

/** Leaves a tombstone, so that rules do not propose it again. */
export function dismissCandidate(context: ChangeContext, id: string, reason?: string): Memory {
  const candidate = checkCandidate(memoryNamed(context.ledger, id))
  const dismissed: Memory = { ...candidate, state: 'forgotten', version: candidate.version + 1 }
  const about = reason?.trim() ? `${truncate(candidate.text, 60)} (${truncate(reason.trim(), 60)})` : candidate.text
  writeChange(context, 'reviewed', { ...candidate, text: about }, [dismissed])
  return dismissed
}

function checkCandidate(memory: Memory): Memory {
  if (memory.state === 'candidate') return memory
  const hint =
    memory.state === 'inbox'
      ? `It waits in the inbox. To decide: recollect inbox ${memory.id}`
      : 'To list candidates: recollect memories --candidates'
  throw new UserError(`${memory.id} is not a candidate`, hint, 1)
}

const postponedDays = 7
const postponedNote = 'review postponed'

/** Leaves an item out of the queue for a week. */
export function postponeReview({ ledger, clock }: ChangeContext, id: string): void {
  const now = isoTime(clock.nowMs())
  const until = isoTime(clock.nowMs() + postponedDays * 86_400_000)
  const open = Object.entries(postponedUntil(ledger)).filter(([, time]) => time > now)
  writeValue(ledger, postponedNote, { ...Object.fromEntries(open), [id]: until })
}

export function resumeReview(ledger: Ledger, id: string): void {
  const { [id]: _, ...others } = postponedUntil(ledger)
  writeValue(ledger, postponedNote, others)
}

/** The time until which each postponed item is left out, by id. */
function postponedUntil(ledger: Ledger): Record<string, string> {
  const isValid = (value: Parameters<typeof isObject>[0]) =>
    isObject(value) && Object.values(value).every((time) => typeof time === 'string')
  return readChecked<Record<string, string>>(ledger, postponedNote, isValid) ?? {}
}
