// Changes that users make to memories: remember, forget, decide on the inbox, undo.
import { type Clock, isoTime } from '../core/clock.ts'
import { UserError } from '../core/errors.ts'
import { spaceText } from '../memory/attribution.ts'
import { proposesDeletion } from '../memory/deletion-proposal.ts'
import { draftOf, type MemoryDraft, typeOf } from '../memory/draft.ts'
import type { Evidence, Memory, MemoryKind, MemoryType } from '../memory/memory.ts'
import type { Ledger } from '../store/ledger.ts'
import {
  beginChange,
  type ChangeRecord,
  changeById,
  changeMemory,
  lastUndoableChange,
  laterChanges,
  type MemoryVersion,
  memoryHistory,
  undoChange,
  versionsOfChange,
} from '../store/memories/changes.ts'
import { pairKey, saveKeptPairs } from '../store/memories/kept-pairs.ts'
import { findMemories, memoryById } from '../store/memories/memories.ts'
import { truncate } from '../text/truncate.ts'
import { type AdmissionReport, admit, checkSupersedes, contradictedByDraft, currentOf } from './admission/admit.ts'
import { admitToTeam } from './admission/admit-to-team.ts'
import { deletionProposal } from './admission/propose-deletion.ts'
import { changeObstacle, forgetObstacle, type Obstacle } from './admission/team-access.ts'
import { markContradictions } from './admission/team-conflicts.ts'
import { judgeExchange } from './heuristic/judge.ts'

export interface ChangeContext {
  ledger: Ledger
  clock: Clock
  origin: string
}

export interface MemoryInput {
  text: string
  project: string | null
  kind?: MemoryKind
  type?: MemoryType
  why?: string
  apply?: string
  tags?: string[]
  /** The id of a memory that no longer holds. */
  supersedes?: string
  /** Keeps it beside memories that it contradicts. */
  keepsBoth?: boolean
  /**
   * `team:<name>` for a memory of a team, and the author's name on the server; without it the
   * memory is the user's own.
   */
  space?: string
  author?: string
}

export function remember(context: ChangeContext, wish: MemoryInput): AdmissionReport {
  const { ledger } = context
  const said = draftOfInput(context, wish)
  const change = { at: said.at, kind: 'remembered' as const, about: truncate(wish.text.trim(), 80) }
  const { space } = wish
  return ledger.transaction(() => {
    const beside = wish.keepsBoth && space === undefined ? contradictedByDraft(context, said) : []
    const report =
      space === undefined
        ? admit(context, [wish.keepsBoth ? { ...said, keepsBoth: true } : said], change)
        : admitToTeam(context, { ...said, space, author: wish.author ?? null }, change)
    checkNotDropped(ledger, report)
    const [kept] = report.kept
    // Consolidation must not find the contradiction again.
    if (kept)
      saveKeptPairs(
        ledger,
        beside.map(({ id }) => pairKey(kept.id, id)),
      )
    return report
  })
}

/** The memories that the wish contradicts: `remember` would supersede them or use the inbox. */
export function contradictedByInput(context: ChangeContext, wish: MemoryInput): Memory[] {
  return wish.space === undefined ? contradictedByDraft(context, draftOfInput(context, wish)) : []
}

function draftOfInput({ ledger, clock }: ChangeContext, wish: MemoryInput): MemoryDraft {
  const at = isoTime(clock.nowMs())
  const old = wish.supersedes ? memoryNamed(ledger, wish.supersedes) : undefined
  const [judged] = judgeExchange({ before: '', prompt: wish.text, after: '' })
  const kind = wish.kind ?? judged?.kind ?? 'fact'
  const draft = draftOf(
    {
      kind,
      text: wish.text.trim(),
      quote: wish.text.trim(),
      why: wish.why ?? null,
      status: 'settled',
      scope: 'project',
      importance: judged?.importance ?? 0.8,
      tags: wish.tags ?? [],
    },
    {
      project: wish.project,
      evidence: [{ session: null, event: null, quote: wish.text.trim() }],
      trust: 'user said',
      because: 'person',
      at,
    },
  )
  const scope = wish.project === null && wish.space === undefined ? 'user' : 'project'
  return {
    ...draft,
    type: wish.type ?? typeOf(kind, scope, wish.text),
    apply: wish.apply ?? null,
    ...(old ? { supersedes: old.id } : {}),
  }
}

/** A person is told why admission refuses what they asked for; the transaction is rolled back. */
export function checkNotDropped(ledger: Ledger, { dropped: [dropped] }: AdmissionReport): void {
  if (dropped?.known)
    throw new UserError(
      `It was forgotten on purpose: ${dropped.known.text}`,
      `To bring it back: ${wayBack(ledger, dropped.known)}`,
      1,
    )
  if (dropped) throw new UserError(`Not remembered: ${dropped.reason}`, 'Rephrase it.', 1)
}

/** Returns the command that undoes the change which forgot the memory. */
function wayBack(ledger: Ledger, { id }: Memory): string {
  const forgotten = memoryHistory(ledger, id).findLast(({ after }) => after?.state === 'forgotten')
  return forgotten ? `recollect undo ${forgotten.change.id}` : `recollect history ${id}`
}

export function forget(context: ChangeContext, id: string): Memory {
  return forgetMemories(context, [id])[0]!
}

/** Leaves tombstones, so that the memories are not learned again. All of them are one change. */
export function forgetMemories(context: ChangeContext, ids: readonly string[]): Memory[] {
  const gone = memoriesNamed(context.ledger, ids).map((memory): Memory => {
    if (memory.state === 'forgotten')
      throw new UserError(`${memory.id} is already forgotten`, `To restore it: ${wayBack(context.ledger, memory)}`, 1)
    checkNoObstacle(forgetObstacle(context.ledger, memory))
    return { ...memory, state: 'forgotten', version: memory.version + 1 }
  })
  if (gone.length > 0) writeChange(context, 'forgotten', gone[0]!, gone)
  return gone
}

/**
 * Puts a proposal to forget the memory into the inbox; returns the one that waits there already.
 * The memory stays valid until a person accepts it.
 */
export function proposeDeletion(
  context: ChangeContext,
  memory: Memory,
  source: Pick<Evidence, 'session' | 'event'>,
): Memory {
  const now = isoTime(context.clock.nowMs())
  const from = { ...source, trust: 'agent said' as const, because: 'agent' as const }
  const { proposal, isNew } = deletionProposal(context, memory, from, now)
  if (isNew) writeChange(context, 'remembered', proposal, [proposal])
  return proposal
}

/** Memories of a team can only be changed with write access to it. */
export function checkNoObstacle(obstacle: Obstacle | undefined): void {
  if (obstacle) throw new UserError(obstacle.reason, obstacle.hint, 1)
}

export const inboxDecisions = ['keep', 'drop', 'both', 'accept', 'refuse'] as const
export type InboxDecision = (typeof inboxDecisions)[number]

/**
 * `keep` supersedes the contradicted memory unless that belongs to a team; `both` keeps the two
 * side by side. `accept` and `refuse` are for proposals to forget a memory.
 */
export function decide(context: ChangeContext, id: string, decision: InboxDecision): Memory[] {
  const { ledger, clock } = context
  const memory = memoryNamed(ledger, id)
  if (memory.state !== 'inbox' && !(memory.state === 'kept' && memory.contradicts))
    throw new UserError(`${memory.id} is not waiting for a decision`, 'See: recollect inbox', 1)
  checkNoObstacle((decision === 'drop' ? forgetObstacle : changeObstacle)(ledger, memory))
  if (proposesDeletion(memory)) return decideDeletion(context, memory, decision)
  if (decision === 'accept' || decision === 'refuse')
    throw new UserError(
      `${memory.id} is no proposal to forget a memory`,
      `To decide: recollect inbox ${memory.id} keep, drop or both`,
    )
  if (decision === 'drop') {
    const gone: Memory = { ...memory, state: 'forgotten', version: memory.version + 1 }
    writeChange(context, 'reviewed', memory, [gone])
    return [gone]
  }
  const against = memory.contradicts ? currentOf(ledger, memory.contradicts) : undefined
  const isTeams = against !== undefined && against.space !== memory.space
  if (decision === 'keep' && isTeams && memory.state === 'kept')
    throw new UserError(
      `${memory.id} is already kept, and it contradicts a memory of ${spaceText(against.space ?? '')}`,
      `To remove the mark, decide "both". With write access you can forget the other: recollect forget ${against.id}`,
      1,
    )
  const contradicts = decision === 'keep' && isTeams ? memory.contradicts : null
  const kept: Memory = { ...memory, state: 'kept', because: 'person', contradicts, version: memory.version + 1 }
  const changed = [kept]
  if (decision === 'keep' && against && !isTeams && against.state === 'kept') {
    checkSupersedes(ledger, kept, against)
    changed.push({
      ...against,
      supersededBy: kept.id,
      supersededAt: isoTime(clock.nowMs()),
      version: against.version + 1,
    })
  }
  writeChange(context, 'reviewed', memory, changed)
  return changed
}

/** "keep" could mean the memory or the proposal, so it is not accepted for these. */
function decideDeletion(context: ChangeContext, proposal: Memory, decision: InboxDecision): Memory[] {
  if (decision === 'keep' || decision === 'both')
    throw new UserError(
      `${proposal.id} proposes to forget ${proposal.contradicts}`,
      `To decide: recollect inbox ${proposal.id} accept or refuse`,
    )
  const decided: Memory = { ...proposal, state: 'forgotten', version: proposal.version + 1 }
  const changed = [decided]
  const memory = decision === 'accept' ? memoryById(context.ledger, proposal.contradicts!) : undefined
  if (memory && memory.state !== 'forgotten') {
    checkNoObstacle(forgetObstacle(context.ledger, memory))
    changed.unshift({ ...memory, state: 'forgotten', version: memory.version + 1 })
  }
  writeChange(context, 'reviewed', memory ?? proposal, changed)
  return changed
}

/** Undoes the given change, by default the last one, with all of its versions. */
export function undo(
  { ledger, clock }: ChangeContext,
  id?: number,
): { change: ChangeRecord; versions: MemoryVersion[] } {
  const change = id === undefined ? lastUndoableChange(ledger) : changeById(ledger, id)
  if (!change)
    throw new UserError(
      id === undefined ? 'There is nothing to undo' : `There is no change ${id}`,
      'See: recollect undo --list',
      1,
    )
  if (change.undoneBy !== null)
    throw new UserError(`Change ${change.id} is already undone`, `To redo it: recollect undo ${change.undoneBy}`, 1)
  const later = laterChanges(ledger, change.id)
  if (later.length > 0) {
    throw new UserError(
      `Later changes affect the same memories: ${later.map((one) => one.id).join(', ')}`,
      `Undo them first: recollect undo ${later[0]!.id}`,
      1,
    )
  }
  const versions = versionsOfChange(ledger, change.id)
  ledger.transaction(() => undoChange(ledger, change, isoTime(clock.nowMs())))
  return { change, versions }
}

/** Finds a memory by its id or a unique prefix of it. */
export function memoryNamed(ledger: Ledger, id: string): Memory {
  const found = findMemories(ledger, /^m-/.test(id) ? id : `m-${id}`)
  if (found.length === 1) return found[0]!
  if (found.length === 0) throw new UserError(`There is no memory ${id}`, 'To list them: recollect memories', 1)
  throw new UserError(`${id} matches ${found.length} memories`, found.map((one) => one.id).join(', '))
}

/** Each of them once. */
export function memoriesNamed(ledger: Ledger, ids: readonly string[]): Memory[] {
  const memories = ids.map((id) => memoryNamed(ledger, id))
  return [...new Map(memories.map((memory) => [memory.id, memory])).values()]
}

/** Writes memories as one change and marks contradictions with those of teams. */
export function writeChange(
  { ledger, clock }: ChangeContext,
  kind: ChangeRecord['kind'],
  about: Memory,
  memories: Memory[],
): void {
  ledger.transaction(() => {
    const change = beginChange(ledger, { at: isoTime(clock.nowMs()), kind, about: truncate(about.text, 80) })
    for (const memory of memories) changeMemory(ledger, change, memory)
    markContradictions(ledger, memories, change)
  })
}

/** The memory that the given one contradicts, in its current version. */
export function contradictedBy(ledger: Ledger, memory: Memory): Memory | undefined {
  return memory.contradicts ? memoryById(ledger, memory.contradicts) : undefined
}
