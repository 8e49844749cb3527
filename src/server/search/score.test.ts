import { expect, it } from 'vitest'
import type { ScoredCandidate } from './score.ts'
import { fuseRankings } from './score.ts'

function scored(...ids: string[]): ScoredCandidate[] {
  return ids.map((id) => ({ space: 'me', id, hits: 0, density: 0, importance: 0.5, at: '', fit: 1, score: 1 }))
}

it('fuseRankings prefers items that rank high in both lists', () => {
  expect(fuseRankings(scored('a', 'b', 'c'), scored('b', 'd')).map(({ id }) => id)).toEqual(['b', 'a', 'd', 'c'])
})

it('fuseRankings distinguishes the same id in two spaces', () => {
  const [mine] = scored('a')
  expect(fuseRankings([mine!], [{ ...mine!, space: 'team:x' }])).toHaveLength(2)
})
