import {
  chmodSync,
  lstatSync,
  mkdirSync,
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
import { fixedClock } from '../core/clock.ts'
import { applyEdits, removeFolders } from './apply.ts'
import type { FileEdit } from './types.ts'

const clock = fixedClock('2026-02-03T10:20:30.456Z')

let home: string
let backups: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'recollect-apply-'))
  backups = join(home, 'backups')
})
afterEach(() => rmSync(home, { recursive: true }))

const apply = (...edits: FileEdit[]) => applyEdits(edits, { agent: 'codex', backups, ownFolder: backups, clock })
const pathOf = (name: string): string => join(home, name)
const read = (name: string): string => readFileSync(pathOf(name), 'utf8')
const names = (): string[] => readdirSync(home).sort()

function write(name: string, content: string): string {
  writeFileSync(pathOf(name), content)
  return pathOf(name)
}

describe('applyEdits', () => {
  it('writes and keeps a backup', () => {
    const path = write('hooks.json', 'old')
    const applied = apply({ path, before: 'old', after: 'new' })
    const copy = '2026-02-03T102030Z-codex-hooks.json'
    expect(applied).toEqual({ folders: [], backups: [{ path, copy }] })
    expect([read('hooks.json'), read(join('backups', copy))]).toEqual(['new', 'old'])
    expect(statSync(join(backups, copy)).mode & 0o777).toBe(0o600)
  })

  it('never overwrites a backup', () => {
    const path = write('hooks.json', 'one')
    apply({ path, before: 'one', after: 'two' })
    apply({ path, before: 'two', after: 'three' })
    const [first, second] = readdirSync(backups).map((name) => read(join('backups', name)))
    expect([first, second].sort()).toEqual(['one', 'two'])
  })

  it('creates missing folders and reports them', () => {
    const path = join(home, 'a', 'b', 'hooks.json')
    const applied = apply({ path, before: undefined, after: 'new' })
    expect(applied).toEqual({ folders: [pathOf('a'), join(home, 'a', 'b')], backups: [] })
    expect(read('a/b/hooks.json')).toBe('new')
  })

  it('deletes and keeps a backup', () => {
    apply({ path: write('hooks.json', 'old'), before: 'old', after: undefined })
    expect(names()).toEqual(['backups'])
  })

  it('keeps the mode of a file and makes scripts executable', () => {
    chmodSync(write('hooks.json', 'old'), 0o644)
    apply({ path: pathOf('hooks.json'), before: 'old', after: 'new' })
    apply({ path: pathOf('script'), before: undefined, after: '#!/bin/sh\n' })
    expect(statSync(pathOf('hooks.json')).mode & 0o777).toBe(0o644)
    expect(statSync(pathOf('script')).mode & 0o777).toBe(0o700)
  })

  it('writes through a symbolic link and keeps it', () => {
    mkdirSync(pathOf('dotfiles'))
    write('dotfiles/hooks.json', 'old')
    symlinkSync(join('dotfiles', 'hooks.json'), pathOf('hooks.json'))
    symlinkSync(join('dotfiles', 'later', 'new.json'), pathOf('new.json'))
    const applied = apply(
      { path: pathOf('hooks.json'), before: 'old', after: 'new' },
      { path: pathOf('new.json'), before: undefined, after: 'made' },
    )
    expect(applied.folders).toEqual([join(home, 'dotfiles', 'later')])
    expect(lstatSync(pathOf('hooks.json')).isSymbolicLink()).toBe(true)
    expect([read('dotfiles/hooks.json'), read('dotfiles/later/new.json')]).toEqual(['new', 'made'])
  })
})

describe('applyEdits changes no file of the agent', () => {
  it('when a file has changed since it was read', () => {
    const path = write('hooks.json', 'changed')
    expect(() => apply({ path, before: 'old', after: 'new' })).toThrow(
      `${path} was changed by another program in the meantime`,
    )
    expect(read('hooks.json')).toBe('changed')
  })

  it('when a file was created since', () => {
    const path = write('hooks.json', '')
    expect(() => apply({ path, before: undefined, after: 'new' })).toThrow(
      'was changed by another program in the meantime',
    )
  })

  it.each<[string, () => string]>([
    ['has a file where its folder should be', () => join(write('file', 'no folder'), 'hooks.json')],
    ['cannot be written', () => join(home, 'new', 'x'.repeat(255))],
  ])('when the last file %s: the others are put back', (_, makePath) => {
    for (const name of ['settings.json', 'gone.json']) chmodSync(write(name, 'old'), 0o640)
    const path = makePath()
    const there = names()
    const edits: FileEdit[] = [
      { path: pathOf('settings.json'), before: 'old', after: 'new' },
      { path: join(home, 'made', 'deep', 'x.json'), before: undefined, after: 'new' },
      { path: pathOf('gone.json'), before: 'old', after: undefined },
      { path, before: undefined, after: 'new' },
    ]
    expect(() => apply(...edits)).toThrow(`${path} cannot be`)
    expect(names()).toEqual(['backups', ...there])
    for (const name of ['settings.json', 'gone.json']) {
      expect([read(name), statSync(pathOf(name)).mode & 0o777]).toEqual(['old', 0o640])
    }
  })
})

describe('removeFolders', () => {
  it('removes only empty folders, innermost first', () => {
    mkdirSync(join(home, 'a', 'b'), { recursive: true })
    mkdirSync(join(home, 'c', 'd'), { recursive: true })
    write('c/mine', '')
    removeFolders([pathOf('a'), join(home, 'a', 'b'), pathOf('c'), join(home, 'c', 'd'), pathOf('gone')])
    expect(names()).toEqual(['c'])
    expect(readdirSync(pathOf('c'))).toEqual(['mine'])
  })
})
