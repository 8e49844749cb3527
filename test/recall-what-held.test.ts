// What `recollect recall` tells as the answer still holds: later words of the same project on the same
// subject come first, and a theory or fix that did not last is not told.
import { afterEach, describe, expect, it } from 'vitest'
import { type Turn, turnRecords } from './learn-home.ts'
import { type Place, place, recollect, sessionName } from './program.ts'

const passed = { tool: 'Bash', input: { command: 'npm test' }, result: 'Tests  12 passed (12)' }
const failed = { tool: 'Bash', input: { command: 'npm test' }, result: 'Tests  1 failed | 11 passed (12)' }
const edit = { tool: 'Write', input: { file_path: '/home/dev/app/import.ts', content: 'x' } }

const places: Place[] = []
afterEach(() => {
  for (const at of places.splice(0)) at.remove()
})

/** The answer to a question about sessions that followed each other, each with its project. */
function recalled(question: string, ...sessions: [project: string, ...turns: Turn[]][]): string[] {
  const at = place(
    Object.fromEntries(
      sessions.map(([project, ...turns], index) => [
        `.claude/projects/-home-dev-${project}/${sessionName(index + 1)}.jsonl`,
        turnRecords(turns, index * 20, sessionName(index + 1)).map((record) => ({
          ...record,
          cwd: `/home/dev/${project}`,
        })),
      ]),
    ),
  )
  places.push(at)
  recollect(at, 'sweep')
  const { text } = recollect(at, 'recall', '--all', '--json', question).json()
  return text.split('\n')
}

describe('a later word', () => {
  const decision: Turn[] = [
    ['The courier refuses heavy parcels.', 'Which cap should a parcel have?'],
    ['No parcel over 30 kilos, the courier refuses more, and glass is never split.', 'The cap is 30 kilos.'],
  ]
  const change: Turn[] = [
    ['We revised our parcel rule for the courier: a parcel has a cap of 25 kilos now.', 'The cap is 25 kilos.'],
  ]
  const question = 'what did we decide about the cap of a parcel for the courier'

  it('of the same project comes first and marks the earlier one', () => {
    const headings = recalled(question, ['depot', ...decision], ['depot', ...change]).filter((line) => /^\[/.test(line))
    expect(headings).toEqual([
      expect.stringContaining('00000002-1111#0]'),
      expect.stringMatching(/00000001-1111#2; amended on 2026-09-01: superseded where it differs\]$/),
    ])
  })

  it('of another project marks nothing', () => {
    const text = recalled(question, ['depot', ...decision], ['portal', ...change]).join('\n')
    expect(text).toContain('No parcel over 30 kilos')
    expect(text).not.toContain('superseded')
    expect(text).not.toContain('later word')
  })

  it('on another subject of the same project marks nothing', () => {
    const labels: Turn[] = [
      [
        'We changed the rule for labels: no parcel leaves without two, the courier scans both.',
        'Two labels, then no parcel leaves with one.',
      ],
    ]
    const text = recalled('how many kilos may a parcel have', ['depot', ...decision], ['depot', ...labels]).join('\n')
    expect(text).toContain('30 kilos')
    expect(text).not.toContain('superseded')
  })
})

describe('a theory', () => {
  const index = 'The import of invoices is slow because the index on customer is missing.'
  const connection = 'The import of invoices is slow because each row opens a new connection.'
  const question = 'why is the import of invoices slow'

  it('that was tried and did not help is not told beside the cause that was confirmed', () => {
    const lines = recalled(question, [
      'app',
      ['The import of invoices is slow, find out why.', index],
      ['Add the index then.', edit, failed, 'I added the index on customer.'],
      ['It takes as long as before, have a look at it.', connection],
      ['Fix that.', edit, passed, 'I moved the connection out of the loop.'],
      ['Great, thanks.', 'You are welcome.'],
    ])
    expect(lines[1]).toBe(`agent found (tests passed, accepted after it): ${connection}`)
    expect(lines.join('\n')).not.toMatch(/index/)
  })

  it('that failed its tests in the same turn as the cause is not told', () => {
    const lines = recalled(question, [
      'app',
      [
        'The import of invoices is slow, find out why and fix it.',
        index,
        edit,
        failed,
        connection,
        edit,
        passed,
        'I moved the connection out of the loop.',
      ],
    ])
    expect(lines.slice(1)).toEqual([
      `agent found (tests passed after it): ${connection}`,
      'fix: I moved the connection out of the loop.',
    ])
  })

  it('after which the agent saw the problem again is not told, although tests passed', () => {
    const lines = recalled(question, [
      'app',
      ['The import of invoices is slow, find out why.', index],
      ['Add the index.', edit, passed, 'I added the index on customer, but the import still takes 40 seconds.'],
      ['Then measure it.', connection],
      ['Fix that.', edit, passed, 'I moved the connection out of the loop.'],
    ])
    expect(lines.join('\n')).toContain(connection)
    expect(lines.join('\n')).not.toMatch(/index/)
  })
})

describe('a fix', () => {
  const cause = 'The login test is flaky because the clock is read twice.'
  const timeout = 'I fixed it by raising the timeout of the login test to 30 seconds.'
  const first: Turn = ['Fix the flaky login test.', cause, edit, passed, timeout]

  it.each([['why was the login test flaky'], ['how did we fix the flaky login test'], ['login test timeout']])(
    'that the person had replaced is told as what replaced it: %s',
    (question) => {
      const lines = recalled(question, [
        'app',
        first,
        ['A longer timeout only hides it. Use fake timers.', edit, passed, 'I moved the login test to fake timers.'],
        ['Good.', 'You are welcome.'],
      ])
      expect(lines.join('\n')).toContain('I moved the login test to fake timers.')
      expect(lines.join('\n')).not.toContain('30 seconds')
    },
  )

  it('that the agent took out later is told as what it put there', () => {
    const replaced = 'I replaced the longer timeout with fake timers in the login test.'
    const lines = recalled('how did we fix the flaky login test', [
      'app',
      first,
      ['Now look at the menu.', 'The menu is as it should be.'],
      ['The login test is slow.', edit, passed, replaced],
    ])
    expect(lines.join('\n')).toContain(replaced)
    expect(lines.join('\n')).not.toContain('30 seconds')
  })

  it('stays although something else was replaced', () => {
    const lines = recalled('how did we fix the flaky login test', [
      'app',
      first,
      ['Restyle the login page.', edit, passed, 'I replaced the button of the login form with a link.'],
    ])
    expect(lines.join('\n')).toContain(timeout)
  })
})
