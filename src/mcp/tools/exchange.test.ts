import { describe, expect, it } from 'vitest'
import { zoneOf } from '../../core/units.ts'
import type { StoredEvent } from '../../store/sessions/bodies.ts'
import { exchangesAround, exchangeText } from './exchange.ts'

/** `? asked`, `$ tool`, `✗ what failed`, `+ file`, anything else a reply. */
function session(...said: string[]): StoredEvent[] {
  return said.map((line, seq) => {
    const event = { seq, id: String(seq), ts: '2026-09-01T10:00:00.000Z', text: line.slice(2) }
    if (line.startsWith('? ')) return { ...event, kind: 'prompt', role: 'user' }
    if (line.startsWith('$ ')) return { ...event, kind: 'tool_call', role: 'assistant', tool: line.slice(2) }
    if (line.startsWith('✗ ')) return { ...event, kind: 'tool_result', role: 'tool', error: 'failed' }
    if (line.startsWith('+ '))
      return { ...event, kind: 'edit', role: 'tool', files: [{ path: line.slice(2), change: 'update' }] }
    return { ...event, text: line, kind: 'reply', role: 'assistant' }
  })
}

const events = session(
  'hello',
  '? one',
  'first',
  '? two',
  '$ Bash',
  '$ Bash',
  '✗ no such file or directory',
  '+ lamp.ts',
  'second',
  '? three',
)

describe('exchangesAround', () => {
  it.each([
    ['in the middle', 5, 1, ['one', 'two', 'three']],
    ['alone', 5, 0, ['two']],
    ['of the prompt itself', 3, 0, ['two']],
    ['at the beginning', 0, 1, ['', 'one']],
    ['at the end', 9, 1, ['two', 'three']],
    ['behind the end', 99, 1, ['two', 'three']],
    ['all of them', 1, 5, ['', 'one', 'two', 'three']],
  ])('%s', (_, seq, around, asked) =>
    expect(exchangesAround(events, seq, around).map((exchange) => exchange.asked)).toEqual(asked),
  )

  it('returns where exchanges start and end', () =>
    expect(exchangesAround(events, 5, 0)).toMatchObject([{ from: 3, to: 9, answered: 'second' }]))

  it('returns nothing for no events', () => expect(exchangesAround([], 0, 1)).toEqual([]))
})

it('exchangeText summarises an exchange in a few lines', () =>
  expect(exchangeText(exchangesAround(events, 5, 0)[0]!, 'codex:1#3', zoneOf('UTC'))).toBe(
    [
      '[codex:1#3] 2026-09-01 10:00 user: two',
      '  agent ran: Bash 2×',
      '  edited: lamp.ts',
      '  tool output, failed 1×: no such file or directory',
      '  agent: second',
    ].join('\n'),
  ))
