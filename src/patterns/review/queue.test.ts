import { describe, expect, it } from 'vitest'
import type { Review } from '../../store/patterns/practices.ts'
import type { Pattern } from '../types.ts'
import { reviewedEvidence } from './approval-rules.ts'
import { patternState } from './queue.ts'

const pattern: Pattern = {
  id: 'p-1',
  polarity: 'problem',
  type: 'retry storm',
  locus: 'npm test',
  title: '`npm test` is tried again and again',
  frequency: 6,
  times: 18,
  sessions: 5,
  projects: ['app', 'site', 'docs'],
  agents: ['codex'],
  crossAgent: false,
  costUsd: 0,
  firstMs: 0,
  lastMs: 0,
  evidence: 'then',
  examples: [],
}
const day = 86_400_000
const rejected: Review = {
  id: 1,
  pattern: 'p-1',
  verdict: 'rejected',
  title: pattern.title,
  evidence: reviewedEvidence(pattern),
  note: '',
  atMs: 0,
  undoneAtMs: null,
}
const later: Review = { ...rejected, verdict: 'later' }
const now = (change: Partial<Pattern>): Pattern => ({ ...pattern, evidence: 'now', ...change })

describe('patternState', () => {
  it.each<[string, Pattern, Review | undefined, number, string]>([
    ['never looked at', pattern, undefined, 0, 'waiting'],
    ['one signal', now({ frequency: 1, sessions: 1 }), undefined, 0, 'not proposed'],
    ['many signals in one session', now({ frequency: 9, sessions: 1 }), undefined, 0, 'not proposed'],
    ['two in two sessions', now({ frequency: 2, sessions: 2 }), undefined, 0, 'waiting'],
    ['rejected, the same evidence, a year later', pattern, rejected, 365 * day, 'decided'],
    ['rejected, a little more of the same', now({ frequency: 11, sessions: 9 }), rejected, day, 'decided'],
    ['rejected, one more project', now({ projects: ['app', 'site', 'docs', 'api'] }), rejected, day, 'decided'],
    ['rejected, less of it', now({ frequency: 2, agents: [], projects: [] }), rejected, day, 'decided'],
    ['rejected, twice as often', now({ frequency: 12 }), rejected, day, 'waiting'],
    ['rejected, with another agent', now({ agents: ['codex', 'grok'] }), rejected, day, 'waiting'],
    [
      'rejected, in twice as many projects',
      now({ projects: ['a', 'b', 'c', 'd', 'e', 'f'] }),
      rejected,
      day,
      'waiting',
    ],
    ['later, the next day', pattern, later, day, 'decided'],
    ['later, after two weeks', pattern, later, 14 * day, 'waiting'],
    ['later, with another agent', now({ agents: ['grok'] }), later, day, 'waiting'],
    ['a measure of success', now({ type: 'clean pass', locus: 'tests' }), undefined, 0, 'not proposed'],
    ['a repeated error', now({ type: 'repeated error', locus: 'timeout' }), undefined, 0, 'not proposed'],
    ['the same as a recurring error', now({ type: 'recurring error', locus: 'timeout' }), undefined, 0, 'waiting'],
    ['a failure without a reason', now({ type: 'recurring error', locus: 'make fails' }), undefined, 0, 'not proposed'],
    [
      'an error in three sessions',
      now({ type: 'recurring error', locus: 'boom', sessions: 3 }),
      undefined,
      0,
      'waiting',
    ],
    [
      'an error in two sessions',
      now({ type: 'recurring error', locus: 'boom', sessions: 2 }),
      undefined,
      0,
      'not proposed',
    ],
    ['a recovery by reading', now({ type: 'recovery', locus: 'timeout → read' }), undefined, 0, 'not proposed'],
    ['a recovery by a command', now({ type: 'recovery', locus: 'timeout → npm ci' }), undefined, 0, 'waiting'],
    ['its file was deleted', pattern, { ...rejected, verdict: 'deleted' }, 365 * day, 'decided'],
  ])('%s', (_, seen, review, nowMs, kind) => {
    expect(patternState(seen, undefined, review, nowMs).kind).toBe(kind)
  })

  it('gives the reason of a repeated review', () => {
    expect(patternState(now({ frequency: 12 }), undefined, rejected, day)).toEqual({
      kind: 'waiting',
      again: { review: rejected, because: 'seen 12 times, 6 then' },
    })
  })
})
