// The shape of the program: data moves left to right, imports point left, and the world is read in one place.
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'

const src = join(import.meta.dirname, '..', 'src')

/** A folder may import from itself and from what stands on a line above it. */
const layers = [
  ['core'],
  ['agents', 'store'],
  ['models'],
  ['capture'],
  ['digest'],
  ['learn'],
  ['journal'],
  ['wiki'],
  ['recall'],
  ['export'],
  ['patterns'],
  ['retain'],
  ['sync'],
  ['pipeline.ts'],
  ['app.ts'],
  ['sweep.ts', 'rebuild.ts'],
  ['work.ts'],
  ['hook'],
  ['install'],
  ['doctor'],
  ['mcp', 'web', 'server'],
  ['cli'],
]

const files = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
  .map((path) => path.replaceAll('\\', '/'))

describe('imports', () => {
  it('has a layer for every folder', () => {
    const known = new Set(layers.flat())
    expect(files.map(folderOf).filter((folder) => !known.has(folder))).toEqual([])
  })

  it('point left only', () => {
    const wrong = files.flatMap((file) =>
      importsOf(file)
        .filter((imported) => folderOf(imported) !== folderOf(file) && layerOf(imported) >= layerOf(file))
        .map((imported) => `${file} imports ${imported}`),
    )
    expect(wrong).toEqual([])
  })

  it('reach an agent only through the registry', () => {
    const outside = files.filter((file) => folderOf(file) !== 'agents')
    const wrong = outside.flatMap((file) =>
      importsOf(file)
        .filter((imported) => folderOf(imported) === 'agents' && !/agents\/(?:registry|agent)\.ts$/.test(imported))
        .map((imported) => `${file} imports ${imported}`),
    )
    expect(wrong).toEqual([])
  })

  it('load node:sqlite in one file', () => {
    expect(files.filter((file) => /node:sqlite/.test(read(file)))).toEqual(['core/sqlite.ts'])
  })
})

describe('SQL', () => {
  it('is spoken in store alone, and by readers of foreign databases', () => {
    const speaking = files.filter((file) => /\.sql\(|\.raw\.|PRAGMA /.test(withoutComments(read(file))))
    const elsewhere = speaking.filter((file) => !/^(?:store|agents)\//.test(file))
    expect(elsewhere).toEqual(['core/lock.ts', 'core/sqlite.ts'])
  })
})

// The hook for machines without sh is a program of its own.
describe('the world is read in one place', () => {
  it.each([
    ['the environment', /process\.env\b|\bhomedir\(/, ['app.ts', 'hook/entry.ts']],
    ['the clock', /\bDate\.now\(|new Date\(\)/, ['core/clock.ts', 'hook/entry.ts']],
  ])('%s', (_, pattern, allowed) => {
    expect(files.filter((file) => pattern.test(withoutComments(read(file))))).toEqual(allowed)
  })
})

function read(file: string): string {
  return readFileSync(join(src, file), 'utf8')
}

function withoutComments(source: string): string {
  return source.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '')
}

function importsOf(file: string): string[] {
  return [...read(file).matchAll(/(?:from|import\()\s*'(\.[^']+)'/g)]
    .map((match) => relative(src, resolve(join(src, dirname(file)), match[1]!)).replaceAll('\\', '/'))
    .filter((path) => !path.startsWith('..'))
}

function folderOf(file: string): string {
  return file.split('/')[0]!
}

function layerOf(file: string): number {
  return layers.findIndex((names) => names.includes(folderOf(file)))
}
