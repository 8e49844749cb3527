import { describe, expect, it } from 'vitest'
import { type Collected, type Collection, outInto } from '../../../test/agents/collect.ts'
import type { Json } from '../../core/session.ts'
import { openQwen } from './reader.ts'

type Row = Record<string, Json>

const user = (uuid: string, parentUuid: string | null, said: string, more: Row = {}): Row => ({
  uuid,
  parentUuid,
  type: 'user',
  message: { role: 'user', parts: [{ text: said }] },
  ...more,
})
const system = (uuid: string, parentUuid: string | null, subtype: string, systemPayload: Row = {}): Row => ({
  uuid,
  parentUuid,
  type: 'system',
  subtype,
  systemPayload,
})

describe('openQwen: rewinds', () => {
  const turns = [
    user('a', null, 'one'),
    user('b', 'a', 'two'),
    user('n', 'b', 'done', { subtype: 'notification' }),
    user('c', 'n', 'three'),
  ]
  it.each([
    ['to the first turn', null, 3],
    ['to the second', 'a', 2],
    ['to the last', 'n', 1],
    ['to where it is', 'c', 0],
    ['to a record that is not there', '?', 0],
  ])('%s retracts the prompts after it', (_, parent, undoes) => {
    expect(read(...turns, system('r', parent, 'rewind')).events.at(-1)!.undoes).toBe(undoes)
  })

  it('forgets the retracted prompts', () => {
    const { events } = read(
      ...turns,
      system('r', 'a', 'rewind'),
      user('d', 'r', 'four'),
      system('q', 'a', 'rewind'),
      system('p', null, 'rewind'),
    )
    expect(events.flatMap((event) => event.undoes ?? [])).toEqual([2, 1, 1])
  })

  it('replaces a title of the branch that was left', () => {
    const named = (uuid: string, customTitle: string, titleSource: string) =>
      system(uuid, 'a', 'custom_title', { customTitle, titleSource })
    const left = [user('a', null, 'one'), named('t', 'Old title', 'manual')]
    expect(read(...left, named('u', 'New title', 'auto')).about.title).toBe('Old title')
    expect(read(...left, system('r', 'a', 'rewind'), named('u', 'New title', 'auto')).about.title).toBe('New title')
  })
})

describe('openQwen: tokens', () => {
  it.each([
    ['thoughts inside the answer', { candidatesTokenCount: 50, thoughtsTokenCount: 20, totalTokenCount: 150 }, 50],
    ['thoughts beside it', { candidatesTokenCount: 50, thoughtsTokenCount: 20, totalTokenCount: 170 }, 70],
    ['no total', { candidatesTokenCount: 50, thoughtsTokenCount: 20 }, 50],
  ])('with %s', (_, counts, output) => {
    const usageMetadata = { promptTokenCount: 100, cachedContentTokenCount: 80, ...counts }
    expect(read({ uuid: 'a', type: 'assistant', model: 'm', usageMetadata }).usages).toMatchObject([
      { key: 'a', input: 20, cacheRead: 80, output, reasoning: 20 },
    ])
  })
})

describe('openQwen: commands', () => {
  it.each([
    [
      'sent as it was typed',
      [system('a', null, 'slash_command', { phase: 'invocation', rawCommand: '/plan' })],
      ['command', 'context'],
    ],
    ['without a record of its own', [], ['command']],
  ])('%s', (_, before, kinds) => {
    const turn = user('b', null, 'Make a plan.', { systemPayload: { displayText: '/plan' } })
    expect(read(...before, turn).events.map((event) => event.kind)).toEqual(kinds)
  })
})

describe('openQwen: failed turns', () => {
  const failed = system('a', null, 'ui_telemetry', {
    uiEvent: { 'event.name': 'qwen-code.api_error', error_message: 'too many' },
  })
  const result = system('b', 'a', 'turn_result', { state: 'error', error: { message: 'too many' } })
  const stopped = system('c', 'b', 'turn_result', { state: 'cancelled' })
  it.each([
    ['reported by its request', [failed, result], ['error']],
    ['reported by itself', [result], ['error']],
    ['stopped by a person', [stopped], ['interrupt']],
  ])('%s', (_, rows, kinds) => {
    expect(read(...rows).events.map((event) => event.kind)).toEqual(kinds)
  })
})

function read(...rows: Row[]): Collected {
  const collection: Collection = { sessions: new Map(), bad: [], unknown: [] }
  const reader = openQwen({ path: 's.jsonl', session: 's' }, outInto(collection), undefined)
  rows.forEach((row, index) => {
    reader.record(row, index)
  })
  return collection.sessions.get('s')!
}
