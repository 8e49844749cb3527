// English stems (Porter 1980): "deciding", "decided" and "decides" share one stem. Words of other
// languages pass through mostly unchanged; texts and queries are stemmed alike.
import { stemmer } from 'stemmer'
import { irregularForms } from './irregular.ts'

export function stem(word: string): string {
  return /^[a-z]{3,}$/.test(word) ? stemmer(irregularForms.get(word) ?? word) : word
}
