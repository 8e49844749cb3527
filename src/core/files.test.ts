import {
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { linkTarget, writeAtomically, writeNewFile } from './files.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'recollect-files-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const pathOf = (name: string): string => join(folder, name)
const modeOf = (name: string): number => statSync(pathOf(name)).mode & 0o777

describe('writeAtomically', () => {
  it('creates a file with mode 600 by default', () => {
    writeAtomically(pathOf('a'), 'new')
    writeAtomically(pathOf('b'), 'new', 0o755)
    expect([modeOf('a'), modeOf('b')]).toEqual([0o600, 0o755])
  })

  it('keeps the mode of the file that it replaces', () => {
    writeFileSync(pathOf('a'), 'old', { mode: 0o640 })
    writeAtomically(pathOf('a'), 'new', 0o755)
    expect([readFileSync(pathOf('a'), 'utf8'), modeOf('a')]).toEqual(['new', 0o640])
  })

  it('replaces the target of a chain of links', () => {
    writeFileSync(pathOf('real'), 'old')
    symlinkSync('real', pathOf('second'))
    symlinkSync(pathOf('second'), pathOf('first'))
    writeAtomically(pathOf('first'), 'new')
    expect(lstatSync(pathOf('first')).isSymbolicLink()).toBe(true)
    expect([linkTarget(pathOf('first')), readFileSync(pathOf('real'), 'utf8')]).toEqual([pathOf('real'), 'new'])
  })

  it('leaves no temporary file when it fails', () => {
    symlinkSync('loop', pathOf('loop'))
    expect(() => writeAtomically(pathOf('loop'), 'new')).toThrow('is a link to itself')
    expect(() => writeAtomically(folder, 'new')).toThrow()
    expect(readdirSync(folder)).toEqual(['loop'])
  })
})

describe('writeNewFile', () => {
  it('writes a whole file with its time, and leaves nothing in the staging folder', () => {
    const path = join(folder, 'deep/new.jsonl')
    const staging = join(folder, 'staging')
    const chunks = ['one\n', 'two\n'].map((text) => Buffer.from(text))
    writeNewFile(path, chunks, { staging, modified: new Date('2026-01-01T00:00:00Z') })
    expect(readFileSync(path, 'utf8')).toBe('one\ntwo\n')
    expect(statSync(path).mtime.toISOString()).toBe('2026-01-01T00:00:00.000Z')
    expect(readdirSync(staging)).toEqual([])
  })

  it('never replaces a file', () => {
    const path = join(folder, 'kept.jsonl')
    writeFileSync(path, 'mine')
    const write = () => writeNewFile(path, [Buffer.from('other')], { staging: join(folder, 'staging') })
    expect(write).toThrow(expect.objectContaining({ code: 'EEXIST' }))
    expect(readFileSync(path, 'utf8')).toBe('mine')
    expect(readdirSync(join(folder, 'staging'))).toEqual([])
  })
})
