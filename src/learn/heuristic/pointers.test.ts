import { describe, expect, it } from 'vitest'
import { judgeExchange } from './judge.ts'

const diagnosis =
  'I compared both runs. The root cause is that the proxy strips the Authorization header. Let me know if that helps.'
const cause = 'The root cause is that the proxy strips the Authorization header.'

const judge = (prompt: string, before = diagnosis) => judgeExchange({ before, prompt, after: '' })

describe('findPointers', () => {
  it.each([['yes, that was it'], ["that's it, now it works"], ['exactly, that was the problem.'], ['bingo!']])(
    'confirms a cause: %s',
    (prompt) => {
      expect(judge(prompt)).toMatchObject([{ kind: 'debugging', text: cause, status: 'settled' }])
      expect(judge(prompt)[0]!.tags).toContain('agreed')
      expect(prompt).toContain(judge(prompt)[0]!.quote)
    },
  )

  it.each([
    ['can you add this to CLAUDE.md?'],
    ['please document that in AGENTS.md'],
    ['save this as a learning'],
    ['put it into your memory'],
  ])('wishes to keep it: %s', (prompt) => expect(judge(prompt)).toMatchObject([{ text: cause, quote: prompt }]))

  it.each([
    ['that is not it'],
    ["that's it for today"],
    ['was that it?'],
    ['perfect, thanks'],
    ['that works'],
    ['add this to the readme'],
  ])('does not: %s', (prompt) => expect(judge(prompt).flatMap(({ tags }) => tags)).not.toContain('agreed'))

  it('finds nothing if the agent named no cause', () =>
    expect(judge('yes, that was it', 'Done. All tests pass.').flatMap(({ tags }) => tags)).not.toContain('agreed'))
})
