import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type LineLimits, LineTooLong, parseJsonlLine, parseLine, readLines } from './jsonl.ts'

const parsed = (line: string | Buffer) => parseLine(Buffer.from(line))

describe('parseLine', () => {
  it.each<[string, string | Buffer, unknown[]]>([
    ['a record', '{"type":"a"}', [{ type: 'a' }]],
    ['a byte order mark and a carriage return', '\ufeff{"type":"a"}\r', [{ type: 'a' }]],
    ['a blank line', '  \r', []],
    ['a run of NUL bytes', Buffer.alloc(4096), []],
    ['two records on one line', '{"type":"a"}{"type":"b"}', [{ type: 'a' }, { type: 'b' }]],
    [
      'a torn record with a whole one behind',
      '{"type":"a","text":"cut in the mid{"type":"b","n":{"type":"c"}}',
      [{ type: 'b', n: { type: 'c' } }],
    ],
    ['bytes that are no UTF-8', Buffer.from([0x7b, 0x22, 0x61, 0x22, 0x3a, 0x22, 0xff, 0x22, 0x7d]), [{ a: '\ufffd' }]],
  ])('reads %s', (_, line, records) => expect(parsed(line).records).toEqual(records))

  it.each([
    ['a torn record', '{"type":"a","text":"cut'],
    ['a list', '[1,2]'],
    ['a number', '7'],
    ['words', 'hello'],
  ])('reports %s', (_, line) =>
    expect(parsed(line)).toMatchObject({ records: [], bad: { reason: expect.any(String) } }),
  )

  it('gives up on an unreadable line in bounded time', () => {
    expect(parsed('{"type":'.repeat(500_000))).toMatchObject({ records: [], bad: { length: 4_000_000 } })
  })
})

describe('readLines', () => {
  let folder: string
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'recollect-lines-'))
  })
  afterAll(() => rmSync(folder, { recursive: true }))
  const read = (content: string, from = 0, limits: LineLimits = {}) => {
    const path = join(folder, 'log.jsonl')
    writeFileSync(path, content)
    return Array.from(readLines(path, from, limits), ({ bytes, offset, isWhole }) => [
      bytes.toString(),
      offset,
      isWhole,
    ])
  }

  it('returns lines with their offsets and whether the last one is complete', () => {
    expect(read('one\ntwo\nthr')).toEqual([
      ['one', 0, true],
      ['two', 4, true],
      ['thr', 8, false],
    ])
  })
  it('continues from an offset', () => expect(read('one\ntwo\n', 4)).toEqual([['two', 4, true]]))
  it('returns no lines of an empty file', () => expect(read('')).toEqual([]))
  it('reads lines longer than its buffer', () => {
    const long = 'x'.repeat(5_000_000)
    expect(read(`a\n${long}\nb\n`).map(([text]) => String(text).length)).toEqual([1, 5_000_000, 1])
  })

  it('skips the content of a line that is too long and keeps both of its ends', () => {
    const path = join(folder, 'long.jsonl')
    const long = `${'a'.repeat(2000)}${'x'.repeat(5_000_000)}${'b'.repeat(2000)}`
    writeFileSync(path, `one\n${long}\ntwo\n${long}`)
    const ends = 'a'.repeat(1024) + 'b'.repeat(1024)
    const read = Array.from(readLines(path, 0, { maxBytes: 1 << 20 }), ({ bytes, ...line }) => ({
      text: bytes.toString(),
      ...line,
    }))
    expect(read).toEqual([
      { text: 'one', length: 3, offset: 0, isWhole: true, isTooLong: false },
      { text: ends, length: long.length, offset: 4, isWhole: true, isTooLong: true },
      { text: 'two', length: 3, offset: 5 + long.length, isWhole: true, isTooLong: false },
      { text: ends, length: long.length, offset: 9 + long.length, isWhole: false, isTooLong: true },
    ])
    const [, line] = readLines(path, 0, { maxBytes: 1 << 20 })
    expect(parseJsonlLine(line!)).toMatchObject({
      records: [],
      bad: { length: long.length, reason: expect.stringMatching(/too long/) },
    })
  })

  it('throws for a line that the caller cannot hold', () => {
    expect(() => read(`${'x'.repeat(3_000_000)}\n`, 0, { maxHeldBytes: 1_000_000 })).toThrow(LineTooLong)
  })

  it('ends where the file was truncated while it is read', () => {
    const path = join(folder, 'truncated.jsonl')
    writeFileSync(path, `one\n${'x'.repeat(3_000_000)}\nthree\n`)
    const lines = readLines(path)
    expect(lines.next().value).toMatchObject({ length: 3 })
    truncateSync(path, 2_000_000)
    expect([...lines].map(({ isWhole, offset }) => ({ isWhole, offset }))).toEqual([{ isWhole: false, offset: 4 }])
  })

  it.skipIf(process.platform === 'win32')('refuses a pipe without waiting for its writer', () => {
    const path = join(folder, 'pipe.jsonl')
    execFileSync('mkfifo', [path])
    expect(() => [...readLines(path)]).toThrow('not a regular file')
  })
})
