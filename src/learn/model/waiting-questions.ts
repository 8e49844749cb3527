// What waits for a model, as `status`, `doctor` and `models` tell it: how many questions, since when,
// why, and what to do.
import { isoTime } from '../../core/clock.ts'
import { plural, type Zone } from '../../core/units.ts'
import type { Ledger } from '../../store/ledger.ts'
import { type DeadLetter, type LetterCause, listDeadLetters } from '../../store/memories/dead-letters.ts'
import { oneLine, truncate } from '../../text/truncate.ts'

export interface WaitingQuestions {
  count: number
  /** Those that are only asked again by a user. */
  quarantined: number
  /** When the oldest was first not answered. */
  since: string
  /** Of the newest question, or of one that needs the user. */
  cause: LetterCause
  reason: string
  /** When the next one is asked by itself; null if none is. */
  nextMs: number | null
  /** Nothing changes unless the user acts. */
  needsUser: boolean
}

/** Undefined if nothing waits. */
export function waitingQuestions(ledger: Ledger): WaitingQuestions | undefined {
  return summariseLetters(listDeadLetters(ledger))
}

export function summariseLetters(letters: readonly DeadLetter[]): WaitingQuestions | undefined {
  // What a user has to correct is told first.
  const last = letters.findLast(({ cause }) => cause === 'access') ?? letters.at(-1)
  if (!last) return undefined
  const automatic = letters.filter(({ isQuarantined }) => !isQuarantined)
  const quarantined = letters.length - automatic.length
  return {
    count: letters.length,
    quarantined,
    since: letters.map(({ createdAt }) => createdAt).sort()[0]!,
    cause: last.cause,
    reason: last.reason,
    nextMs: automatic.length > 0 ? Math.min(...automatic.map(({ nextMs }) => nextMs)) : null,
    needsUser: quarantined > 0 || last.cause === 'access',
  }
}

/** At most 80 columns wide, except for long names in the reason. */
export function waitingLines(waiting: WaitingQuestions, zone: Zone): string[] {
  const { count, quarantined, since, reason } = waiting
  const held = quarantined > 0 ? `, ${quarantined} of them failed three times` : ''
  return [
    `${plural(count, 'question')} ${count === 1 ? 'waits' : 'wait'} for a model since ${zone.minute(since)}${held}`,
    `  Last reason: ${truncate(oneLine(reason), 64)}`,
    ...nextSteps(waiting, zone).map((step) => `  ${step}`),
  ]
}

function nextSteps({ cause, quarantined, nextMs }: WaitingQuestions, zone: Zone): string[] {
  const retry = 'To ask now: recollect sweep --retry'
  if (cause === 'access') return ['Check the key, login and model: recollect models', retry]
  if (cause === 'budget') return ['Asked again tomorrow, or when a limit under [models] is raised', retry]
  const next = nextMs === null ? [] : [`Asked again from ${zone.minute(isoTime(nextMs))} on`]
  return quarantined > 0 ? [...next, 'Those that failed three times wait for you', retry] : [...next, retry]
}
