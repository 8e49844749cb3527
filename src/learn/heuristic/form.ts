// How a sentence is built, as far as that can be told without a parser: who it is about, and whether it says what holds, what
// happened or what goes on. A rule or a fact is said of a thing, in the present.

export function syntaxFeatures(plain: string): string[] {
  const clause = clauseOf(plain)
  return forms.filter(([, pattern]) => pattern.test(clause)).map(([name]) => name)
}

/** The clause itself, without what only leads to it. */
function clauseOf(plain: string): string {
  return plain.replace(
    /^(?:(?:no|nope|wrong|actually|but|wait|i (?:really )?(?:think|believe|feel|thought|forgot to (?:tell you|mention|say))(?: that)?|context|note(?: that)?|fyi|remember(?: that)?|because|since|found it|option \w+|[a-d]|it sounds like)[,.:)]* )+/,
    '',
  )
}

/** Who or what the sentence is about. */
const subjects: Record<string, RegExp> = {
  aboutWe: /^(?:we|we're|we've|we'll|we'd)\b/,
  aboutMe: /^(?:i|i'm|i've|i'd|i'll)\b/,
  aboutYou: /^(?:you|you're|you've)\b/,
  aboutThis: /^(?:it|it's|this|that|that's|these|those|they|they're)\b/,
  aboutThing: /^(?:the|our|their|its|my|a|an|IDENT|CODE|PATH|there|there's)\b/,
}

/** How it is said of it: what holds, what must be, what happened, what goes on. */
const tenses: Record<string, RegExp> = {
  holds:
    /^(?:\S+ ){1,6}?(?:is|are|isn't|aren't|has|have|hasn't|don't|doesn't|means?|uses?|returns?|runs?|needs?|requires?|lives?|reads?|writes?|goes|go|comes?|belongs?|contains?|supports?|allows?|accepts?|expects?|handles?|stores?|shares?|owns?|calls?|sends?|fires?|happens?|works?|costs?|keeps?|gets?|depends?|points?|knows?|makes?|breaks?|takes?)\b(?! \w+ing\b)/,
  happened:
    /^(?:\S+ ){0,5}?(?:was|were|did|didn't|had|got|went|saw|ran|broke|(?<!\b(?:is|are|be|been|get|gets|it's|that's|isn't|aren't) (?:\w+ )?)[a-z]*(?:[^e\W]|ee[a-z]+)ed)\b/,
  goesOn: /^(?:\S+ ){0,4}?(?:is|are|am|i'm|we're|it's|you're|they're|isn't|aren't)(?: not| still| just)? [a-z]+ing\b/,
}

const forms = [...Object.entries(subjects), ...Object.entries(tenses)]
