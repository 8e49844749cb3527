// Forgets memories whose notes an agent, or a person, has deleted from the agent's own memory.
import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { isoTime } from '../../core/clock.ts'
import type { Memory } from '../../memory/memory.ts'
import { isStrings, readChecked, writeValue } from '../../store/key-values.ts'
import type { Ledger } from '../../store/ledger.ts'
import { changeMemories, wasForgotten } from '../../store/memories/changes.ts'
import { memoriesByOriginFile } from '../../store/memories/files.ts'
import { memoryById } from '../../store/memories/memories.ts'
import type { AdmissionContext } from '../admission/admit.ts'
import { deletionProposal } from '../admission/propose-deletion.ts'

const filesNote = 'memory files of agents'

/** For a sweep: a few calls of `stat`. */
export function hasGoneNotes(ledger: Ledger): boolean {
  return noteFiles(ledger).some(isDeleted)
}

function noteFiles(ledger: Ledger): string[] {
  return readChecked<string[]>(ledger, filesNote, isStrings) ?? []
}

/** A folder that is missing, too, may be on a disk that is not there now. */
function isDeleted(path: string): boolean {
  return !existsSync(path) && existsSync(dirname(path))
}

/** Notes which files they were read from, to find out when one is deleted. */
export function rememberNoteFiles(ledger: Ledger, paths: readonly string[]): void {
  const known = noteFiles(ledger)
  const all = [...new Set([...known, ...paths])].sort()
  if (all.length !== known.length) writeValue(ledger, filesNote, all)
}

/** The note of a memory is no longer in a file that is there. */
export interface GoneNote {
  path: string
  memory: Memory
}

export interface ForgottenNotes {
  forgotten: Memory[]
  /** Proposals to forget what a person said or confirmed. */
  proposed: Memory[]
}

/**
 * Forgets the memories of deleted files, and of `gone`: notes that are no longer in their file. What a
 * person said or confirmed is only proposed. Call inside a transaction, after what is there was
 * admitted: a note that was moved to another file is still there.
 */
export function forgetGoneNotes(context: AdmissionContext, gone: readonly GoneNote[] = []): ForgottenNotes {
  const { ledger, clock, origin } = context
  const deleted = new Set(noteFiles(ledger).filter(isDeleted))
  const of = deleted.size === 0 ? new Map<string, string[]>() : memoriesByOriginFile(ledger)
  const ids = new Set([...gone.map(({ memory }) => memory.id), ...[...deleted].flatMap((path) => of.get(path) ?? [])])
  const at = isoTime(clock.nowMs())
  const done: ForgottenNotes = { forgotten: [], proposed: [] }
  const places = new Set(gone.map(({ path, memory }) => `${memory.id} ${path}`))
  for (const memory of [...ids].flatMap((id) => memoryById(ledger, id) ?? [])) {
    const isThere = memory.evidence.some(({ file }) => file && !isDeleted(file) && !places.has(`${memory.id} ${file}`))
    const isOver = memory.state === 'forgotten' || memory.supersededBy !== null || memory.origin !== origin
    // Undo has brought it back.
    if (isThere || isOver || wasForgotten(ledger, memory.id)) continue
    if (memory.trust === 'user said' || memory.because === 'person') done.proposed.push(...propose(context, memory, at))
    else done.forgotten.push({ ...memory, state: 'forgotten', version: memory.version + 1 })
  }
  const about = 'notes that were deleted from the memory of an agent'
  if (done.forgotten.length + done.proposed.length > 0)
    changeMemories(ledger, { kind: 'forgotten', about, at }, [...done.forgotten, ...done.proposed])
  if (deleted.size > 0)
    writeValue(
      ledger,
      filesNote,
      noteFiles(ledger).filter((path) => !deleted.has(path)),
    )
  return done
}

function propose(context: AdmissionContext, memory: Memory, at: string): Memory[] {
  const { evidence, trust, because } = memory
  const session = evidence.find((one) => one.session !== null)?.session ?? null
  const source = { session, event: null, trust, because }
  const { proposal, isNew } = deletionProposal(context, memory, source, at)
  return isNew ? [proposal] : []
}
