// The structure of the program, as ARCHITECTURE.md describes it.
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'

const src = join(import.meta.dirname, '..', 'src')

/** The rows of the import table in ARCHITECTURE.md: folder (or file of src) to what it may import besides itself. */
const allowed = new Map(
  [...readFileSync(join(src, '..', 'ARCHITECTURE.md'), 'utf8').matchAll(/^\| `([\w.]+)` \|[^|]*\|([^|]*)\|$/gm)].map(
    (row) => [row[1]!, new Set(row[2]!.split(',').map((name) => name.trim()))],
  ),
)

const files = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
  .map((path) => path.replaceAll('\\', '/'))

describe('imports', () => {
  it('have a row for every folder in ARCHITECTURE.md, and no row without a folder', () => {
    expect(new Set(allowed.keys())).toEqual(new Set(files.map(folderOf)))
  })

  it('follow the table in ARCHITECTURE.md', () => {
    const wrong = files.flatMap((file) =>
      importsOf(file)
        .filter((imported) => folderOf(imported) !== folderOf(file))
        .filter((imported) => !allowed.get(folderOf(file))?.has(folderOf(imported)))
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

  it('of the server is in server/database and server/store alone', () => {
    const tables = 'items|spaces|users|teams|members|keys|shares|links|audit|item_vectors|vector_lease'
    const statement = /['`]\s*(?:SELECT|INSERT INTO|UPDATE|DELETE FROM|WITH|CREATE|ALTER|DROP|SET LOCAL)\s/
    const clause = new RegExp(`\\b(?:FROM|JOIN|INTO|UPDATE) (?:${tables})\\b`)
    const server = files.filter((file) => file.startsWith('server/'))
    const withSql = server.filter((file) => {
      const source = withoutComments(read(file))
      return statement.test(source) || clause.test(source)
    })
    expect(withSql.length).toBeGreaterThan(10)
    expect(withSql.filter((file) => !/^server\/(?:database|store)\//.test(file))).toEqual([])
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
