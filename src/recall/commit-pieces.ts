// Splits commit messages into sentences that can be quoted: the body says why and what must stay
// so.

import { contentWords, valuesIn } from '../text/content-words.ts'
import { quotableSentences } from '../text/sentences.ts'
import type { QuotedPiece } from './argument.ts'
import { firmness, prescribes } from './assertiveness.ts'
import type { SourceCommit } from './sources.ts'

export function commitSubject({ message }: SourceCommit): string {
  return message.split('\n', 1)[0]!.trim()
}

/** Without trailers that tools add, and with lines wrapped at column 72 joined again. */
export function commitBody({ message }: SourceCommit): string {
  const [, ...lines] = message.split('\n')
  return lines
    .join('\n')
    .replace(/^(?:[A-Z][\w-]+-by|Change-Id|Closes|Fixes|Refs?|Reviewed-on|Signed-off)\b:?.*$/gim, '')
    .replace(/(?<=\S)\n(?=[^\s*#>-])/g, ' ')
    .trim()
}

export function commitPieces(commit: SourceCommit, query: string): QuotedPiece[] {
  const body = commitBody(commit).replace(/^(?: {4}|\t).*$/gm, '')
  const asked = new Set(contentWords(query))
  const values = valuesIn(body)
  const weightOf = (word: string) => (asked.has(word) ? 1.4 : 1) * (values.has(word) ? 1.4 : 1)
  return quotableSentences(body).map((text, place) => ({
    seq: 0,
    place,
    role: 'user' as const,
    part: 'statement' as const,
    followed: [],
    text,
    asked: '',
    isPasted: false,
    firmness: Math.max(firmness(text, query), 0.5) + (prescribes(text) ? 1 : 0),
    words: new Map(contentWords(text).map((word) => [word, weightOf(word)])),
  }))
}

/** Score factor: a message that only names the change ("simplify retry") explains nothing. */
export function explanationFactor(commit: SourceCommit): number {
  const sentences = quotableSentences(commitBody(commit))
  if (sentences.length === 0) return 0.5
  return 0.85 + 0.2 * Math.min(2, sentences.filter(prescribes).length)
}

/** Above this number of later commits, one shared word is chance and two are required. */
const maxQuietCommits = 5

/** A later commit on the same files without a body whose subject shares words with this one. */
export function findUnexplained(commit: SourceCommit, after: SourceCommit[]): SourceCommit | undefined {
  const words = new Set(contentWords(`${commit.message} ${commit.files.join(' ')}`))
  const shared = after.map((later) =>
    commitBody(later) === '' ? contentWords(commitSubject(later)).filter((word) => words.has(word)).length : 0,
  )
  const max = Math.max(0, ...shared)
  return max >= (after.length > maxQuietCommits ? 2 : 1) ? after[shared.indexOf(max)] : undefined
}
