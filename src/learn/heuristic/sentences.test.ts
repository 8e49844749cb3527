import { describe, expect, it } from 'vitest'
import { plainForm, sentencesOf } from './sentences.ts'

const split = (prompt: string, before = '') =>
  sentencesOf(prompt, [{ start: 0, end: prompt.length }], before).map(({ text }) => text)

describe('sentencesOf', () => {
  it.each<[string, string, string[]]>([
    ['end at full stops', 'no mocks. use the real thing!', ['no mocks.', 'use the real thing!']],
    [
      'not in abbreviations and numbers',
      'use a db, e.g. sqlite or 2. postgres',
      ['use a db, e.g. sqlite or 2. postgres'],
    ],
    ['not in paths', 'see docs/adr.md for it', ['see docs/adr.md for it']],
    ['not at a pause', 'hmm... not sure', ['hmm... not sure']],
    ['lose their bullet', '- keep it small', ['keep it small']],
    [
      'part where a task ends and a reason begins',
      'please remove that again, we no longer support windows',
      ['please remove that again', 'we no longer support windows'],
    ],
    ['stay whole when nothing is asked', 'the api is slow, we cache it', ['the api is slow, we cache it']],
    ['end in Chinese too', '不要提交。先问我。', ['不要提交。', '先问我。']],
  ])('%s', (_, prompt, expected) => expect(split(prompt)).toEqual(expected))

  it('leaves out sentences that the agent has just written', () => {
    const said = 'The **cache** must never be shared between tenants.'
    expect(split('The cache must never be shared between tenants. why?', said)).toEqual(['why?'])
  })
})

describe('plainForm', () => {
  it.each([
    ['code', 'call `neverDo()` now', 'call CODE now'],
    ['quotation', 'the label "always on" is wrong', 'the label QUOTE is wrong'],
    ['names', 'rename userId and max_size', 'rename IDENT and IDENT'],
    ['paths and addresses', 'see docs/a.md or https://example.org/x', 'see PATH or URL'],
    ['instruction files', 'put it into CLAUDE.md', 'put it into DOC'],
    ['flags', 'run it with --watch', 'run it with FLAG'],
    ['missing apostrophes', 'dont do that, lets wait', "don't do that, let's wait"],
    ['slips', 'becuase teh docs say so pls', 'because the docs say so please'],
    ['either/or is no path', 'yes and/or no', 'yes and/or no'],
  ])('%s', (_, text, plain) => expect(plainForm(text)).toBe(plain))
})
