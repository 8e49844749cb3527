// The sentences of a source that say most within a number of tokens: a word counts less when it has been said, so what was
// said twice makes room for what was said nowhere else.
import { estimateTokens } from '../text/tokens.ts'
import { leastFirm, type Piece } from './argument.ts'

/** What a word is worth that has been said already. */
const again = 0.3
/** More cues than this say the same. */
const mostFirm = 5

/** In the order in which they were said. What was said elsewhere counts as said. */
export function pick(pieces: Piece[], maxTokens: number, elsewhere: ReadonlySet<string> = new Set()): Piece[] {
  const left = new Set(distinct(pieces).filter(({ firmness }) => firmness >= leastFirm))
  const said = new Set(elsewhere)
  const picked: Piece[] = []
  let tokens = 0
  for (;;) {
    const best = bestOf(
      [...left].filter((piece) => tokens + costOf(piece) <= maxTokens),
      said,
    )
    if (best === undefined) return picked.sort((a, b) => a.seq - b.seq || a.place - b.place)
    left.delete(best)
    picked.push(best)
    tokens += costOf(best)
    for (const word of best.words.keys()) said.add(word)
  }
}

/** A prompt that waited in a queue stands in the talk twice. */
function distinct(pieces: Piece[]): Piece[] {
  return [...new Map(pieces.map((piece) => [piece.text, piece])).values()]
}

function bestOf(pieces: Piece[], said: Set<string>): Piece | undefined {
  const worth = pieces.map((piece) => (newIn(piece, said) * Math.min(piece.firmness, mostFirm)) / costOf(piece))
  return pieces[worth.indexOf(Math.max(...worth))]
}

function newIn({ words }: Piece, said: Set<string>): number {
  let sum = 0
  for (const [word, weight] of words) sum += weight * (said.has(word) ? again : 1)
  return sum
}

/** With what a line of its own costs. */
function costOf({ text, asked }: Piece): number {
  return estimateTokens(`${asked}${text}`) + (asked === '' ? 3 : 6)
}
