import { describe, expect, it } from 'vitest'
import { type Collection, outInto } from '../../../test/agents/collect.ts'
import { readMessages } from './messages.ts'

describe('readMessages', () => {
  it.each([
    ['an answer', 'The mast is up.', ['reply']],
    ['a stopped request', 'Operation interrupted: waiting for model response (4.2s elapsed).', ['interrupt']],
    ['a stopped tool', 'Operation interrupted.', ['interrupt']],
    ['an answer about it', 'Operation interrupted: the disk was full.', ['reply']],
    ['no answer', '(empty)', []],
  ])('recognises %s', (_, content, kinds) => {
    const collection: Collection = { sessions: new Map(), bad: [], unknown: [] }
    const out = outInto(collection)
    const session = out.session('s')
    readMessages([{ role: 'assistant', content }], { out, session, native: 's', cwd: undefined, isSubagent: false })
    expect(collection.sessions.get('s')!.events.map(({ kind }) => kind)).toEqual(kinds)
  })
})
