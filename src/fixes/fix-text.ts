// Tells a fix in a few lines, the same for people and agents: what failed, what helped, and where it
// comes from.
import { shortId } from '../core/session.ts'
import { plural, type Zone } from '../core/units.ts'
import type { FixMatch, FoundFix } from './find-fixes.ts'

export interface FixText {
  /** `npm test: Error: …` */
  failure: string
  /** What made the difference: a sentence, or the file with the changed lines. */
  remedy: string
  diff: string[]
  /** Day, agent, session and how often. */
  source: string
}

export function fixText(fix: FoundFix, zone: Zone): FixText {
  const { kind, command, error, remedy, file, diff, agent, at, times, sessions, match } = fix
  const often = times > 1 ? `${times} times in ${plural(sessions, 'session')}` : ''
  const about = [at ? zone.day(at) : '', agent, fixPlace(fix), notes[match], often]
  return {
    failure: error === '' ? command : `${command}: ${error}`,
    remedy: kind === 'edit' ? `It works after this edit of ${file}:` : remedy,
    diff: diff === '' ? [] : diff.split('\n'),
    source: about.filter((part) => part !== '').join('  '),
  }
}

const notes: Record<FixMatch, string> = { same: '', form: 'other names', near: 'similar error' }

/** For `recollect show`. */
export function fixPlace({ session, failedSeq }: FoundFix): string {
  return `${shortId(session)}#${failedSeq}`
}
