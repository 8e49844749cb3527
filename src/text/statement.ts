// A statement as the words that carry it: what two statements are compared by.

export interface StatementTerms {
  /** Stems of the words that carry meaning. */
  words: Set<string>
  /** Names, numbers, versions and paths: where these differ, two statements are not the same. */
  values: Set<string>
  /** Whether it forbids or denies. */
  isNegative: boolean
}

export function statementTerms(text: string): StatementTerms {
  const words = new Set<string>()
  const values = new Set<string>()
  const plain = text.normalize('NFKC').replaceAll('’', "'").toLowerCase()
  for (const [token] of plain.matchAll(tokens)) {
    if (isValue.test(token)) values.add(token.replace(/^[`"']+|[`"'.,;:]+$/g, ''))
    else if (cjk.test(token)) for (const pair of pairsOf(token)) words.add(pair)
    else if (!stopWords.has(token) && !negators.test(token)) words.add(stemOf(token))
  }
  return { words, values, isNegative: negation.test(plain) }
}

const tokens =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]+|[\p{L}\p{N}_]+(?:[./:@#+$~'-]+[\p{L}\p{N}_]+)*/gu
const cjk = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u
/** Digits, paths, dotted, snake and camel names. */
const isValue = /\d|[/._:@$~](?=\w)/
const negators =
  /^(?:no|not|never|don't|dont|doesn't|won't|can't|cannot|stop|avoid|nicht|kein|keine|nie|jamais|pas|nunca)$/
const negation =
  /\b(?:no(?!-)|not|never|don't|dont|doesn't|isn't|aren't|won't|can't|cannot|mustn't|shouldn't|stop|avoid|forbid(?:s|den)?|ban(?:s|ned)?|disallow(?:s|ed)?|no longer|nicht|kein\w*|nie|niemals|jamais|ne pas|nunca)\b|不要|别|禁止|しない|ないで|하지\s?마/

function pairsOf(token: string): string[] {
  const characters = [...token]
  return characters.length < 2 ? characters : characters.slice(1).map((next, index) => characters[index]! + next)
}

/** Crude on purpose: two forms of a word only have to meet. */
function stemOf(word: string): string {
  return word.length < 5 ? word : word.replace(/(?:ations?|ings?|ed|es|s|ly)$/, '')
}

const stopWords = new Set(
  `a an and any are as at be been but by can could did do does for from get go had has have he her his how i i'd i'll i'm i've if in
  into is it it's its just let let's like make may me more most must my of on once one only or our out over please shall she should so some such
  than that that's the their them then there these they this those to too under up us use used using very was we we're were what when where
  which while who why will with would you you're your always every each all also now`
    .split(/\s+/)
    .filter(Boolean),
)

/** How much of the two statements is common to both, 0 to 1. */
export function likeness(a: StatementTerms, b: StatementTerms): number {
  const mine = union(a)
  const theirs = union(b)
  const shared = sharedOf(mine, theirs)
  return shared === 0 ? 0 : shared / (mine.size + theirs.size - shared)
}

/** Likeness of what the statements are about, whatever values they name. */
export function topicLikeness(a: StatementTerms, b: StatementTerms): number {
  const shared = sharedOf(a.words, b.words)
  return shared === 0 ? 0 : shared / (a.words.size + b.words.size - shared)
}

export function sharedOf(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let shared = 0
  for (const word of a) if (b.has(word)) shared++
  return shared
}

function union({ words, values }: StatementTerms): Set<string> {
  return new Set([...words, ...values])
}
