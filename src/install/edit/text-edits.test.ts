import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { applyTextEdits, composeTextEdits, locateTextEdits, revertTextEdits, type TextEdit } from './text-edits.ts'

const insert = (at: number, added: string): TextEdit => ({ at, removed: '', added })

describe('text edits', () => {
  it('are applied and reverted', () => {
    const splices = [insert(1, 'X'), { at: 3, removed: 'd', added: '' }]
    expect(applyTextEdits('abcde', splices)).toBe('aXbce')
    expect(revertTextEdits('aXbce', splices)).toBe('abcde')
  })

  it.each<[string, TextEdit[], TextEdit[], TextEdit[]]>([
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
    expect(composeTextEdits(first, second)).toEqual(expected)
  })

  it('have the same result composed as one after the other', () => {
    const changes = fc.tuple(fc.string(), changeOf, changeOf)
    fc.assert(
      fc.property(changes, ([text, makeFirst, makeSecond]) => {
        const first = makeFirst(text)
        const between = applyTextEdits(text, first)
        const second = makeSecond(between)
        const after = applyTextEdits(between, second)
        const joined = composeTextEdits(first, second)
        expect(applyTextEdits(text, joined)).toBe(after)
        expect(revertTextEdits(after, joined)).toBe(text)
      }),
      { numRuns: 500 },
    )
  })

  it.each<[string, string, TextEdit[] | undefined]>([
    ['where it was', 'abXc', [insert(2, 'X')]],
    ['further down', 'new abXc', [insert(6, 'X')]],
    ['not any more', 'abc', undefined],
  ])('are found in a text that has changed: %s', (_, text, expected) => {
    expect(locateTextEdits(text, [insert(2, 'X')])).toEqual(expected)
  })
})

/** A change that fits whatever text it is made for: some spans of it are replaced. */
const changeOf = fc
  .array(fc.tuple(fc.nat(6), fc.nat(3), fc.string({ maxLength: 3 })), { maxLength: 4 })
  .map((parts) => (text: string) => {
    const splices: TextEdit[] = []
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
