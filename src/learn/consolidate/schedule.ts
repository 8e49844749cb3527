// Decides whether it is time to consolidate. Checks go from cheap to expensive and stop at the
// first reason to skip.
import { type Clock, isoTime } from '../../core/clock.ts'
import type { Config } from '../../core/config/config.ts'
import { formatDuration, plural } from '../../core/units.ts'
import { isObject, readChecked, readValue, writeValue } from '../../store/key-values.ts'
import type { Ledger } from '../../store/ledger.ts'
import { countSessionsGrownSince } from '../../store/memories/changes.ts'

export interface ConsolidateScheduleContext {
  ledger: Ledger
  clock: Clock
  config: Pick<Config, 'learn'>
}

const hourMs = 3_600_000
const betweenMs = 24 * hourMs
const lookMs = 10 * 60_000
const minSessions = 5

/** Undefined if it is time. */
export function reasonToSkip(context: ConsolidateScheduleContext): string | undefined {
  if (!context.config.learn.consolidates) return 'switched off: consolidate = false in config.toml'
  return tooSoon(context) ?? lookedJustNow(context) ?? tooFewSessions(context)
}

/** For a sweep. The first sweep has just admitted everything, so its day counts as consolidated. */
export function isTimeToConsolidate(context: ConsolidateScheduleContext): boolean {
  if (lastConsolidated(context.ledger) !== null) return reasonToSkip(context) === undefined
  markConsolidated(context)
  return false
}

/** Write it in the transaction of the result: a failed run keeps the time of the one before. */
export function markConsolidated({ ledger, clock }: Pick<ConsolidateScheduleContext, 'ledger' | 'clock'>): void {
  writeValue(ledger, doneNote, isoTime(clock.nowMs()))
}

/** Null if never. */
export function lastConsolidated(ledger: Ledger): string | null {
  const at = readValue(ledger, doneNote)
  return typeof at === 'string' ? at : null
}

const doneNote = 'consolidated'

/** Ignores a time in the future: a clock that was set back must not block consolidation. */
function tooSoon({ ledger, clock }: ConsolidateScheduleContext): string | undefined {
  const at = lastConsolidated(ledger)
  const since = at === null ? Number.POSITIVE_INFINITY : clock.nowMs() - Date.parse(at)
  return since >= 0 && since < betweenMs ? `done ${formatDuration(since)} ago; it is done once a day` : undefined
}

const lookNote = 'looked whether to consolidate'

interface Look {
  at: string
  sessions: number
}

function lookedJustNow({ ledger, clock }: ConsolidateScheduleContext): string | undefined {
  const look = readChecked<Look>(ledger, lookNote, (value) => isObject(value) && typeof value.at === 'string')
  const since = look ? clock.nowMs() - Date.parse(look.at) : Number.POSITIVE_INFINITY
  if (!look || since < 0 || since >= lookMs) return undefined
  return `${formatDuration(since)} ago ${fewText(look.sessions)}`
}

function tooFewSessions({ ledger, clock }: ConsolidateScheduleContext): string | undefined {
  const sessions = countSessionsGrownSince(ledger, lastConsolidated(ledger))
  if (sessions >= minSessions) return undefined
  writeValue(ledger, lookNote, { at: isoTime(clock.nowMs()), sessions })
  return fewText(sessions)
}

function fewText(sessions: number): string {
  return `${plural(sessions, 'session')} besides the last had grown since, and it takes ${minSessions}`
}
