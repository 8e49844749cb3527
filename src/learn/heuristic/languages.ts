// Finds the language of a sentence and its cues. Cues of other languages have the names of the
// English ones, so that the weights learned from English messages apply.
import { type CueTable, french, german, italian, portuguese, spanish } from './latin-cues.ts'
import { chinese, japanese, korean, russian } from './script-cues.ts'

export type CuePattern = [name: string, pattern: RegExp]

/** Undefined for English, and for text without words of a known language. */
export function foreignCuesOf(plain: string): CuePattern[] | undefined {
  if (otherScript.test(plain)) {
    const written = scripts.find(({ script }) => script.test(plain))
    if (written) return written.cues
  }
  const words = plain.match(/[\p{L}'-]+/gu) ?? []
  let best: CuePattern[] | undefined
  let most = countOf(words, english)
  if (most * 2 >= words.length) return undefined
  for (const { frequent, cues } of latin) {
    const count = countOf(words, frequent)
    if (count > most) [best, most] = [cues, count]
  }
  return best
}

function countOf(words: string[], frequent: ReadonlySet<string>): number {
  let count = 0
  for (const word of words) if (frequent.has(word)) count++
  return count
}

const otherScript = /[\u0400-\u04ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/

/** Letters with accents are parts of words, so `\b` cannot be used. */
function wordPattern(alternatives: string): RegExp {
  return new RegExp(`(?<![\\p{L}'])(?:${alternatives})(?![\\p{L}])`, 'u')
}

const english = new Set(
  "the|to|is|it|it's|and|you|we|of|for|that|this|with|are|be|not|should|don't|our|my|please|i|a|in|on|use|never|always|from|must|can|when|run|no|or|as|at|if|do|an|but|so|was|have|has|by|all".split(
    '|',
  ),
)

const latin = [german, french, spanish, portuguese, italian].map(({ words, cues }) => ({
  frequent: new Set(words.split('|')),
  cues: patternsOf(cues, wordPattern),
}))

// Japanese comes before Chinese: its text also has Han characters.
const scripts = [japanese, korean, chinese, russian].map(({ script, cues }) => ({
  script,
  cues: patternsOf(cues, (source) => new RegExp(source, 'u')),
}))

function patternsOf(table: CueTable, patternOf: (source: string) => RegExp): CuePattern[] {
  return Object.entries(table).map(([name, source]) => [name, patternOf(source)])
}
