import { describe, expect, it } from 'vitest'
import type { Practice } from '../types.ts'
import { checkPublish } from './approval-rules.ts'
import { catalogueWarnings, warningsFor } from './catalogue-warnings.ts'

function practice(id: string, change: Partial<Practice> = {}): Practice {
  return {
    id,
    path: `practices/${id}`,
    title: id,
    version: '1.0.0',
    status: 'approved',
    problem: '',
    rule: `Do ${id}.`,
    agents: [],
    projects: [],
    steps: [],
    provenance: { frequency: 3, sessions: 3, agents: ['codex'], evidence: 'e', examples: [] },
    history: [],
    ...change,
  }
}
const seen = (frequency: number) => ({ provenance: { ...practice('x').provenance, frequency } })

describe('checkPublish', () => {
  it.each<[string, Practice, Parameters<typeof checkPublish>[1], string]>([
    ['seen three times', practice('a'), undefined, 'open'],
    ['seen twice', practice('a', seen(2)), undefined, 'closed'],
    ['seen twice then, and again since', practice('a', seen(2)), { frequency: 3 }, 'open'],
    ['written by a person', practice('a', seen(0)), undefined, 'open'],
    ['retired', practice('a', { status: 'retired' }), undefined, 'closed'],
  ])('%s', (_, one, pattern, kind) => {
    expect(checkPublish(one, pattern).kind).toBe(kind)
  })
})

describe('catalogueWarnings', () => {
  const storm = { polarity: 'problem', type: 'retry storm', locus: 'npm test' } as const
  const rule = 'Run the unit tests before you commit a change.'

  it.each<[string, Practice[], string[]]>([
    ['different things', [practice('alpha'), practice('beta')], []],
    [
      'the same type and locus',
      [
        practice('alpha', { pattern: storm }),
        practice('beta', { pattern: { ...storm, polarity: 'success', locus: 'NPM  test' } }),
      ],
      ['same pattern'],
    ],
    [
      'the same error, often in one session and once in many',
      [
        practice('alpha', { pattern: { ...storm, type: 'repeated error' } }),
        practice('beta', { pattern: { ...storm, type: 'recurring error' } }),
      ],
      ['same pattern'],
    ],
    [
      'nearly the same rule',
      [practice('alpha', { rule }), practice('beta', { rule: 'Before you commit a change, run the unit tests' })],
      ['same rule'],
    ],
    [
      'the same rule for others',
      [practice('alpha', { rule, agents: ['codex'] }), practice('beta', { rule, agents: ['grok'] })],
      [],
    ],
    ['the same rule, retired', [practice('alpha', { rule }), practice('beta', { rule, status: 'retired' })], []],
    ['sixteen of them', Array.from({ length: 16 }, (_, index) => practice(`topic${index}`)), ['too many']],
    [
      'sixteen in as many projects',
      Array.from({ length: 16 }, (_, index) => practice(`topic${index}`, { projects: [`app${index}`] })),
      [],
    ],
    ['an essay', [practice('alpha', { rule: 'Read every word of this. '.repeat(300) })], ['too long']],
  ])('%s', (_, practices, kinds) => {
    expect(catalogueWarnings(practices).map(({ kind }) => kind)).toEqual(kinds)
  })

  it('warningsFor returns only new warnings', () => {
    const old = [practice('alpha', { rule }), practice('beta', { rule })]
    expect(warningsFor(practice('gamma'), old)).toEqual([])
    expect(
      warningsFor(practice('gamma', { rule: rule.replace('Run', 'Never run') }), old).map(({ text }) => text),
    ).toEqual([
      '"gamma" and "alpha" may contradict each other: keep one',
      '"gamma" and "beta" may contradict each other: keep one',
    ])
  })
})
