import { describe, expect, it } from 'vitest'
import type { ItemDocument } from '../../sync/protocol.ts'
import { indexFieldsOf } from './index-fields.ts'

const space = '00000000-0000-4000-8000-000055556666'
const text = "Don't parseQuery 日本"

function document(changes: ItemDocument = {}): ItemDocument {
  return { project: 'p', state: 'kept', text, importance: 0.5, tags: ['db'], keywords: [], kind: 'fact', ...changes }
}

describe('indexFieldsOf', () => {
  it('returns weighted terms with positions, prefixed by the space', () => {
    expect(indexFieldsOf(space, 'memory', document({ text: 'Deploy it', why: 'deploys fail' })).search).toBe(
      "'VVVmZgdeploi':1A,12B 'VVVmZgfail':13B 'VVVmZgdb':24D 'VVVmZgfact':35D",
    )
  })

  it('ignores case and whitespace in the text hash, but not the project', () => {
    const hashOf = (changes: ItemDocument) => indexFieldsOf(space, 'memory', document(changes)).textHash
    expect(hashOf({ text: "  don't PARSEQUERY\n日本" })).toBe(hashOf({}))
    expect(hashOf({ project: null })).not.toBe(hashOf({}))
    expect(hashOf({ text: `${text}!` })).not.toBe(hashOf({}))
  })

  it.each<[string, Parameters<typeof indexFieldsOf>[1], ItemDocument | null]>([
    ['a deleted item', 'memory', null],
    ['the inbox', 'memory', document({ state: 'inbox' })],
    ['a share', 'share', { subject: { kind: 'tag', tag: 'db' }, with: 'team:x', permission: 'read' }],
  ])('lets no search find %s', (_, kind, given) => {
    expect(indexFieldsOf(space, kind, given).search).toBeNull()
  })

  it('has no text hash for superseded memories', () => {
    expect(indexFieldsOf(space, 'memory', document({ supersededBy: 'm-2' }))).toMatchObject({ textHash: null })
    expect(indexFieldsOf(space, 'memory', document({ supersededBy: 'm-2' })).search).not.toBeNull()
  })

  it('indexes title and content of a practice', () => {
    const { search, textHash } = indexFieldsOf(space, 'practice', { title: 'Small commits', content: 'Commit early' })
    expect(search).toBe("'VVVmZgsmall':1A 'VVVmZgcommit':2A,13B 'VVVmZgearli':14B")
    expect(textHash).toBeNull()
  })

  it('accepts any document', () => {
    const odd = { project: 7, text: { a: 1 }, tags: 'db', importance: 9, keywords: [1, 'two'] }
    expect(indexFieldsOf(space, 'memory', odd)).toMatchObject({ project: null, tags: ['db'], importance: 1 })
  })
})
