import { describe, expect, it } from 'vitest'
import type { StoredEvent } from '../store/sessions/bodies.ts'
import { digestOf } from './digest.ts'
import { foldEvent, newDigestState } from './digest-state.ts'
import { titleOfPrompt } from './prompt-title.ts'

type Step = Partial<StoredEvent> & Pick<StoredEvent, 'kind'>

const asks = (text: string): Step => ({ kind: 'prompt', role: 'user', text })
const says = (text: string): Step => ({ kind: 'reply', text })
const edits = (times: number): Step[] =>
  Array.from({ length: times }, () => ({ kind: 'edit', files: [{ path: 'a.ts', change: 'update' }] }))
const runs = (command: string, call = 'c'): Step[] => [
  { kind: 'tool_call', tool: 'Bash', call, input: { command } },
  { kind: 'tool_result', call },
]

function digest(...steps: Step[]) {
  const state = newDigestState()
  for (const [seq, step] of steps.entries())
    foldEvent(state, { seq, id: '', role: 'assistant', ts: null, text: '', ...step })
  return digestOf(state)
}

describe('titleOfPrompt', () => {
  it.each([
    ['a task', 'repair the parser\nit loses the last line', 'repair the parser'],
    [
      'courtesies',
      'Hey! Could you please also rename the button to "Save draft"?',
      'rename the button to "Save draft"?',
    ],
    ['a greeting first', 'hello\n\nAdd a dark theme to the settings page', 'Add a dark theme to the settings page'],
    [
      'a plan',
      'Implement the following plan:\n\n# Plan: Cache tide tables\n\n## Context\nThey are slow.',
      'Cache tide tables',
    ],
    ['a template', '[[ ## user_query ## ]]\nSort the invoices by due date', 'Sort the invoices by due date'],
    [
      'a role',
      'You are a senior engineer.\nReview the retry logic of the mailer.',
      'Review the retry logic of the mailer',
    ],
    [
      'an address',
      'look into https://github.com/acme/tide/issues/12 and fix the rounding',
      'look into acme/tide#12 and fix the rounding',
    ],
    ['a heading', '# Task: Draw the curve of a day\n\nUse SVG.', 'Draw the curve of a day'],
    ['a list mark', "B) I'd like to add a session end hook", 'add a session end hook'],
    [
      'pasted output',
      "➜ app git:(main) ✗ npm test\nTypeError: cannot read 'length' of undefined",
      "TypeError: cannot read 'length' of undefined",
    ],
    ['German', 'Kannst du bitte die Rechnungen nach Datum sortieren?', 'die Rechnungen nach Datum sortieren?'],
  ])('finds the task in a prompt with %s', (_, prompt, title) => expect(titleOfPrompt(prompt).text).toBe(title))

  it.each(['hello', 'do that', 'yes', 'continue', 'ok go ahead', 'thanks!', 'fix it', 'Reply with exactly OK.'])(
    'knows that "%s" says nothing',
    (prompt) => expect(titleOfPrompt(prompt).weight).toBeLessThan(0.4),
  )

  it('cuts at a word', () => {
    const { text } = titleOfPrompt(`count the ${'very '.repeat(20)}large gulls`)
    expect(text).toMatch(/^count the (?:very )+very…$/)
    expect(text.length).toBeLessThanOrEqual(80)
  })
})

describe('the title of a session', () => {
  it('is the prompt that carries the work', () => {
    const steps = [asks('hello'), says('Hi!'), asks('write a page about geese'), ...edits(3), asks('yes'), ...edits(2)]
    expect(digest(...steps).title).toBe('write a page about geese')
  })

  it('counts the work after "yes" for what it agrees to', () => {
    const steps = [
      asks('what does the lexer do with tabs?'),
      says('It drops them.'),
      asks('make the lexer keep tabs in strings'),
      says('Shall I?'),
      asks('yes'),
      ...edits(40),
    ]
    expect(digest(...steps).title).toBe('make the lexer keep tabs in strings')
  })

  it('is the subject of a commit if no prompt says what to do', () => {
    const steps = [asks('do that'), ...edits(2), ...runs('git commit -m "Round tide heights to centimetres"')]
    expect(digest(...steps).title).toBe('Round tide heights to centimetres')
  })

  it('is never a slash command', () => {
    const command: Step = { kind: 'command', role: 'user', text: '/review-pr' }
    const steps = [command, ...runs(`git commit -m "$(cat <<'EOF'\nfix: close the socket\n\nIt leaked.\nEOF\n)"`)]
    expect(digest(...steps).title).toBe('fix: close the socket')
    expect(digest(command, says('The review found two problems in the mailer.')).title).toBe(
      'The review found two problems in the mailer',
    )
  })

  it('is taken from the arguments of a slash command', () => {
    const command: Step = { kind: 'command', role: 'user', text: '/plan split the mailer into two modules' }
    expect(digest(command, says('Done.')).title).toBe('split the mailer into two modules')
  })

  it('says so if nothing was asked', () => {
    expect(digest(asks('ping'), says('pong')).title).toBe('Health check')
  })
})

describe('the thread of a session', () => {
  it('has what was asked first, on the way and last', () => {
    const steps = [
      asks('hello'),
      asks('draw the tide of a day as a curve'),
      says('Done.'),
      asks('ok'),
      asks('leave out the stations without data'),
      ...edits(3),
      asks('thanks!'),
      asks('now commit it'),
    ]
    expect(digest(...steps).thread).toEqual([
      { seq: 1, part: 'first', text: 'draw the tide of a day as a curve' },
      { seq: 4, part: 'then', text: 'leave out the stations without data' },
      { seq: 9, part: 'last', text: 'now commit it' },
    ])
  })

  it('stays small in a session with many prompts', () => {
    const steps = Array.from({ length: 500 }, (_, place) => asks(`rename column ${place} of the invoice table`))
    const { thread } = digest(...steps)
    expect(thread).toHaveLength(6)
    expect(thread[0]!.text).toContain('column 0 ')
    expect(thread.at(-1)!.text).toContain('column 499 ')
  })
})
