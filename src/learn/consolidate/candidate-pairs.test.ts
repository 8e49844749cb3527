import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Memory } from '../../memory/memory.ts'
import { pairKey } from '../../store/memories/kept-pairs.ts'
import { jaccard } from '../../text/similarity.ts'
import { comparedMemory, similarPairs } from './candidate-pairs.ts'

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
          .filter((b) => jaccard(a.terms, b.terms) >= least - 1e-9)
          .map((b) => key(a, b)),
      )
      const found = [...similarPairs(statements, least)].map(([a, b]) => key(a, b))
      expect(found.sort()).toEqual(each.sort())
    }),
  )
})

it('inOrder puts the later memory first', () => {
  const text = 'retry the queue'
  const early = comparedMemory({ id: 'm-b', text, validFrom: '2026-09-01' } as Memory)
  const late = comparedMemory({ id: 'm-a', text, validFrom: '2026-09-02' } as Memory)
  for (const order of [
    [early, late],
    [late, early],
  ])
    expect([...similarPairs(order, 0.8)]).toEqual([[late, early]])
})

function key(a: { memory: Memory }, b: { memory: Memory }): string {
  return pairKey(a.memory.id, b.memory.id)
}
