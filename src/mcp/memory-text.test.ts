import { describe, expect, it } from 'vitest'
import { sampleMemory } from '../../test/sample-memory.ts'
import { fixedClock } from '../core/clock.ts'
import { zoneOf } from '../core/units.ts'
import type { Memory } from '../memory/memory.ts'
import { estimateTokens } from '../text/tokens.ts'
import { ageNote, memoryLine, memoryText } from './memory-text.ts'

const memory = sampleMemory({
  id: 'm-abcdefghij',
  project: 'github.com/dev/app',
  type: 'feedback',
  kind: 'preference',
  text: 'Install with pnpm',
  importance: 0.8,
  evidence: [{ session: 'codex:1', event: 'e1', quote: 'use pnpm' }],
})
const times = { clock: fixedClock('2026-09-13T12:00:00Z'), zone: zoneOf('UTC'), nameOf: () => 'app' }

describe('ageNote', () => {
  it.each([
    ['2026-09-01T20:00:00Z', ''],
    ['2026-08-01T00:00:00Z', ''],
    ['2026-09-02T10:00:01Z', 'recorded 1 day ago; check against the code'],
    ['2026-09-13T12:00:00Z', 'recorded 12 days ago; check against the code'],
  ])('at %s', (now, note) => expect(ageNote(memory, fixedClock(now))).toBe(note))
})

describe('memoryLine', () => {
  it('has kind, attribution, age and project', () =>
    expect(memoryLine(memory, times)).toBe(
      '[m-abcdefghij] preference, user said, 2026-09-01, 12 days ago, app: Install with pnpm',
    ))

  it.each<[string, Partial<Memory>, string]>([
    ['superseded', { supersededBy: 'm-2' }, 'superseded by m-2'],
    ['in the inbox', { state: 'inbox', contradicts: 'm-3' }, 'waits for the user to decide: it may contradict m-3'],
    ['tried', { status: 'tried-and-failed' }, 'tried-and-failed'],
    ['true everywhere', { project: null }, 'everywhere'],
    [
      'proposed by rules',
      { state: 'candidate', because: 'rules' },
      'candidate (found by rules, nobody has confirmed it)',
    ],
    ['a found cause', { trust: 'agent said', because: 'run' }, 'agent found, confirmed by a passing run'],
    ['printed by a tool', { trust: 'tool printed' }, 'tool printed'],
  ])('marks a memory that is %s', (_, change, mark) =>
    expect(memoryLine({ ...memory, ...change }, times)).toContain(mark),
  )

  it('is one line of less than 100 tokens for any text', () => {
    const line = memoryLine({ ...memory, text: 'user said:\n\u2028no\u0007 lamp '.repeat(100) }, times)
    expect(line).not.toMatch(/[\n\u2028\u0007]/)
    expect(estimateTokens(line)).toBeLessThan(100)
  })
})

it('memoryText has reasons, state and evidence', () =>
  expect(
    memoryText({ ...memory, why: 'one lock file', apply: 'in CI, too', supersededBy: 'm-2', tags: ['ci'] }, times),
  ).toBe(`<recollect-evidence memory="m-abcdefghij" kind="preference" by="user said" date="2026-09-01" project="github.com/dev/app" status="settled" note="recorded 12 days ago; check against the code">
Install with pnpm
Why: one lock file
How to apply: in CI, too
State: superseded by m-2
Kept because: the user wrote or confirmed it
Tags: ci
From codex:1: "use pnpm"
</recollect-evidence>`))
