// A memory for tests: whole, kept, settled, a person's word; each test says what matters to it.
import type { Memory } from '../src/memory/memory.ts'

/** `at` is when it was learned, said and last confirmed. */
export function sampleMemory({ at = '2026-09-01T10:00:00.000Z', ...more }: Partial<Memory> & { at?: string }): Memory {
  return {
    id: 'm-sample',
    project: '/home/dev/app',
    type: 'project',
    kind: 'decision',
    status: 'settled',
    state: 'kept',
    text: 'A statement',
    why: null,
    apply: null,
    importance: 0.7,
    tags: [],
    keywords: [],
    links: [],
    evidence: [],
    trust: 'user said',
    because: 'person',
    score: null,
    learnedAt: at,
    validFrom: at,
    confirmedAt: at,
    supersededAt: null,
    supersededBy: null,
    contradicts: null,
    doubt: null,
    counts: { said: 1, shown: 0, used: 0 },
    version: 1,
    origin: 'box',
    space: null,
    author: null,
    ...more,
  }
}
