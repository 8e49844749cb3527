// What a session needed again although an earlier session of its project knew it.
import type { KnownIn } from '../store/past/replayed-sessions.ts'

/** `said`: the person had to say it again. `command`: it failed first. `file`: it was searched for. `error`: it came again. */
export const needKinds = ['said', 'command', 'file', 'error'] as const
export type NeedKind = (typeof needKinds)[number]

export interface Need {
  kind: NeedKind
  /** What was known: the sentence, the command that passes, the path, the error with what helped. */
  text: string
  /** What must stand in a text that tells it. */
  names: TellingNames
  /** What somebody would ask who does not know it. */
  question: string
  /** Where it was needed: what is told later comes too late. */
  seq: number
  known: KnownIn
}

/**
 * `words`: most words of a sentence, in one line. `command`: the program and each option, in one line.
 * `path`: the file with its folder. `all`: each of these texts, in one line.
 */
export type TellingNames =
  | { by: 'words'; words: readonly string[] }
  | { by: 'command'; phrase: string; words: readonly string[] }
  | { by: 'path'; path: string }
  | { by: 'all'; texts: readonly string[] }
