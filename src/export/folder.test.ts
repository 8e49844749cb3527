import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Layout, layoutOf, makeHome } from '../core/paths.ts'
import { writeFolder } from './folder.ts'

let root: string
let folder: string
let layout: Layout
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'recollect-export-'))
  folder = join(root, 'site')
  layout = layoutOf(join(root, 'store'))
  makeHome(layout)
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const write = (files: Record<string, string>, to = folder) =>
  writeFolder(layout, {
    folder: to,
    format: 'html',
    files: Object.entries(files).map(([path, content]) => ({ path, content })),
  })
const read = (path: string) => readFileSync(join(folder, path), 'utf8')

describe('writeFolder', () => {
  it('creates the folder and rewrites only changed files', () => {
    expect(write({ 'index.html': 'one', 'a/b.html': 'two' })).toMatchObject({ files: 2, written: 2, left: [] })
    expect(write({ 'index.html': 'one', 'a/b.html': 'three' })).toMatchObject({ written: 1, removed: 0 })
    expect(read('a/b.html')).toBe('three')
  })

  it('removes files that are no longer exported, with empty folders', () => {
    write({ 'index.html': 'one', 'a/b.html': 'two' })
    expect(write({ 'index.html': 'one' })).toMatchObject({ removed: 1 })
    expect(readdirSync(folder).sort()).toEqual(['.recollect-export.json', 'index.html'])
  })

  it('keeps and reports files that a person added or changed', () => {
    write({ 'index.html': 'one', 'a/b.html': 'two', 'a/c.html': 'three' })
    writeFileSync(join(folder, 'a/b.html'), 'mine')
    writeFileSync(join(folder, 'a/c.html'), 'mine, too')
    writeFileSync(join(folder, 'new.html'), 'also mine')
    const report = write({ 'index.html': 'one', 'a/b.html': 'four', 'new.html': 'five' })
    expect(report).toMatchObject({ written: 0, removed: 0, left: ['a/b.html', 'new.html', 'a/c.html'] })
    expect([read('a/b.html'), read('a/c.html'), read('new.html')]).toEqual(['mine', 'mine, too', 'also mine'])
    expect(write({ 'index.html': 'one' }).removed).toBe(0)
    expect(read('new.html')).toBe('also mine')
  })

  it('refuses a folder with other files', () => {
    mkdirSync(folder)
    writeFileSync(join(folder, 'thesis.txt'), 'mine')
    expect(() => write({ 'index.html': 'one' })).toThrow('is not empty')
    expect(readdirSync(folder)).toEqual(['thesis.txt'])
  })

  it('refuses a file and the folder of Recollect itself', () => {
    writeFileSync(folder, '')
    expect(() => write({})).toThrow('is a file')
    expect(() => write({}, join(layout.vault, 'site'))).toThrow('keeps its own files')
    symlinkSync(layout.root, join(root, 'link'))
    expect(() => write({}, join(root, 'link', 'site'))).toThrow('keeps its own files')
  })

  it('does not write through a symbolic link', () => {
    write({ 'index.html': 'one' })
    mkdirSync(join(root, 'elsewhere'))
    symlinkSync(join(root, 'elsewhere'), join(folder, 'a'))
    expect(write({ 'index.html': 'one', 'a/b.html': 'two' }).left).toEqual(['a/b.html'])
    expect(readdirSync(join(root, 'elsewhere'))).toEqual([])
  })

  it('removes nothing outside of the folder, whatever the manifest contains', () => {
    write({ 'index.html': 'one' })
    const outside = join(root, 'precious')
    writeFileSync(outside, 'x')
    writeFileSync(
      join(folder, '.recollect-export.json'),
      JSON.stringify({ format: 'html', files: { '../precious': '' } }),
    )
    expect(() => write({})).toThrow('is not empty')
    expect(existsSync(outside)).toBe(true)
  })

  it('recognises the files of a killed run', () => {
    write({ 'index.html': 'one' })
    const mark = JSON.parse(read('.recollect-export.json'))
    // As after the first step of a second run, which then wrote one of two.
    const hash = 'b5bb9d8014a0f9b1d61e21e796d78dccdf1352f23cd32812f4850b878ae4944c'
    mark.files['a.html'] = hash
    mark.files['b.html'] = hash
    writeFileSync(join(folder, '.recollect-export.json'), JSON.stringify(mark))
    writeFileSync(join(folder, 'a.html'), 'foo\n')
    expect(write({ 'index.html': 'one' })).toMatchObject({ removed: 1, left: [] })
  })
})
