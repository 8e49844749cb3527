import { describe, expect, it } from 'vitest'
import type { Publication } from '../../store/patterns/practices.ts'
import { createBaseline } from './baseline.ts'
import { createCohorts } from './cohorts.ts'
import type { Observation } from './observe.ts'

const day = (number: number) => Date.UTC(2026, 0, number)

function observation(startedDay: number, more: Partial<Observation> = {}): Observation {
  return {
    agent: 'codex',
    project: 'app',
    startedMs: day(startedDay),
    endedMs: day(startedDay) + 3_600_000,
    calls: 10,
    errors: 1,
    retries: 0,
    corrections: 0,
    schemaErrors: 0,
    overheadCalls: 2,
    tokens: 1000,
    outcome: 'success',
    isWhole: true,
    patterns: [],
    ...more,
  }
}

function published(more: Partial<Publication> = {}): Publication {
  return {
    practice: 'p-1',
    version: '1.0.0',
    agent: 'codex',
    project: 'app',
    file: '/home/dev/app/AGENTS.md',
    atMs: day(200),
    removedAtMs: null,
    ...more,
  }
}

describe('createCohorts', () => {
  it.each<[string, Observation, Publication[], 'before' | 'after' | null]>([
    ['ended before', observation(199), [published()], 'before'],
    ['began after', observation(201), [published()], 'after'],
    ['under way at the publication', observation(199, { endedMs: day(201) }), [published()], null],
    ['long before', observation(10), [published()], null],
    ['of another agent', observation(201, { agent: 'claude-code' }), [published()], null],
    ['of another project', observation(201, { project: 'site' }), [published()], null],
    ['where it holds everywhere', observation(201, { project: 'site' }), [published({ project: null })], 'after'],
    [
      'of no project, where it holds everywhere',
      observation(201, { project: null }),
      [published({ project: null })],
      'after',
    ],
    ['after it was taken out', observation(220), [published({ removedAtMs: day(210) })], null],
    [
      'between one wording and the next',
      observation(215),
      [published({ removedAtMs: day(210) }), published({ version: '1.0.1', atMs: day(210) })],
      'after',
    ],
    ['with a digest that does not tell', observation(201, { isWhole: false }), [published()], null],
  ])('%s', (_, session, rows, side) => {
    const sides = createCohorts(rows)
    sides.take(session)
    const [stratum] = sides.strata()
    expect(stratum ? (stratum.before.length > 0 ? 'before' : 'after') : null).toBe(side)
  })

  it('keeps the sessions nearest to the publication', () => {
    const sides = createCohorts([published()])
    const hour = 3_600_000
    for (let number = 0; number < 800; number++) {
      const startedMs = day(200) + (number - 400) * hour
      sides.take(observation(0, { startedMs, endedMs: startedMs + hour / 2 }))
    }
    const [{ before, after }] = sides.strata() as [{ before: Observation[]; after: Observation[] }]
    expect([before.length, after.length]).toEqual([300, 300])
    expect([before.at(-1)!.startedMs, after[0]!.startedMs]).toEqual([day(200) - hour, day(200)])
  })
})

describe('createBaseline', () => {
  it('adds up calls and leaves out missing values', () => {
    const baseline = createBaseline()
    for (let number = 1; number <= 100; number++) baseline.take(observation(number, { tokens: number * 1000 }))
    baseline.take(
      observation(1, { agent: 'claude-code', calls: 90, errors: 36, tokens: null, outcome: 'fail', corrections: 1 }),
    )
    baseline.take(observation(1, { agent: 'claude-code', outcome: 'unknown', tokens: null }))
    const { all, groups } = baseline.baseline()
    expect(all).toMatchObject({ sessions: 102, errorRate: 137 / 1100, success: 100 / 102 })
    expect(all!.outcomes).toEqual({ success: 100, waiting: 0, open: 0, fail: 1, abandoned: 0, unknown: 1 })
    expect(groups.map(({ agent, sessions }) => [agent, sessions])).toEqual([
      ['codex', 100],
      ['claude-code', 2],
    ])
    expect(groups[1]).toMatchObject({ errorRate: 0.37, corrections: 0.5, tokensMedian: null, success: 0 })
    expect(Math.abs(groups[0]!.tokensMedian! / 50_000 - 1)).toBeLessThan(0.02)
    expect(Math.abs(groups[0]!.tokensP90! / 90_000 - 1)).toBeLessThan(0.02)
  })

  it('counts every outcome: what is open or unknown is no success', () => {
    const baseline = createBaseline()
    const ended = { success: 26, unknown: 10, open: 9, waiting: 7, abandoned: 4, fail: 1 } as const
    for (const [outcome, sessions] of Object.entries(ended))
      for (let number = 0; number < sessions; number++)
        baseline.take(observation(number + 1, { outcome: outcome as keyof typeof ended }))
    const all = baseline.baseline().all!
    expect(all).toMatchObject({ sessions: 57, outcomes: ended, success: 26 / 57 })
    expect(all.successInterval!.map((bound) => Number(bound.toFixed(2)))).toEqual([0.33, 0.58])
  })

  it('is empty without sessions', () => {
    expect(createBaseline().baseline()).toEqual({ all: null, groups: [] })
  })
})
