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
    ['a plan in other words', 'Execute this plan:\n\n1. Never use the old API\n2. Always test', []],
    [
      'the comments of a review bot',
      'Actionable comments posted: 2\n\nIn `src/app.ts` around lines 10-20, the handler must never swallow errors.\n\nwe should only fix the first',
      ['we should only fix the first'],
    ],
    [
      'findings without a speaker',
      'The handler in parseInput() never validates its argument, and loadAll returns early when the folder is empty. Callers must always check the result because the type allows it.\n\nfix it',
      ['fix it'],
    ],
    [
      'a review that is announced',
      'Another agent reviewed your work:\n\nThe cache is never emptied, and the limit must always be checked before a write happens.\n\nfix the first one',
      ['fix the first one'],
    ],
    ['a template', 'Always be brief.\n\n[[ ## user_query ## ]]\nwhat is a monad', []],
    ['fields of a template', 'Answer in one word.\n\n### Input:\nnever eat yellow snow\n\n### Response:', []],
    ['a prompt for JSON', 'Extract the entities. Never guess. Respond with only valid JSON.', []],
    ['a prompt with a format', 'Write a title. Do not add markdown or explanation. Always use five words.', []],
    ['a prompt for a label', 'Given a review, classify its tone.\nNever explain yourself.', []],
    [
      'a wish for an API that returns JSON',
      'the api must always return JSON, never XML',
      ['the api must always return JSON, never XML'],
    ],
    ['a prompt of a shell', 'user@host app % npm test\nretrying never stops\nerror: failed\n\nwhy?', ['why?']],
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
