import { describe, expect, it } from 'vitest'
import { sampleMemory } from '../../../test/sample-memory.ts'
import type { Memory } from '../../memory/memory.ts'
import { isOpen, reasonOf, statementLines } from './statement-text.ts'

function lines(memory: Partial<Memory>, earlier: Partial<Memory>[] = []): string[] {
  return statementLines(
    { memory: sampleMemory(memory), earlier: earlier.map(sampleMemory) },
    { journalDay: (_, { session }) => (session === null ? undefined : '2026-09-02'), max: 200 },
  )
}

describe('statementLines', () => {
  it.each([
    ['a word of everyday English', 'always pin the base image', 'Always pin the base image'],
    ['a verb', 'use small images', 'Use small images'],
    ['a name', 'kafkacat does not follow redirects', 'kafkacat does not follow redirects'],
    ['an identifier', 'retry_count is 3 by default', 'retry_count is 3 by default'],
    ['quoted code', "'make dev' needs Docker", "'make dev' needs Docker"],
  ])('begins with a capital only if it is sure: %s', (_, text, expected) => {
    expect(lines({ text })[0]).toBe(`- ${expected} (2026-09-01, told by hand)`)
  })

  it('links the journal day of the message', () => {
    const evidence = [{ session: 'codex:one', event: 'e1', quote: 'x' }]
    expect(lines({ text: 'Use tabs', evidence })).toEqual(['- Use tabs ([[journal/2026-09-02|2026-09-02]])'])
  })

  it('tells below it what it replaced and until when', () => {
    const old = { text: 'Use npm', supersededAt: '2026-09-05T10:00:00.000Z' }
    expect(lines({ text: 'Use pnpm' }, [old]).at(-1)).toBe('  - Until 2026-09-05: Use npm')
  })
})

describe('reasonOf', () => {
  it.each([
    ['says more', 'Two servers sent the same mail', 'Two servers sent the same mail'],
    ['without its conjunction', 'because two servers sent it', 'two servers sent it'],
    ['repeats the statement', 'since the queue sends it', undefined],
    ['has no object', 'because of that', undefined],
    ['is missing', null, undefined],
  ])('%s', (_, why, expected) => {
    expect(reasonOf({ text: 'The queue sends mail', why })).toBe(expected)
  })
})

describe('isOpen', () => {
  it.each<[Memory['because'], Memory['status'], boolean]>([
    ['person', 'hypothetical', false],
    ['model', 'hypothetical', true],
    ['model', 'settled', false],
  ])('kept by %s, %s: %s', (because, status, expected) => {
    expect(isOpen(sampleMemory({ because, status }))).toBe(expected)
  })
})
