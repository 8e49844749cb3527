// Made-up histories in which we know what a practice did: three projects, each with a level of its
// own, and noise in all else.
import { describe, expect, it } from 'vitest'
import { changesIn, judgePractice, measureEffect } from './effect.ts'
import type { Observation, Stratum } from './observe.ts'

interface Plan {
  /** Sessions of each project. */
  before: number
  after: number
  /** How often the pattern occurs; `place` runs from 0 to 1 over all sessions. */
  shareBefore(place: number): number
  shareAfter(place: number): number
  /** Of the tokens, after. */
  factor?: number
}

describe('measureEffect in 100 seeded histories', () => {
  it.each<[string, Plan, string, number]>([
    ['a pattern that becomes rare', plan(0.5, 0.1, 50), 'helps', 100],
    ['one that becomes half as frequent', plan(0.6, 0.3, 90), 'helps', 98],
    ['one that becomes frequent', plan(0.15, 0.6, 50), 'hurts', 99],
    ['nothing, in many sessions', plan(0.6, 0.6, 100), 'no effect', 95],
    ['nothing, in some', plan(0.3, 0.3, 20), 'too early', 95],
    ['nothing, in few', plan(0.3, 0.3, 5), 'too early', 98],
  ])('%s', (_, planned, verdict, right) => {
    expect(verdicts(planned)[verdict]).toBe(right)
  })

  it.each<[string, Plan]>([
    ['in few sessions', plan(0.3, 0.3, 7)],
    ['in some', plan(0.3, 0.3, 30)],
    ['in many', plan(0.5, 0.5, 150)],
    ['of a rare pattern', plan(0.06, 0.06, 40)],
    ['with few sessions after', { ...plan(0.3, 0.3, 60), after: 6 }],
  ])('claims no effect where there is none, %s', (_, planned) => {
    const { helps = 0, hurts = 0 } = verdicts(planned)
    expect(helps + hurts).toBeLessThanOrEqual(5)
  })

  it('claims no effect where a pattern was already becoming rare', () => {
    const falling = (place: number) => 0.6 - 0.5 * place
    const found = verdicts({ before: 100, after: 100, shareBefore: falling, shareAfter: falling })
    expect(found).toEqual({ 'too early': 97, helps: 3 })
  })

  it('finds other changed metrics, and nothing else', () => {
    const claimed = histories({ ...plan(0.5, 0.1, 20), factor: 0.6 }).flatMap((strata) =>
      changesIn(strata)
        .filter(({ verdict }) => verdict !== 'no clear change')
        .map(({ metric, verdict }) => `${metric} ${verdict}`),
    )
    expect(claimed.filter((one) => one === 'tokens better').length).toBeGreaterThanOrEqual(95)
    expect(claimed.filter((one) => !one.startsWith('tokens')).length).toBeLessThanOrEqual(5)
  })
})

describe('measureEffect of one history', () => {
  it('is deterministic', () => {
    const measured = () =>
      JSON.stringify(measureEffect(history(plan(0.5, 0.1, 20), 1), { pattern: 'p-1', isProblem: true }))
    expect(measured()).toBe(measured())
  })

  it('ignores a project with sessions on one side only', () => {
    const session = (patterns: string[]): Observation => ({ ...observation(() => 0.5, 0, 1), patterns })
    const many = (count: number, patterns: string[]) => Array.from({ length: count }, () => session(patterns))
    const strata: Stratum[] = [
      { before: many(80, ['p-1']), after: [] },
      { before: [], after: many(80, []) },
      { before: many(15, []), after: many(15, []) },
    ]
    expect(measureEffect(strata, { pattern: 'p-1', isProblem: true })).toMatchObject({
      verdict: 'too early',
      before: { sessions: 15 },
      after: { sessions: 15 },
      change: { before: 0, after: 0, difference: 0, p: 1 },
    })
  })

  it('inverts the verdict for a success pattern', () => {
    const strata = history(plan(0.1, 0.7, 40), 1)
    expect(measureEffect(strata, { pattern: 'p-1', isProblem: false }).verdict).toBe('helps')
    expect(measureEffect(strata, { pattern: 'p-1', isProblem: true }).verdict).toBe('hurts')
  })

  it('reports missing sessions before', () => {
    expect(
      measureEffect([{ before: [], after: [observation(() => 0.5, 0, 1)] }], { pattern: 'p-1', isProblem: true }),
    ).toMatchObject({
      verdict: 'too early',
      because: 'only 0 before and 1 after; a verdict needs 10 sessions before and after',
      change: null,
    })
  })
})

function plan(shareBefore: number, shareAfter: number, sessions: number): Plan {
  return { before: sessions, after: sessions, shareBefore: () => shareBefore, shareAfter: () => shareAfter }
}

function verdicts(planned: Plan): Record<string, number> {
  const found: Record<string, number> = {}
  for (const strata of histories(planned)) {
    const { verdict } = judgePractice(strata, { pattern: 'p-1', isProblem: true })
    found[verdict] = (found[verdict] ?? 0) + 1
  }
  return found
}

function histories(planned: Plan): Stratum[][] {
  return Array.from({ length: 100 }, (_, seed) => history(planned, seed + 1))
}

function history({ before, after, shareBefore, shareAfter, factor = 1 }: Plan, seed: number): Stratum[] {
  const random = seeded(seed)
  return [-0.05, 0, 0.05].map((level) => ({
    before: Array.from({ length: before }, (_, at) =>
      observation(random, at, 1, shareBefore(at / (before + after)) + level),
    ),
    after: Array.from({ length: after }, (_, at) =>
      observation(random, before + at, factor, shareAfter((before + at) / (before + after)) + level),
    ),
  }))
}

function observation(random: () => number, at: number, factor: number, share = 0): Observation {
  return {
    agent: 'claude-code',
    project: 'app',
    startedMs: at * 3_600_000,
    endedMs: at * 3_600_000 + 60_000,
    calls: 10 + Math.floor(random() * 40),
    errors: Math.floor(random() * 6),
    retries: random() < 0.2 ? Math.floor(random() * 8) : 0,
    corrections: random() < 0.3 ? 1 : 0,
    schemaErrors: random() < 0.1 ? 2 : 0,
    overheadCalls: Math.floor(random() * 8),
    tokens: factor * Math.exp(10 + 2 * random()),
    outcome: random() < 0.1 ? 'unknown' : random() < 0.7 ? 'success' : 'fail',
    isWhole: true,
    patterns: random() < share ? ['p-1'] : [],
  }
}

/** Not the generator that is measured with. */
function seeded(seed: number): () => number {
  let state = seed * 2_654_435_761
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return ((state ^ (state >>> 15)) >>> 0) / 0x1_0000_0000
  }
}
