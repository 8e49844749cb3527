// Selects the sentences of a source that say most within a token budget. Words that were quoted
// already count less, so repetition makes room for new content.
import { estimateTokens } from '../text/tokens.ts'
import { minFirmness, type QuotedPiece } from './argument.ts'

/** Weight of a word that was quoted already. */
const repeatedWordWeight = 0.3
/** Firmness above this adds no weight. */
const maxFirmness = 5

/** In the order of the talk. Words in `elsewhere` count as quoted already. */
export function selectSentences(
  pieces: QuotedPiece[],
  maxTokens: number,
  elsewhere: ReadonlySet<string> = new Set(),
): QuotedPiece[] {
  const left = new Set(distinct(pieces).filter(({ firmness }) => firmness >= minFirmness))
  const said = new Set(elsewhere)
  const picked: QuotedPiece[] = []
  let tokens = 0
  for (;;) {
    const best = bestOf(
      [...left].filter((piece) => tokens + tokenCost(piece) <= maxTokens),
      said,
    )
    if (best === undefined) return picked.sort((a, b) => a.seq - b.seq || a.place - b.place)
    left.delete(best)
    picked.push(best)
    tokens += tokenCost(best)
    for (const word of best.words.keys()) said.add(word)
  }
}

/** A queued prompt occurs twice in a talk. */
function distinct(pieces: QuotedPiece[]): QuotedPiece[] {
  return [...new Map(pieces.map((piece) => [piece.text, piece])).values()]
}

function bestOf(pieces: QuotedPiece[], said: Set<string>): QuotedPiece | undefined {
  const worth = pieces.map((piece) => (novelty(piece, said) * Math.min(piece.firmness, maxFirmness)) / tokenCost(piece))
  return pieces[worth.indexOf(Math.max(...worth))]
}

function novelty({ words }: QuotedPiece, said: Set<string>): number {
  let sum = 0
  for (const [word, weight] of words) sum += weight * (said.has(word) ? repeatedWordWeight : 1)
  return sum
}

/** Includes the tokens of a line of its own. */
function tokenCost({ text, asked }: QuotedPiece): number {
  return estimateTokens(`${asked}${text}`) + (asked === '' ? 3 : 6)
}
