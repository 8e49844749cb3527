import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { sampleMemory } from '../../../test/sample-memory.ts'
import { fixedClock } from '../../core/clock.ts'
import { parseConfig } from '../../core/config/config.ts'
import { layoutOf } from '../../core/paths.ts'
import { redact } from '../../core/redact/redact.ts'
import type { Memory } from '../../memory/memory.ts'
import { type Ledger, openLedger } from '../../store/ledger.ts'
import { listChanges } from '../../store/memories/changes.ts'
import { memoryById } from '../../store/memories/memories.ts'
import { writeMemory } from '../../store/memories/rows.ts'
import { type ChangeContext, forgetMemories, proposeDeletion, undo } from '../change.ts'
import { parseMemoryForm, renderMemoryForm } from '../files/form.ts'
import { editMemories } from './edit-memory.ts'

const now = '2026-11-01T12:00:00.000Z'
let root: string
let ledger: Ledger
let context: ChangeContext
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'recollect-edit-'))
  ledger = openLedger(layoutOf(root))
  context = { ledger, clock: fixedClock(now), origin: 'box' }
})
afterEach(() => {
  ledger.close()
  rmSync(root, { recursive: true })
})

function stored(more: Partial<Memory>): Memory {
  const memory = sampleMemory({ trust: 'agent said', because: 'agent', ...more })
  ledger.transaction(() => writeMemory(ledger, memory))
  return memoryById(ledger, memory.id)!
}

describe('editMemories', () => {
  it('makes the memory one of the person; undo restores it exactly', () => {
    const before = stored({ text: 'Deploy on Fridays' })
    editMemories(context, ['m-sample'], { text: 'Deploy on Tuesdays', why: 'support is there' })
    expect(memoryById(ledger, 'm-sample')).toMatchObject({
      ...{ text: 'Deploy on Tuesdays', why: 'support is there', trust: 'user said', because: 'person' },
      ...{ validFrom: now, version: 2 },
    })
    undo(context)
    expect(memoryById(ledger, 'm-sample')).toEqual(before)
  })

  it('leaves the date of a statement that is only reworded', () => {
    const { validFrom } = stored({ text: 'Deploy on Fridays' })
    editMemories(context, ['m-sample'], { text: 'Deployments happen on Fridays, in the morning' })
    expect(memoryById(ledger, 'm-sample')).toMatchObject({ validFrom, confirmedAt: now })
  })

  it('settles what a model called hypothetical, unless the person says otherwise', () => {
    stored({ id: 'm-one', status: 'hypothetical', because: 'model' })
    stored({ id: 'm-two', status: 'hypothetical', because: 'person' })
    editMemories(context, ['m-one', 'm-two'], { why: 'support is there' })
    expect(['m-one', 'm-two'].map((id) => memoryById(ledger, id)!.status)).toEqual(['settled', 'hypothetical'])
  })

  it('moves several memories in one change: candidates are kept, who said it stays', () => {
    stored({ id: 'm-one', text: 'Run the linter before a commit' })
    stored({ id: 'm-two', text: 'Name branches after the ticket', state: 'candidate', because: 'rules' })
    stored({ id: 'm-three', text: 'Write release notes by hand', project: null })
    const { changed } = editMemories(context, ['m-one', 'm-two', 'm-three', 'm-one'], { project: null }, 'moved')
    expect(changed.map(({ id }) => id)).toEqual(['m-one', 'm-two'])
    for (const memory of changed)
      expect(memory).toMatchObject({ project: null, state: 'kept', because: 'person', trust: 'agent said' })
    expect(listChanges(ledger, 9)).toMatchObject([{ kind: 'moved' }])
    undo(context)
    expect(memoryById(ledger, 'm-two')!.state).toBe('candidate')
  })

  it('keeps both sides when one that waits in the inbox is edited', () => {
    stored({ id: 'm-one', text: 'Deploy on Fridays' })
    stored({ id: 'm-two', text: 'Never deploy on Fridays', state: 'inbox', contradicts: 'm-one' })
    editMemories(context, ['m-two'], { text: 'Never deploy the database on Fridays' })
    expect(memoryById(ledger, 'm-two')).toMatchObject({ state: 'kept', contradicts: null, because: 'person' })
    expect(memoryById(ledger, 'm-one')!.supersededBy).toBeNull()
  })

  it('writes nothing without a difference', () => {
    stored({})
    expect(editMemories(context, ['m-sample'], { importance: 0.7, text: 'A statement' }).changed).toEqual([])
    expect(listChanges(ledger, 9)).toEqual([])
  })

  it('refuses an empty or long text, a forgotten memory and a request to forget', () => {
    const memory = stored({ text: 'Deploy on Fridays' })
    const request = proposeDeletion(context, memory, { session: null, event: null })
    expect(() => editMemories(context, ['m-sample'], { text: ' ' })).toThrow('must not be empty')
    expect(() => editMemories(context, ['m-sample'], { why: 'x'.repeat(1500) })).toThrow('1500 characters')
    expect(() => editMemories(context, [request.id], { text: 'Deploy daily' })).toThrow('proposes to forget')
    forgetMemories(context, ['m-sample'])
    expect(() => editMemories(context, ['m-sample'], { text: 'Deploy daily' })).toThrow('is forgotten')
  })
})

describe('forgetMemories', () => {
  it('forgets several in one change, or none of them', () => {
    stored({ id: 'm-one', text: 'Run the linter before a commit' })
    stored({ id: 'm-two', text: 'Name branches after the ticket', state: 'candidate' })
    expect(() => forgetMemories(context, ['m-one', 'm-none'])).toThrow('There is no memory m-none')
    expect(memoryById(ledger, 'm-one')!.state).toBe('kept')
    expect(forgetMemories(context, ['m-one', 'm-two', 'one'])).toHaveLength(2)
    expect(() => forgetMemories(context, ['m-one'])).toThrow('already forgotten')
    undo(context)
    expect(['m-one', 'm-two'].map((id) => memoryById(ledger, id)!.state)).toEqual(['kept', 'candidate'])
  })
})

describe('parseMemoryForm', () => {
  it('returns what changed in the editor, without secrets', async () => {
    const memory = stored({ text: 'Deploy on Fridays', tags: ['release'] })
    const files = { ledger, config: parseConfig('', 'test') }
    const form = renderMemoryForm(files, memory)
    expect((await parseMemoryForm(files, memory, form, redact)).edits).toEqual({})
    const changed = form
      .replace('kind: decision', 'kind: preference')
      .replace('\nDeploy on Fridays\n', '\nDeploy on Tuesdays, password=hunter2hunter2\n')
    const { edits, counts } = await parseMemoryForm(files, memory, changed, redact)
    expect(edits).toEqual({ kind: 'preference', text: 'Deploy on Tuesdays, password=[secret: password]' })
    expect(counts).toEqual({ password: 1 })
    await expect(parseMemoryForm(files, memory, form.replace('kind: decision', 'kind: no'), redact)).rejects.toThrow(
      'Line 5',
    )
  })
})
