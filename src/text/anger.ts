// Words of anger. Anger is about a moment, and rarely says what is wanted: such a statement is not
// quoted to others, and nothing is named by its words.

export function isAngry(text: string): boolean {
  return angryWords.test(text)
}

const angryWords = /\b(?:(?:bull)?shit\w*|fuck\w*|damn\w*|crap|wtf|omfg|stupid|idiot\w*|dumb)\b/i
