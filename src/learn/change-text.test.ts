import { describe, expect, it } from 'vitest'
import { sampleMemory } from '../../test/sample-memory.ts'
import type { Memory } from '../memory/memory.ts'
import type { ChangeRecord, MemoryVersion } from '../store/memories/changes.ts'
import { changeSummary, versionText } from './change-text.ts'

const memory = sampleMemory({ id: 'm-one', text: 'Always use\npnpm' })
const other = sampleMemory({ id: 'm-two', text: 'Deploy on Tuesdays' })
const now = '2026-11-01T12:00:00.000Z'

function version(
  kind: ChangeRecord['kind'],
  about: string,
  before: Memory | null,
  after: Memory | null,
): MemoryVersion {
  return { change: { id: 7, at: now, kind, about, undoneBy: null }, before, after }
}

const summary = (...versions: MemoryVersion[]) => changeSummary(versions[0]!.change, versions)

describe('changeSummary', () => {
  const session = 'from claude-code:030df228-1111-4111-8111-111111111111'
  const edited = { ...memory, text: 'Use pnpm 10', confirmedAt: now }
  it.each([
    [
      'learned 2 memories from claude-code 030df228-1111: Always use pnpm',
      [version('learned', session, null, memory), version('learned', session, null, other)],
    ],
    [
      'learned from claude-code 030df228-1111: Use pnpm 10',
      [
        version('learned', session, memory, { ...memory, supersededBy: 'm-three', supersededAt: now }),
        version('learned', session, null, { ...edited, id: 'm-three' }),
      ],
    ],
    ['forgot: Always use pnpm', [version('forgotten', 'Always', memory, { ...memory, state: 'forgotten' })]],
    ['edited: Always use pnpm -> Use pnpm 10', [version('edited', 'edited x.md', memory, edited)]],
    [
      'edited: Always use pnpm -> Use pnpm 10',
      [version('edited', 'Use pnpm 10', { ...memory, state: 'candidate' }, edited)],
    ],
    [
      'edited: Always use pnpm (importance 0.7 -> 0.9)',
      [version('edited', 'Always', memory, { ...memory, importance: 0.9, confirmedAt: now })],
    ],
    ['kept: Always use pnpm', [version('reviewed', 'Always', { ...memory, state: 'candidate' }, memory)]],
    [
      'moved 2 memories: Always use pnpm (applies everywhere)',
      [
        version('moved', 'Always', memory, { ...memory, project: null }),
        version('moved', 'Always', other, { ...other, project: null }),
      ],
    ],
    ['undid: Always use pnpm', [version('undone', 'Always', { ...memory, state: 'forgotten' }, memory)]],
    [
      'consolidated (1 memory retired by a later statement): Always use pnpm',
      [version('consolidated', '1 memory retired by a later statement', memory, { ...memory, supersededBy: 'm-two' })],
    ],
  ])('%s', (expected, versions) => {
    expect(summary(...versions)).toBe(expected)
  })
})

describe('versionText', () => {
  it('says who changed it, and the fields in words', () => {
    const after: Memory = {
      ...memory,
      why: 'the lockfile is of pnpm',
      kind: 'preference',
      tags: ['build'],
      project: null,
      contradicts: 'm-two',
      counts: { said: 2, shown: 5, used: 1 },
      version: 2,
    }
    expect(versionText(version('edited', 'edited pnpm.md', memory, after))).toBe(
      'edited pnpm.md in the vault: why: the lockfile is of pnpm; kind decision -> preference; applies everywhere; tags build; may contradict m-two; said 2 times',
    )
    expect(versionText(version('remembered', 'Always use pnpm', null, memory))).toBe(
      'remembered by you: Always use pnpm',
    )
    expect(versionText(version('remembered', 'Always', null, { ...memory, because: 'agent' }))).toMatch(
      /^stored by an agent: /,
    )
    expect(versionText(version('undone', 'Always', memory, null))).toBe('undone: removed')
    expect(versionText(version('synced', 'from laptop', memory, { ...memory, version: 3 }))).toBe(
      'synced (from laptop)',
    )
  })
})
