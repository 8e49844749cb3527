// Folders of memory files that an earlier version named otherwise.
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { sampleMemory } from '../../../test/sample-memory.ts'
import { fixedClock } from '../../core/clock.ts'
import { parseConfig } from '../../core/config/config.ts'
import { layoutOf } from '../../core/paths.ts'
import { redact } from '../../core/redact/redact.ts'
import { projectFolder } from '../../core/vault/files.ts'
import { type Ledger, openLedger } from '../../store/ledger.ts'
import { changeMemories, listChanges } from '../../store/memories/changes.ts'
import { memoryFiles, moveMemoryFiles } from '../../store/memories/files.ts'
import { listMemories } from '../../store/memories/memories.ts'
import { mayHaveEdits } from './find-changes.ts'
import { readMemoryEdits } from './read.ts'
import { writeMemoryFiles } from './write.ts'

const project = '/home/ada/development/customers/northern-lighthouses/beacon-controller/firmware'
const folder = `memory/${projectFolder(project)}`
const earlier = `memory/ners-northern-lighthouses-beacon-controller-firmware-${folder.slice(-8)}`

let root: string
let ledger: Ledger
beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'recollect-rename-'))
  ledger = openLedger(layoutOf(join(root, 'home')))
  const change = { at: '2026-10-05T12:00:00.000Z', kind: 'remembered' as const, about: 'a test' }
  ledger.transaction(() => {
    const old = sampleMemory({ id: 'm-old', project, text: 'The lamp has 40 W', supersededBy: 'm-lamp' })
    changeMemories(ledger, change, [old, sampleMemory({ id: 'm-lamp', project, text: 'The lamp has 60 W' })])
  })
  await settle()
  renameSync(at(folder), at(earlier))
  moveMemoryFiles(ledger, folder, earlier)
  appendFileSync(at(earlier, 'MEMORY.md'), 'Ask Ben about the lens.\n')
  writeFileSync(at(earlier, 'lens.txt'), 'own notes')
})
afterEach(() => {
  ledger.close()
  rmSync(root, { recursive: true, force: true })
})

it('renames the folder with everything in it', async () => {
  expect(mayHaveEdits(ledger)).toBe(true)
  await settle()
  expectRenamed()
})

it('finishes after the program was killed between the folder and the ledger', async () => {
  renameSync(at(earlier), at(folder))
  expect(mayHaveEdits(ledger)).toBe(true)
  await settle()
  expectRenamed()
})

it('moves the files one by one where both folders exist', async () => {
  mkdirSync(at(folder))
  writeFileSync(at(folder, 'MEMORY.md'), '')
  await settle()
  expect(kept()).toEqual(['m-lamp', 'm-old'])
  expect(memoryFiles(ledger).every(({ path }) => path.startsWith(folder))).toBe(true)
  expect(readFileSync(at(earlier, 'lens.txt'), 'utf8')).toBe('own notes')
  expect(mayHaveEdits(ledger)).toBe(false)
})

it('reads an edit that was made in the folder under its old name', async () => {
  const name = readdirSync(at(earlier)).find((one) => one.endsWith('.md') && one !== 'MEMORY.md')!
  const file = at(earlier, name)
  writeFileSync(file, readFileSync(file, 'utf8').replace('\n\nThe lamp has 60 W', '\n\nThe lamp has 90 W'))
  await settle()
  expect(listMemories(ledger, { project }).map(({ text }) => text)).toContain('The lamp has 90 W')
})

function expectRenamed(): void {
  expect(existsSync(at(earlier))).toBe(false)
  expect(kept()).toEqual(['m-lamp', 'm-old'])
  expect(listChanges(ledger, 10)).toHaveLength(1)
  expect(memoryFiles(ledger).map(({ path }) => existsSync(at(path)))).toEqual([true, true])
  expect(memoryFiles(ledger).every(({ path }) => path.startsWith(`${folder}/`))).toBe(true)
  expect(readFileSync(at(folder, 'MEMORY.md'), 'utf8')).toContain('Ask Ben about the lens.')
  expect(readFileSync(at(folder, 'lens.txt'), 'utf8')).toBe('own notes')
  expect(mayHaveEdits(ledger)).toBe(false)
}

function kept(): string[] {
  return listMemories(ledger, { project, state: 'kept' })
    .map(({ id }) => id)
    .sort()
}

function at(...path: string[]): string {
  return join(ledger.layout.vault, ...path)
}

/** What a sweep does. */
async function settle(): Promise<void> {
  const context = {
    ledger,
    config: parseConfig('', 'test'),
    clock: fixedClock('2026-10-05T12:00:00.000Z'),
    origin: 'desk',
    loadTools: async () => ({ redact }),
  }
  await readMemoryEdits(context)
  writeMemoryFiles(context)
}
