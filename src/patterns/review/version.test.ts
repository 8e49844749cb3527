import { describe, expect, it } from 'vitest'
import type { Practice } from '../types.ts'
import { bumpVersion } from './version.ts'

const before: Practice = {
  id: 'p-1',
  path: 'practices/tests',
  title: 'Run the tests',
  version: '1.2.3',
  status: 'approved',
  problem: 'Code was changed and no test was run.',
  rule: 'Run the unit tests after the last change, and say what came out.',
  agents: ['codex'],
  projects: [],
  steps: ['npm test'],
  provenance: { frequency: 3, sessions: 3, agents: ['codex'], evidence: 'e', examples: [] },
  history: [{ version: '1.2.3', day: '2026-09-01', what: 'approved' }],
}

describe('bumpVersion', () => {
  it.each<[string, Partial<Practice>, string, string]>([
    [
      'a reworded rule',
      { rule: 'After the last change run the unit tests and say what came out.' },
      '1.2.4',
      'rule reworded',
    ],
    ['another rule', { rule: 'Open a pull request for each change.' }, '2.0.0', 'rule rewritten'],
    [
      'the opposite',
      { rule: 'Never run the unit tests after the last change, and say what came out.' },
      '2.0.0',
      'rule rewritten',
    ],
    ['another problem', { problem: 'Bugs.' }, '1.2.4', 'problem reworded'],
    ['another title', { title: 'Tests' }, '1.2.4', 'title changed'],
    ['another agent', { agents: ['codex', 'grok'] }, '1.3.0', 'scope changed'],
    ['one more step', { steps: ['npm ci', 'npm test'] }, '2.0.0', 'steps changed'],
    ['scope and words', { projects: ['app'], title: 'Tests' }, '1.3.0', 'scope changed, title changed'],
    ['out of use', { status: 'retired' }, '1.2.3', 'retired'],
    ['its own version', { version: '4.0.0' }, '4.0.0', 'version changed'],
    ['its own version for a new rule', { rule: 'Ship.', version: '1.3.0' }, '1.3.0', 'rule rewritten'],
  ])('%s', (_, edit, version, what) => {
    const now = { ...before, ...edit }
    expect(bumpVersion(before, now, '2026-09-05')).toEqual({
      ...now,
      version,
      history: [...before.history, { version, day: '2026-09-05', what }],
    })
  })

  it.each<[string, Partial<Practice>]>([
    ['wrapped lines', { rule: 'Run the unit tests after the\nlast change, and say  what came out.' }],
    ['other evidence', { provenance: { ...before.provenance, examples: ['codex:1: mine'] } }],
    ['a line of history', { history: [...before.history, { version: '1.2.3', day: '2026-09-02', what: 'discussed' }] }],
  ])('keeps the version with %s', (_, edit) => {
    const now = { ...before, ...edit }
    expect(bumpVersion(before, now, '2026-09-05')).toBe(now)
  })

  it('keeps a history line that the person wrote', () => {
    const history = [...before.history, { version: '2.0.0', day: '2026-09-04', what: 'we ship now' }]
    const now = { ...before, rule: 'Ship.', version: '2.0.0', history }
    expect(bumpVersion(before, now, '2026-09-05')).toEqual(now)
  })
})
