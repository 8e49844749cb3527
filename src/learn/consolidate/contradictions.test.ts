import { describe, expect, it } from 'vitest'
import { sampleMemory } from '../../../test/sample-memory.ts'
import type { Memory } from '../../memory/memory.ts'
import { findContradictions } from './contradictions.ts'
import type { PastDecisions } from './past-decisions.ts'

const nobody: PastDecisions = { isSettled: () => false, isTextRejected: () => false, deniedDoubts: () => new Set() }

function memory(id: string, text: string, day: string, more: Partial<Memory> = {}): Memory {
  const said = `${day}T10:00:00.000Z`
  return sampleMemory({
    id,
    type: 'feedback',
    text,
    evidence: [{ session: `claude-code:${id}`, event: 'e1', quote: text }],
    at: said,
    ...more,
  })
}

function judged(earlier: string, later: string, more: Partial<Memory> = {}, decided = nobody): string {
  const { sure, unsure } = findContradictions(
    [memory('m-old', earlier, '2026-09-01'), memory('m-new', later, '2026-10-01', more)],
    decided,
  )
  return sure.length > 0 ? 'sure' : unsure.length > 0 ? 'unsure' : 'none'
}

describe('findContradictions', () => {
  it.each([
    ['Squash the commits of a branch', 'Do not squash the commits of a branch'],
    ['Use npm for installs', 'Use pnpm instead of npm for installs'],
    ['The API listens on port 3000', 'The API listens on port 8080'],
    ['Deploy on Fridays', 'Never deploy on Fridays'],
    ['Use npm for everything', 'Always use pnpm, never npm'],
    ['Use npm for everything', 'We no longer use npm'],
    ['We use Jenkins to build every branch', 'We moved from Jenkins to Buildkite'],
  ])('takes back: %s / %s', (earlier, later) => {
    expect(judged(earlier, later)).toBe('sure')
  })

  it.each([
    ['a condition', 'Push to main with a review', 'Never push to main without a review'],
    ['two things with numbers', 'Issue 12 was a race in the cache', 'Issue 13 was a race in the mailer'],
    [
      'another environment',
      'The billing api of the shop listens on port 3000',
      'The billing api of the shop listens on port 3001 in tests',
    ],
    ['another subject', 'Use npm for installs', 'Never log request bodies'],
    ['a special case', 'Log requests', 'Do not log requests of the health check of the balancer'],
  ])('leaves alone: %s', (_, earlier, later) => {
    expect(judged(earlier, later)).toBe('none')
  })

  it.each([
    [
      'another place',
      'The billing api of the shop listens on port 3000',
      'The billing api of the shop listens on port 3001 for partners',
    ],
    ['another direction', 'Copy the backup to S3', 'Never copy the backup from S3'],
    ['another order', 'The client calls the server', 'The server does not call the client'],
    [
      'a special case of many words',
      'Never force push the main branch of the shop repository on the company server',
      'Force push the main branch of the shop sandbox repository on the company server',
    ],
  ])('is not sure enough for: %s', (_, earlier, later) => {
    expect(judged(earlier, later)).toBe('unsure')
  })

  it('is unsure where numbers may be names', () => {
    expect(judged('Issue 12 was a race in the cache', 'Issue 13 was a race in the cache')).toBe('unsure')
  })

  it.each<[string, Partial<Memory>, string]>([
    ['of an agent', { trust: 'agent said' }, 'unsure'],
    ['of the same conversation', { evidence: [{ session: 'claude-code:m-old', event: 'e2', quote: '' }] }, 'none'],
    ['that was only considered', { status: 'hypothetical' }, 'none'],
    ['in another project', { project: '/home/dev/other' }, 'none'],
  ])('%s decides nothing', (_, more, expected) => {
    expect(judged('The API listens on port 3000', 'The API listens on port 8080', more)).toBe(expected)
  })

  it('skips pairs that a person decided to keep', () => {
    const decided = { ...nobody, isSettled: () => true }
    expect(judged('Squash the commits of a branch', 'Never squash the commits of a branch', {}, decided)).toBe('none')
  })
})
