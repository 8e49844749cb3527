// English endings off, after Porter (1980): "deciding", "decided" and "decides" are one word. Words of other languages pass
// through it unharmed enough: it is applied to what is stored and to what is asked alike.
import { irregularForms } from './irregular.ts'

export function stem(word: string): string {
  return /^[a-z]{3,}$/.test(word) ? porter(irregularForms.get(word) ?? word) : word
}

function porter(word: string): string {
  return [plurals, pastForms, finalY, doubleEndings, singleEndings, lastEndings, finalE].reduce(
    (rest, step) => step(rest),
    word,
  )
}

function plurals(word: string): string {
  if (word.endsWith('sses') || word.endsWith('ies')) return word.slice(0, -2)
  return word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word
}

function pastForms(word: string): string {
  if (word.endsWith('eed')) return measure(word.slice(0, -3)) > 0 ? word.slice(0, -1) : word
  const ending = ['ed', 'ing'].find((each) => word.endsWith(each))
  const rest = ending ? word.slice(0, -ending.length) : ''
  if (!hasVowel(rest)) return word
  if (/(?:at|bl|iz)$/.test(rest)) return `${rest}e`
  if (/([^aeiou])\1$/.test(rest) && !/[lsz]$/.test(rest)) return rest.slice(0, -1)
  return measure(rest) === 1 && endsShort(rest) ? `${rest}e` : rest
}

function finalY(word: string): string {
  return word.endsWith('y') && hasVowel(word.slice(0, -1)) ? `${word.slice(0, -1)}i` : word
}

const doubled: [string, string][] = [
  ['ational', 'ate'],
  ['tional', 'tion'],
  ['enci', 'ence'],
  ['anci', 'ance'],
  ['izer', 'ize'],
  ['abli', 'able'],
  ['alli', 'al'],
  ['entli', 'ent'],
  ['eli', 'e'],
  ['ousli', 'ous'],
  ['ization', 'ize'],
  ['ation', 'ate'],
  ['ator', 'ate'],
  ['alism', 'al'],
  ['iveness', 'ive'],
  ['fulness', 'ful'],
  ['ousness', 'ous'],
  ['aliti', 'al'],
  ['iviti', 'ive'],
  ['biliti', 'ble'],
]

const single: [string, string][] = [
  ['icate', 'ic'],
  ['ative', ''],
  ['alize', 'al'],
  ['iciti', 'ic'],
  ['ical', 'ic'],
  ['ful', ''],
  ['ness', ''],
]

function doubleEndings(word: string): string {
  return replaced(word, doubled)
}

function singleEndings(word: string): string {
  return replaced(word, single)
}

function replaced(word: string, endings: [string, string][]): string {
  const found = endings.find(([ending]) => word.endsWith(ending))
  if (!found) return word
  const rest = word.slice(0, -found[0].length)
  return measure(rest) > 0 ? rest + found[1] : word
}

const last = /(?:al|ance|ence|er|ic|able|ible|ant|ement|ment|ent|(?<=[st])ion|ou|ism|ate|iti|ous|ive|ize)$/

function lastEndings(word: string): string {
  const ending = last.exec(word)?.[0]
  if (!ending) return word
  const rest = word.slice(0, -ending.length)
  return measure(rest) > 1 ? rest : word
}

function finalE(word: string): string {
  const rest = word.endsWith('e') ? word.slice(0, -1) : word
  const isKept = rest === word || measure(rest) === 0 || (measure(rest) === 1 && endsShort(rest))
  const whole = isKept ? word : rest
  return whole.endsWith('ll') && measure(whole) > 1 ? whole.slice(0, -1) : whole
}

/** How often a consonant follows a vowel; y is a vowel behind a consonant. */
function measure(word: string): number {
  return soundsOf(word).match(/v+c+/g)?.length ?? 0
}

function hasVowel(word: string): boolean {
  return soundsOf(word).includes('v')
}

/** Consonant, vowel, consonant, as in "hop": it had an e, or loses one of two letters. */
function endsShort(word: string): boolean {
  return /cvc$/.test(soundsOf(word)) && !/[wxy]$/.test(word)
}

function soundsOf(word: string): string {
  return word
    .replace(/(?<=[^aeiou])y/g, 'i')
    .replace(/[aeiou]/g, 'v')
    .replace(/[^v]/g, 'c')
}
