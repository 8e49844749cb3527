import * as z from 'zod'
import { isoTime } from '../core/clock.ts'
import { formatCount, formatDuration, plural } from '../core/units.ts'
import { memoryKinds } from '../memory/memory.ts'
import { readNote } from '../store/key-values.ts'
import { countByKind, countMemories } from '../store/memories/memories.ts'
import { overviewOf } from '../store/sessions/overview.ts'
import { syncSummary } from '../sync/state.ts'
import { shortLine } from '../text/truncate.ts'
import type { Visit } from './answer.ts'
import { projectAsked } from './here.ts'

export const countInput = z.strictObject({})

export function count(visit: Visit): string {
  const { app, ledger } = visit
  const { kept, inbox, superseded, forgotten } = countMemories(ledger)
  const project = projectAsked(visit, undefined)
  const here = project === undefined ? undefined : countByKind(ledger, project)
  const { sessions, events } = overviewOf(ledger)
  return [
    `Memories: ${formatCount(kept)} kept, ${formatCount(inbox)} in the inbox, ${formatCount(superseded)} superseded, ${formatCount(forgotten)} forgotten`,
    `Kept, by kind: ${byKind(countByKind(ledger))}`,
    here && `Of ${shortLine(project!, 200)}: ${formatCount(sumOf(here))} kept (${byKind(here)})`,
    `Sessions: ${plural(sessions, 'session')}, ${plural(events, 'event')}`,
    sweptText(visit),
    ...syncLines(visit),
    inbox > 0 && `The inbox waits for a person: recollect inbox, or the files in ${app.layout.vault}`,
  ]
    .filter(Boolean)
    .join('\n')
}

type Counts = ReturnType<typeof countByKind>

function byKind(counts: Counts): string {
  const told = memoryKinds.flatMap((kind) => (counts[kind] ? [`${kind} ${formatCount(counts[kind])}`] : []))
  return told.join(', ') || 'none'
}

function sumOf(counts: Counts): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0)
}

function sweptText({ app, ledger }: Visit): string {
  const last = readNote(ledger, 'last sweep') as { at: string } | undefined
  if (!last) return 'Last sweep: none yet (recollect sweep)'
  const ago = formatDuration(Math.max(0, app.clock.nowMs() - Date.parse(last.at)))
  return `Last sweep: ${app.zone.minute(last.at)}, ${ago} ago`
}

/** Nothing where no server was joined. */
function syncLines({ app, ledger }: Visit): string[] {
  const sync = syncSummary({ config: app.config, ledger })
  if (!sync) return []
  const last = sync.lastPullMs === null ? 'never yet' : app.zone.minute(isoTime(sync.lastPullMs))
  const waiting = `${formatCount(sync.waiting)} wait to be sent, ${formatCount(sync.refused)} refused`
  const lines = [`Sync: ${waiting}, last read ${last}`]
  if (sync.key === 'refused')
    lines.push('The server does not take the key: everything stays here (recollect sync --status)')
  return lines
}
