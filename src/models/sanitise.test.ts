import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { keepEnd, maxTextLength, repairText, sanitiseText } from './sanitise.ts'

describe('the ending of a text', () => {
  it('is the whole of it where it is short enough', () => {
    expect(keepEnd('abc', 3)).toBe('abc')
  })

  it('begins with a line where one is near', () => {
    const text = `${'old '.repeat(50)}\n${'x'.repeat(165)}`
    expect(keepEnd(text, 200)).toBe(`[the beginning is left out]\n${'x'.repeat(165)}`)
  })

  it('SPEC B.7: is never longer than asked, and always the newest; no character is cut in half', () => {
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

it('is redacted before it is cut', () => {
  const redact = (text: string) => text.replaceAll('secret'.repeat(2000), '-')
  expect(sanitiseText(`${'secret'.repeat(2000)}${'.'.repeat(10_000)}`, redact)).toBe(`-${'.'.repeat(10_000)}`)
})

it('goes out for repair with what was wrong, and no longer than before', () => {
  const text = repairText('x'.repeat(maxTextLength), 'y'.repeat(9000), 'colour: expected a string')
  expect(text).toHaveLength(maxTextLength)
  expect(text).toContain('colour: expected a string')
  expect(text).toContain('y'.repeat(1000))
})

it('is longer where the question says so, for repair as well', () => {
  const text = 'x'.repeat(2 * maxTextLength)
  expect(sanitiseText(text, (same) => same, text.length)).toBe(text)
  expect(repairText(text, 'y', 'colour: expected a string', text.length)).toHaveLength(text.length)
})
