// From what a person types to an expression of the index. Only letters and digits of it are handed over, each word in
// quotes, so nothing that can be typed is a syntax error there.

export interface Query {
  /** Words of which any counts. A word with signs in it (`src/app.ts`, `don't`) is a sequence. */
  any: Sequence[]
  /** Phrases in quotes: all of them must be there. */
  all: Sequence[]
  /** What must not be there: `-word`, `-"a phrase"`. */
  none: Sequence[]
}

/** Words that follow each other. */
export type Sequence = readonly string[]

/** A pasted log makes no better question by its thousandth word. */
const mostSequences = 64

export function parseQuery(text: string): Query {
  const any: Sequence[] = []
  const all: Sequence[] = []
  const none: Sequence[] = []
  for (const [token, sign, phrase] of text.matchAll(/(-?)"([^"]*)"|[^\s"]+/g)) {
    // `--force` is a flag that somebody looks for.
    const isNot = phrase === undefined ? /^-[^-]/.test(token) : sign === '-'
    const sequence = wordsOf(phrase ?? token)
    if (sequence.length > 0) (isNot ? none : phrase === undefined ? any : all).push(sequence)
  }
  const telling = any.filter((sequence) => !sequence.every((word) => stopWords.has(word)))
  return { any: distinct(telling.length + all.length > 0 ? telling : any), all: distinct(all), none: distinct(none) }
}

/** Whether there is anything to look for: signs alone, or only what must not be there, find nothing. */
export function isEmptyQuery({ any, all }: Query): boolean {
  return any.length + all.length === 0
}

function wordsOf(text: string): string[] {
  return (
    text
      .normalize('NFC')
      .toLowerCase()
      .match(/[\p{L}\p{N}\p{Co}\p{M}]+/gu) ?? []
  )
}

function distinct(sequences: Sequence[]): Sequence[] {
  return [...new Map(sequences.map((sequence) => [sequence.join(' '), sequence])).values()].slice(0, mostSequences)
}

/** The expression of FTS5. Words beside phrases only lift what has them. */
export function matchExpression({ any, all, none }: Query): string {
  const either = [...all, ...any].map(quoted).join(' OR ')
  const wanted = [...all.map(quoted), `(${either})`].join(' AND ')
  return none.length === 0 ? wanted : `(${wanted}) NOT (${none.map(quoted).join(' OR ')})`
}

function quoted(sequence: Sequence): string {
  return `"${sequence.join(' ')}"`
}

export interface Match {
  at: number
  length: number
  /** Which sequence of the query it is. */
  sequence: number
}

/** Where a text has what is looked for. */
export function matchesIn(text: string, { any, all }: Query): Match[] {
  const found: Match[] = []
  const folded = fold(text)
  for (const [index, sequence] of [...all, ...any].entries()) {
    for (const match of folded.matchAll(pattern(sequence)))
      found.push({ at: match.index, length: match[0].length, sequence: index })
  }
  return found.sort((a, b) => a.at - b.at || b.length - a.length)
}

/** The share of what is looked for that a text has; 0 where it must not be found. */
export function coverage(text: string, query: Query): number {
  const folded = fold(text)
  const has = (sequence: Sequence) => pattern(sequence).test(folded)
  if (query.none.some(has) || !query.all.every(has)) return 0
  return (query.all.length + query.any.filter(has).length) / (query.all.length + query.any.length)
}

function pattern(sequence: Sequence): RegExp {
  const words = sequence.map(fold).join('[^\\p{L}\\p{N}]+')
  return new RegExp(`(?<![\\p{L}\\p{N}])${words}(?![\\p{L}\\p{N}])`, 'giu')
}

/** Letters of Latin, Greek and Cyrillic without accents; as long as before, so that places in it are places in the text. */
function fold(text: string): string {
  return text.replace(/[\u00c0-\u024f\u0370-\u04ff\u1e00-\u1fff]/g, (letter) => letter.normalize('NFD')[0]!)
}

const stopWords = new Set(
  `a about after again all also am an and any are aren as at be because been before being but by can could couldn d did
  didn do does doesn doing don done down for from get got had has hasn have haven having he her here him his how i if in
  into is isn it its just let ll m may me might must my no nor not now of off on once only or other our out over own
  please re s same shall she should shouldn so some such t than that the their them then there these they this those
  through to too under until up us ve very was wasn we were weren what when where which while who whom why will with
  won would wouldn yet you your`.split(/\s+/),
)
