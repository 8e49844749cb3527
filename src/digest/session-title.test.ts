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
    [
      'a condition in front',
      'if the station has no data for the selected day and the archive is empty too, show a short note below the empty curve',
      'show a short note below the empty curve',
    ],
    [
      'an account that ends in a request',
      'we currently have two importers for invoices and both of them parse dates on their own, can we merge the two importers into one module',
      'merge the two importers into one module',
    ],
    [
      'a request that needs its account',
      'when opening `tide show` people might see yesterday until they reload the page by hand, can we do this automatically?',
      'when opening `tide show` people might see yesterday … do this automatically?',
    ],
    [
      'an account, then a request that names a file',
      'There is a second list of stations now. Please describe it in STATIONS.md',
      'There is a second list of stations now … describe it in STATIONS.md',
    ],
    [
      'a symptom, then a request to find out why',
      "I've noticed that whatever page I open in the browser (e.g. the map) there's a short flash of white before the curve. I'd like to record some kind of trace to find out why.",
      'a short flash of white before the curve',
    ],
    [
      'a review',
      'can you take a look at: The helper formatHeight in heights.ts is never used. Other code rounds on its own. Consider removing this helper from the module.',
      'removing this helper from the module',
    ],
    ['an error as JSON', '{"type":"error","error":{"message":"unit: must be metres"}}', 'unit: must be metres'],
    [
      'a traceback',
      'File "/home/dev/app/commands.py", line 146, in cmd_web\n    res = fetch(url)\nValueError: unknown scheme',
      'ValueError: unknown scheme',
    ],
    [
      'a line of a log',
      'fetch failed (exit 3): Error: the station list is empty today',
      'the station list is empty today',
    ],
    [
      'a list',
      'based on make-curve.sh can you write another script that would:\n- read two stations\n- draw both curves',
      'write another script: read two stations',
    ],
    [
      'a long path',
      'compare the formula in docs/research/2026/harmonic-constituents-of-brest.md with the code',
      'compare the formula in harmonic-constituents-of-brest.md with the code',
    ],
    [
      'a field of a usage text',
      'ignore the missing station in main.\nUse tide <question> for help with the station list',
      'ignore the missing station in main',
    ],
    ['pages of documentation', 'how do I add a station?\n<doc>\nType a name.\n</doc>', 'how do I add a station?'],
  ])('finds the task in a prompt with %s', (_, prompt, title) => expect(titleOfPrompt(prompt).text).toBe(title))

  it.each([
    ['rename the station list', 'clear'],
    ['what does the station list do?', 'unclear'],
    ['I just saw two curves on the page', 'unclear'],
    ['https://tides.example/brest', 'unclear'],
    ['draw the curve of the day before on the same page in grey and label it with the date and its range', 'cut'],
  ])('tells that "%s" is %s', (prompt, clarity) => expect(titleOfPrompt(prompt).clarity).toBe(clarity))

  it('gives weight to a request with "it" that names a file', () => {
    expect(titleOfPrompt('restore it in STATIONS.md').weight).toBeGreaterThan(titleOfPrompt('restore it').weight)
    expect(titleOfPrompt('restore it in STATIONS.md').weight).toBeGreaterThanOrEqual(0.4)
  })

  it.each(['hello', 'do that', 'hmm', 'yes', 'continue', 'ok go ahead', 'thanks!', 'fix it', 'Reply with exactly OK.'])(
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

  const commits = (subject: string) => runs(`git commit -m "${subject}"`)

  it.each([
    ['asks', 'is the height of a tide rounded anywhere?'],
    ['tells how things are', 'I just saw heights with seven decimals on the tide page'],
    [
      'is cut',
      `the heights of tides are shown with ${'very '.repeat(12)}many decimals in all of the tables of the site`,
    ],
  ])('is the commit if the prompt %s', (_, prompt) => {
    const steps = [asks(prompt), ...edits(2), ...commits('Round tide heights to centimetres')]
    expect(digest(...steps).title).toBe('Round tide heights to centimetres')
  })

  it('is the prompt if it is clear, also with a commit', () => {
    const steps = [asks('round the heights of tides'), ...edits(2), ...commits('Use toFixed in the table')]
    expect(digest(...steps).title).toBe('round the heights of tides')
  })

  it('is not a commit that was undone', () => {
    const recorded: Step = { kind: 'lifecycle', text: 'Commit 0a1b2c3 Show the moon' }
    const undone: Step = { kind: 'lifecycle', text: 'Undone: 0a1b2c3 Show the moon', undoes: 1 }
    const steps = [asks('is there a picture of the moon?'), says('No.'), ...edits(1), recorded, undone]
    expect(digest(...steps).title).toBe('is there a picture of the moon?')
  })

  it('counts the work of a prompt that was sent again', () => {
    const task = asks('add a test for the harbour list')
    const stop: Step = { kind: 'interrupt', text: 'Interrupted' }
    const steps = [task, stop, task, stop, task, ...edits(3), asks('use the fixtures of the map'), ...edits(4)]
    const { title, thread } = digest(...steps)
    expect(title).toBe('add a test for the harbour list')
    expect(thread.map(({ text }) => text)).toEqual(['add a test for the harbour list', 'use the fixtures of the map'])
  })

  it('is what most of the work of a long session was about', () => {
    const steps = [
      asks('does the readme mention the licence?'),
      ...edits(2),
      ...['draw', 'print', 'export', 'share', 'cache', 'zoom'].flatMap((verb) => [
        asks(`${verb} the tide curve of the harbour`),
        ...edits(3),
      ]),
      asks('sort the imports of the linter config'),
      ...edits(6),
    ]
    expect(digest(...steps).title).toContain('tide curve')
  })

  it.each(['It seems you have shared a page.', 'Please provide the files.', 'If you have questions about it, ask me.'])(
    'is never "%s"',
    (reply) =>
      expect(digest({ kind: 'command', role: 'user', text: '/web tides.example' }, says(reply)).title).toBe(
        '/web tides.example',
      ),
  )

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

  it('is the task of a subagent, also if it says little', () => {
    const task: Step = { kind: 'context', role: 'user', text: 'List stations' }
    expect(digest(task, says('brest.json\nroscoff.json')).title).toBe('List stations')
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

  it('has no repeated prompts, fillers and logs', () => {
    const steps = [
      asks('draw the tide of a day'),
      says('Done.'),
      asks('ERROR: cannot read the station list'),
      says('Fixed.'),
      asks('draw the tide of a day'),
      says('Done.'),
      asks('hmm'),
      says('Yes?'),
    ]
    expect(digest(...steps).thread.map(({ text }) => text)).toEqual(['draw the tide of a day'])
  })

  it('stays small in a session with many prompts', () => {
    const steps = Array.from({ length: 500 }, (_, place) => asks(`rename column ${place} of the invoice table`))
    const { thread } = digest(...steps)
    expect(thread).toHaveLength(6)
    expect(thread[0]!.text).toContain('column 0 ')
    expect(thread.at(-1)!.text).toContain('column 499 ')
  })
})
