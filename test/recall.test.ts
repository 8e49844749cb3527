// Answers of `recollect recall`, from transcripts to text.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Turn, turnRecords } from './learn-home.ts'
import { type Place, place, recollect, sessionName } from './program.ts'

const cause = 'The login test is flaky because the clock is mocked after the token is created.'
const fix = 'I moved vi.useFakeTimers above createToken.'
const runTests = { tool: 'Bash', input: { command: 'npm test' }, result: 'Tests  12 passed (12)' }
const edit = { tool: 'Write', input: { file_path: '/home/dev/app/login.test.ts', content: 'x' } }

const sessions: Turn[][] = [
  [
    ['In this project always use pnpm, never npm, because the lockfile is pnpm. Fix the flaky login test.', cause, fix],
    ['Which port does the preview server use?', 'It uses port 4173.'],
  ],
  [
    ['Uploads are lost again, this is really annoying!', 'Uploads are lost because the disk is full.'],
    [
      "no, that's not it",
      'Let me look at the worker.',
      'Uploads are lost because the worker drops its queue at a restart.',
    ],
    ['then fix it', edit, runTests, 'I moved the queue of uploads into the database.'],
    ['great, thanks', 'You are welcome.'],
  ],
  [
    ['The retries hit the rate limit.', 'Should the retries of uploads stop after five attempts?'],
    ['No, never more than seven retries of an upload, since the eighth trips the limit.', 'Seven it is.'],
  ],
]

let at: Place
beforeAll(() => {
  at = place(
    Object.fromEntries(
      sessions.map((turns, index) => [
        `.claude/projects/-home-dev-app/${sessionName(index + 1)}.jsonl`,
        turnRecords(turns, 0, sessionName(index + 1)),
      ]),
    ),
  )
  recollect(at, 'sweep')
})
afterAll(() => at.remove())

const linesOf = (question: string): string[] =>
  recollect(at, 'recall', '--all', '--json', question).json().text.split('\n')

describe('recall', () => {
  it('leads with the cause and the fix, not with another rule of the same prompt', () => {
    expect(linesOf('why was the login test flaky').slice(0, 3)).toEqual([
      expect.stringMatching(/^\[2026-09-01 claude-code [\w-]+#1\]$/),
      `agent said: ${cause}`,
      `fix: ${fix}`,
    ])
  })

  it('leads with the cause that was confirmed, not with the complaint or a rejected cause', () => {
    const lines = linesOf('root cause of the lost uploads')
    expect(lines.slice(1, 3)).toEqual([
      'agent found (tests passed, accepted after it): Uploads are lost because the worker drops its queue at a restart.',
      'fix: I moved the queue of uploads into the database.',
    ])
    expect(lines.join('\n')).not.toMatch(/disk is full|Let me look/)
    expect(lines.join('\n').split('Also found:')[0]).not.toContain('annoying')
  })

  it('leads with the decision where one is asked for', () => {
    expect(linesOf('what did we decide about retries of uploads')[1]).toBe(
      'person: No, never more than seven retries of an upload, since the eighth trips the limit.',
    )
  })

  it('names an event that show opens', () => {
    const { text, items } = recollect(at, 'recall', '--all', '--json', 'why was the login test flaky').json()
    expect(text).toContain(` ${items[0].ref}]`)
    expect(recollect(at, 'show', items[0].ref).out).toContain(cause)
  })

  it('prints title, hanging indent and resume command within 80 columns', () => {
    const { out, err } = recollect(at, 'recall', '--all', 'why was the login test flaky')
    const short = sessionName(1).slice(0, 13)
    expect(out.split('\n').every((line) => line.length <= 80)).toBe(true)
    expect(out.split('\nAlso found:')[0]).toBe(`[2026-09-01 claude-code ${short}#1]
app: Fix the flaky login test
agent said: The login test is flaky because the clock is mocked after the
  token is created.
fix: I moved vi.useFakeTimers above createToken.
Resume: claude --resume ${sessionName(1)}
`)
    expect(err).toContain(`recollect show ${short}#1`)
  })

  it('says that nothing was found and ends with 1', () => {
    const run = recollect(at, 'recall', '--all', 'zeppelin')
    expect(run).toMatchObject({ status: 1, out: '' })
    expect(run.err).toMatch(/^Nothing found\. To search for single words: recollect search/)
  })
})
