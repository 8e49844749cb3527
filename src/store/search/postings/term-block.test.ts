import { describe, expect, it } from 'vitest'
import { compareTerms, createBlockWriter, encodeTerm, entriesIn, findInBlock, sortTerms } from './term-block.ts'

interface Block {
  first: string
  block: Uint8Array
}

function blocksOf(terms: readonly string[], list: (term: string) => Uint8Array): Block[] {
  const blocks: Block[] = []
  const writer = createBlockWriter(
    (first, block) => blocks.push({ first, block: block.slice() }),
    (long) => long.length,
  )
  for (const term of terms) writer.add(encodeTerm(term, new Uint8Array(512)), term.length, list(term))
  writer.finish()
  return blocks
}

const terms = sortTerms([
  ...Array.from({ length: 500 }, (_, index) => `term${index}`),
  'a',
  'ab',
  'abc',
  'ac',
  '~esrever',
  '数据',
  'ｚ',
  '𠀀',
  'größe',
])
const listOf = (term: string) => new TextEncoder().encode(`list of ${term}`)

describe('blocks of terms', () => {
  const blocks = blocksOf(terms, listOf)

  it('are several, in the order of SQLite', () => {
    expect(blocks.length).toBeGreaterThan(1)
    const all = blocks.flatMap(({ block }) => [...entriesIn(block)])
    expect(all.map(({ term }) => term)).toEqual(terms)
    expect(terms).toEqual(terms.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b))))
  })

  it('find every term, and no other', () => {
    for (const term of terms) {
      const { block } = blocks.findLast(({ first }) => compareTerms(first, term) <= 0)!
      expect(findInBlock(block, term)).toEqual({ count: term.length, list: listOf(term) })
      for (const other of [`${term}x`, term.slice(0, -1), `${term}0`])
        if (!terms.includes(other)) expect(findInBlock(block, other)).toBeUndefined()
    }
  })

  it('refer to long lists', () => {
    const [one] = blocksOf(['long'], () => new Uint8Array(5000))
    expect(findInBlock(one!.block, 'long')).toEqual({ count: 4, list: 5000 })
  })
})
