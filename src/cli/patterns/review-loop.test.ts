import { describe, expect, it } from 'vitest'
import { UserError } from '../../core/errors.ts'
import { zoneOf } from '../../core/units.ts'
import { createDraft } from '../../patterns/review/draft.ts'
import type { ReviewItem } from '../../patterns/review/queue.ts'
import type { Pattern } from '../../patterns/types.ts'
import { type Reviewer, reviewPatterns } from './review-loop.ts'

const same = (text: string) => text
const style = { bold: same, dim: same, red: same, green: same, yellow: same, blue: same }

function card(id: string): ReviewItem {
  const pattern: Pattern = {
    id,
    polarity: 'problem',
    type: 'retry storm',
    locus: 'npm test',
    title: `Storm ${id}`,
    frequency: 3,
    times: 9,
    sessions: 3,
    projects: ['app'],
    agents: ['codex'],
    crossAgent: false,
    costUsd: 0,
    firstMs: 0,
    lastMs: Date.parse('2026-09-01'),
    evidence: 'e',
    examples: [
      { session: 'codex:1', seq: 4, detail: 'failed' },
      { session: 'codex:2', seq: null, detail: 'failed again' },
    ],
  }
  return { pattern, standing: { kind: 'waiting', again: null }, draft: createDraft(pattern), warnings: [] }
}

/** A person who types these lines, and what came of them. */
async function session(...answers: (string | undefined)[]) {
  const log: string[] = []
  const printed: string[] = []
  const reviewer: Reviewer = {
    look: async (one) => one,
    ask: async () => answers.shift(),
    approve: async ({ pattern, draft }) => {
      if (draft.rule === 'bad') throw new UserError('Cannot be approved', 'Edit it.')
      log.push(`approve ${pattern.id}: ${draft.rule.slice(0, 9)}`)
      return `practices/${pattern.id}.md`
    },
    putOff: async ({ pattern }, verdict, note) => void log.push(`${verdict} ${pattern.id}: ${note}`),
    edit: async ({ draft }) => ({ ...draft, rule: draft.rule === 'bad' ? 'good' : 'bad' }),
    open: async (example) => void log.push(`open ${example}`),
  }
  const print = (line: string) => void printed.push(line)
  const done = await reviewPatterns(
    ['p-1', 'p-2', 'p-3'].map(card),
    reviewer,
    { print, say: print },
    {
      style,
      zone: zoneOf('UTC'),
      columns: 80,
      names: new Map(),
    },
  )
  return { log, done, printed: printed.join('\n') }
}

describe('reviewPatterns', () => {
  it('decides about one pattern after the other', async () => {
    const { log, done } = await session('a', 'r that is how we work', 'L')
    expect(log).toEqual(['approve p-1: When `npm', 'rejected p-2: that is how we work', 'later p-3: '])
    expect(done).toEqual({ approved: 1, rejected: 1, later: 1, left: 0 })
  })

  it('asks again after an example, an edit, a mistake and an unknown key', async () => {
    const { log, done, printed } = await session('o', 'o 2', 'o 9', 'zap', 'e', 'a', 'e', 'a', 'q')
    expect(log).toEqual(['open codex:1#4', 'open codex:2', 'approve p-1: good'])
    expect(done).toEqual({ approved: 1, rejected: 0, later: 0, left: 2 })
    expect(printed).toContain('No example 9')
    expect(printed).toContain('Unknown key "zap"')
    expect(printed).toContain('Cannot be approved\nEdit it.')
  })

  it('skips a pattern on Enter and stops at the end of input', async () => {
    const { log, done } = await session('', undefined)
    expect(log).toEqual([])
    expect(done.left).toBe(3)
  })

  it('says how often a pattern was seen', async () => {
    const { printed } = await session('q')
    expect(printed).toContain('9 times in 3 sessions of app; with codex; 2026-09-01')
  })
})
