// The words that tell what a sentence is about, cut to a stem, and which of them are names or values.

export function contentWords(text: string): string[] {
  const words =
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{N}][\p{L}\p{N}\p{M}_]*/gu) ?? []
  return words.flatMap((word) => (dense.test(word) ? pairsOf(word) : isTelling(word) ? [stem(word)] : []))
}

function isTelling(word: string): boolean {
  return !functionWords.has(word) && (word.length > 1 || /\d/.test(word))
}

/** Scripts without spaces: two characters that stand together are about a word. */
function pairsOf(run: string): string[] {
  const characters = [...run]
  return characters.length === 1
    ? characters
    : characters.slice(1).map((character, index) => characters[index]! + character)
}

const dense = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u

/** A number, an identifier, an acronym: what rules are made of and what cannot be said in other words. */
export function valuesIn(text: string): Set<string> {
  const found =
    text.match(/\b\d[\d.,]*\b|\b\w+_\w+\b|\b[a-z]+[A-Z]\w*\b|\b[A-Z][A-Z0-9]{1,}\b|\b[A-Z][a-z]+[A-Z]\w*\b/g) ?? []
  return new Set(found.flatMap((value) => contentWords(value)))
}

function stem(word: string): string {
  if (word.length < 5 || /[\d_]/.test(word)) return word
  return word.replace(/ies$/, 'y').replace(/(?:ingly|edly|ing|ed|es|s|ly|e)$/, '')
}

const functionWords = new Set(
  `a about again also am an and are as at be because been being but by can could did do does doing done even for from get gets
  go goes got had has have having he her here him his how i if in into is it its just let like make me more most much my now
  of on or other our out own she should so some such than that the their them then there these they thing this those through
  to too us very was we well were what when where which while who why will with would yes you your`.split(/\s+/),
)
