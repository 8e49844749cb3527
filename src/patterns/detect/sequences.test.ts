import { describe, expect, it } from 'vitest'
import { newDigestState } from '../../digest/digest-state.ts'
import { newFriction } from '../../digest/friction.ts'
import { readScannedSession } from './scanned-session.ts'
import { addSteps, commandSequences, createSequences } from './sequences.ts'

/** How many sessions each sequence is found in. */
function found(...sessions: string[][]): Record<string, number> {
  const sequences = createSequences()
  for (const [id, steps] of sessions.entries()) {
    const state = JSON.stringify({ ...newDigestState(), friction: { ...newFriction(), steps } })
    const row = { id, uid: `codex:${id}`, agent: 'codex', project: null, endedMs: id, toolCalls: 9, state }
    addSteps(sequences, readScannedSession(row, 0, null))
  }
  const counts: Record<string, number> = {}
  for (const { locus } of commandSequences(sequences)) counts[locus] = (counts[locus] ?? 0) + 1
  return counts
}

const times = (count: number, steps: string[]) => Array.from({ length: count }, () => steps)
const way = ['make fmt', 'make lint', 'make test']

describe('commandSequences', () => {
  it.each([
    ['worked in five sessions', times(5, way), { 'make fmt && make lint && make test': 5 }],
    [
      'is the longest that is about as frequent',
      times(6, [...way, 'git push']),
      { [[...way, 'git push'].join(' && ')]: 6 },
    ],
    [
      'is the most frequent with other git commands around it',
      [
        ...times(12, way),
        ...times(5, [...way, 'git add', 'git commit']),
        ...times(5, ['git pull', ...way.slice(1), 'git push']),
      ],
      { 'make fmt && make lint && make test': 17 },
    ],
    ['worked in too few', times(4, way), {}],
    ['fails too often', [...times(5, way), ...times(3, ['make fmt', '!make lint', 'make test'])], {}],
    ['goes round', times(5, ['make fmt', 'make lint', 'make fmt', 'make lint']), {}],
    ['is what everybody does', times(5, ['git add', 'git commit', 'git push']), {}],
  ])('a sequence that %s', (_, sessions, counts) => expect(found(...sessions)).toEqual(counts))

  it('finds a sequence among steps seen once', () => {
    const noise = Array.from({ length: 2000 }, (_, session) =>
      Array.from({ length: 50 }, (_, step) => `make target${session}-${step}`),
    )
    const planted = noise.map((steps, session) => (session % 300 === 0 ? [...steps.slice(0, 9), ...way] : steps))
    expect(found(...planted)).toEqual({ 'make fmt && make lint && make test': 7 })
  })

  it('keeps the most frequent sequences of a dense history', () => {
    let seed = 1
    const next = () => {
      seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0
      return Math.floor((seed / 2 ** 32) * 16)
    }
    const sessions = Array.from({ length: 4000 }, () => Array.from({ length: 50 }, () => `make target${next()}`))
    const count = Object.keys(found(...sessions)).length
    expect(count).toBeGreaterThan(100)
    expect(count).toBeLessThanOrEqual(1000)
  })
})
