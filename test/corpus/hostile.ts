// Transcripts that no agent writes on purpose: each case changes the files of a fixture. Every one of them must cost at
// most what it breaks, never another transcript or a later stage.
import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { gzipSync } from 'node:zlib'
import type { Json } from '../../src/core/session.ts'
import { scaled } from '../proof.ts'

export interface HostileCase {
  name: string
  /** Megabytes for each file: enough for some of them. */
  isLarge?: boolean
  /** The operating system refuses it, so every sweep tries again; not for root, who may read everything. */
  isRetried?: boolean
  /** Changes one file of an agent in place. Returns a function that ends what was started for it. */
  apply(path: string): (() => void) | undefined
}

const nested = (open: string, close: string, depth: number) => `${open.repeat(depth)}"x"${close.repeat(depth)}`

/** JSON text that takes the place of values in records, documents and columns of databases. */
const values: [name: string, source: () => string, at?: RegExp][] = [
  ['arrays nested 2,000 deep', () => nested('[', ']', 2000)],
  ['arrays nested 100,000 deep', () => nested('[', ']', 100_000)],
  ['objects nested 2,000 deep', () => nested('{"input":', '}', 2000)],
  ['objects nested 100,000 deep', () => nested('{"content":', '}', 100_000)],
  ['content blocks nested 30,000 deep', () => nested('[{"type":"text","text":', '}]', 30_000)],
  ['a string of 200,000 brackets', () => JSON.stringify('[{"a":'.repeat(200_000 / 6))],
  ['a string with JSON nested 100,000 deep', () => JSON.stringify(nested('{"a":', '}', 100_000))],
  ['an unbroken word of 6 MB', () => JSON.stringify('a'.repeat(6_000_000))],
  ['100,000 keys', () => `{${Array.from({ length: 100_001 }, (_, index) => `"key${index}":"v"`).join(',')}}`],
  ['an array of a million elements', () => `[${'"v",'.repeat(999_999)}"v"]`],
  ['huge numbers', () => `[1e400,-1e400,1e308,${'9'.repeat(400)},0.${'1'.repeat(400)},-0]`],
  ['a huge number', () => '1e308'],
  [
    'the keys __proto__ and constructor',
    () => '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}',
  ],
  ['NUL and control characters', () => JSON.stringify('a\u0000b\u001b]52;c;\u0007c\u202e')],
  ['lone surrogates', () => '"\\ud800 and \\udfff \\ud83d"'],
  ['the year 275760', () => '"+275760-09-13T00:00:00.000Z"', /time|ts$|date|created|updated|started|start|end/i],
  [
    'a time in milliseconds beyond every calendar',
    () => '8640000000000000',
    /time|ts$|date|created|updated|start|end/i,
  ],
  ['a negative time', () => '-62135596800001', /time|ts$|date|created|updated|started|start|end/i],
  ['a time that is text', () => '"yesterday, half past nine"', /time|ts$|date|created|updated|started|start|end/i],
]

const contents: [name: string, change: (content: Buffer) => Buffer][] = [
  ['NUL bytes between all parts', (content) => spread(content, Buffer.alloc(4096))],
  ['bytes that are no UTF-8', (content) => spread(content, Buffer.from([0xff, 0xfe, 0xc0, 0x80, 0xed, 0xa0, 0x80]))],
  ['UTF-16', (content) => Buffer.from(`\ufeff${content.toString()}`, 'utf16le')],
  ['a byte order mark', (content) => Buffer.concat([Buffer.from('\ufeff'), content])],
  [
    'carriage returns instead of newlines',
    (content) => Buffer.from(content.toString('latin1').replaceAll('\n', '\r'), 'latin1'),
  ],
  [
    'half lines',
    (content) =>
      Buffer.from(
        content.toString('latin1').replace(/.+/g, (line) => line.slice(0, line.length / 2)),
        'latin1',
      ),
  ],
  ['the first half', (content) => content.subarray(0, content.length / 2)],
  ['gzip', (content) => gzipSync(content)],
  ['nothing', () => Buffer.alloc(0)],
  ['every line twice', (content) => Buffer.from(content.toString('latin1').replace(/.+\n?/g, '$&$&'), 'latin1')],
  [
    'flipped bytes in the second half',
    (content) => Buffer.from(content.map((byte, at) => (at > content.length / 2 && at % 7 === 0 ? byte ^ 0x55 : byte))),
  ],
]

const others: [name: string, put: (path: string) => (() => void) | undefined][] = [
  ['a folder', (path) => void mkdirSync(path)],
  ['a pipe', (path) => void execFileSync('mkfifo', [path])],
  ['a socket', (path) => listen(path)],
  ['a link to a device', (path) => void symlinkSync('/dev/zero', path)],
  ['a link to itself', (path) => void symlinkSync(path, path)],
  ['a link to nothing', (path) => void symlinkSync(`${path}.gone`, path)],
]

export const hostileCases: readonly HostileCase[] = [
  ...values.map(([name, source, at = /./]) => ({
    name,
    isLarge: /6 MB|100,000 keys|million/.test(name),
    apply: (path: string) => void putValues(path, source(), at),
  })),
  ...contents.map(([name, change]) => ({
    name,
    apply: (path: string) => void writeFileSync(path, change(readFileSync(path))),
  })),
  ...others.map(([name, put]) => ({
    name: `${name} in its place`,
    apply(path: string) {
      rmSync(path)
      return put(path)
    },
  })),
  { name: 'no permission to read', isRetried: true, apply: (path) => void chmodSync(path, 0) },
]

/** Values that are replaced in a file: fewer of a large one. */
const maxPlaces = scaled(3, 6)
const maxAdded = scaled(200_000, 300_000)
const mark = '@hostile@'

function putValues(path: string, source: string, at: RegExp): void {
  const places = Math.max(1, Math.min(maxPlaces, Math.floor(maxAdded / source.length)))
  const content = readFileSync(path)
  if (content.subarray(0, 15).toString() === 'SQLite format 3') return putIntoDatabase(path, source)
  const text = content.toString()
  if (/\.jsonl/.test(path)) {
    const lines = text.split('\n').filter((line) => line !== '')
    const targets = lines.flatMap((line) => {
      const record = parsed(line)
      const paths = record === undefined ? [] : pathsIn(record).filter((one) => at.test(one.at(-1)!))
      return paths.map((one) => ({ line, path: one }))
    })
    const changed = spreadOver(targets, places).map((one) => filled(replaced(one.line, one.path), source))
    writeFileSync(path, `${[...lines, ...changed].join('\n')}\n`)
  } else if (parsed(text) !== undefined) {
    const leaves = pathsIn(parsed(text)!).filter((one) => one.length > 2 && at.test(one.at(-1)!))
    const document = spreadOver(leaves, places).reduce((json, one) => replaced(json, one), text)
    writeFileSync(path, filled(document, source))
  } else writeFileSync(path, `${text}\n${source}\n`)
}

function putIntoDatabase(path: string, source: string): void {
  const database = new DatabaseSync(path)
  const tables = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all()
  for (const { name } of tables) {
    for (const { name: column } of database.prepare('SELECT name FROM pragma_table_info(?)').all(String(name))) {
      const rows = database
        .prepare(`SELECT rowid AS id, "${column}" AS value FROM "${name}" WHERE "${column}" LIKE '{%'`)
        .all()
      for (const { id, value } of spreadOver(rows, 2)) {
        const text = Buffer.from(value as string).toString()
        const paths = spreadOver(pathsIn(parsed(text) ?? null), 2)
        const json = paths.reduce((json, one) => replaced(json, one), text)
        database.prepare(`UPDATE "${name}" SET "${column}" = ? WHERE rowid = ?`).run(filled(json, source), id!)
      }
    }
  }
  database.close()
}

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json
  } catch {
    return undefined
  }
}

/** Every place of a value inside of a value. */
function pathsIn(value: Json, above: string[] = []): string[][] {
  if (typeof value !== 'object' || value === null) return []
  return Object.keys(value).flatMap((key) => [
    [...above, key],
    ...pathsIn((value as Record<string, Json>)[key]!, [...above, key]),
  ])
}

function replaced(json: string, path: string[]): string {
  const root = JSON.parse(json) as Record<string, Json>
  let inner: Record<string, Json> | undefined = root
  for (const key of path.slice(0, -1)) inner = inner?.[key] as Record<string, Json> | undefined
  if (typeof inner === 'object' && inner !== null) inner[path.at(-1)!] = mark
  return JSON.stringify(root)
}

function filled(json: string, source: string): string {
  return json.split(`"${mark}"`).join(source)
}

function spreadOver<T>(all: readonly T[], count: number): T[] {
  if (all.length <= count) return [...all]
  return Array.from({ length: count }, (_, index) => all[Math.floor((index * all.length) / count)]!)
}

function spread(content: Buffer, between: Buffer): Buffer {
  const size = Math.ceil(content.length / 5)
  const parts = Array.from({ length: 5 }, (_, index) => content.subarray(index * size, (index + 1) * size))
  return Buffer.concat(parts.flatMap((part) => [part, between]))
}

/** The name of a socket has at most 107 bytes, so it is made under a short name. */
function listen(path: string): () => void {
  const short = join(tmpdir(), `${process.pid}.sock`)
  const server = createServer().listen(short)
  renameSync(short, path)
  return () => void server.close()
}
