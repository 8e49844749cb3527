// Finds what was changed after, or just before, an explanation that does not say it itself.

import type { FunctionalSentence } from '../text/sentence-function.ts'
import { answersTo, type SpokenSentences, turnEnd, turnStart } from './confirmation.ts'
import { mentionedWords } from './question.ts'
import { type LastFix, lastFix } from './refuted.ts'
import type { TalkMessage } from './sources.ts'

/**
 * What was changed: in this turn or one of the next two, the last message that says so; otherwise a
 * message before it in its turn, or the subject of a commit that followed.
 */
export function fixesOf(talk: TalkMessage[], spoken: SpokenSentences, index: number, about: string): LastFix[] {
  const words = mentionedWords(about)
  const fixesIn = (from: number, to: number, minShared: number): LastFix[] => {
    const isFix = ({ function: part, text }: FunctionalSentence) =>
      part === 'fix' && [...mentionedWords(text)].filter((word) => words.has(word)).length >= minShared
    for (let at = Math.min(to, talk.length) - 1; at >= from; at--) {
      const fixes = spoken(at).filter(isFix)
      const lasting = fixes.flatMap((sentence) => lastFix(talk, spoken, at, sentence) ?? [])
      if (lasting.length > 0) return lasting
    }
    return []
  }
  let from = index + 1
  for (let turn = 0; turn <= maxTurnsToFix && from < talk.length; turn++) {
    const end = turnEnd(talk, from - 1)
    const found = fixesIn(from, end, turn === 0 ? 1 : 2)
    if (found.length > 0) return found
    from = end + 1
  }
  const before = fixesIn(turnStart(talk, index), index, 0)
  return before.length > 0 ? before : committedFix(talk, index)
}

function committedFix(talk: TalkMessage[], index: number): LastFix[] {
  const after = talk.slice(index, answersTo(talk, index).end)
  return after
    .flatMap((said) => (said.commits ?? []).map((subject) => ({ said, subject })))
    .slice(0, 1)
    .map(({ said, subject }) => ({
      said,
      sentence: { text: `committed "${subject}"`, place: 0, function: 'fix', strength: 1 },
    }))
}

const maxTurnsToFix = 2
