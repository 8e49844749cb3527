import { expect, it } from 'vitest'
import { callSourceOf, unknownSource } from './call-source.ts'

it('reads the session and the call that Codex sends', () =>
  expect(callSourceOf({ callId: 'call_1', 'x-codex-turn-metadata': { thread_id: '0199-ab' } })).toEqual({
    session: 'codex:0199-ab',
    event: 'call_1',
  }))

it.each([
  ['nothing', undefined],
  ['another client', { 'claudecode/toolUseId': 'toolu_1' }],
  ['no call', { 'x-codex-turn-metadata': { thread_id: '0199-ab' } }],
  ['what is no id', { callId: 'call_1', 'x-codex-turn-metadata': { thread_id: 'a\nb' } }],
  ['text instead', { callId: 'call_1', 'x-codex-turn-metadata': 'thread' }],
])('returns unknownSource for %s', (_, meta) => expect(callSourceOf(meta)).toEqual(unknownSource))
