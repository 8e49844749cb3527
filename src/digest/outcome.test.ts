import { describe, expect, it } from 'vitest'
import type { EventKind } from '../core/session.ts'
import type { StoredEvent } from '../store/sessions/bodies.ts'
import { digestOf } from './digest.ts'
import { foldEvent, newDigestState } from './digest-state.ts'

type Short = [kind: EventKind, text?: string, more?: Partial<StoredEvent>]

function digest(...events: Short[]) {
  const state = newDigestState()
  for (const [seq, [kind, text, more]] of events.entries()) {
    const role = kind === 'prompt' ? 'user' : kind === 'compaction' ? 'system' : 'assistant'
    foldEvent(state, { seq, id: '', kind, role, ts: null, text: text ?? '', ...more })
  }
  return digestOf(state)
}

const ask: Short = ['prompt', 'make the parser faster']
const call: Short = ['tool_call', '', { tool: 'Bash', call: 'c', input: { command: 'npm run build' } }]
const ok: Short = ['tool_result', 'token ok: 0 errors', { call: 'c' }]
const failed: Short = [
  'tool_result',
  'Exit code 1\nTypeError: x is not a function',
  { call: 'c', error: 'failed', exit: 1 },
]
const done: Short = ['reply', 'Done.']
const pass: Short = ['test_run', '', { tests: { passed: 3, failed: 0 } }]
const fail: Short = ['test_run', '', { tests: { passed: 2, failed: 1 }, error: 'failed' }]
const edit: Short = ['edit', '', { files: [{ path: 'a.ts', change: 'update', added: 2, removed: 1 }] }]

const commit: Short[] = [
  ['tool_call', '', { tool: 'Bash', call: 'g', input: { command: 'git commit -m "Read the last line"' } }],
  ['tool_result', '', { call: 'g' }],
]
const recorded: Short = ['lifecycle', 'Commit 0a1b2c3 fix: read it']
const asks = (text: string): Short => ['prompt', text]
const says = (text: string): Short => ['reply', text]

describe('judgeOutcome', () => {
  it.each<[string, Short[], string]>([
    // Evidence after the last request.
    ['the tests passed', [ask, call, fail, edit, call, pass, done], 'success'],
    ['a commit', [ask, edit, ...commit, done], 'success'],
    ['a commit, then an offer', [ask, edit, ...commit, says('Committed. Want me to push it?')], 'success'],
    ['a commit after failing tests', [ask, call, fail, ...commit, done], 'success'],
    ['a build that passed after the edit', [ask, edit, call, ok, done], 'success'],
    ['thanks', [ask, call, failed, done, asks('perfect, thanks!')], 'success'],
    ['thanks, answered', [ask, done, asks('Danke dir!'), says('Gern geschehen.')], 'success'],
    // Nothing shows whether it was right.
    ['an answer', [ask, done], 'unknown'],
    ['an edit without a test', [ask, edit, done], 'unknown'],
    ['tests before the last request', [ask, call, pass, done, asks('now add a flag'), edit, done], 'unknown'],
    ['a commit before the last request', [ask, ...commit, done, asks('what about the lexer?'), done], 'unknown'],
    ['a failing search at the end', [ask, ['tool_call', '', { call: 'c' }], failed, done], 'unknown'],
    ['a correction, then an edit', [ask, done, asks('no, use tabs'), edit, done], 'unknown'],
    // The person has to answer.
    ['a question', [ask, call, ok, says('There are two parsers. Which one do you mean?')], 'waiting'],
    ['a question after passing tests', [ask, edit, call, pass, says('All pass. Should I commit this?')], 'waiting'],
    ['a choice', [ask, says('Options:\n1. Keep the old API.\n2. Drop it in the next release.')], 'waiting'],
    [
      'a question by a tool',
      [ask, says('One thing.'), ['tool_call', '', { tool: 'AskUserQuestion', call: 'q' }]],
      'waiting',
    ],
    // In the middle of work.
    ['failing tests', [ask, call, fail, done], 'open'],
    ['an edit after failing tests', [ask, call, fail, edit, done], 'open'],
    ['a result without an answer', [ask, says('I look.'), call, ok], 'open'],
    ['an edit without an answer', [ask, says('I change it.'), call, ok, edit], 'open'],
    ['a tool call without a result', [ask, says('I build it.'), call], 'open'],
    ['the same after passing tests', [ask, call, pass, says('Once more.'), call], 'open'],
    ['two calls, one result', [ask, done, call, [call[0], '', { ...call[2], call: 'd' }], ok], 'open'],
    ['a usage limit', [ask, call, ok, ['error', "You've hit your limit · resets 3pm"]], 'open'],
    ['a build that failed', [ask, edit, call, failed, says('It does not build yet.')], 'open'],
    [
      'a step that was only announced',
      [ask, call, ok, says('The build is slow. Let me look at the cache first.')],
      'open',
    ],
    ['a build that failed after the commit', [ask, ...commit, call, failed, says('It broke.')], 'open'],
    // Failed or given up.
    ['an error of the service', [ask, call, ok, ['error', 'API Error: 529 overloaded']], 'fail'],
    ['a correction without an answer', [ask, call, ok, done, asks("no, that's wrong")], 'fail'],
    [
      'a report that it does not work',
      [ask, edit, done, asks('still 3. this doesnt work'), says('I am sorry.')],
      'fail',
    ],
    ['no answer at all', [ask], 'abandoned'],
    ['no answer to the last prompt', [ask, done, asks('and now the lexer')], 'abandoned'],
    ['an interruption', [ask, call, ok, ['interrupt', '[Request interrupted by user]']], 'abandoned'],
    ['a person who gives up', [ask, done, asks('forget it'), says('All right.')], 'abandoned'],
    [
      'a release that failed after the commit',
      [ask, ...commit, [call[0], '', { ...call[2], input: { command: 'npm run publish' } }], failed, done],
      'open',
    ],
    [
      'a piped build after a build that failed',
      [
        ask,
        ...commit,
        call,
        failed,
        ['tool_call', '', { tool: 'Bash', call: 'p', input: { command: 'npm run build 2>&1 | tail -5' } }],
        ['tool_result', '', { call: 'p' }],
        done,
      ],
      'open',
    ],
    [
      'a reply that breaks off after a failure',
      [ask, call, failed, says('The mismatch comes from the other package. It was never built, so did we revert')],
      'open',
    ],
    ['a request in the same words', [ask, edit, done, ask, done], 'unknown'],
    ['a command without a prompt, and a question', [['command', '/web tides.example'], says('Which page?')], 'waiting'],
    ['thanks for nothing', [asks('hi'), says('Hello!'), asks('thanks'), says('Welcome.')], 'unknown'],
    ['unanswered thanks for nothing', [asks('hi'), says('Hello!'), asks('thanks')], 'unknown'],
    [
      'an edit that was refused',
      [
        ask,
        done,
        ['tool_call', '', { tool: 'edit', call: 'e', input: { path: 'b.py' } }],
        ['tool_result', '', { call: 'e', error: 'denied' }],
      ],
      'abandoned',
    ],
    [
      'a commit that was undone',
      [ask, done, edit, recorded, ['lifecycle', 'Undone: 0a1b2c3 fix: read it', { undoes: 1 }]],
      'fail',
    ],
    [
      'one of two commits undone',
      [ask, done, edit, recorded, ['lifecycle', 'Commit 4d5e6f7 style: x'], ['lifecycle', 'Undone: 4d5e6f7 style: x']],
      'success',
    ],
    [
      'a commit that a reset took back',
      [
        ask,
        edit,
        ...commit,
        ['tool_call', '', { tool: 'Bash', call: 'r', input: { command: 'git reset --hard HEAD~1' } }],
        ['tool_result', '', { call: 'r' }],
        done,
      ],
      'unknown',
    ],
    // An agent that applies the edits of its reply itself.
    ['an edit of the reply', [ask, done, edit], 'unknown'],
    ['an edit of the reply, committed', [ask, done, edit, ['lifecycle', 'Commit 0a1b2c3 fix: read it']], 'success'],
  ])('ends with %s', (_, events, outcome) => {
    expect(digest(...events)).toMatchObject({ outcome })
  })

  it('ignores words in the output', () => {
    const printed: Short = ['tool_result', 'error: none. FAILED: 0. fatal errors: 0', { call: 'c' }]
    expect(digest(ask, edit, call, printed, done).outcome).toBe('success')
  })

  it('names the question that it waits for', () => {
    expect(digest(ask, says('Both work.\n\n**Which of them do you want?**')).question).toBe(
      'Which of them do you want?',
    )
  })
})

describe('kind of activity', () => {
  it.each<[string, Short[], string]>([
    ['work with tools', [ask, call, ok, done], 'work'],
    ['edits without tools', [ask, done, edit], 'work'],
    ['talk', [ask, done], 'talk'],
    ['a health check', [['prompt', 'Say OK'], done], 'health-check'],
    ['greetings and thanks', [asks('hi'), done, asks('thanks'), done, asks('hmm'), done], 'health-check'],
    [
      'a greeting whose answer was refused',
      [asks('hi'), ['tool_call', '', { call: 'e' }], ['tool_result', '', { call: 'e', error: 'denied' }], done],
      'health-check',
    ],
    ['nothing', [], 'empty'],
    ['a prompt without an answer', [ask], 'empty'],
  ])('%s', (_, events, kind) => expect(digest(...events).kind).toBe(kind))
})

describe('digestOf', () => {
  it('does not take a summary for a compaction for the last answer', () => {
    const summary: Short[] = [
      ['reply', 'Built, no tests yet.'],
      ['compaction', 'Here is the summary: Built, no tests yet.'],
    ]
    expect(digest(ask, call, ok, done, ...summary)).toMatchObject({ lastReply: 'Done.', outcome: 'unknown' })
    expect(digest(ask, call, ok, ...summary)).toMatchObject({ lastReply: '', outcome: 'open' })
    expect(digest(ask, ...summary, call, ok, done)).toMatchObject({ lastReply: 'Done.', outcome: 'unknown' })
  })

  it('keeps a short answer that a summary repeats', () => {
    const repeated: Short[] = [says('It prints the tides.'), ['compaction', 'It prints the tides.']]
    expect(digest(ask, done, asks('say it in short'), ...repeated)).toMatchObject({
      lastReply: 'It prints the tides.',
      outcome: 'unknown',
    })
  })

  it('leaves out commits that were undone', () => {
    const undone: Short[] = [ask, done, edit, recorded, ['lifecycle', 'Undone: 0a1b2c3 fix: read it', { undoes: 1 }]]
    expect(digest(...undone).commits).toEqual([])
    expect(digest(...undone, asks('read the first line'), done, edit, recorded).commits).toEqual(['fix: read it'])
  })

  it('takes the same words again for a correction, unless they were not answered', () => {
    expect(digest(ask, edit, done, ask, edit, done).counts.corrections).toBe(1)
    expect(digest(ask, ['interrupt', 'stopped'], ask, edit, done).counts.corrections).toBe(0)
  })

  it('finds corrections, retries, recoveries and files', () => {
    const result = digest(
      ask,
      call,
      failed,
      call,
      failed,
      edit,
      call,
      fail,
      ['prompt', 'No, keep the old API'],
      edit,
      call,
      pass,
      done,
    )
    expect(result).toMatchObject({
      title: 'make the parser faster',
      counts: { corrections: 1, retries: 2 },
      corrections: [{ text: 'No, keep the old API' }],
      files: [{ path: 'a.ts', added: 4, removed: 2, times: 2 }],
      errors: expect.arrayContaining([
        expect.objectContaining({ count: 2, message: 'TypeError: x is not a function' }),
      ]),
    })
    expect(result.turningPoints.map((point) => point.kind)).toEqual(['tests-failed', 'correction', 'tests-passed'])
  })
})

describe('the verdict of a test run', () => {
  const run = (command: string, more: Partial<StoredEvent>): Short[] => [
    ask,
    ['tool_call', '', { tool: 'Bash', call: 't', input: { command } }],
    ['test_run', '', { call: 't', ...more }],
  ]
  const failed = { tests: { passed: 3, failed: 0 }, error: 'failed', exit: 1 } as const

  it.each<[string, Partial<StoredEvent>, number]>([
    ['npm test | tail -3 && npm run lint', failed, 0],
    ['npm run lint && npm test', failed, 1],
    ['npm test 2>&1 | tail -3', failed, 1],
    ['npm test && npm run lint', { ...failed, tests: { passed: 2, failed: 1 } }, 1],
    ['npm test && npm run lint', { error: 'failed', exit: 1 }, 1],
  ])('%s: %j', (command, more, failedRuns) => expect(digest(...run(command, more)).tests.failedRuns).toBe(failedRuns))
})
