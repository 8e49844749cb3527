import { describe, expect, it } from 'vitest'
import { escapeControlsInJson, removeControls } from './control-characters.ts'

describe('removeControls', () => {
  it.each([
    ['plain text', 'one\ntwo\tthree', 'one\ntwo\tthree'],
    ['the clipboard (OSC 52)', 'a\u001b]52;c;ZXZpbA==\u0007b', 'ab'],
    ['the title, ended by ST', 'a\u001b]0;owned\u001b\\b', 'ab'],
    ['a hyperlink (OSC 8)', '\u001b]8;;https://x.example\u001b\\here\u001b]8;;\u001b\\', 'here'],
    ['a string without an end', 'a\u001b]0;owned\nnext', 'a\nnext'],
    ['colours and the cursor (CSI)', '\u001b[31mred\u001b[2J\u001b[1;1H', 'red'],
    ['eight-bit forms', 'a\u009b31mb\u009d0;t\u009cc', 'abc'],
    ['a device control string', 'a\u001bPq#0;2\u001b\\b', 'ab'],
    ['two-character sequences', 'a\u001bcb\u001b(Bc\u001b7d', 'abcd'],
    ['an escape at the end', 'a\u001b', 'a'],
    ['control characters', 'a\u0000\u0007\b\u000b\u000c\u007f\u0085b', 'ab'],
    ['an overwritten line', 'rm -rf /\rls\r\nnext', 'rm -rf /ls\nnext'],
    ['direction marks', '\u202eevil\u202c \u2066x\u2069 \u200e\u200f\u061c', 'evil x '],
    ['invisible characters', 'pay\u200bpal pay\u200dpal \ufeff\u2060\u00ad', 'paypal paypal '],
    ['invisible tags', 'a\u{e0041}\u{e007f}b', 'ab'],
    ['separators of lines', 'a\u2028b\u2029c', 'abc'],
    ['an emoji with joiners', '👩‍👩‍👧 👨🏽‍🚀 🏳️‍🌈', '👩‍👩‍👧 👨🏽‍🚀 🏳️‍🌈'],
    ['a script that needs joiners', 'क्‍ष می‌خواهم', 'क्‍ष می‌خواهم'],
  ])('%s', (_, text, shown) => expect(removeControls(text)).toBe(shown))

  it('takes time in proportion to the text', () => {
    const text = '\u001b]'.repeat(200_000)
    expect(removeControls(text)).toBe('')
    expect(removeControls(`\u001b[${'0'.repeat(400_000)}`).length).toBeLessThan(400_001)
  })
})

describe('escapeControlsInJson', () => {
  it.each(['\u001b]52;c;x\u0007', '\u009b31m', '\u202eevil', '\u007f', '\u{e0041}', 'plain'])('%j', (text) => {
    const json = escapeControlsInJson(JSON.stringify({ text }))
    expect(removeControls(json)).toBe(json)
    expect(JSON.parse(json)).toEqual({ text })
  })
})
