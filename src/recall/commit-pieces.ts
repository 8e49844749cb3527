// The sentences of a commit message: its subject says what was done, its body why and what must stay so.

import { contentWords, valuesIn } from '../text/content-words.ts'
import { sentencesIn } from '../text/sentences.ts'
import type { Piece } from './argument.ts'
import { firmness, prescribes } from './assertiveness.ts'
import type { Commit } from './source.ts'

export function subjectOf({ message }: Commit): string {
  return message.split('\n', 1)[0]!.trim()
}

/** Without what tools add below it, and with lines that were broken at column 72 put together again. */
export function bodyOf({ message }: Commit): string {
  const [, ...lines] = message.split('\n')
  return lines
    .join('\n')
    .replace(/^(?:[A-Z][\w-]+-by|Change-Id|Closes|Fixes|Refs?|Reviewed-on|Signed-off)\b:?.*$/gim, '')
    .replace(/(?<=\S)\n(?=[^\s*#>-])/g, ' ')
    .trim()
}

export function commitPieces(commit: Commit, query: string): Piece[] {
  const body = bodyOf(commit).replace(/^(?: {4}|\t).*$/gm, '')
  const asked = new Set(contentWords(query))
  const values = valuesIn(body)
  const weightOf = (word: string) => (asked.has(word) ? 1.4 : 1) * (values.has(word) ? 1.4 : 1)
  return sentencesIn(body).map((text, place) => ({
    seq: 0,
    place,
    role: 'user' as const,
    text,
    asked: '',
    isPasted: false,
    firmness: Math.max(firmness(text, query), 0.5) + (prescribes(text) ? 1 : 0),
    words: new Map(contentWords(text).map((word) => [word, weightOf(word)])),
  }))
}

/** A message that only names what it did ("simplify retry") says nothing that a later reader could hold on to. */
export function explained(commit: Commit): number {
  const sentences = sentencesIn(bodyOf(commit))
  if (sentences.length === 0) return 0.5
  return 0.85 + 0.2 * Math.min(2, sentences.filter(prescribes).length)
}

/** A file that was changed more often than this is everybody's. */
const fewCommits = 5

/** A later commit on the same files that explains nothing, and is about the same thing as far as its subject tells. */
export function unexplainedAfter(commit: Commit, after: Commit[]): Commit | undefined {
  const words = new Set(contentWords(`${commit.message} ${commit.files.join(' ')}`))
  const shared = after.map((later) =>
    bodyOf(later) === '' ? contentWords(subjectOf(later)).filter((word) => words.has(word)).length : 0,
  )
  const max = Math.max(0, ...shared)
  return max >= (after.length > fewCommits ? 2 : 1) ? after[shared.indexOf(max)] : undefined
}
