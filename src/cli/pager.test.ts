import { PassThrough } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { createHeldOutput, lineCount } from './pager.ts'

describe('lineCount', () => {
  it.each([
    ['nothing', '', 0],
    ['lines', 'one\ntwo\n', 2],
    ['an empty line', 'one\n\ntwo\n', 3],
    ['a line that the terminal wraps', `${'x'.repeat(25)}\n`, 3],
    ['a coloured line', `\u001b[31m${'x'.repeat(10)}\u001b[0m\n`, 1],
  ])('%s', (_, text, count) => expect(lineCount(text, 10)).toBe(count))
})

describe('createHeldOutput', () => {
  it('writes at once unless it is told to hold', () => {
    const { output, out } = opened('false')
    output.out('one\n')
    expect(out()).toBe('one\n')
  })

  it('prints what fits on the screen without the pager, then the notes', () => {
    const { output, out, err } = opened('false')
    output.hold()
    output.err('note\n')
    output.out('one\n')
    expect([out(), err()]).toEqual(['', ''])
    output.release()
    expect([out(), err()]).toEqual(['one\n', 'note\n'])
  })

  it('leaves what does not fit to the pager', () => {
    const { output, out } = opened('exec cat >/dev/null')
    output.hold()
    output.out('one\ntwo\nthree\nfour\n')
    output.release()
    expect(out()).toBe('')
  })

  it('prints it if there is no such pager', () => {
    const { output, out } = opened('no-such-pager 2>/dev/null')
    output.hold()
    output.out('one\ntwo\nthree\nfour\n')
    output.release()
    expect(out()).toBe('one\ntwo\nthree\nfour\n')
  })
})

function opened(command: string) {
  const [out, err] = [new PassThrough(), new PassThrough()]
  const screen = { rows: 4, columns: 40, pager: { command, env: process.env } }
  const text = (stream: PassThrough) => () => String(stream.read() ?? '')
  const output = createHeldOutput(out as never, err as never, screen)
  return { output, out: text(out), err: text(err) }
}
