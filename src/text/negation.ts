// Words that forbid, deny or restrict. Two statements with the same words and different negation
// contradict each other.

const negativePhrase =
  /\b(?:no(?!-)|not|never|don't|dont|doesn't|isn't|aren't|won't|can't|cannot|mustn't|shouldn't|stop|avoid|forbid(?:s|den)?|ban(?:s|ned)?|disallow(?:s|ed)?|no longer|nicht|kein\w*|nie|niemals|jamais|ne pas|nunca)\b|不要|别|禁止|しない|ないで|하지\s?마/

/** Whether the text forbids or denies something. Expects lower case and straight apostrophes. */
export function isNegative(text: string): boolean {
  return negativePhrase.test(text)
}

const negationWord =
  /^(?:no|not|never|don't|dont|doesn't|won't|can't|cannot|stop|avoid|nicht|kein|keine|nie|jamais|pas|nunca)$/

/** Whether a lower-case word carries nothing but negation. */
export function isNegationWord(word: string): boolean {
  return negationWord.test(word)
}

/**
 * The words that restrict a rule, sorted: equal for two rules that forbid, limit or demand alike.
 */
export function qualifiersIn(text: string): string {
  const words = text.toLowerCase().match(/\b(?:not|never|no|none|without|only|always|unless|except|avoid)\b|n['’]t\b/g)
  return (words ?? [])
    .map((word) => (/^n['’]t$/.test(word) ? 'not' : word))
    .toSorted()
    .join(' ')
}
