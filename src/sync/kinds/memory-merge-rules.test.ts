import { describe, expect, it } from 'vitest'
import { sampleMemory } from '../../../test/sample-memory.ts'
import type { Memory } from '../../memory/memory.ts'
import type { MemoryDocument } from '../documents.ts'
import { hashOfDocument } from '../item-hash.ts'
import type { ItemDocument } from '../protocol.ts'
import { memoryDocumentOf, memoryFrom, statementHash } from './memory-document.ts'
import { copyId, mergeDocuments, preferTheirs } from './memory-merge-rules.ts'

const base = memoryDocumentOf(sampleMemory({ id: 'm-one', text: 'The port is 7718', tags: ['net', 'old'] }))

function merged(mine: Partial<MemoryDocument>, theirs: Partial<MemoryDocument>, known: 'base' | 'nothing' = 'base') {
  return mergeDocuments({
    id: 'm-one',
    mine: { ...base, ...mine },
    theirs: { ...base, ...theirs },
    ...(known === 'base' ? { base, baseStatement: statementHash(base) } : {}),
    wasStatedHere: (statement) => statement === statementHash(base),
  })
}

describe('mergeDocuments', () => {
  it.each<[string, Partial<MemoryDocument>, Partial<MemoryDocument>, Partial<MemoryDocument>]>([
    ['counts are put together', { said: 3 }, { said: 5, importance: 0.9 }, { said: 5, importance: 0.9 }],
    ['words of the one who changed them', { text: 'Mine' }, { said: 2 }, { text: 'Mine', said: 2 }],
    [
      'also if that is the other one',
      { said: 2 },
      { text: 'Theirs', why: 'so' },
      { text: 'Theirs', why: 'so', said: 2 },
    ],
    [
      'the later confirmation',
      { confirmedAt: '2026-10-01T00:00:00.000Z' },
      {},
      { confirmedAt: '2026-10-01T00:00:00.000Z' },
    ],
    [
      'a tag that one took away stays away',
      { tags: ['net'] },
      { tags: ['net', 'old', 'new'] },
      { tags: ['net', 'new'] },
    ],
    ['what took its place', { said: 2 }, { supersededBy: 'm-two' }, { supersededBy: 'm-two', said: 2 }],
    ['never itself', { supersededBy: 'm-one' }, {}, { supersededBy: null, supersededAt: null }],
    ['a decision', { state: 'inbox' }, {}, { state: 'inbox' }],
    [
      'whose word it is goes with the words',
      { said: 2 },
      { text: 'Theirs', trust: 'agent said' },
      { trust: 'agent said' },
    ],
  ])('%s', (_, mine, theirs, expected) => {
    const { document, copy } = merged(mine, theirs)
    expect(document).toMatchObject(expected)
    expect(copy).toBeUndefined()
  })

  it('keeps both statements if both changed: mine wins, theirs becomes history', () => {
    const { document, copy } = merged({ text: 'Mine' }, { text: 'Theirs', apply: 'always' })
    expect(document.text).toBe('Mine')
    expect(copy).toMatchObject({ text: 'Theirs', apply: 'always', supersededBy: 'm-one', state: 'kept' })
  })

  it('makes the same copy id for the same statement', () => {
    const one = merged({ text: 'Mine' }, { text: 'Theirs', said: 2 }).copy!
    const other = merged({ text: 'Another' }, { text: 'Theirs', said: 7 }).copy!
    expect(copyId('m-one', one)).toBe(copyId('m-one', other))
    expect(copyId('m-one', one)).toMatch(/^m-[a-z2-9]{10}$/)
  })

  it('prefers the new statement of a restored server and keeps the old as a copy', () => {
    const sides = { id: 'm-one', mine: { ...base, said: 4, tags: ['net'] }, theirs: { ...base, text: 'Theirs' } }
    const { document, copy } = preferTheirs(sides)
    expect(document).toMatchObject({ text: 'Theirs', said: 4 })
    expect(copy).toMatchObject({ text: base.text, supersededBy: 'm-one' })
  })

  it('treats a statement from the local history as outdated', () => {
    const { document, copy } = merged({ text: 'Mine' }, {}, 'nothing')
    expect(document.text).toBe('Mine')
    expect(copy).toBeUndefined()
  })
})

describe('memoryDocumentOf and memoryFrom', () => {
  it.each<[string, Partial<Memory>]>([
    ['as it is', {}],
    [
      'with characters that cannot be stored',
      { text: 'a\u0000b \ud800', evidence: [{ session: null, event: null, quote: '\udfff' }] },
    ],
    ['with times as agents write them', { learnedAt: '2026-09-01T12:00:00+02:00', validFrom: 'nonsense' }],
    [
      'with more than a server takes',
      { why: 'long '.repeat(2000), tags: Array.from({ length: 80 }, (_, n) => `t${n}`) },
    ],
    ['of a team', { space: 'team:core', author: 'ann' }],
  ])('undo each other: %s', (_, more) => {
    const document = memoryDocumentOf(sampleMemory({ id: 'm-one', ...more }))
    const back = memoryFrom(document, undefined, { id: 'm-one', space: 'me', author: null })
    expect(hashOfDocument(memoryDocumentOf(back) as ItemDocument)).toBe(hashOfDocument(document as ItemDocument))
  })
})
