import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { fixedClock } from '../../core/clock.ts'
import { parseConfig } from '../../core/config/config.ts'
import { layoutOf } from '../../core/paths.ts'
import { redact } from '../../core/redact/redact.ts'
import { projectFolder } from '../../core/vault/files.ts'
import { type Ledger, openLedger } from '../../store/ledger.ts'
import { mayHaveEdits } from './find-changes.ts'
import { readMemoryEdits } from './read.ts'
import { writeMemoryFiles } from './write.ts'

const project = 'github.com/acme/app'

let root: string
let ledger: Ledger
let folder: string
let file: string
beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'recollect-notice-'))
  ledger = openLedger(layoutOf(join(root, 'home')))
  folder = join(ledger.layout.vault, 'memory', projectFolder(project))
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'rule.md'), `---\nproject: ${project}\n---\n\nUse pnpm, never npm.\n`)
  await settle()
  file = join(folder, readdirSync(folder).find((name) => name.endsWith('.md') && name !== 'MEMORY.md')!)
})
afterEach(() => {
  ledger.close()
  rmSync(root, { recursive: true, force: true })
})

/** What a sweep does, until nothing is left to do. */
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
  await readMemoryEdits(context)
}

it('mayHaveEdits is false when nothing was touched', () => {
  expect(mayHaveEdits(ledger)).toBe(false)
  rmSync(ledger.layout.vault, { recursive: true })
  expect(mayHaveEdits(ledger)).toBe(false)
})

it.each<[string, () => void]>([
  ['an edit in place', () => writeFileSync(file, 'Use yarn.\n')],
  ['an edit that keeps length and content', () => utimesSync(file, new Date(), new Date(0))],
  ['a file that lost its content', () => writeFileSync(file, '')],
  ['a file that was removed', () => rmSync(file)],
  ['a file under another name', () => renameSync(file, join(folder, 'other.md'))],
  ['a new file', () => writeFileSync(join(folder, 'new.md'), 'Tests run with vitest.\n')],
  ['a new file in a new folder', () => writeNew('memory/other-project')],
  ['a new file in the archive', () => writeNew(`memory/${projectFolder(project)}/archive`)],
  ['a new file in the inbox', () => writeNew('inbox')],
  ['a link in the place of a file', () => linkTo(file)],
  ['a link in the place of a folder', () => linkTo(folder)],
  ['an index that was removed', () => rmSync(join(folder, 'MEMORY.md'))],
  ['a folder that was removed', () => rmSync(folder, { recursive: true })],
])('notices %s', (_, touch) => {
  touch()
  expect(mayHaveEdits(ledger)).toBe(true)
})

it('mayHaveEdits stays true for a file that could not be applied', async () => {
  writeFileSync(file, '---\nkind: [\n---\n\nBroken.\n')
  await settle()
  expect(mayHaveEdits(ledger)).toBe(true)
})

function writeNew(below: string): void {
  const place = join(ledger.layout.vault, below)
  mkdirSync(place, { recursive: true })
  writeFileSync(join(place, 'new.md'), 'Tests run with vitest.\n')
}

function linkTo(path: string): void {
  renameSync(path, `${root}/elsewhere`)
  symlinkSync(`${root}/elsewhere`, path)
}
