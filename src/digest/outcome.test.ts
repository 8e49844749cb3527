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

describe('judgeOutcome', () => {
  it.each<[string, Short[], string]>([
    ['answered, nothing failed', [ask, call, ok, done], 'success'],
    ['no answer at all', [ask], 'abandoned'],
    ['the last prompt has no answer', [ask, done, ['prompt', 'and now the lexer']], 'abandoned'],
    ['stopped by the user', [ask, call, ok, ['interrupt', '[Request interrupted by user]']], 'abandoned'],
    ['the last tool call failed', [ask, call, failed, done], 'fail'],
    ['failed, then worked', [ask, call, failed, call, ok, done], 'success'],
    ['tests fail at the end', [ask, call, fail, done], 'fail'],
    ['tests pass at the end', [ask, call, fail, edit, call, pass, done], 'success'],
    ['changed after failing tests, never run again', [ask, call, fail, edit, done], 'unknown'],
    ['the user says thanks', [ask, call, failed, done, ['prompt', 'perfect, thanks!']], 'success'],
    ['the last word is a correction', [ask, call, ok, done, ['prompt', "no, that's wrong"]], 'fail'],
    ['corrected and answered without proof', [ask, done, ['prompt', 'no, use tabs'], done], 'unknown'],
    ['the service failed', [ask, call, ok, ['error', 'API Error: 529 overloaded']], 'fail'],
    [
      'ended with a commit',
      [
        ask,
        ['tool_call', '', { tool: 'Bash', call: 'g', input: { command: 'git commit -m x' } }],
        ['tool_result', '', { call: 'g' }],
        done,
      ],
      'success',
    ],
    ['ends in the middle of work', [ask, call, ok], 'unknown'],
    ['killed while a tool ran', [ask, ['reply', 'I will build it.'], call], 'unknown'],
    ['killed while a tool ran, after passing tests', [ask, call, pass, ['reply', 'Once more.'], call], 'unknown'],
    ['killed while two tools ran', [ask, done, call, [call[0], '', { ...call[2], call: 'd' }], ok], 'unknown'],
  ])('%s', (_, events, outcome) => {
    expect(digest(...events)).toMatchObject({ outcome })
  })

  it('ignores words in the output', () => {
    expect(
      digest(ask, call, ['tool_result', 'error: none. FAILED: 0. fatal errors: 0', { call: 'c' }], done).outcome,
    ).toBe('success')
  })
})

describe('digest quality', () => {
  it.each<[string, Short[], string]>([
    ['work with tools', [ask, call, ok, done], 'good'],
    ['talk', [ask, done], 'talk'],
    ['a health check', [['prompt', 'Say OK'], done], 'health-check'],
    ['nothing', [], 'empty'],
    ['a prompt without an answer', [ask], 'empty'],
  ])('%s', (_, events, quality) => expect(digest(...events).quality).toBe(quality))
})

describe('digestOf', () => {
  it('does not take a summary for a compaction for the last answer', () => {
    const summary: Short[] = [
      ['reply', 'Built, no tests yet.'],
      ['compaction', 'Here is the summary: Built, no tests yet.'],
    ]
    expect(digest(ask, call, ok, done, ...summary)).toMatchObject({ lastReply: 'Done.', outcome: 'success' })
    expect(digest(ask, call, ok, ...summary)).toMatchObject({ lastReply: '', outcome: 'unknown' })
    expect(digest(ask, ...summary, call, ok, done)).toMatchObject({ lastReply: 'Done.', outcome: 'success' })
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
