/**
 * Estimated tokens of a text: about four characters of Latin prose, three of code and paths, one of
 * scripts without spaces. Rounded up, because budgets are limits.
 */
export function estimateTokens(text: string): number {
  let wide = 0
  for (const character of text) if (character.codePointAt(0)! > 0x2e7f) wide++
  return Math.ceil((text.length - wide) / 3.5) + wide
}
