// Stores a memory on behalf of an agent. Same admission as learned memories; never supersedes what
// comes from the user; undoable.
import { isoTime } from '../core/clock.ts'
import { messageOf, UserError } from '../core/errors.ts'
import { wrapEvidence } from '../gate/evidence.ts'
import { tellExplanation } from '../gate/gate.ts'
import { type AdmissionReport, admit } from '../learn/admission/admit.ts'
import type { ChangeContext } from '../learn/change.ts'
import { instructionLines } from '../learn/instructions.ts'
import { spaceText } from '../memory/attribution.ts'
import { draftOf, type MemoryDraft, typeOf } from '../memory/draft.ts'
import { excluded, instructs } from '../memory/exclusions.ts'
import type { Memory } from '../memory/memory.ts'
import { beginChange, changeMemory, memoryHistory } from '../store/memories/changes.ts'
import { truncate } from '../text/truncate.ts'
import { requestedProject } from './client-project.ts'
import { memoryLine, textContextOf } from './memory-text.ts'
import type { ToolCall } from './tool-result.ts'

export interface AgentMemoryInput {
  text: string
  project: string | null
  kind: Memory['kind']
  status: Memory['status']
  why?: string | undefined
  apply?: string | undefined
  tags?: string[] | undefined
  keywords?: string[] | undefined
  importance?: number | undefined
  /** Type of the superseded memory. */
  type?: Memory['type']
  supersedes?: string
}

export async function storeAgentMemory(call: ToolCall, wish: AgentMemoryInput): Promise<string> {
  const { draft, notice } = await draftFrom(call, wish)
  checkDetails(draft)
  const outcome = outcomeText(call, admitCandidate(call, draft))
  return `${outcome}${notice ? `\n${notice}` : ''}${await refreshMemoryFiles(call)}`
}

interface CleanCandidate {
  draft: MemoryDraft
  /** Says what was removed. */
  notice: string | undefined
}

/** Secrets are removed from every text field. */
async function draftFrom({ app, source: caller }: ToolCall, wish: AgentMemoryInput): Promise<CleanCandidate> {
  const { createRedactor, removalNotice } = await import('../core/redact/redact.ts')
  const { clean, counts } = createRedactor()
  const text = clean(wish.text)
  const draft = draftOf(
    {
      kind: wish.kind,
      text,
      quote: text,
      why: wish.why === undefined ? null : clean(wish.why),
      status: wish.status,
      scope: 'project',
      importance: wish.importance ?? 0.5,
      tags: (wish.tags ?? []).map(clean),
    },
    {
      project: wish.project,
      evidence: [{ ...caller, quote: text }],
      trust: 'agent said',
      because: 'agent',
      at: isoTime(app.clock.nowMs()),
    },
  )
  const whole = {
    ...draft,
    type: wish.type ?? typeOf(wish.kind, wish.project === null ? 'user' : 'project', text),
    apply: wish.apply === undefined ? null : clean(wish.apply),
    keywords: [...new Set([...(wish.keywords ?? []).map(clean), ...draft.keywords])].slice(0, 20),
    ...(wish.supersedes === undefined ? {} : { supersedes: wish.supersedes }),
  }
  return { draft: whole, notice: removalNotice(counts) }
}

/** Admission checks only the statement. Its details must not contain instructions either. */
function checkDetails({ text, why, apply, tags, keywords }: MemoryDraft): void {
  for (const part of [why, apply, tags.join(' '), keywords.join(' ')]) {
    const reason = part ? excluded({ text: `${truncate(text, 300)} ${part}`, trust: 'user said' }) : undefined
    if (reason) throw new UserError(`Not stored: ${reason}`, `Remove this: ${part}`, 1)
  }
}

type AdmissionOutcome = { kind: 'written'; report: AdmissionReport } | { kind: 'known'; memory: Memory }

/**
 * Rolls back if the draft is a duplicate: an agent that repeats a memory, perhaps from its
 * brief, does not confirm it. Neither can it bypass the inbox by rephrasing a memory that waits
 * there.
 */
function admitCandidate(call: ToolCall, draft: MemoryDraft): AdmissionOutcome {
  const { ledger, clientProject } = call
  const instructionsOf = (project: string | null) =>
    clientProject.kind === 'folder' && project === requestedProject(call, undefined)
      ? instructionLines(clientProject.folder)
      : []
  const change = { at: draft.at, kind: 'remembered' as const, about: truncate(draft.text, 80) }
  const unchanged = new Error('roll back: nothing to store')
  let report: AdmissionReport | undefined
  try {
    ledger.transaction(() => {
      const number = beginChange(ledger, change)
      report = admit({ ...changeContext(call), instructionsOf }, [draft], number)
      if (mustWait(draft)) report = waitForUser(call, report, number)
      if (report.merged.length > 0 || report.superseded.some(({ state }) => state === 'inbox')) throw unchanged
    })
  } catch (error) {
    if (error !== unchanged) throw error
  }
  const { merged, superseded, dropped } = report!
  const known = merged[0] ?? superseded.find(({ state }) => state === 'inbox')
  if (known) return { kind: 'known', memory: known }
  if (dropped[0]) throw new UserError(`Not stored: ${dropped[0].reason}`, 'Skip it, or store only the lasting part.', 1)
  return { kind: 'written', report: report! }
}

/** It tells agents what to do, in its text or in its notes, or the gate would hold it back. */
function mustWait({ text, why, apply, tags, keywords }: MemoryDraft): boolean {
  const parts = [text, why ?? '', apply ?? '', [...tags, ...keywords].join(' ')]
  return instructs(text) || instructs(apply ?? '') || parts.some(isHeld)
}

/** Secrets are removed by now. */
function isHeld(part: string): boolean {
  return 'held' in tellExplanation(part.replace(/\[secret[^\]]*\]/g, ''), '')
}

/** What tells agents to do something is told when the user has seen it; what it supersedes holds till then. */
function waitForUser({ ledger }: ToolCall, report: AdmissionReport, change: number): AdmissionReport {
  const replaced = (id: string) => report.superseded.filter(({ supersededBy }) => supersededBy === id)
  const waiting = report.kept.map(
    (memory): Memory => ({ ...memory, state: 'inbox', contradicts: replaced(memory.id)[0]?.id ?? null }),
  )
  const held = waiting.flatMap(({ id }) => replaced(id))
  for (const memory of waiting) changeMemory(ledger, change, memory)
  for (const old of held) changeMemory(ledger, change, { ...old, supersededBy: null, supersededAt: null })
  const superseded = report.superseded.filter((old) => !held.includes(old))
  return { ...report, kept: [], inbox: [...report.inbox, ...waiting], superseded }
}

/** An agent must not change memories that others read. */
export function requireOwnMemory({ id, space }: Memory, hint: string): void {
  if (space === null) return
  throw new UserError(`${id} belongs to ${spaceText(space)}; an agent cannot change it`, hint, 1)
}

export function changeContext({ app, ledger }: ToolCall): ChangeContext {
  return { ledger, clock: app.clock, origin: app.machine.name ?? '' }
}

function outcomeText(call: ToolCall, admitted: AdmissionOutcome): string {
  const quoted = (memory: Memory) => wrapEvidence({ memory: memory.id }, memoryLine(memory, textContextOf(call)))
  if (admitted.kind === 'known') return `Already known, nothing was changed:\n${quoted(admitted.memory)}`
  const { kept, inbox, superseded } = admitted.report
  if (inbox[0]?.contradicts)
    return `Stored in the inbox as ${inbox[0].id}: it may contradict ${inbox[0].contradicts}. The user decides: recollect inbox`
  if (inbox[0])
    return `Stored in the inbox as ${inbox[0].id}: it tells agents what to do, so it waits for the user. The user decides: recollect inbox ${inbox[0].id} keep`
  if (!kept[0])
    return superseded[0]
      ? `Stored as history only: ${superseded[0].supersededBy} is newer and contradicts it.`
      : 'Already known, nothing was changed.'
  const replaced = superseded.map((old) => `\nIt supersedes:\n${quoted(old)}`).join('')
  const against = kept[0].contradicts ? `\nIt contradicts ${kept[0].contradicts} of a team; both are kept.` : ''
  return `Stored as ${kept[0].id}, attributed to an agent. The user can undo this: ${undoCommand(call, kept[0].id)}${replaced}${against}`
}

/** Names the last change of a memory: telling another memory may be a later change. */
export function undoCommand({ ledger }: ToolCall, id: string): string {
  return `recollect undo ${memoryHistory(ledger, id).at(-1)!.change.id}`
}

/** Reads edits of memory files, then writes them. After an error the next sweep does it. */
export async function refreshMemoryFiles({ app, ledger }: ToolCall): Promise<string> {
  try {
    const [{ readMemoryEdits }, { writeMemoryFiles }] = await Promise.all([
      import('../learn/files/read.ts'),
      import('../learn/files/write.ts'),
    ])
    await readMemoryEdits(app.context(ledger))
    writeMemoryFiles(app.context(ledger))
    return ''
  } catch (error) {
    return `\nThe next sweep updates the memory files (${messageOf(error)}).`
  }
}
