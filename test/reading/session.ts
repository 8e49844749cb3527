// A made-up session of the reading set with what a careful reader would say about it, and short names for its steps.
import type { AiderScript } from '../aider-history.ts'
import type { SessionScript, Step } from '../transcripts.ts'

export interface ReadingSession {
  /** What it shows. */
  about: string
  script: SessionScript | AiderScript
  expected: Expected
}

export type ExpectedOutcome = 'success' | 'waiting' | 'open' | 'fail' | 'abandoned' | 'unknown'

/** Lists of patterns are sources of regular expressions that ignore case. */
export interface Expected {
  /** A useful title matches one of these; empty if the session needs no title. */
  titleAbout: string[]
  /** A useless title matches one of these. */
  titleNot: string[]
  /** More than one only where careful readers could disagree; the first is the better one. */
  outcome: ExpectedOutcome[]
  kind: 'work' | 'talk' | 'health-check' | 'empty'
  /** Name of the project. */
  project: string
  /** Words of the first and last request with substance; one of each list is enough. */
  firstAsked: string[]
  lastAsked: string[]
  /** What is left to do; '' if nothing is. */
  open: string
  cause?: string
  fix?: string
  /** Only what was decided in so many words. */
  decisions: string[]
}

export const say = (text: string): Step => ({ do: 'say', text })
export const reply = (text: string): Step => ({ do: 'reply', text })
export const run = (command: string, output?: string, exit?: number): Step => ({ do: 'run', command, output, exit })
export const read = (path: string): Step => ({ do: 'read', path })
export const edit = (path: string, from?: string, to?: string): Step => ({ do: 'edit', path, from, to })
export const wait = (minutes: number): Step => ({ do: 'wait', minutes })

export function startedAt(time: string): number {
  return Date.parse(`${time}:00Z`)
}
