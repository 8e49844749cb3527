// Titles of patterns: one line that is understood without numbers.
import type { SignalType } from '../types.ts'
import { describeErrorKind } from './error-kind.ts'

/** `detail` is taken from the earliest signal. */
export function patternTitle(type: SignalType, locus: string, detail: string): string {
  switch (type) {
    case 'retry storm':
      return `${quoted(locus)} is tried again and again with nothing changed in between`
    case 'repeated error':
      return `Again and again in one session: ${describeError(locus, detail)}`
    case 'recurring error':
      return capitalise(describeError(locus, detail))
    case 'expensive session':
      return `Sessions that cost more than nine of ten${locus && `: ${locus}`}`
    case 'abandoned':
      return `Sessions that were given up: ${locus}`
    case 'clean pass':
      return `Sessions without an error or a correction, ending in ${locus}`
    case 'recovery':
      return recoveryTitle(locus, detail)
    case 'overhead':
      return `More than a quarter of the calls only manage the work: ${locus}`
    case 'schema thrash':
      return `${quoted(locus)} is called with arguments that it does not take`
    case 'tool thrash':
      return `The same ${quoted(locus)} call again and again with nothing changed in between`
    case 'unread edit':
      return 'Files are edited before they were read'
    case 'repeated correction':
      return `You keep saying: "${detail.slice(0, 120)}"`
    case 'command sequence':
      return `A way that works: ${locus.split(' && ').map(quoted).join(', then ')}`
    case 'lost at compaction':
      return locus === 'corrected'
        ? 'The first word after a compaction is a correction'
        : 'Files are read again right after a compaction'
    case 'denial':
      return `${quoted(locus)} is refused`
    case 'untested change':
      return 'Code is changed and not tested afterwards, where others run tests'
    default:
      return type satisfies never
  }
}

function recoveryTitle(locus: string, detail: string): string {
  const [error, by] = locus.split(' → ') as [string, string]
  return `When ${describeError(error, detail)}: ${recoveryHints[by] ?? `${quoted(by)} helps`}`
}

const recoveryHints: Record<string, string> = {
  read: 'looking again helps',
  edit: 'a change helps',
}

function describeError(locus: string, detail: string): string {
  return describeErrorKind(locus) ?? detail.replace(/^\d+ times in one session: |: \S.* helped$/g, '')
}

function quoted(what: string): string {
  return `\`${what}\``
}

function capitalise(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
