import { describe, expect, it } from 'vitest'
import { humanText } from './human-text.ts'

const kept = (prompt: string) => humanText(prompt).spans.map(({ start, end }) => prompt.slice(start, end))

describe('what a person wrote', () => {
  it.each<[string, string, string[]]>([
    ['plain words', 'never push to main', ['never push to main']],
    ['each list item alone', '- keep it small\n- no new packages', ['- keep it small', '- no new packages']],
    [
      'a line that the terminal wrapped',
      'we keep the old format because three customers still send it\nevery night and cannot change',
      ['we keep the old format because three customers still send it\nevery night and cannot change'],
    ],
    ['fenced code', 'this is wrong:\n```ts\n// never call this\n```\nuse the pool', ['this is wrong:', 'use the pool']],
    ['a fence that never closes', 'look\n```\nalways broken', ['look']],
    [
      'a stack trace',
      'it broke\n\nTypeError: x is not a function\n    at run (/home/dev/app/a.ts:3:1)\n    at main (/home/dev/app/b.ts:9:2)',
      ['it broke'],
    ],
    [
      'a shell session',
      '➜  app git:(main) ✗ git push\nerror: failed to push some refs\nhint: always pull first\n\nplease fix',
      ['please fix'],
    ],
    ['a log with times', '2025-01-02T10:00:00Z worker never started\n2025-01-02T10:00:01Z giving up\n\nwhy?', ['why?']],
    ['a quotation', '> you must always use tabs\n\nI disagree', ['I disagree']],
    ['a diff', '@@ -1 +1 @@\n+ 4 never\n- 5 always\n\nlooks fine', ['looks fine']],
    ['JSON and YAML', '{"always": true}\nretry: never\n\nuse these', ['use these']],
    [
      'what is quoted after a colon',
      'explain this:\n\n  A row is never deleted\n  and always kept.',
      ['explain this:'],
    ],
    [
      'a review by a bot',
      'Unbounded cache\n\nMedium Severity\n\nThe cache is never emptied. Consider adding a limit.\n\nI think it is fine, we restart daily',
      ['I think it is fine, we restart daily'],
    ],
    ['a plan by the agent', 'Implement the following plan:\n\nNever use the old API', []],
    ['a brief with sections', '# Task\nx\n## Rules\nalways test\n## Output\ny', []],
    ['a role', `You are the coordinator of this project.\n${'Never touch the main checkout. '.repeat(30)}`, []],
  ])('%s', (_, prompt, expected) => expect(kept(prompt)).toEqual(expected))

  it('reads the beginning and the end of a long prompt', () => {
    const prompt = `first words\n${'filler line of text\n'.repeat(60_000)}last words`
    const texts = kept(prompt)
    expect(texts[0]).toBe('first words')
    expect(texts.at(-1)).toBe('last words')
    expect(texts.join('').length).toBeLessThan(13_000)
  })
})
