// Every candidate can be read alone: whole sentences of the person, never cut and never composed.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { judgeExchange } from './judge.ts'

const textsOf = (prompt: string, after = 'Understood.') =>
  judgeExchange({ before: 'I updated the code.', prompt, after }).map(({ text }) => text)

describe('a sentence that leans on its neighbour keeps it', () => {
  it.each([
    [
      'what replaces the rejected thing',
      "no, don't mock completion. mock the httpx library with respx, so the real code path runs.",
      "Don't mock completion. mock the httpx library with respx, so the real code path runs.",
    ],
    [
      'the reason',
      'Never retry payments. That would charge the customer twice.',
      'Never retry payments. That would charge the customer twice.',
    ],
    [
      'the thing that "it" is',
      'The staging cluster has no backups. It must never hold customer data.',
      'The staging cluster has no backups. It must never hold customer data.',
    ],
    [
      'both halves of a sentence',
      'please remove that again, we no longer support windows',
      'please remove that again, we no longer support windows',
    ],
  ])('%s', (_, prompt, text) => expect(textsOf(prompt)).toContain(text))
})

it('is not longer than a memory may be, and is left out rather than cut', () => {
  const endless = `we never deploy on fridays because ${'support is not staffed and '.repeat(80)}nobody can fix it`
  expect(textsOf(endless)).toEqual([])
  expect(textsOf(`${endless}.\n\nWe always squash before merging.`)).toEqual(['We always squash before merging.'])
})

it('begins and ends where sentences do', () => {
  const parts = [
    'We never deploy on Fridays because support is not staffed.',
    'no, the API is on port 8080, not 3000.',
    'can you rename the flag, we no longer use it?',
    'It must never be shared between tenants!',
    'ok so we decided to keep SQLite; it needs no server.',
    'Always run `make audit` before a release, otherwise the upload is rejected.',
    'add a button to the page',
    'I prefer early returns',
    'The reason was a stale lock file.',
    '- no new packages without asking me',
    'yes, that way the build stays fast.',
    '绝不直接推送。',
    'Wir verwenden immer pnpm, nie npm.',
  ]
  const separators = [' ', '\n', '\n\n', '\n- ']
  const prompts = fc
    .uniqueArray(fc.tuple(fc.constantFrom(...parts), fc.constantFrom(...separators)), {
      minLength: 1,
      maxLength: 7,
      selector: ([part]) => part,
    })
    .map((pairs) => pairs.map(([part, separator]) => part + separator).join(''))
  fc.assert(
    fc.property(prompts, (prompt) => {
      const flat = prompt.replace(/\s+/g, ' ').toLowerCase()
      for (const { text, quote } of judgeExchange({ before: '', prompt, after: 'Understood.' })) {
        const at = prompt.indexOf(quote)
        expect(at).toBeGreaterThanOrEqual(0)
        expect(flat).toContain(text.toLowerCase())
        expect(quote.replace(/\s+/g, ' ').trim().toLowerCase()).toBe(text.toLowerCase())
        const before = prompt.slice(0, at)
        const behind = prompt.slice(at + quote.length)
        expect(before).toMatch(/(?:^(?:- )?|[.!?;。]\s+(?:- )?|\n\s*(?:- )?|。)(?:(?:no|ok|so|yes)[, ]+)*$/)
        expect(/[.!?;。]$/.test(quote) || /^(?:\s*\n|\s*$)/.test(behind) || / $/.test(quote + behind[0])).toBe(true)
      }
    }),
    { seed: 17, numRuns: 300 },
  )
})
