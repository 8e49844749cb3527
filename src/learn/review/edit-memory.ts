// Edits by a person: of one field or several, of one memory or several, in one change. What a person
// has edited is a memory of that person: a candidate or an item of the inbox is kept.
import { isoTime } from '../../core/clock.ts'
import { UserError } from '../../core/errors.ts'
import { compare } from '../../memory/compare.ts'
import { proposesDeletion } from '../../memory/deletion-proposal.ts'
import { type MemoryDraft, typeOf } from '../../memory/draft.ts'
import { type Memory, type MemoryStatus, maxMemoryLength } from '../../memory/memory.ts'
import { beginChange, changeMemory } from '../../store/memories/changes.ts'
import { keywordsOf } from '../../text/statement.ts'
import { truncate } from '../../text/truncate.ts'
import { type AdmissionReport, admit, emptyReport } from '../admission/admit.ts'
import { changeObstacle } from '../admission/team-access.ts'
import { markContradictions, withContradictionMark } from '../admission/team-conflicts.ts'
import { type ChangeContext, checkNoObstacle, checkNotDropped, memoriesNamed } from '../change.ts'

/** Fields that a person can edit; secrets must have been removed from the texts. */
export type MemoryEdits = Partial<
  Pick<
    Memory,
    'text' | 'why' | 'apply' | 'type' | 'kind' | 'status' | 'importance' | 'tags' | 'links' | 'project' | 'doubt'
  >
>

export interface EditedMemories {
  /** Memories that have changed, as they are now. */
  changed: Memory[]
  /** What became of candidates, which are compared with what is known. */
  admitted: AdmissionReport
}

/** Applies the same edits to all memories, as one change. Without a difference nothing is written. */
export function editMemories(
  context: ChangeContext,
  ids: readonly string[],
  edits: MemoryEdits,
  kind: 'edited' | 'moved' = 'edited',
): EditedMemories {
  const { ledger, clock } = context
  const at = isoTime(clock.nowMs())
  checkLengths(edits)
  const differing = memoriesNamed(ledger, ids).filter((memory) => Object.keys(differences(memory, edits)).length > 0)
  for (const memory of differing) checkEditable(context, memory, edits)
  if (differing.length === 0) return { changed: [], admitted: emptyReport() }
  return ledger.transaction(() => {
    const change = beginChange(ledger, { at, kind, about: truncate(edits.text ?? differing[0]!.text, 80) })
    const isCandidate = ({ state }: Memory) => state === 'candidate'
    const drafts = differing.filter(isCandidate).map((candidate) => draftOfCandidate(candidate, edits, at))
    const admitted = admit(context, drafts, change)
    checkNotDropped(ledger, admitted)
    const edited = differing
      .filter((memory) => !isCandidate(memory))
      .map((memory) => withContradictionMark(ledger, withEdits(memory, differences(memory, edits), at)))
    for (const memory of edited) changeMemory(ledger, change, memory)
    markContradictions(ledger, edited, change)
    return { changed: [...edited, ...admitted.kept, ...admitted.merged, ...admitted.inbox], admitted }
  })
}

function checkLengths({ text, why, apply }: MemoryEdits): void {
  if (text?.trim() === '') throw new UserError('The text of a memory must not be empty', 'Give some text.')
  for (const part of [text, why, apply])
    if (part && part.length > maxMemoryLength)
      throw new UserError(
        `${part.length} characters; the limit is ${maxMemoryLength}`,
        'Shorten it, or split it into two memories.',
      )
}

function checkEditable({ ledger }: ChangeContext, memory: Memory, { project }: MemoryEdits): void {
  if (memory.state === 'forgotten')
    throw new UserError(`${memory.id} is forgotten`, `To see how to restore it: recollect history ${memory.id}`, 1)
  if (proposesDeletion(memory))
    throw new UserError(
      `${memory.id} proposes to forget ${memory.contradicts}`,
      `To decide: recollect inbox ${memory.id} accept or refuse`,
      1,
    )
  checkNoObstacle(changeObstacle(ledger, memory))
  if (project !== undefined) checkNoObstacle(changeObstacle(ledger, { ...memory, project }))
}

/** Those of the edits that change something. */
function differences(memory: Memory, edits: MemoryEdits): MemoryEdits {
  const before: Record<string, unknown> = { ...memory }
  return Object.fromEntries(
    Object.entries(edits).filter(
      ([name, value]) => value !== undefined && JSON.stringify(value) !== JSON.stringify(before[name]),
    ),
  )
}

/** The memory as the person wants it: theirs, kept, and confirmed now. */
export function withEdits(memory: Memory, edits: Partial<Memory>, at: string): Memory {
  const isInInbox = memory.state === 'inbox'
  const isMovedOnly = Object.keys(edits).every((name) => name === 'project')
  return {
    ...memory,
    ...edits,
    ...(isMovedOnly ? {} : { trust: 'user said', status: edits.status ?? statusAfterEdit(memory) }),
    because: 'person',
    // Who edits one of two contradicting memories wants both.
    ...(isInInbox ? { state: 'kept', contradicts: null } : {}),
    confirmedAt: at,
    ...(edits.text === undefined ? {} : rewordedFields(memory, edits.text, at)),
    version: memory.version + 1,
  }
}

/** Other words for a statement are as old as the statement; the opposite is said now. */
function rewordedFields(memory: Memory, text: string, at: string): Partial<Memory> {
  const relation = compare(text, memory.text)
  const isNew = relation.kind === 'conflict' && relation.isSure
  return { validFrom: isNew ? at : memory.validFrom, keywords: keywordsOf(text) }
}

/** Who edits a statement means it, unless a person has called it hypothetical. */
function statusAfterEdit({ status, because }: Memory): MemoryStatus {
  return status === 'hypothetical' && because !== 'person' ? 'settled' : status
}

/** The person decides now about what was said at the time of the candidate. */
export function draftOfCandidate(candidate: Memory, edits: MemoryEdits, confirmedAt: string): MemoryDraft {
  const { id, evidence, score, validFrom: at } = candidate
  const fields = { ...candidate, ...edits }
  const { kind, why, apply, importance, tags, project } = fields
  const text = fields.text.trim()
  const isReworded = text !== candidate.text
  const scope = project === null ? 'user' : 'project'
  return {
    ...{ id, evidence, score, kind, why, apply, importance, tags, project, text, at, confirmedAt },
    status: edits.status ?? confirmedStatus(candidate, isReworded),
    type: edits.type ?? (project === candidate.project ? candidate.type : typeOf(kind, scope, text)),
    keywords: isReworded ? keywordsOf(text) : candidate.keywords,
    trust: isReworded ? 'user said' : candidate.trust,
    because: 'person',
  }
}

/** Rules guess the status from raw words. Words that a person confirms are meant, other words have no guess. */
function confirmedStatus({ status }: Memory, isReworded: boolean): MemoryStatus {
  return isReworded || status === 'hypothetical' ? 'settled' : status
}
