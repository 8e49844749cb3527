// Whether a person stands behind what a sentence says. A rule can be denied, supposed, asked for or reported from a document or a
// program with the very words in which others lay one down.

/** The sentence does not claim what it says. */
export function isWithheld(plain: string): boolean {
  return denied.test(plain) || supposed.test(plain) || reported.test(plain) || openQuestion.test(plain)
}

const denied =
  /\b(?:not saying|never said|didn't say|nobody (?:said|says|claims?)|no one (?:said|says)|not (?:claiming|suggesting|implying)|doesn't mean|don't worry|no (?:rule|law|reason|requirement) (?:that|which))\b/

const supposed =
  /^(?:(?:and|but|so|then) )*(?:suppose|imagine|let's (?:say|assume|suppose|pretend)|say we|what if|assuming)\b/

const reported =
  /\b(?:docs?|documentation|readme|linter|compiler|lint|eslint|error|warning|message|log|output|spec|manual|guide|article|tutorial|bot) (?:says?|said|states?|claims?|complains?|reports?|suggests?|recommends?|tells?|puts it)\b ?(?:that|:|,|QUOTE)/

/** A question that waits for an answer; "why aren't we ...?" lays a rule down. */
const openQuestion = /^(?:should|shall|do|does|did|must|may|are|is|will) (?:we|i|it|they|you|this|that|the)\b.*\?\W*$/

/** What may be done one day is no decision yet. */
export function isHypothetical(plain: string): boolean {
  return /\b(?:we|you|i|one|they) could\b|\b(?:some ?day|one day|at some point|maybe later|later on)\b|\bif we (?:ever|were to|wanted)\b/.test(
    plain,
  )
}
