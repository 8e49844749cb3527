import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseLine, readLines } from './jsonl.ts'

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
  const read = (content: string, from = 0) => {
    const path = join(folder, 'log.jsonl')
    writeFileSync(path, content)
    return Array.from(readLines(path, from), ({ bytes, offset, isWhole }) => [bytes.toString(), offset, isWhole])
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
})
