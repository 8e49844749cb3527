// The structure of the program, as ARCHITECTURE.md describes it.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
// @ts-expect-error: a plain script without types
import { withMap } from '../scripts/agents-map.mjs'

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

  it('have no cycle, type-only imports included', () => {
    expect(cyclesIn(new Map(files.map((file) => [file, importsOf(file)])))).toEqual([])
  })

  it('reach an agent only through the registry, not by its folder', () => {
    const outside = files.filter((file) => folderOf(file) !== 'agents')
    const wrong = outside.flatMap((file) =>
      importsOf(file)
        .filter((imported) => /^agents\/[^/]+\//.test(imported))
        .map((imported) => `${file} imports ${imported}`),
    )
    expect(wrong).toEqual([])
  })

  it('load node:sqlite in one file', () => {
    expect(files.filter((file) => /node:sqlite/.test(read(file)))).toEqual(['core/sqlite.ts'])
  })
})

/** Doors of a folder through which text reaches agents, and those that pass it on or write it themselves. */
const doors: { door: RegExp; without: Record<string, string> }[] = [
  {
    door: /^mcp\/tools\//,
    without: {
      'handoff.ts': 'the packet is of src/handoff',
      'memory-link.ts': 'ids',
      'memory-store.ts': 'answers of mcp/store-memory.ts',
      'register.ts': 'descriptions of our own',
    },
  },
  {
    door: /^server\/mcp\//,
    without: { 'context.ts': 'types', 'handler.ts': 'transport', 'tools.ts': 'descriptions of our own' },
  },
  { door: /^brief\/(?:brief|memories|sessions|candidates|per-prompt)\.ts$/, without: {} },
  { door: /^compaction\/(?:candidates|render)\.ts$/, without: {} },
  { door: /^fixes\/(?:find-fixes|hints|how-program)\.ts$/, without: {} },
  { door: /^handoff\/packet/, without: {} },
  { door: /^history\/(?:why|blame[\w-]*)\.ts$/, without: {} },
  { door: /^recall\/(?:compose|render)\.ts$/, without: {} },
  { door: /^wiki\/ask\/retrieve\.ts$/, without: {} },
  { door: /^mcp\/(?:memory-text|store-memory)\.ts$/, without: {} },
]

describe('what agents are told', () => {
  it('passes the gate', () => {
    const open = doors.flatMap(({ door, without }) =>
      files
        .filter((file) => door.test(file) && !(file.split('/').at(-1)! in without))
        .filter((file) => !importsOf(file).some((imported) => folderOf(imported) === 'gate')),
    )
    expect(open).toEqual([])
  })

  it('is framed by the gate', () => {
    const framing = files.filter((file) => importsOf(file).includes('core/injected-text.ts'))
    expect(framing).toEqual(['capture/collect.ts', 'gate/evidence.ts'])
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

describe('names', () => {
  it('of exported types are unique', () => {
    const definitions = files.flatMap((file) =>
      [...read(file).matchAll(/^export (?:interface|type) (\w+)/gm)].map((match) => ({ name: match[1]!, file })),
    )
    const twice = [...Map.groupBy(definitions, ({ name }) => name)].filter(([, places]) => places.length > 1)
    expect(twice.map(([name, places]) => `${name}: ${places.map(({ file }) => file).join(', ')}`)).toEqual([])
  })

  it('that ask a question belong to functions that return an answer', () => {
    const question =
      /^export (?:async )?function ((?:is|has|have|are|was|were|may|can|should|does|did|needs)[A-Z]\w*)[^{]*?\): (?:Promise<)?void\b/gm
    const wrong = files.flatMap((file) => [...read(file).matchAll(question)].map((match) => `${file}: ${match[1]}`))
    expect(wrong).toEqual([])
  })

  it('of files fit on a screen: at most 24 in a folder, 450 lines in a file', () => {
    const folders = Map.groupBy(files, (file) => dirname(file))
    expect([...folders].filter(([, names]) => names.length > 24).map(([folder]) => folder)).toEqual([])
    expect(files.filter((file) => read(file).split('\n').length > 451)).toEqual([])
  })
})

describe('ARCHITECTURE.md', () => {
  const document = readFileSync(join(src, '..', 'ARCHITECTURE.md'), 'utf8')
  const walks = document.split(/^## /m).filter((part) => part.startsWith('Walk '))

  it.each(walks.map((walk) => [walk.split('\n')[0]!, walk]))('%s: every file exists and is named once', (_, walk) => {
    const named = [...walk.matchAll(/`([\w/-]+\.(?:ts|sh))`/g)].map((match) => match[1]!)
    expect(named.length).toBeGreaterThan(5)
    expect(named.filter((file) => !existsSync(join(src, file)))).toEqual([])
    expect(named.filter((file, index) => named.indexOf(file) !== index)).toEqual([])
  })
})

describe('AGENTS.md', () => {
  it('has the map of ARCHITECTURE.md', () => {
    const text = (name: string) => readFileSync(join(src, '..', name), 'utf8')
    expect(text('AGENTS.md')).toBe(withMap(text('AGENTS.md'), text('ARCHITECTURE.md')))
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

/** Strongly connected components with more than one file (Tarjan). */
function cyclesIn(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const order = new Map<string, number>()
  const low = new Map<string, number>()
  const stack: string[] = []
  const cycles: string[][] = []
  const visit = (file: string) => {
    order.set(file, order.size)
    low.set(file, order.get(file)!)
    stack.push(file)
    for (const next of graph.get(file) ?? []) {
      if (!order.has(next)) visit(next)
      if (stack.includes(next)) low.set(file, Math.min(low.get(file)!, low.get(next)!))
    }
    if (low.get(file) !== order.get(file)) return
    const component = stack.splice(stack.indexOf(file))
    if (component.length > 1) cycles.push(component)
  }
  for (const file of graph.keys()) if (!order.has(file)) visit(file)
  return cycles
}

function folderOf(file: string): string {
  return file.split('/')[0]!
}
