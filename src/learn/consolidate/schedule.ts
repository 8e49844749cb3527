// Whether it is time to consolidate: the cheapest question first, and the first "no" ends it with its reason.
import { type Clock, isoTime } from '../../core/clock.ts'
import type { Config } from '../../core/config.ts'
import { formatDuration, plural } from '../../core/units.ts'
import { readValue, writeValue } from '../../store/key-values.ts'
import type { Ledger } from '../../store/ledger.ts'
import { countSessionsGrownSince } from '../../store/memories/changes.ts'

export interface ScheduleContext {
  ledger: Ledger
  clock: Clock
  config: Pick<Config, 'learn'>
}

const hourMs = 3_600_000
const betweenMs = 24 * hourMs
const lookMs = 10 * 60_000
const minSessions = 5

/** Why it is not time; undefined when it is. */
export function reasonToSkip(context: ScheduleContext): string | undefined {
  if (!context.config.learn.consolidates) return 'switched off: consolidate = false in config.toml'
  return tooSoon(context) ?? lookedJustNow(context) ?? tooFewSessions(context)
}

/** For a sweep. The first one has just admitted all that there is: the day begins with it. */
export function isTimeToConsolidate(context: ScheduleContext): boolean {
  if (lastConsolidated(context.ledger) !== null) return reasonToSkip(context) === undefined
  markConsolidated(context)
  return false
}

/** Written together with what was done, so that a run that fails or is killed leaves the time of the one before. */
export function markConsolidated({ ledger, clock }: Pick<ScheduleContext, 'ledger' | 'clock'>): void {
  writeValue(ledger, doneNote, isoTime(clock.nowMs()))
}

/** When it was last done; null for never. */
export function lastConsolidated(ledger: Ledger): string | null {
  const at = readValue(ledger, doneNote)
  return typeof at === 'string' ? at : null
}

const doneNote = 'consolidated'

/** A clock that was set back must not close the gate for long. */
function tooSoon({ ledger, clock }: ScheduleContext): string | undefined {
  const at = lastConsolidated(ledger)
  const since = at === null ? Number.POSITIVE_INFINITY : clock.nowMs() - Date.parse(at)
  return since >= 0 && since < betweenMs ? `done ${formatDuration(since)} ago; it is done once a day` : undefined
}

const lookNote = 'looked whether to consolidate'

interface Look {
  at: string
  sessions: number
}

function lookedJustNow({ ledger, clock }: ScheduleContext): string | undefined {
  const look = readValue(ledger, lookNote) as unknown as Look | undefined
  const since = look ? clock.nowMs() - Date.parse(look.at) : Number.POSITIVE_INFINITY
  if (!look || since < 0 || since >= lookMs) return undefined
  return `${formatDuration(since)} ago ${fewText(look.sessions)}`
}

function tooFewSessions({ ledger, clock }: ScheduleContext): string | undefined {
  const sessions = countSessionsGrownSince(ledger, lastConsolidated(ledger))
  if (sessions >= minSessions) return undefined
  writeValue(ledger, lookNote, { at: isoTime(clock.nowMs()), sessions })
  return fewText(sessions)
}

function fewText(sessions: number): string {
  return `${plural(sessions, 'session')} besides the last had grown since, and it takes ${minSessions}`
}
