import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { applySplices, findSplices, joinSplices, type Splice, takeBack } from './splices.ts'

const insert = (at: number, added: string): Splice => ({ at, removed: '', added })

describe('splices', () => {
  it('change a text, and take the change back', () => {
    const splices = [insert(1, 'X'), { at: 3, removed: 'd', added: '' }]
    expect(applySplices('abcde', splices)).toBe('aXbce')
    expect(takeBack('aXbce', splices)).toBe('abcde')
  })

  it.each<[string, Splice[], Splice[], Splice[]]>([
    ['apart', [insert(1, 'X')], [insert(4, 'Y')], [insert(1, 'X'), insert(3, 'Y')]],
    ['one into the other', [insert(1, 'XX')], [insert(2, 'Y')], [insert(1, 'XYX')]],
    ['one behind the other', [insert(1, 'X')], [insert(2, 'Y')], [insert(1, 'XY')]],
    ['the second takes the first away', [insert(1, 'X')], [{ at: 1, removed: 'X', added: '' }], []],
    [
      'the second takes more than the first',
      [insert(1, 'X')],
      [{ at: 0, removed: 'aXb', added: 'Y' }],
      [{ at: 0, removed: 'ab', added: 'Y' }],
    ],
  ])('are one change: %s', (_, first, second, expected) => {
    expect(joinSplices(first, second)).toEqual(expected)
  })

  it('say the same joined as one after the other', () => {
    const changes = fc.tuple(fc.string(), changeOf, changeOf)
    fc.assert(
      fc.property(changes, ([text, makeFirst, makeSecond]) => {
        const first = makeFirst(text)
        const between = applySplices(text, first)
        const second = makeSecond(between)
        const after = applySplices(between, second)
        const joined = joinSplices(first, second)
        expect(applySplices(text, joined)).toBe(after)
        expect(takeBack(after, joined)).toBe(text)
      }),
      { seed: 20_260_901, numRuns: 500 },
    )
  })

  it.each<[string, string, Splice[] | undefined]>([
    ['where it was', 'abXc', [insert(2, 'X')]],
    ['further down', 'new abXc', [insert(6, 'X')]],
    ['not any more', 'abc', undefined],
  ])('are found in a text that has changed: %s', (_, text, expected) => {
    expect(findSplices(text, [insert(2, 'X')])).toEqual(expected)
  })
})

/** A change that fits whatever text it is made for: some spans of it are replaced. */
const changeOf = fc
  .array(fc.tuple(fc.nat(6), fc.nat(3), fc.string({ maxLength: 3 })), { maxLength: 4 })
  .map((parts) => (text: string) => {
    const splices: Splice[] = []
    let at = 0
    for (const [gap, length, added] of parts) {
      at += gap + 1
      if (at > text.length) break
      const removed = text.slice(at, at + length)
      splices.push({ at, removed, added })
      at += removed.length
    }
    return splices
  })
