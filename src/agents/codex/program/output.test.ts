import { describe, expect, it } from 'vitest'
import { divideOutput, isProven, readProgramOutput } from './output.ts'

describe('readProgramOutput', () => {
  const part = (text: string) => ({ type: 'input_text', text })

  it.each([
    [
      'an end',
      [part('Script completed\nWall time 0.1 seconds\nOutput:\n'), part('a'), part('b')],
      'completed',
      ['a', 'b'],
    ],
    ['one text', 'Script completed\nWall time 0.1 seconds\nOutput:\nall passed\n', 'completed', ['all passed\n']],
    [
      'a failure',
      [part('Script failed\nWall time 0.1 seconds\nOutput:\n'), part('Script error:\nx')],
      'failed',
      ['Script error:\nx'],
    ],
    ['nothing printed', [part('Script completed')], 'completed', []],
    ['other text', 'aborted by user after 1s', 'unknown', ['aborted by user after 1s']],
  ])('reads %s', (_, output, state, parts) => {
    expect(readProgramOutput(output)).toMatchObject({ state, parts })
  })

  it('reads the id of a program that still runs', () => {
    const output = [part('Script running with cell ID 7\nWall time 10.0 seconds\nOutput:\n')]
    expect(readProgramOutput(output)).toEqual({ state: 'running', cell: '7', parts: [] })
  })
})

describe('divideOutput', () => {
  const one = [{ calls: [0] }]
  const result = (output: string, exit: number) => ({ chunk_id: 'a1', exit_code: exit, output })

  it.each([
    ['what was printed', one, ['ok\n'], [{ text: 'ok\n' }]],
    ['words of a failure that may be a file', one, ['error: x'], [{ text: 'error: x' }]],
    ['a result', one, [JSON.stringify(result('no\n', 2))], [{ text: 'no\n', exit: 2, error: 'failed' }]],
    [
      'a settled result',
      one,
      [JSON.stringify({ i: 0, status: 'fulfilled', value: result('ok', 0) })],
      [{ text: 'ok', exit: 0 }],
    ],
    [
      'a rejected result',
      one,
      ['{"status":"rejected","reason":"x"}'],
      [{ text: '{"status":"rejected","reason":"x"}', error: 'failed' }],
    ],
    [
      'a command that still runs',
      one,
      ['{"session_id":5,"output":""}'],
      [{ text: 'Process running with session ID 5', running: '5' }],
    ],
    [
      'the heading of a command',
      one,
      ['Exit code: 3\nWall time: 0.5 seconds\nOutput:\nx\n'],
      [{ text: 'x\n', exit: 3, error: 'failed' }],
    ],
    [
      'an exit code in a text',
      [{ calls: [0], exit: { after: 'exit=', isFirst: true } }],
      ['exit=1\nboom'],
      [{ text: 'exit=1\nboom', exit: 1, error: 'failed' }],
    ],
    [
      'the last exit code after an output',
      [{ calls: [0], exit: { after: ' exit ', isFirst: false } }],
      ['an exit 1 exit 0'],
      [{ text: 'an exit 1 exit 0', exit: 0 }],
    ],
    [
      'no exit code yet',
      [{ calls: [0], exit: { after: 'exit=', isFirst: true } }],
      ['exit=undefined\n'],
      [{ text: 'exit=undefined\n' }],
    ],
    ['JSON that is no result', one, ['{"day":3}'], [{ text: '{"day":3}' }]],
  ])('reads %s', (_, prints, parts, expected) => {
    expect(divideOutput(1, prints, parts)).toEqual(expected)
  })

  it.each([
    ['a part for each', [{ calls: [1] }, { calls: [0] }], ['b', 'a'], ['a', 'b']],
    ['a label between them', [{ calls: [0] }, { calls: [] }, { calls: [1] }], ['a', '--', 'b'], ['a', 'b']],
    ['two parts for one', [{ calls: [0] }, { calls: [0] }, { calls: [1] }], ['a', 'exit=0', 'b'], ['a\nexit=0', 'b']],
    ['a list of results', [{ calls: [0, 1] }], [JSON.stringify([result('a', 0), result('b', 0)])], ['a', 'b']],
    ['one text of both', [{ calls: [0, 1] }], ['ab'], [undefined, 'ab']],
    ['parts that do not fit', [{ calls: [0] }, { calls: [1] }], ['ab'], [undefined, 'ab']],
    ['parts that depend on what happens', undefined, ['a', 'b'], [undefined, 'a\nb']],
    [
      'an output that was cut',
      [{ calls: [0] }, { calls: [1] }],
      ['Warning: truncated output (…)', 'b'],
      [undefined, 'Warning: truncated output (…)\nb'],
    ],
  ])('divides %s', (_, prints, parts, expected) => {
    expect(divideOutput(2, prints, parts).map((output) => output?.text)).toEqual(expected)
  })
})

describe('isProven', () => {
  it.each([
    ['npm test', ' Tests  3 passed (3)\n', true],
    ['npm test', 'Done.\n', false],
    ['npx tsc --noEmit', 'checked\n', false],
    ['git commit -m x', '[main 1a2b3c4] x\n', true],
    ['git commit -m x', 'hook said no\n', false],
    ['git push', '   1a2b3c4..5d6e7f8  main -> main\n', true],
    ['git push', 'Everything up-to-date\n', false],
    ['git status --short', ' M a.ts\n', true],
    ['cat a.ts', 'cat: a.ts: No such file or directory\n', false],
    ['cat a.ts', '', false],
  ])('of %s that printed %j without an exit code: %s', (command, text, expected) => {
    expect(isProven({ tool: 'exec_command', command }, { text })).toBe(expected)
    expect(isProven({ tool: 'exec_command', command }, { text, exit: 0 })).toBe(true)
  })
})
