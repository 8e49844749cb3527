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

  it.each(['Always run `make lint` first', 'Keep src/app short', 'Never call parseAll', 'Never use npm in this repo'])(
    'keeps a statement about a file, a symbol or this project in it: %s',
    (text) => expect(projectOf(text, 'model')).toBe(project),
  )
})
