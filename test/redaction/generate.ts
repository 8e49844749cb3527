// What generated secrets are made of.

export type Random = () => number

/** A secret as it is usually written. */
export interface SecretSample {
  /** Must not be left in the text. */
  secret: string
  /** The name under which a secret without a prefix of its own is written. */
  name?: string
  /** A text around it that has a form of its own; contexts then only encode this text. */
  text?: string
  /** Further secrets in the text. */
  others?: string[]
}

export interface SecretKindSample {
  group: 'token' | 'named' | 'form' | 'prose' | 'structure'
  kind: string
  make(random: Random): SecretSample
}

const lower = 'abcdefghijklmnopqrstuvwxyz'
const upper = lower.toUpperCase()
const digits = '0123456789'
export const alphabets: Record<string, string> = {
  a: lower + upper + digits,
  w: `${lower}${upper}${digits}_-`,
  b: `${lower}${upper}${digits}+/`,
  h: `${digits}abcdef`,
  l: lower + digits,
  u: upper + digits,
  d: digits,
  c: upper,
  z: lower,
  p: `${lower}${upper}${digits}!@%^*?~`,
}

export function pick(random: Random, alphabet: string, length: number): string {
  let text = ''
  for (let index = 0; index < length; index++) text += alphabet[Math.floor(random() * alphabet.length)]
  return text
}

/** `{a36}` in a shape is 36 characters of an alphabet, `{uuid}` is one, and `§` is a dollar. */
export function fill(shape: string, random: Random): string {
  return shape.replaceAll('§', '$').replace(/\{(uuid|[a-z]\d+)\}/g, (_, part: string) => {
    if (part === 'uuid') return [8, 4, 4, 4, 12].map((length) => pick(random, alphabets.h!, length)).join('-')
    return pick(random, alphabets[part[0]!]!, Number(part.slice(1)))
  })
}

/** A password as people choose it: a word, digits and a sign. */
export function chosen(random: Random): string {
  const word = ['tulip', 'Harbor', 'winter', 'Orchid', 'copper', 'Falcon'][Math.floor(random() * 6)]!
  return `${word}${pick(random, digits, 2)}${pick(random, '!#%*?', 1)}${pick(random, alphabets.a!, 4)}`
}
