// The program was killed while it wrote memory files: that is no deletion by a person.
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { sampleMemory } from '../../../test/sample-memory.ts'
import { fixedClock } from '../../core/clock.ts'
import { parseConfig } from '../../core/config/config.ts'
import { layoutOf } from '../../core/paths.ts'
import { redact } from '../../core/redact/redact.ts'
import { type Ledger, openLedger } from '../../store/ledger.ts'
import { changeMemories } from '../../store/memories/changes.ts'
import { memoryFiles, saveMemoryFile } from '../../store/memories/files.ts'
import { memoryById } from '../../store/memories/memories.ts'
import { readMemoryEdits } from './read.ts'
import { writeMemoryFiles } from './write.ts'

let root: string
let ledger: Ledger
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'recollect-unfinished-'))
  ledger = openLedger(layoutOf(join(root, 'home')))
  write('m-one', 'Deploys go out on Tuesdays')
  refresh()
})
afterEach(() => {
  ledger.close()
  rmSync(root, { recursive: true, force: true })
})

const contextOf = () => ({
  ledger,
  config: parseConfig('', 'test'),
  clock: fixedClock('2026-10-05T12:00:00.000Z'),
  origin: 'desk',
  loadTools: async () => ({ redact }),
})

function write(id: string, text: string): void {
  const change = { at: '2026-10-05T12:00:00.000Z', kind: 'remembered' as const, about: 'a test' }
  ledger.transaction(() => changeMemories(ledger, change, [sampleMemory({ id, text })]))
}

function refresh(): void {
  writeMemoryFiles(contextOf())
}

function fileOf(memory: string) {
  return memoryFiles(ledger).find((file) => file.memory === memory)!
}

it('keeps a memory whose file was recorded but never written, and writes the file', async () => {
  write('m-two', 'The port is 7718')
  const path = fileOf('m-one').path.replace(/[^/]+$/, 'the-port.md')
  saveMemoryFile(ledger, { path, memory: 'm-two', hash: 'any', stamp: '' })
  await readMemoryEdits(contextOf())
  expect(memoryById(ledger, 'm-two')!.state).toBe('kept')
  refresh()
  expect(readdirSync(join(ledger.layout.vault, fileOf('m-two').path, '..'))).toHaveLength(3)
})

it('keeps a memory whose file was moved while the old path is still recorded', async () => {
  const file = fileOf('m-one')
  saveMemoryFile(ledger, { ...file, path: file.path.replace(/[^/]+$/, 'old-name.md') })
  await readMemoryEdits(contextOf())
  expect(memoryById(ledger, 'm-one')!.state).toBe('kept')
  expect(memoryFiles(ledger).map(({ path }) => path)).toEqual([file.path])
})

it('forgets a memory whose file a person deleted', async () => {
  rmSync(join(ledger.layout.vault, fileOf('m-one').path))
  await readMemoryEdits(contextOf())
  expect(memoryById(ledger, 'm-one')!.state).toBe('forgotten')
})
