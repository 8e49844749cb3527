import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Memory } from '../../memory/memory.ts'
import { statementSimilarity, statementTerms } from '../../text/statement.ts'
import { allTerms, comparedMemory, pairKey, similarPairs } from './candidate-pairs.ts'

const words = ['retry', 'queue', 'port', 'cache', 'deploy', 'branch', 'linter', 'staging', 'invoice', 'worker']

it('similarPairs finds the same pairs as comparing each with each', () => {
  const texts = fc.array(
    fc.subarray(words, { minLength: 1 }).map((chosen) => chosen.join(' ')),
    { maxLength: 30 },
  )
  fc.assert(
    fc.property(texts, fc.constantFrom(0.5, 0.6, 0.8), (given, least) => {
      const statements = given.map((text, index) =>
        comparedMemory({ id: `m-${index}`, text, validFrom: '2026-09-01' } as Memory),
      )
      const each = statements.flatMap((a, index) =>
        statements
          .slice(index + 1)
          .filter((b) => statementSimilarity(a.content, b.content) >= least - 1e-9)
          .map((b) => key(a, b)),
      )
      const found = [...similarPairs(statements, { setOf: allTerms, minSimilarity: least })].map(([a, b]) => key(a, b))
      expect(found.sort()).toEqual(each.sort())
    }),
  )
})

it('inOrder puts the later memory first', () => {
  const text = 'retry the queue'
  const early = { memory: { id: 'm-b', text, validFrom: '2026-09-01' } as Memory, content: statementTerms(text) }
  const late = { memory: { id: 'm-a', text, validFrom: '2026-09-02' } as Memory, content: statementTerms(text) }
  for (const order of [
    [early, late],
    [late, early],
  ])
    expect([...similarPairs(order, { setOf: allTerms, minSimilarity: 0.8 })]).toEqual([[late, early]])
})

function key(a: { memory: Memory }, b: { memory: Memory }): string {
  return pairKey(a.memory.id, b.memory.id)
}
