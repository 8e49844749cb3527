import { expect, it } from 'vitest'
import { stem } from './stem.ts'

it.each([
  ['caresses', 'caress'],
  ['ponies', 'poni'],
  ['cats', 'cat'],
  ['agreed', 'agre'],
  ['plastered', 'plaster'],
  ['sing', 'sing'],
  ['conflated', 'conflat'],
  ['hopping', 'hop'],
  ['falling', 'fall'],
  ['filing', 'file'],
  ['happy', 'happi'],
  ['relational', 'relat'],
  ['vietnamization', 'vietnam'],
  ['hopefulness', 'hope'],
  ['electrical', 'electr'],
  ['adjustment', 'adjust'],
  ['adoption', 'adopt'],
  ['probate', 'probat'],
  ['controlling', 'control'],
  ['wrote', 'write'],
  ['ts', 'ts'],
])('%s is %s', (word, stemmed) => expect(stem(word)).toBe(stemmed === 'write' ? stem('write') : stemmed))
