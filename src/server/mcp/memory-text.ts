// Formats memories for agents: one line in a list, or the full text with its evidence.
import { type Clock, isoTime } from '../../core/clock.ts'
import { tellName, wrapEvidence } from '../../gate/evidence.ts'
import { type ToldMemory, tellLines, tellMemory } from '../../gate/gate.ts'
import { ageText, doubtText } from '../../memory/age.ts'
import { proposesDeletion } from '../../memory/deletion-proposal.ts'
import { type MemoryDocument, memoryDocument } from '../../sync/documents.ts'
import type { SyncItem } from '../../sync/protocol.ts'
import { shortLine } from '../../text/truncate.ts'

/** The common part of items and recall results, with the space. */
export interface ListedMemory extends Pick<SyncItem, 'id' | 'document' | 'author'> {
  space: string
  sharedBy?: SyncItem['sharedBy']
}

/** About 50 to 100 tokens. */
export function memoryLine(found: ListedMemory, clock: Clock): string {
  const memory = parseMemory(found)
  const marks = [
    memory.kind,
    memory.trust,
    memory.status === 'settled' ? '' : memory.status,
    dayOf(memory.confirmedAt),
    memory.project === null ? 'everywhere' : tellName(memory.project.split(/[\\/]/).at(-1) ?? memory.project),
    placeOf(found),
    stateOf(memory),
    doubtText(memory),
    ageOf(memory, clock),
  ]
  return `[${found.id}] ${marks
    .filter(Boolean)
    .map((mark) => shortLine(mark, 120))
    .join(', ')}: ${shortLine(toldText(found.id, memory).text, 240)}`
}

export function memoryText(found: ListedMemory, clock: Clock): string {
  const memory = parseMemory(found)
  const source = {
    memory: found.id,
    kind: memory.kind,
    by: memory.trust,
    date: dayOf(memory.confirmedAt),
    project: memory.project ?? 'everywhere',
    in: placeOf(found) || 'your own space',
    status: memory.status,
    note: ageOf(memory, clock),
  }
  const { text, why, apply } = toldText(found.id, memory)
  const lines = [
    text,
    why && `Why: ${why}`,
    apply && `How to apply: ${apply}`,
    stateOf(memory) && `State: ${stateOf(memory)}`,
    doubtText(memory) && `State: ${doubtText(memory)}`,
    memory.said > 1 && `Said ${memory.said} times, first on ${dayOf(memory.validFrom)}`,
    memory.tags.length > 0 && `Tags: ${memory.tags.map(tellName).join(', ')}`,
    ...memory.evidence.map(
      (one) =>
        `From ${one.session ?? one.file ?? 'no session'}: "${shortLine(tellLines(one.quote, voiceOf(memory)), 400)}"`,
    ),
  ]
  return wrapEvidence(source, lines.filter(Boolean).join('\n'))
}

/** A memory that is held back can be read by the person only. */
function toldText(id: string, { text, why, apply, trust }: MemoryDocument): ToldMemory {
  const because = trust === 'user said' ? ('person' as const) : ('agent' as const)
  const one = tellMemory({ text, why, apply, trust, because })
  return 'told' in one
    ? one.told
    : { text: `[held back: ${one.held}; a person can read ${id}]`, why: null, apply: null }
}

function voiceOf({ trust }: MemoryDocument): 'person' | 'agent' {
  return trust === 'user said' ? 'person' : 'agent'
}

/** Stored documents were validated against this schema. */
export function parseMemory({ document }: Pick<SyncItem, 'document'>): MemoryDocument {
  return memoryDocument.parse(document)
}

function dayOf(iso: string): string {
  return isoTime(Date.parse(iso)).slice(0, 10)
}

/** The owner or author, unless it is the caller's own. */
function placeOf({ space, author, sharedBy }: ListedMemory): string {
  if (sharedBy && !sharedBy.isMine) return `shared by ${sharedBy.user}${space === 'shared' ? '' : ` with ${space}`}`
  return space === 'me' ? '' : `${space}, written by ${author}`
}

function stateOf(memory: MemoryDocument): string {
  const { state, supersededBy, contradicts } = memory
  if (proposesDeletion(memory)) return `waits for a person to decide: it would forget ${contradicts}`
  if (state === 'inbox') return `waits for a person to decide${contradicts ? `: it may contradict ${contradicts}` : ''}`
  return supersededBy ? `no longer holds: superseded by ${supersededBy}` : ''
}

function ageOf({ confirmedAt }: MemoryDocument, clock: Clock): string {
  const age = ageText(confirmedAt, clock.nowMs())
  return age && `recorded ${age}; check against the code`
}
