import { describe, expect, it } from 'vitest'
import { typedText } from './entries.ts'

describe('typedText', () => {
  it.each([
    ['plain text', 'Trim the wick', 'Trim the wick'],
    ['a time', '[Wed 2026-02-18 11:21 GMT+1] Trim the wick', 'Trim the wick'],
    ['a messenger', '[WhatsApp +1555 2026-01-05T10:00Z] Trim the wick\n[message_id: 7]', 'Trim the wick'],
    ['notices', 'System: [2026-02-18 11:20:00 GMT+1] Connected.\n\nTrim the wick', 'Trim the wick'],
    ['metadata', 'Sender (untrusted metadata):\n```json\n{"a":1}\n```\n\nTrim the wick', 'Trim the wick'],
    ['marked context', 'Sender: ⟦openclaw:ctx⟧\n```json\n{}\n```\n\nTrim the wick', 'Trim the wick'],
    [
      'all of them',
      'System: a\n\nSender (untrusted metadata):\n```json\n{}\n```\n\n[Wed 2026-02-18 11:21] Trim it',
      'Trim it',
    ],
    ['only notices', 'System: [2026-02-18 11:20:00 GMT+1] Connected.', ''],
    ['brackets of the user', '[draft] Trim the wick', '[draft] Trim the wick'],
    ['a pasted log', 'Why?\n[Wed 2026-02-18 11:21] lamp off', 'Why?\n[Wed 2026-02-18 11:21] lamp off'],
  ])('removes what surrounds the words of the user: %s', (_, text, typed) => {
    expect(typedText(text)).toBe(typed)
  })
})
