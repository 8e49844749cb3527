// Formats a memory for an agent: as one line, or in full with its evidence.
import type { Clock } from '../core/clock.ts'
import type { Zone } from '../core/units.ts'
import { tellName, wrapEvidence } from '../gate/evidence.ts'
import { type ToldMemory, tellLines, tellMemory } from '../gate/gate.ts'
import { printedForm } from '../gate/printed.ts'
import { ageText, doubtText, validityMarks } from '../memory/age.ts'
import { againstText, attributionText, becauseText, originText } from '../memory/attribution.ts'
import { proposesDeletion } from '../memory/deletion-proposal.ts'
import type { Memory } from '../memory/memory.ts'
import type { Ledger } from '../store/ledger.ts'
import { projectName } from '../store/sessions/projects.ts'
import { shortLine } from '../text/truncate.ts'

export interface TimeContext {
  clock: Clock
  zone: Zone
}

export interface MemoryTextContext extends TimeContext {
  /** The name of a project. */
  nameOf(project: string): string
}

export function textContextOf({ app, ledger }: { app: TimeContext; ledger: Ledger }): MemoryTextContext {
  return { clock: app.clock, zone: app.zone, nameOf: (project) => projectName(ledger, project) }
}

/** About 50 to 100 tokens. */
export function memoryLine(memory: Memory, context: MemoryTextContext): string {
  const marks = [
    memory.state === 'candidate' ? `candidate (${becauseText(memory, 'the user')})` : '',
    memory.kind,
    originText(memory),
    memory.status === 'settled' ? '' : memory.status,
    context.zone.day(memory.confirmedAt),
    ...validityMarks(memory, context.clock.nowMs()),
    memory.project === null ? 'everywhere' : tellName(context.nameOf(memory.project)),
    memory.state === 'candidate' ? '' : stateText(memory),
  ]
  return `[${memory.id}] ${marks.filter(Boolean).join(', ')}: ${shortLine(toldText(memory).text, 240)}`
}

/** What an agent saved on its own is told once; what directs agents, not before the user has kept it. */
function waitsForUser({ state, because, trust }: Memory): boolean {
  return state === 'inbox' && because === 'agent' && trust === 'agent said'
}

/** A memory that is held back can be read by the person only. */
function toldText(memory: Memory): ToldMemory {
  if (waitsForUser(memory))
    return {
      text: `[saved by an agent; waits for the user: recollect inbox ${memory.id} keep]`,
      why: null,
      apply: null,
    }
  const one = tellMemory(memory)
  if ('told' in one) return one.told
  return {
    text: `[held back: ${one.held}; the user can read it: recollect memories ${memory.id}]`,
    why: null,
    apply: null,
  }
}

/** The statement with its reasons and the quotes it is based on. */
export function memoryText(memory: Memory, { clock, zone }: TimeContext): string {
  const source = {
    memory: memory.id,
    kind: memory.kind,
    by: attributionText(memory),
    date: zone.day(memory.confirmedAt),
    project: memory.project ?? 'everywhere',
    status: memory.status,
    note: ageNote(memory, clock),
  }
  const { text, why, apply } = toldText(memory)
  const lines = [
    text,
    why && `Why: ${why}`,
    apply && `How to apply: ${apply}`,
    stateText(memory) && `State: ${stateText(memory)}`,
    doubtText(memory) && `State: ${doubtText(memory)}`,
    memory.state === 'kept' && `Kept because: ${becauseText(memory, 'the user')}`,
    memory.counts.said > 1 && `Said ${memory.counts.said} times, first on ${zone.day(memory.validFrom)}`,
    memory.tags.length > 0 && `Tags: ${memory.tags.map(tellName).join(', ')}`,
    ...(waitsForUser(memory) ? [] : memory.evidence).map(
      (one) => `From ${one.session ?? one.file ?? 'no session'}: "${shortLine(toldQuote(memory, one.quote), 400)}"`,
    ),
  ]
  return wrapEvidence(source, lines.filter(Boolean).join('\n'))
}

/** The quote of a cause is what a program printed. */
function toldQuote({ because, trust, text }: Memory, quote: string): string {
  if (because === 'run') return printedForm(quote, text) || '…'
  return tellLines(quote, trust === 'user said' ? 'person' : 'agent')
}

/** Empty for memories confirmed within a day. */
export function ageNote({ confirmedAt }: Memory, clock: Clock): string {
  const age = ageText(confirmedAt, clock.nowMs())
  return age && `recorded ${age}; check against the code`
}

function stateText(memory: Memory): string {
  const { state, supersededBy, contradicts } = memory
  if (state === 'candidate') return `candidate: ${becauseText(memory, 'the user')}`
  if (proposesDeletion(memory)) return `waits for the user to decide: it would forget ${contradicts}`
  if (state === 'inbox') return `waits for the user to decide${contradicts ? `: it may contradict ${contradicts}` : ''}`
  if (supersededBy) return `superseded by ${supersededBy}`
  return againstText(memory)
}
