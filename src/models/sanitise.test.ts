import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { keepEnd, maxTextLength, repairText, sanitiseText } from './sanitise.ts'

describe('keepEnd, sanitiseText and repairText', () => {
  it('keeps a short text whole', () => {
    expect(keepEnd('abc', 3)).toBe('abc')
  })

  it('begins at a line break if one is near', () => {
    const text = `${'old '.repeat(50)}\n${'x'.repeat(165)}`
    expect(keepEnd(text, 200)).toBe(`[the beginning is left out]\n${'x'.repeat(165)}`)
  })

  it('SPEC B.7: keeps the newest text within the limit and never splits a character', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', minLength: 100, maxLength: 400 }),
        fc.integer({ min: 60, max: 99 }),
        (text, max) => {
          const cut = keepEnd(text, max)
          expect(cut.length).toBeLessThanOrEqual(max)
          const kept = cut.slice(cut.indexOf('\n') + 1)
          expect(text.endsWith(kept)).toBe(true)
          expect(kept.isWellFormed()).toBe(true)
        },
      ),
    )
  })
})

it('redacts before it truncates', () => {
  const redact = (text: string) => text.replaceAll('secret'.repeat(2000), '-')
  expect(sanitiseText(`${'secret'.repeat(2000)}${'.'.repeat(10_000)}`, redact)).toBe(`-${'.'.repeat(10_000)}`)
})

it('adds the problem for a repair within the same length', () => {
  const text = repairText('x'.repeat(maxTextLength), 'y'.repeat(9000), 'colour: expected a string')
  expect(text).toHaveLength(maxTextLength)
  expect(text).toContain('colour: expected a string')
  expect(text).toContain('y'.repeat(1000))
})

it('uses the limit of the question, for a repair as well', () => {
  const text = 'x'.repeat(2 * maxTextLength)
  expect(sanitiseText(text, (same) => same, text.length)).toBe(text)
  expect(repairText(text, 'y', 'colour: expected a string', text.length)).toHaveLength(text.length)
})
