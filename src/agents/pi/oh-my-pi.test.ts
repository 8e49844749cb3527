import { describe, expect, it } from 'vitest'
import { type Collection, outInto } from '../../../test/agents/collect.ts'
import type { Json } from '../../core/session.ts'
import { ohMyPi } from './oh-my-pi.ts'
import { pi } from './pi.ts'
import { openPi } from './reader.ts'
import type { PiDialect } from './state.ts'

describe('Oh My Pi', () => {
  const header = { type: 'session', version: 3, id: 's1', timestamp: '2026-09-14T09:00:00.000Z', cwd: '/srv/lantern' }
  const result = (text: string) => ({
    type: 'message',
    id: 'aaaaaaaa',
    parentId: null,
    timestamp: '2026-09-14T09:00:01.000Z',
    message: {
      role: 'toolResult',
      toolCallId: 'call_1',
      toolName: 'bash',
      content: [{ type: 'text', text }],
      isError: false,
      timestamp: 1789376401000,
    },
  })

  it('recognises a result whose text was removed from the context', () => {
    const [before] = eventsOf(ohMyPi, [header, result('a long list of lamps')])
    const [after] = eventsOf(ohMyPi, [header, result('[output pruned]')])
    expect(after!.key).toBe(before!.key)
    // Pi never rewrites one, but writes ids into old files.
    expect(eventsOf(pi, [header, result('other')])[0]!.key).not.toBe(eventsOf(pi, [header, result('one')])[0]!.key)
  })

  it('does not take the title at the beginning of a file for a session of that name', () => {
    const title = { type: 'title', v: 1, title: 'Lamps', updatedAt: '2026-09-14T09:00:00.000Z', pad: '  ' }
    expect([...sessionsOf(ohMyPi, [title, header, result('x')]).keys()]).toEqual(['s1'])
  })

  function sessionsOf(dialect: PiDialect, entries: Record<string, Json>[]): Collection['sessions'] {
    const collection: Collection = { sessions: new Map(), bad: [], unknown: [] }
    const reader = openPi('/nowhere/Kid.jsonl', dialect, outInto(collection), undefined)
    for (const entry of entries) reader.record(entry, 0)
    return collection.sessions
  }

  function eventsOf(dialect: PiDialect, entries: Record<string, Json>[]) {
    return sessionsOf(dialect, entries).get('s1')!.events
  }
})
