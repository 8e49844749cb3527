import { appendFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Event } from '../../core/session.ts'
import { compress } from '../../core/zstd.ts'
import {
  appendBody,
  appendCopies,
  bodyContents,
  bodyFile,
  createStringLookup,
  emptyBody,
  isFragmented,
  readBody,
  readIndexed,
  repackBody,
} from './bodies.ts'
import { copyFrameSize, encodeLines, readCopies } from './body-copies.ts'
import { packEvents, repackFrames } from './body-frames.ts'
import { reference, restoreText } from './copy-text.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'recollect-bodies-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const empty = { file: bodyFile('claude-code:one', 0), bytes: 0, raw: 0, frames: 0, copyBytes: 0 }
const event = (text: string): Event => ({
  id: text.slice(0, 5),
  key: 'k',
  kind: 'reply',
  role: 'assistant',
  ts: null,
  text,
})
const pack = (...texts: string[]) => packEvents(texts.map(event))
const texts = (file: string, bytes: number, from = 0) =>
  [...readBody(folder, file, bytes, from)].map(({ seq, text }) => [seq, text])

describe('session bodies', () => {
  it('return every text unchanged', () => {
    const said = ['plain', 'two\nlines\n', '', '{"length":3}\n', 'Grüße, 你好 👋', 'half \ud83d']
    const body = appendBody(folder, empty, pack(...said), 0)
    expect(texts(body.file, body.bytes)).toEqual([...said.slice(0, 5), 'half \ufffd'].map((text, seq) => [seq, text]))
  })

  it('can be appended to and read from any place', () => {
    const first = appendBody(folder, empty, pack('a', 'b'), 0)
    const second = appendBody(folder, first, pack('c', 'd'), 2)
    expect(texts(second.file, second.bytes, 3)).toEqual([[3, 'd']])
    expect(texts(second.file, first.bytes)).toEqual([
      [0, 'a'],
      [1, 'b'],
    ])
  })

  it('can be read from behind texts of any script', () => {
    const said = ['Grüße\n', '你好\n再见', '👋🏽 {"length":3}', 'naïve – “quoted”', 'ไทย', 'end']
    const body = appendBody(folder, empty, pack(...said), 0)
    for (const from of said.keys())
      expect(texts(body.file, body.bytes, from)).toEqual(said.map((text, seq) => [seq, text]).slice(from))
  })

  it.each([0, 100, 250, 300, 65_700, 3_000_000])('hold a text of %i characters', (length) => {
    const body = appendBody(folder, empty, pack('a'.repeat(length)), 0)
    expect(texts(body.file, body.bytes)).toEqual([[0, 'a'.repeat(length)]])
  })

  it('use several frames for large sessions', () => {
    const long = (character: string) => character.repeat(700_000)
    const frames = pack(long('a'), long('ü'), long('c'), 'd')
    expect(frames.map(({ events }) => events)).toEqual([2, 2])
    const body = appendBody(folder, empty, frames, 0)
    expect(texts(body.file, body.bytes, 2)).toEqual([
      [2, long('c')],
      [3, 'd'],
    ])
  })

  it('keep texts that are not indexed apart, where they are long enough', () => {
    const output = (text: string): Event => ({ ...event(text), kind: 'tool_result', role: 'tool' })
    const long = 'Grüße\n'.repeat(5000)
    const events = [event('asked'), output(long), event('said'), output('short'), event('end')]
    const body = appendBody(folder, empty, packEvents(events), 0)
    expect(texts(body.file, body.bytes)).toEqual(events.map(({ text }, seq) => [seq, text]))
    expect(texts(body.file, body.bytes, 3)).toEqual([
      [3, 'short'],
      [4, 'end'],
    ])
    const indexed = [...readIndexed(folder, body.file, body.bytes, 1)].map(({ seq, text }) => [seq, text])
    expect(indexed).toEqual([
      [1, ''],
      [2, 'said'],
      [3, ''],
      [4, 'end'],
    ])
    expect(bodyContents(folder, body.file)!.body).toEqual(body)
    const few = appendBody(folder, emptyBody(bodyFile('few', 0)), packEvents([event('a'), output('short')]), 0)
    expect([...readIndexed(folder, few.file, few.bytes)].map(({ text }) => text)).toEqual(['a', 'short'])
  })

  it('of earlier versions can be read', () => {
    const said = ['plain', 'Grüße 👋\n', '']
    const source = said.map((text) => {
      const { text: _, key: __, ...head } = event(text)
      return `${JSON.stringify({ ...head, length: text.length })}\n${text}\n`
    })
    const raw = Buffer.from(source.join(''))
    const body = appendBody(folder, empty, [{ events: 3, raw: raw.length, data: compress(raw) }], 0)
    expect(texts(body.file, body.bytes)).toEqual(said.map((text, seq) => [seq, text]))
    expect(texts(body.file, body.bytes, 2)).toEqual([[2, '']])
  })

  it('can be repacked without some events', () => {
    const body = appendBody(
      folder,
      empty,
      repackFrames(pack('a', 'b', 'c'), (index) => index !== 1),
      0,
    )
    expect(texts(body.file, body.bytes)).toEqual([
      [0, 'a'],
      [1, 'c'],
    ])
  })

  it('overwrite bytes that a killed run left behind the committed length', () => {
    const first = appendBody(folder, empty, pack('a'), 0)
    appendFileSync(join(folder, first.file), 'garbage of a run that was killed')
    const second = appendBody(folder, first, pack('b'), 1)
    expect(texts(second.file, second.bytes)).toEqual([
      [0, 'a'],
      [1, 'b'],
    ])
  })

  it('repack many small frames into few', () => {
    let body = empty
    for (let seq = 0; seq < 20; seq++) body = appendBody(folder, body, pack(`event ${seq}`), seq)
    expect(isFragmented(body)).toBe(true)
    const packed = repackBody(folder, body, emptyBody(bodyFile('claude-code:one', 1)))
    expect(packed).toMatchObject({ frames: 1, copyBytes: 0 })
    expect(packed.bytes).toBeLessThan(body.bytes / 2)
    expect(texts(packed.file, packed.bytes)).toEqual(texts(body.file, body.bytes))
  })

  it('have file names that no session id can turn into another path', () => {
    expect(bodyFile('claude-code:../../etc/passwd', 0)).toMatch(/^[0-9a-f]{2}\/[A-Za-z0-9_-]+\.zst$/)
  })
})

describe('kept lines in a body', () => {
  const lines = (path: string, from: number, text: string) => encodeLines({ path, from, to: from + text.length }, text)

  it('that fill their frames do not make it fragmented', () => {
    const full = 'x'.repeat(copyFrameSize)
    let body = appendBody(folder, empty, pack('a'), 0)
    for (let at = 0; at < 12; at++) body = appendCopies(folder, body, [lines('/a', at * full.length, full)])
    expect(isFragmented(body)).toBe(false)
    expect(bodyContents(folder, body.file)!.body).toEqual(body)
  })

  it('of two transcripts that grow in turn are joined, each with its references', () => {
    let body = appendBody(folder, empty, pack('first', 'second'), 0)
    for (let at = 0; at < 10; at++)
      for (const path of ['/a', '/b'])
        body = appendCopies(folder, body, [lines(path, at * 4, `${reference(at % 2, 0)}\n`)])
    expect(isFragmented(body)).toBe(true)
    const packed = repackBody(folder, body, emptyBody(bodyFile('claude-code:one', 1)))
    expect(isFragmented(packed)).toBe(false)
    const stringOf = createStringLookup(folder, packed)
    const kept = [...readCopies(folder, packed.file, packed.bytes)]
    expect(kept.map(({ path, from, to }) => [path, from, to])).toEqual([
      ['/a', 0, 40],
      ['/b', 0, 40],
    ])
    for (const { text, base } of kept)
      expect(restoreText(text, base, stringOf).bytes.toString()).toBe('first\nsecond\n'.repeat(5))
  })
})
