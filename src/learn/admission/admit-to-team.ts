// Admits a memory that a user gives to a team. It is compared with the team's memories only, not
// with the user's own.
import { isoTime } from '../../core/clock.ts'
import { UserError } from '../../core/errors.ts'
import { spaceText } from '../../memory/attribution.ts'
import { compare } from '../../memory/compare.ts'
import type { MemoryDraft } from '../../memory/draft.ts'
import { excluded } from '../../memory/exclusions.ts'
import type { Memory } from '../../memory/memory.ts'
import type { Ledger } from '../../store/ledger.ts'
import { beginChange, changeMemory, type NewChange } from '../../store/memories/changes.ts'
import { type AdmissionContext, type AdmissionReport, currentOf, emptyReport } from './admit.ts'
import { idOf, memoryFrom } from './memory-from-draft.ts'
import { checkMayWrite } from './team-access.ts'
import { comparableMemories, markContradictions } from './team-conflicts.ts'

export interface TeamDraft extends MemoryDraft {
  space: string
  author: string | null
}

/** Call inside a transaction. */
export function admitToTeam(context: AdmissionContext, said: TeamDraft, change: NewChange): AdmissionReport {
  const { ledger, clock } = context
  const { space, author, ...draft } = said
  const report = emptyReport()
  checkMayWrite(ledger, said)
  checkMayLeave(said)
  const reason = excluded(said)
  if (reason) return { ...report, dropped: [{ text: said.text, reason }] }
  const old = supersededOf(ledger, said)
  const theirs = comparableMemories(ledger, said).filter((one) => one.space === space && one.state === 'kept')
  const known = theirs.find((one) => one.project === said.project && isSame(said, one))
  if (known && !old) return { ...report, merged: [known] }
  const against = theirs.find((one) => one.id !== old?.id && isOpposite(said, one))
  const memory: Memory = {
    ...memoryFrom(context, draft, isoTime(clock.nowMs()), against),
    id: idOf(draft, space),
    space,
    author,
  }
  const gone = old && { ...old, supersededBy: memory.id, supersededAt: said.at, version: old.version + 1 }
  const written = [memory, ...(gone ? [gone] : [])]
  const id = beginChange(ledger, change)
  for (const one of written) changeMemory(ledger, id, one)
  markContradictions(ledger, written, id)
  return { ...report, kept: [memory], superseded: gone ? [gone] : [] }
}

/** Memories about a person and private ones do not go to a team. */
function checkMayLeave({ type, tags, space }: TeamDraft): void {
  const isPrivate = tags.includes('private')
  if (type !== 'user' && !isPrivate) return
  throw new UserError(
    `A memory ${isPrivate ? 'tagged private' : 'of type user'} cannot be given to ${spaceText(space)}`,
    isPrivate ? 'Remove the tag or --team.' : 'Choose another --type, or remove --team.',
    1,
  )
}

/** Only a memory of the same team can be superseded. */
function supersededOf(ledger: Ledger, { supersedes, space }: TeamDraft): Memory | undefined {
  const old = supersedes === undefined ? undefined : currentOf(ledger, supersedes)
  if (!old || old.space === space) return old
  throw new UserError(
    `${old.id} is ${old.space === null ? 'your own' : `of ${spaceText(old.space)}`}, not of ${spaceText(space)}`,
    'A team memory can only supersede a memory of the same team.',
  )
}

function isSame(said: MemoryDraft, memory: Memory): boolean {
  return said.status === memory.status && compare(said.text, memory.text).kind === 'same'
}

/**
 * Both memories stay and the later one is marked; superseding a memory of a team needs
 * --supersedes.
 */
function isOpposite(said: MemoryDraft, memory: Memory): boolean {
  return memory.project === said.project && compare(said.text, memory.text).kind === 'conflict'
}
