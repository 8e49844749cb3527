import { describe, expect, it } from 'vitest'
import { draftOf } from './draft.ts'
import type { Learning, MemoryReason } from './memory.ts'

const project = '/home/dev/app'

function projectOf(text: string, because: MemoryReason, scope: Learning['scope'] = 'user'): string | null {
  const learning: Learning = {
    ...{ kind: 'preference', text, quote: text, why: null, status: 'settled', scope, importance: 0.5, tags: [] },
  }
  const origin = { project, evidence: [], trust: 'user said' as const, because, at: '2026-09-01T10:00:00.000Z' }
  return draftOf(learning, origin).project
}

describe('draftOf', () => {
  it('gives a statement to all projects only if a person or a model said so', () => {
    const text = 'Answer in short sentences, at most 3'
    expect((['model', 'person', 'agent', 'rules', 'run'] as const).map((because) => projectOf(text, because))).toEqual([
      ...[null, null, null, project, project],
    ])
    expect(projectOf(text, 'model', 'project')).toBe(project)
  })

  it.each([
    'Open pull requests on GitHub as drafts',
    'Prefer TypeScript over JavaScript',
    'Use PostgreSQL, not MySQL',
    'Commands must work on macOS',
    'Ask before you rename and/or delete',
    'Name branches with an underscore: fix_login',
    'Always run `make lint` first',
  ])('keeps the scope that a judge has stated, however it is spelled: %s', (text) => {
    expect(projectOf(text, 'model')).toBeNull()
    expect(projectOf(text, 'model', 'project')).toBe(project)
    expect(projectOf(text, 'rules')).toBe(project)
  })

  it.each(['Never use npm in this repo', 'Our app is deployed on Fridays'])(
    'keeps a statement in the project that it speaks of: %s',
    (text) => expect(projectOf(text, 'model')).toBe(project),
  )
})
