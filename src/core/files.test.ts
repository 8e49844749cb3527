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
import { linkTarget, writeAtomically } from './files.ts'

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
