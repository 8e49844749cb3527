import { describe, expect, it } from 'vitest'
import { linkTargets } from '../wiki/links.ts'
import { plainMarkdown } from './markdown.ts'

const targets = linkTargets(['wiki/concepts/retries', 'journal/2026-09-01', 'memory/app-1/héllo (1)'])
const from = 'wiki/concepts/uploads'

describe('plainMarkdown', () => {
  it.each([
    ['a path with words', '[[wiki/concepts/retries|Retries]]', '[Retries](retries.md)'],
    ['another folder', '[[journal/2026-09-01]]', '[journal/2026-09-01](../../journal/2026-09-01.md)'],
    [
      'a name that an address cannot hold',
      '[[memory/app-1/héllo (1)|x]]',
      '[x](../../memory/app-1/h%C3%A9llo%20%281%29.md)',
    ],
    ['in a table', '| [[wiki/concepts/retries\\|Retries]] |', '| [Retries](retries.md) |'],
    ['embedded', '![[wiki/concepts/retries]]', '[wiki/concepts/retries](retries.md)'],
    ['a link that leads nowhere', 'see [[lost|the lost page]]', 'see the lost page'],
    ['a link up and out', '[[../../secret|x]]', 'x'],
    ['code', '`[[wiki/concepts/retries]]`', '`[[wiki/concepts/retries]]`'],
    ['our marks', '<!-- recollect:section rules 0123456789ab -->\n- one\n<!-- /recollect:section -->', '- one'],
  ])('%s', (_, text, expected) => expect(plainMarkdown(text, from, targets)).toBe(expected))
})
