/**
 * About how many tokens a model makes of a text, without its tokeniser: four characters of Latin prose, three of code and
 * paths, one where a script needs no spaces. Rather too many than too few, since budgets are limits.
 */
export function estimateTokens(text: string): number {
  let wide = 0
  for (const character of text) if (character.codePointAt(0)! > 0x2e7f) wide++
  return Math.ceil((text.length - wide) / 3.5) + wide
}
