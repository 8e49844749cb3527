import { describe, expect, it } from 'vitest'
import { fitTerms, type TermVectors } from './ppmi.ts'

/** Two ways to speak of the same thing, each in the same company, and never together: 1 and 2, 3 and 4, 5 and 6. */
const passages = Array.from({ length: 120 }, (_, index) => {
  const one = 1 + (index % 6)
  const company = 10 * Math.ceil(one / 2)
  const beside = (step: number) => company + (Math.floor(index / 6) % step)
  return Uint32Array.from([beside(3), one, beside(5), beside(7), 100 + index])
})

describe('terms that keep the same company', () => {
  const fitted = fitTerms(passages)!

  it('lie together', () => {
    expect(cosine(fitted, 1, 2)).toBeGreaterThan(0.8)
    expect(cosine(fitted, 3, 4)).toBeGreaterThan(0.8)
  })

  it('lie apart from those of other company', () => {
    expect(cosine(fitted, 1, 3)).toBeLessThan(0.3)
    expect(cosine(fitted, 2, 4)).toBeLessThan(0.3)
  })

  it('are the same bytes every time', () => {
    expect(Buffer.from(fitTerms(passages)!.vectors.buffer)).toEqual(Buffer.from(fitted.vectors.buffer))
  })

  it('are left out where they are in one or two passages only', () => {
    expect([...fitted.terms].filter((term) => term >= 100)).toEqual([])
  })
})

it.each([
  ['nothing', []],
  ['one passage', [Uint32Array.from([1, 2, 3])]],
  ['the same word again and again', Array.from({ length: 50 }, () => Uint32Array.from([7]))],
])('of %s nothing can be told', (_, said) => expect(fitTerms(said)).toBeUndefined())

function cosine({ terms, vectors, dimensions }: TermVectors, first: number, second: number): number {
  const at = (term: number) =>
    vectors.subarray(terms.indexOf(term) * dimensions, (terms.indexOf(term) + 1) * dimensions)
  return at(first).reduce((sum, value, index) => sum + value * at(second)[index]!, 0)
}
