import { describe, expect, it } from 'vitest'
import { hashKey } from '../store/sessions/events.ts'
import { packKey, unpackKey } from './packed-keys.ts'

const id = '5d0c5a2e-6f4b-4f0e-9f5e-0a1b2c3d4e5f'
const turn = '019f6000-6f4b-7f0e-9f5e-0a1b2c3d4e5f'

describe('packKey', () => {
  it.each([
    ['the id', { id, key: id }, '=~'],
    ['a block of a record', { id, key: `${id}#0` }, '=~#0'],
    ['an edit by a call', { id, key: `${id}/toolu_01/edit`, call: 'toolu_01' }, '=~/^/edit'],
    ['the result of a call', { id: '', key: `${turn}/call_7/result`, call: 'call_7' }, `=${turn}/^/result`],
    ['a place in a turn', { id: '', key: `${turn}/tool_call/12` }, `=${turn}/tool_call/12`],
  ])('names %s instead of a hash', (_, event, packed) => {
    expect(packKey('codex', event)).toBe(packed)
    expect(unpackKey('codex', eventWith({ ...event, key: packed }))).toBe(hashKey('codex', event.key))
  })

  it.each([
    ['another form', { id, key: 'c2f1a0f8' }],
    ['two other ids', { id: '', key: `${turn}/${id}` }],
    ['a mark', { id, key: `${id}~` }],
    ['what a person wrote', { id, key: `${id}/My Password` }],
    ['an id that was redacted', { id: '[REDACTED]', key: 'msg_0123#0' }],
  ])('hashes a key with %s', (_, event) => {
    const packed = packKey('codex', event)
    expect(packed).toBe(hashKey('codex', event.key))
    expect(unpackKey('codex', eventWith({ ...event, key: packed }))).toBe(packed)
  })
})

describe('unpackKey', () => {
  it('knows no key of an event from an earlier version', () => {
    expect(unpackKey('codex', eventWith({ id }))).toBeUndefined()
  })
})

function eventWith(fields: { id: string; key?: string; call?: string }) {
  return { kind: 'prompt', role: 'user', ts: null, text: 'Build the lamp', ...fields } as const
}
