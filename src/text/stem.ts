// English stems (Porter 1980): "deciding", "decided" and "decides" share one stem. Words of other
// languages pass through mostly unchanged; texts and queries are stemmed alike.
import { stemmer } from 'stemmer'
import { irregularForms } from './irregular.ts'

export function stem(word: string): string {
  const known = knownStems.get(word)
  if (known !== undefined) return known
  const found = /^[a-z]{3,}$/.test(word) ? stemmer(irregularForms.get(word) ?? word) : word
  if (knownStems.size < maxKnown) knownStems.set(word, found)
  return found
}

/** A cache: nine of ten words of a text were seen before. */
const knownStems = new Map<string, string>()
const maxKnown = 50_000
