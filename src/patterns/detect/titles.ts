// Titles of patterns: one line that is understood without numbers.
import { ellipsize } from '../../text/truncate.ts'
import type { SignalType } from '../types.ts'
import { describeErrorKind } from './error-kind.ts'

/** `detail` is that of the earliest signal. */
export function patternTitle(type: SignalType, locus: string, detail: string): string {
  switch (type) {
    case 'retry storm':
      return `Retries without a change in between: ${quoted(locus)}`
    case 'repeated error':
      return `Several times in one session: ${describeError(locus, detail)}`
    case 'recurring error':
      return capitalise(describeError(locus, detail))
    case 'expensive session':
      return [`Expensive sessions`, costReason(locus)].filter(Boolean).join(': ')
    case 'abandoned':
      return `Abandoned sessions: ${locus}`
    case 'clean pass':
      return `Sessions without errors and corrections that end with ${locus === 'tests' ? 'passing tests' : 'a commit'}`
    case 'recovery':
      return recoveryTitle(locus, detail)
    case 'overhead':
      return `More than a quarter of all calls are overhead: ${locus}`
    case 'schema thrash':
      return `Calls with invalid arguments: ${quoted(locus)}`
    case 'tool thrash':
      return `The same call repeated with no change in between: ${quoted(locus)}`
    case 'unread edit':
      return 'Files edited before they were read'
    case 'repeated correction':
      return `You gave this correction more than once: "${ellipsize(detail, 120)}"`
    case 'command sequence':
      return `Commands that succeed in this order: ${locus.split(' && ').map(quoted).join(', ')}`
    case 'lost at compaction':
      return locus === 'corrected'
        ? 'Corrections right after a compaction'
        : 'Files read again right after a compaction'
    case 'denial':
      return `Denied calls: ${quoted(locus)}`
    case 'untested change':
      return 'Code changed but not tested afterwards'
    default:
      return type satisfies never
  }
}

/** What made sessions expensive; '' where it is unknown. */
export function costReason(locus: string): string {
  return costReasons.get(locus) ?? ''
}

const costReasons = new Map(
  Object.entries({
    'outgrew the context': 'the context was compacted',
    'many failures': 'many calls failed',
    'many corrections': 'the user corrected the agent several times',
  }),
)

function recoveryTitle(locus: string, detail: string): string {
  const [error, by] = locus.split(' → ') as [string, string]
  return `After ${describeError(error, detail)}: ${by === 'read' ? 'reading the file again' : quoted(by)} helped`
}

function describeError(locus: string, detail: string): string {
  return describeErrorKind(locus) ?? `error: ${detail.replace(/^(?:\d+ times: )?(?:error: )?/i, '')}`
}

function quoted(what: string): string {
  return `\`${what}\``
}

function capitalise(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
