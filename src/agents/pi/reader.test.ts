import { describe, expect, it } from 'vitest'
import type { Event, Json } from '../../core/session.ts'
import { trackBranches } from './branches.ts'
import { pi } from './pi.ts'
import { openPi } from './reader.ts'

describe('openPi', () => {
  type Entry = Record<string, Json>

  const header = { type: 'session', id: 's1', timestamp: '2026-06-01T10:00:00.000Z', cwd: '/srv/lantern' }
  const asked = {
    type: 'message',
    timestamp: '2026-06-01T10:00:01.000Z',
    message: { role: 'user', content: 'Which lamps are on?', timestamp: 1780308001000 },
  }
  const reminded = {
    type: 'message',
    timestamp: '2026-06-01T10:00:02.000Z',
    message: { role: 'hookMessage', content: 'Be short.', timestamp: 1780308002000 },
  }
  const compacted = { type: 'compaction', timestamp: '2026-06-01T10:00:03.000Z', summary: 'Lamps.', tokensBefore: 9 }

  it('recognises an entry after Pi has rewritten an old file with ids', () => {
    const old = [header, asked, reminded, { ...compacted, firstKeptEntryIndex: 1 }]
    const migrated = [
      { ...header, version: 3 },
      { ...asked, id: 'aaaaaaaa', parentId: null },
      { ...reminded, id: 'bbbbbbbb', parentId: 'aaaaaaaa', message: { ...reminded.message, role: 'custom' } },
      { ...compacted, id: 'cccccccc', parentId: 'bbbbbbbb', firstKeptEntryId: 'aaaaaaaa' },
    ]
    expect(eventsOf(migrated).map((event) => event.key)).toEqual(eventsOf(old).map((event) => event.key))
  })

  it('knows the first entry that a compaction keeps', () => {
    const [, event] = eventsOf([header, { ...asked, id: 'aaaaaaaa' }, { ...compacted, firstKeptEntryId: 'aaaaaaaa' }])
    expect(event).toMatchObject({ kind: 'compaction', keepsFrom: 'aaaaaaaa' })
  })

  it('distinguishes equal entries of different times', () => {
    const again = { ...asked, message: { ...asked.message, timestamp: 1780308009000 } }
    expect(new Set(eventsOf([header, asked, again]).map((event) => event.key)).size).toBe(2)
  })

  // Prompts are capital letters; every entry names its parent: "C<a" is prompt C under entry a.
  it.each([
    ['a straight line', 'A<  b<A C<b', [0, 0, 0]],
    ['back before the last prompt', 'A<  b<A C<b D<b', [0, 0, 0, 1]],
    ['back to the start', 'A<  b<A C<b D<', [0, 0, 0, 2]],
    ['another answer to the same prompt', 'A<  b<A c<A', [0, 0, 0]],
    ['over to a branch given up before', 'A<  B<A C<A D<B', [0, 0, 1, 1]],
    ['from an entry no longer known', 'A<  b<A C<z', [0, 0, 0]],
  ])('counts abandoned prompts: %s', (_, line, expected) => {
    let book = trackBranches(undefined)
    const left = line.split(/\s+/).map((step) => {
      const [id = '', parent = ''] = step.split('<')
      const leftBehind = book.follow({ id, parent, isPrompt: /[A-Z]/.test(id) })
      book = trackBranches(JSON.parse(JSON.stringify(book.state())) as Json)
      return leftBehind
    })
    expect(left).toEqual(expected)
  })

  function eventsOf(entries: Entry[]): Event[] {
    const events: Event[] = []
    const session = { about() {}, event: (event: Event) => events.push(event), usage() {} }
    const reader = openPi(
      '2026_s1.jsonl',
      pi,
      { session: () => session, isFull: () => false, problem() {}, unknownType() {}, rateLimits() {} },
      undefined,
    )
    for (const entry of entries) reader.record(entry, 0)
    return events
  }
})
