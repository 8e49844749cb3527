import { PassThrough } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { createTerminal, wrapMessage, wrapText } from './terminal.ts'

describe('wrapText', () => {
  it.each([
    ['a short line', 'one two', ['one two']],
    ['an empty line', 'one\n\ntwo', ['one', '', 'two']],
    ['words', 'one two three four five six', ['one two three four', 'five six']],
    ['blanks within a line and before it', '  one  two three four', ['  one  two three', 'four']],
    ['a long word', `a ${'x'.repeat(24)}`, ['a', 'x'.repeat(19), 'xxxxx']],
    ['wide characters', '修复登录测试失败的问题', ['修复登录测试失败的问', '题']],
  ])('%s', (_, text, lines) => expect(wrapText(text, 20)).toEqual(lines))

  it('leaves words whole that are copied', () => {
    const path = `/${'x'.repeat(30)}`
    expect(wrapText(`in ${path} now`, 20, { keepsWords: true })).toEqual(['in', path, 'now'])
  })
})

describe('wrapMessage', () => {
  it.each([
    ['what fits', 'nothing found', 'nothing found'],
    ['a sentence', 'The file was not changed', 'The file was not\nchanged'],
    ['a command at the end', 'Nothing found. Try: recollect sweep', 'Nothing found. Try:\nrecollect sweep'],
    ['an indented line', '  The file was not changed', '  The file was not\n  changed'],
    ['an item of a list', '- The file was not changed', '- The file was not\n  changed'],
    ['a script without blanks', '修复登录测试失败的问题', '修复登录测试失败的问\n题'],
    ['each line by itself', 'one\nThe file was not changed', 'one\nThe file was not\nchanged'],
  ])('%s', (_, text, wrapped) => expect(wrapMessage(text, 20)).toBe(wrapped))
})

describe('progress', () => {
  it('stays on one line', () => {
    const err = Object.assign(new PassThrough(), { isTTY: true })
    const stream = err as unknown as NodeJS.WriteStream
    createTerminal(stream, stream, { colour: false, columns: 40 }).progress().show('Capturing', 5e8, 1e9)
    const [, , line = ''] = /^(\r\u001b\[K)(.*)$/s.exec(String(err.read()))!
    expect(line).toMatch(/^Capturing █{10}░{10} .*…$/)
    expect(line).toHaveLength(39)
  })
})

describe('say', () => {
  const said = (isTTY: boolean) => {
    const [out, err] = [new PassThrough(), Object.assign(new PassThrough(), { isTTY })]
    const streams = [out, err].map((stream) => stream as unknown as NodeJS.WriteStream)
    const { say, style } = createTerminal(streams[0]!, streams[1]!, { colour: true, columns: 20 })
    say(style.red('The file was not changed'))
    return String(err.read())
  }

  it('wraps at a terminal, without counting colours', () =>
    expect(said(true)).toBe('\u001b[31mThe file was not\nchanged\u001b[0m\n'))

  it('leaves lines whole elsewhere', () => expect(said(false)).toBe('\u001b[31mThe file was not changed\u001b[0m\n'))
})
