// Formats memories, and what became of them, for the terminal.
import type { App } from '../../app.ts'
import { shortId } from '../../core/session.ts'
import type { Zone } from '../../core/units.ts'
import type { AdmissionReport } from '../../learn/admission/admit.ts'
import { validityMarks } from '../../memory/age.ts'
import { againstText, attributionText } from '../../memory/attribution.ts'
import type { Memory } from '../../memory/memory.ts'
import type { Ledger } from '../../store/ledger.ts'
import { memoriesSupersededBy } from '../../store/memories/memories.ts'
import { projectName } from '../../store/sessions/projects.ts'
import { oneLine } from '../../text/truncate.ts'
import type { Style } from '../terminal.ts'

/** The JSON form, with the memories that it supersedes. */
export function memoryJson(ledger: Ledger, memory: Memory): Memory & { supersedes: string[] } {
  return { ...memory, supersedes: memoriesSupersededBy(ledger, memory.id).map(({ id }) => id) }
}

/** Where a memory holds: the name of its project. */
export function placeText(ledger: Ledger, project: string | null): string {
  return project === null ? 'everywhere' : projectName(ledger, project)
}

export function memoryLine(
  ledger: Ledger,
  memory: Memory,
  { zone, clock }: Pick<App, 'zone' | 'clock'>,
  style: Style,
): string {
  const marks = [
    memory.status === 'settled' ? '' : memory.status,
    memory.trust === 'user said' && memory.space === null ? '' : attributionText(memory),
    memory.counts.said > 1 ? `confirmed ${memory.counts.said} times` : '',
    memory.supersededBy ? `superseded by ${memory.supersededBy}` : '',
    memory.state === 'kept' ? '' : memory.state,
    ...validityMarks(memory, clock.nowMs()),
    againstText(memory),
  ].filter(Boolean)
  const head = `${memory.id}  ${zone.day(memory.confirmedAt)}  ${memory.kind}, ${placeText(ledger, memory.project)}${marks.length > 0 ? ` (${marks.join(', ')})` : ''}`
  return `${style.dim(head)}\n  ${memory.text.replace(/\s+/g, ' ')}`
}

export function candidateLine(ledger: Ledger, memory: Memory, zone: Zone, style: Style): string {
  const { id, score, project, confirmedAt, text, evidence, counts } = memory
  const session = evidence.findLast((one) => one.session !== null)?.session
  const parts = [
    `${id}  ${zone.day(confirmedAt)}`,
    score === null ? '' : `${Math.round(score * 100)} %`.padStart(5),
    placeText(ledger, project),
    session ? `${session.split(':')[0]} ${shortId(session)}` : '',
    counts.said > 1 ? `said ${counts.said} times` : '',
    againstText(memory),
  ]
  return `${style.dim(parts.filter(Boolean).join('  '))}\n  ${oneLine(text)}`
}

/** What else came of keeping a statement: memories that knew it, that it replaces or contradicts. */
export function admissionLines({
  merged,
  superseded,
  inbox,
}: Pick<AdmissionReport, 'merged' | 'superseded' | 'inbox'>): string[] {
  return [
    ...merged.map(({ id, text }) => `Already known, counted there: ${id} ${oneLine(text)}`),
    ...superseded.map(({ id, text }) => `It supersedes ${id}: ${oneLine(text)}`),
    ...inbox.map(
      ({ id, contradicts }) => `It may contradict ${contradicts}. To decide: recollect inbox ${id} keep|drop|both`,
    ),
  ]
}
