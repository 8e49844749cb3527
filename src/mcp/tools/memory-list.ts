import * as z from 'zod'
import { isoTime } from '../../core/clock.ts'
import { formatCount, formatDuration, plural } from '../../core/units.ts'
import { evidenceNotice, wrapEvidence } from '../../gate/evidence.ts'
import { memoryKinds } from '../../memory/memory.ts'
import { lastSweep } from '../../store/last-sweep.ts'
import { countByKind, countMemories, listMemories } from '../../store/memories/memories.ts'
import { overviewOf } from '../../store/sessions/overview.ts'
import { syncSummary } from '../../sync/state.ts'
import { shortLine } from '../../text/truncate.ts'
import { projectInput, requestedProject } from '../client-project.ts'
import { memoryLine, textContextOf } from '../memory-text.ts'
import type { ToolCall } from '../tool-result.ts'
import { maxCharacters } from './session-get.ts'

export const memoryListInput = z.strictObject({
  project: projectInput,
  kind: z.enum(memoryKinds).optional().describe('only memories of this kind'),
  tag: z.string().min(1).max(100).optional().describe('only memories with this tag'),
  state: z
    .enum(['kept', 'inbox', 'candidate'])
    .default('kept')
    .describe('current memories, those in the inbox, or candidates, which nobody has confirmed'),
  from: z.int().min(0).max(100_000).default(0).describe('number of memories to skip'),
  limit: z.int().min(1).max(200).default(20).describe('maximum number of lines'),
})

export function memoryList(call: ToolCall, input: z.infer<typeof memoryListInput>): string {
  const { ledger } = call
  const { kind, tag, state, from, limit } = input
  const project = requestedProject(call, input.project)
  const found = listMemories(ledger, {
    ...(project === undefined ? {} : { project, withGlobal: true }),
    ...(kind ? { kind } : {}),
    ...(tag === undefined ? {} : { tag }),
    state,
    isCurrent: true,
    ...(state === 'candidate' ? {} : { limit: from + limit + 1 }),
  })
    // Candidates by rank, all others by date.
    .sort((a, b) => (state === 'candidate' ? (b.score ?? 0) - (a.score ?? 0) : 0))
    .slice(from, from + limit + 1)
  if (found.length === 0) return from > 0 ? 'No more memories.' : 'No memories yet.'
  const lines = fitting(found.slice(0, limit).map((memory) => memoryLine(memory, textContextOf(call))))
  const rest = found.length > lines.length ? [`To continue: memory_list with from ${from + lines.length}.`] : []
  const source = { memories: state, project: project ?? 'every project' }
  return [evidenceNotice, wrapEvidence(source, lines.join('\n')), ...rest].join('\n\n')
}

function fitting(lines: string[]): string[] {
  let size = 0
  const end = lines.findIndex((line) => {
    size += line.length + 1
    return size > maxCharacters
  })
  return end < 0 ? lines : lines.slice(0, end)
}

export const memoryCountInput = z.strictObject({})

export function memoryCount(call: ToolCall): string {
  const { app, ledger } = call
  const { kept, candidates, inbox, superseded, forgotten } = countMemories(ledger)
  const project = requestedProject(call, undefined)
  const inProject = project === undefined ? undefined : countByKind(ledger, project)
  const { sessions, events } = overviewOf(ledger)
  return [
    `Memories: ${formatCount(kept)} kept, ${plural(candidates, 'candidate')} to review, ${formatCount(inbox)} in the inbox, ${formatCount(superseded)} superseded, ${formatCount(forgotten)} forgotten`,
    `Kept, by kind: ${byKind(countByKind(ledger))}`,
    inProject && `In ${shortLine(project!, 200)}: ${formatCount(sumOf(inProject))} kept (${byKind(inProject)})`,
    `Sessions: ${plural(sessions, 'session')}, ${plural(events, 'event')}`,
    sweptText(call),
    ...syncLines(call),
    candidates > 0 && 'The user reviews candidates: recollect memories review',
    inbox > 0 && `The user decides about the inbox: recollect inbox, or the files in ${app.layout.vault}`,
  ]
    .filter(Boolean)
    .join('\n')
}

type KindCounts = ReturnType<typeof countByKind>

function byKind(counts: KindCounts): string {
  const parts = memoryKinds.flatMap((kind) => (counts[kind] ? [`${kind} ${formatCount(counts[kind])}`] : []))
  return parts.join(', ') || 'none'
}

function sumOf(counts: KindCounts): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0)
}

function sweptText({ app, ledger }: ToolCall): string {
  const last = lastSweep(ledger)
  if (!last) return 'Last sweep: none yet (recollect sweep)'
  const ago = formatDuration(Math.max(0, app.clock.nowMs() - Date.parse(last.at)))
  return `Last sweep: ${app.zone.minute(last.at)}, ${ago} ago`
}

/** Empty if this machine uses no server. */
function syncLines({ app, ledger }: ToolCall): string[] {
  const sync = syncSummary({ config: app.config, ledger })
  if (!sync) return []
  const last = sync.lastPullMs === null ? 'never' : app.zone.minute(isoTime(sync.lastPullMs))
  const waiting = `${plural(sync.waiting, 'change')} to send, ${formatCount(sync.refused)} refused`
  const lines = [`Sync: ${waiting}, last pull ${last}`]
  if (sync.key === 'refused') lines.push('The server rejects the key, so nothing is sent (recollect sync --status)')
  return lines
}
