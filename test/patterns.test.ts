// Patterns in a history of four hundred sessions of three agents: transcripts on disk, a real sweep, and what is found in them.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Detection, detect } from '../src/patterns/detect/detect.ts'
import type { Pattern } from '../src/patterns/types.ts'
import { detectedPatterns } from '../src/store/patterns/patterns.ts'
import { type TestHome, testHome } from './corpus/home.ts'
import { history, type Planted, planted } from './patterns/history.ts'
import { lines } from './program.ts'
import { type SessionScript, transcriptOf } from './transcripts.ts'

const homes: TestHome[] = []
const perPlot = 6
const sessions = 400
const noiseBefore = 130

let before: Detection
let after: Detection
let home: TestHome

beforeAll(async () => {
  const whole = history(perPlot, 1000).slice(0, sessions)
  const early = whole.slice(0, sessions - noiseBefore)
  home = newHome(early)
  await home.sweep()
  before = home.look((ledger) => detect(ledger))
  write(home, whole.slice(early.length))
  await home.sweep()
  after = home.look((ledger) => detect(ledger))
}, 120_000)

afterAll(() => {
  for (const one of homes) one.remove()
})

describe('detect in a history with known patterns', () => {
  it('finds them, and little else', () => {
    const found = planted.filter((one) => after.patterns.some((pattern) => is(pattern, one)))
    const right = after.patterns.filter((pattern) => planted.some((one) => is(pattern, one)))
    expect(planted.filter((one) => !found.includes(one))).toEqual([])
    expect(found.length / planted.length).toBeGreaterThanOrEqual(0.95)
    const wrong = after.patterns
      .filter((pattern) => !right.includes(pattern))
      .map(({ type, locus }) => `${type}: ${locus}`)
    expect(right.length / after.patterns.length, wrong.join('\n')).toBeGreaterThanOrEqual(0.95)
  })

  it.each(planted)('finds the agents of $type $locus', (one) => {
    const { agents, crossAgent } = after.patterns.find((pattern) => is(pattern, one))!
    expect({ agents, crossAgent }).toEqual({ agents: one.agents, crossAgent: one.agents.length > 1 })
  })

  it('sorts patterns of several agents first, then by frequency', () => {
    const ranks = after.patterns.map(({ crossAgent, sessions: count }) => (crossAgent ? 10_000 : 0) + count)
    expect(ranks).toEqual(ranks.toSorted((a, b) => b - a))
  })

  it('names sessions and events that can be opened', () => {
    const known = new Map(home.sessions().map((session) => [session.id, session.counts.events]))
    for (const { examples } of after.patterns) {
      expect(examples.length).toBeGreaterThan(1)
      for (const { session, seq } of examples) expect(seq ?? 0).toBeLessThan(known.get(session)!)
    }
  })

  it('ignores sessions without work', () => {
    const good = home.look((ledger) =>
      ledger.sql("SELECT count(*) AS n FROM digests d JOIN sessions s ON s.id = d.session WHERE d.kind = 'work'").get(),
    )
    expect(after.sessions).toBe(Number(good!.n))
    expect(after.sessions).toBeLessThan(sessions - 30)
  })
})

describe('detect with more noise', () => {
  it('keeps ids', () => {
    const now = new Map(after.patterns.map((pattern) => [pattern.id, pattern]))
    expect(before.patterns.length).toBeGreaterThanOrEqual(planted.length)
    for (const { id, title, agents } of before.patterns) expect(now.get(id)).toMatchObject({ title, agents })
  })

  it('keeps the evidence of unaffected patterns', () => {
    const now = new Map(after.patterns.map((pattern) => [pattern.id, pattern]))
    const storm = before.patterns.find(({ type }) => type === 'retry storm')!
    expect(now.get(storm.id)!.evidence).toBe(storm.evidence)
    const clean = before.patterns.find(({ type, locus }) => type === 'clean pass' && locus === 'tests')!
    expect(now.get(clean.id)!.evidence).not.toBe(clean.evidence)
  })
})

describe('detect is deterministic', () => {
  it('returns the same bytes, as saved', () => {
    const [again, saved] = home.look((ledger) => [detect(ledger).patterns, detectedPatterns<Pattern>(ledger)])
    expect(JSON.stringify(again)).toBe(JSON.stringify(after.patterns))
    expect(JSON.stringify(saved)).toBe(JSON.stringify(after.patterns))
  })

  it('returns the same bytes when everything was captured at once', async () => {
    const other = newHome(history(perPlot, 1000).slice(0, sessions).reverse())
    await other.sweep()
    const found = other.look((ledger) => detect(ledger)).patterns
    expect(JSON.stringify(found)).toBe(JSON.stringify(after.patterns))
  }, 60_000)
})

describe('detect with a filter', () => {
  it('does not save the result', () => {
    home.look((ledger) => {
      const { patterns } = detect(ledger, { agent: 'codex' })
      expect(new Set(patterns.flatMap(({ agents }) => agents))).toEqual(new Set(['codex']))
      expect(detectedPatterns<Pattern>(ledger)).toHaveLength(after.patterns.length)
    })
  })

  it('applies the minimum frequency', () => {
    const { patterns } = home.look((ledger) => detect(ledger, { minFrequency: 12 }))
    expect(patterns.length).toBeGreaterThan(0)
    expect(Math.min(...patterns.map(({ frequency }) => frequency))).toBeGreaterThanOrEqual(12)
    expect(home.look((ledger) => detectedPatterns<Pattern>(ledger))).toHaveLength(after.patterns.length)
  })
})

function is({ type, locus }: Pattern, one: Planted): boolean {
  return type === one.type && (one.locus instanceof RegExp ? one.locus.test(locus) : one.locus === locus)
}

function newHome(stories: SessionScript[]): TestHome {
  const made = testHome()
  homes.push(made)
  for (const project of ['shop', 'bank', 'maps', 'chat'])
    made.write(`.gemini/tmp/${project}/.project_root`, `/home/dev/${project}`)
  write(made, stories)
  return made
}

function write(to: TestHome, stories: SessionScript[]): void {
  for (const story of stories) {
    const { path, lines: records } = transcriptOf(story)
    to.write(path, lines(records))
  }
}
