import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { sampleMemory } from '../../test/sample-memory.ts'
import { fixedClock } from '../core/clock.ts'
import { layoutOf } from '../core/paths.ts'
import type { LinkType } from '../memory/links.ts'
import { type Ledger, openLedger } from '../store/ledger.ts'
import { changeMemories } from '../store/memories/changes.ts'
import { memoryById } from '../store/memories/memories.ts'
import { type ChangeContext, undo } from './change.ts'
import { parseMemoryFile } from './files/parse.ts'
import { renderMemory } from './files/render.ts'
import { linkMemories, linksOfMemory, unlinkMemories } from './links.ts'

let root: string
let ledger: Ledger
let context: ChangeContext

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'recollect-links-'))
  ledger = openLedger(layoutOf(root))
  context = { ledger, clock: fixedClock('2026-09-01T10:00:00Z'), origin: 'box' }
  const memories = [
    ...['m-aaaa', 'm-bbbb', 'm-cccc'].map((id) => sampleMemory({ id, text: `Statement ${id}` })),
    sampleMemory({ id: 'm-gone', state: 'forgotten' }),
    sampleMemory({ id: 'm-team', space: 'team:core' }),
  ]
  ledger.transaction(() => changeMemories(ledger, { at: '', kind: 'remembered', about: '' }, memories))
})
afterEach(() => {
  ledger.close()
  rmSync(root, { recursive: true })
})

const link = (from: string, type: LinkType, to: string) => linkMemories(context, { from, type, to })
const linksOf = (id: string) =>
  linksOfMemory(ledger, memoryById(ledger, id)!).map(({ from, type, to }) => `${from} ${type} ${to}`)

describe('linkMemories', () => {
  it('is seen from both ends, in the history, and can be undone', () => {
    link('m-a', 'see-also', 'm-b')
    link('m-a', 'supersedes', 'm-c')
    expect(linksOf('m-aaaa')).toEqual(['m-aaaa see-also m-bbbb', 'm-aaaa supersedes m-cccc'])
    expect(linksOf('m-bbbb')).toEqual(['m-aaaa see-also m-bbbb'])
    expect(linksOf('m-cccc')).toEqual(['m-aaaa supersedes m-cccc'])
    expect(undo(context).change).toMatchObject({ kind: 'linked', about: 'm-aaaa supersedes m-cccc' })
    expect(linksOf('m-cccc')).toEqual([])
    unlinkMemories(context, { from: 'm-a', type: 'see-also', to: 'm-b' })
    expect(linksOf('m-aaaa')).toEqual([])
    expect(() => unlinkMemories(context, { from: 'm-a', type: 'see-also', to: 'm-b' })).toThrow('no such link')
  })

  it.each([
    ['with itself', 'm-aaaa', 'see-also', 'm-aaaa', 'cannot be linked to itself'],
    ['twice', 'm-aaaa', 'supersedes', 'm-bbbb', 'already exists'],
    ['in a circle', 'm-cccc', 'supersedes', 'm-aaaa', 'already supersedes'],
    ['to what is not there', 'm-aaaa', 'see-also', 'm-none', 'There is no memory'],
    ['to what is forgotten', 'm-aaaa', 'see-also', 'm-gone', 'm-gone is forgotten'],
    ['across spaces', 'm-aaaa', 'supersedes', 'm-team', 'different spaces'],
  ] as const)('%s is refused', (_, from, type, to, message) => {
    link('m-aaaa', 'supersedes', 'm-bbbb')
    link('m-bbbb', 'supersedes', 'm-cccc')
    expect(() => link(from, type, to)).toThrow(message)
    expect(linksOf('m-aaaa')).toEqual(['m-aaaa supersedes m-bbbb'])
  })
})

describe('links in memory files', () => {
  const around = { dayOf: () => undefined, other: () => undefined }

  it('are written and read back', async () => {
    link('m-a', 'see-also', 'm-b')
    link('m-a', 'part-of', 'm-c')
    const file = renderMemory(memoryById(ledger, 'm-aaaa')!, around)
    expect(file).toMatch(/^links: \["?see-also m-bbbb"?, "?part-of m-cccc"?\]$/m)
    expect(await parseMemoryFile(file)).toMatchObject({ said: { links: ['see-also m-bbbb', 'part-of m-cccc'] } })
    expect(renderMemory(memoryById(ledger, 'm-bbbb')!, around)).not.toContain('links:')
  })

  it.each(['links: see-also m-bbbb', 'links: [m-bbbb]', 'links: ["supersedes m-bbbb"]', 'links: [1]'])(
    '%s is a problem with a line',
    async (line) => {
      const file = renderMemory(memoryById(ledger, 'm-aaaa')!, around).replace('tags:', `${line}\ntags:`)
      expect(await parseMemoryFile(file)).toMatchObject({ kind: 'bad', reason: expect.stringContaining('links are') })
    },
  )
})
