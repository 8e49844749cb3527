// Stop words: one list of function words, and two sets built from it, because search and the
// comparison of statements ignore different words beyond it.

/** Articles, pronouns, auxiliaries, conjunctions and short prepositions. No text is about these. */
const functionWords = words(
  `a about an and any are as at be been but by can could did do does for from had has have he her his how i if in into
  is it its just let may me must my of on once only or our out over please shall she should so some such than that the
  their them then there these they this those to too under up us very was we were what when where which while who why
  will with would you your`,
)

/** Ignored by full-text search, in the index and in queries. A change requires a new index. */
export const stopWords: ReadonlySet<string> = new Set([
  ...functionWords,
  ...words(
    `after again all also am aren because before being couldn d didn doesn doing don done down hadn hasn haven having
    here hers him isn ll m might mine mustn no nor not now off other ours own re s same shouldn t theirs through until
    ve wasn weren whom won wouldn yet yours`,
  ),
])

/**
 * Ignored when two statements are compared. "Before", "after" and "off" stay, because they change a
 * rule; "use" and "always" go, because "always use tabs" and "use tabs" are the same rule.
 */
export const statementStopWords: ReadonlySet<string> = new Set([
  ...functionWords,
  ...words(
    `all also always each every get go i'd i'll i'm i've it's let's like make more most now one that's use used using
    we're you're`,
  ),
])

function words(text: string): string[] {
  return text.trim().split(/\s+/)
}
