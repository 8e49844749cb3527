import { describe, expect, it } from 'vitest'
import { displayWidth, fitWidth, graphemes } from './display-width.ts'

describe('displayWidth', () => {
  it.each([
    ['', 0],
    ['Fix the flaky test', 18],
    ['naïve – “quoted” → …', 20],
    ['修复登录', 8],
    ['テスト test', 11],
    ['한국어', 6],
    ['done ✅', 7],
    ['⚠️ ℹ️ careful', 13],
    ['👩‍💻 works', 8],
    ['e\u0301', 1],
  ])('%j takes %i columns', (text, width) => expect(displayWidth(text)).toBe(width))
})

describe('fitWidth', () => {
  it.each([
    ['short', 10, 'short'],
    ['a longer title', 8, 'a longe…'],
    ['修复登录测试', 8, '修复登…'],
    ['👩‍💻👩‍💻👩‍💻', 5, '👩‍💻👩‍💻…'],
  ])('%j in %i columns', (text, width, fitted) => {
    expect(fitWidth(text, width)).toBe(fitted)
    expect(displayWidth(fitted)).toBeLessThanOrEqual(width)
  })
})

describe('graphemes', () => {
  const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' })

  it.each([
    'plain text',
    'naïve “quotes” … – €20 → ✓ ★',
    '日本語とカタカナ、한국어',
    '🚀 done ✅ 🎉',
    '⚠️ careful, ℹ️ a note, ✔️',
    'e\u0301 combined, か\u3099 combined',
    '👩‍💻 joined, 👍🏽 with a tone, 🇩🇪 a flag, ❤️ with a selector, 1️⃣',
    '\u1112\u1161\u11ab a syllable of letters, กำ',
    'a\u00adb\u200bc\r\nd',
  ])('are those of the standard in %j', (text) =>
    expect([...graphemes(text)]).toEqual(Array.from(segmenter.segment(text), ({ segment }) => segment)),
  )
})
