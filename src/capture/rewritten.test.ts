import { describe, expect, it } from 'vitest'
import type { EventKind } from '../core/session.ts'
import { type ToldEvent, withUntold } from './rewritten.ts'

function told(key: string, text: string, more: Partial<ToldEvent> = {}): ToldEvent {
  return { id: '', key, kind: 'reply' as EventKind, role: 'assistant', ts: null, text, ...more }
}

const result = (key: string, text: string, call: string) => told(key, text, { kind: 'tool_result', role: 'tool', call })
const textsOf = (before: ToldEvent[], now: ToldEvent[]) => withUntold(before, now).events.map(({ text }) => text)

describe('events that a document tells no more', () => {
  const before = [told('a', 'one'), told('b', 'two'), told('c', 'three')]

  it('stay behind the event that they followed', () => {
    expect(textsOf(before, [told('a', 'one'), told('d', 'four')])).toEqual(['one', 'two', 'three', 'four'])
    expect(textsOf(before, [told('c', 'three')])).toEqual(['one', 'two', 'three'])
    expect(textsOf(before, [])).toEqual(['one', 'two', 'three'])
  })

  it('are not kept twice if they are told under another key', () => {
    const shifted = [told('0/two', 'two'), told('1/three', 'three'), told('2/four', 'four')]
    expect(textsOf(before, shifted)).toEqual(['one', 'two', 'three', 'four'])
    const renumbered = [told('a', 'two'), told('b', 'three')]
    expect(textsOf(before, renumbered)).toEqual(['one', 'two', 'three'])
  })

  it('keep their number where somebody said the same again', () => {
    const yes = [told('a', 'yes'), told('b', 'yes')]
    expect(textsOf(yes, [told('c', 'yes')])).toEqual(['yes', 'yes'])
  })

  it('were the beginning of an answer, or of a result of the same call', () => {
    expect(textsOf([told('a', 'The lamp')], [told('b', 'The lamp is on')])).toEqual(['The lamp is on'])
    expect(textsOf([result('a', 'running', '1')], [result('b', '3 passed', '1')])).toEqual(['running\n3 passed'])
    expect(textsOf([result('a', 'running', '1')], [result('b', '3 passed', '2')])).toEqual(['running', '3 passed'])
  })
})

describe('an event with another text', () => {
  it('has grown', () => {
    expect(textsOf([told('a', 'The lamp')], [told('a', 'The lamp is on')])).toEqual(['The lamp is on'])
  })

  it('was said in other words: both are kept, however often it is read', () => {
    const first = withUntold([told('a', 'Use yarn')], [told('a', 'Use pnpm')])
    expect(first.events.map(({ text }) => text)).toEqual(['Use yarn', 'Use pnpm'])
    expect(new Set(first.events.map(({ key }) => key)).size).toBe(2)
    expect(textsOf(first.events, [told('a', 'Use pnpm')])).toEqual(['Use yarn', 'Use pnpm'])
    expect(textsOf(first.events, [told('a', 'Use yarn')])).toEqual(['Use yarn', 'Use pnpm'])
  })

  it('keeps an output that was cleared', () => {
    const output = 'error: the port 4810 is in use by another process'
    expect(textsOf([result('a', output, '1')], [result('a', '', '1')])).toEqual([output])
    expect(textsOf([result('a', output, '1')], [result('a', '[cleared]', '1')])).toEqual([`${output}\n[cleared]`])
    expect(textsOf([result('a', `${output}\n[cleared]`, '1')], [result('a', '[cleared]', '1')])).toEqual([
      `${output}\n[cleared]`,
    ])
  })

  it('keeps the lines of an output that are lost, whatever is told in their place', () => {
    const note = '[Old tool result content cleared]'
    expect(textsOf([result('a', 'port 4810', '1')], [result('a', note, '1')])).toEqual([`port 4810\n${note}`])
    const first = result('a', 'test one: ok\n1 of 3 done', '1')
    const second = result('a', 'test one: ok\n2 of 3 done', '1')
    expect(textsOf([first], [second])).toEqual(['1 of 3 done\ntest one: ok\n2 of 3 done'])
  })

  it('has lost a secret', () => {
    const clean = told('a', 'my key is [secret: github-token] please')
    expect(textsOf([told('a', 'my key is abcdefghijkl please')], [clean])).toEqual([clean.text])
  })
})

it('says when nothing is to be kept', () => {
  const now = [told('a', 'one'), told('b', 'two')]
  expect(withUntold([told('a', 'one')], now)).toEqual({ events: now, isAsTold: true })
  expect(withUntold(now, [told('a', 'one')]).isAsTold).toBe(false)
})
