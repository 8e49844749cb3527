import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { resumePoint } from './resume.ts'

let path: string
let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'recollect-resume-'))
  path = join(folder, 'log.jsonl')
})
afterEach(() => rmSync(folder, { recursive: true }))

/** The cursor behind a content that was read line by line. */
function cursorOf(content: string, rewrittenBytes = 0) {
  const { witness } = resumePoint(undefined, path, content.length, rewrittenBytes)
  for (const line of content.split('\n').slice(0, -1)) witness.take(Buffer.from(line), true)
  return { path, stamp: '', offset: content.length, ...witness.hashes(), state: 'where we were', isIgnored: false }
}

const long = Array.from({ length: 200 }, (_, line) => `line ${line} of the log\n`).join('')

describe('resumePoint', () => {
  it.each([
    ['a short file that grew', 'one\n', 'one\ntwo\n', 4],
    ['a long file that grew', long, `${long}more\n`, long.length],
    ['a file that did not change', long, long, long.length],
    ['a file that shrank', long, long.slice(0, 2000), 0],
    ['a file with another beginning', long, long.replace('line 0', 'LINE 0'), 0],
    ['a file with another end', long, `${long.slice(0, -10)}elsewhere\nand more\n`, 0],
    ['a file that is another one', long, 'x'.repeat(long.length + 10), 0],
  ])('%s', (_, before, after, from) => {
    const cursor = cursorOf(before)
    writeFileSync(path, after)
    expect(resumePoint(cursor, path, after.length)).toMatchObject({
      from,
      state: from > 0 ? 'where we were' : undefined,
    })
  })

  describe('of a file whose beginning is rewritten in place', () => {
    const slot = (title: string) => `${title.padEnd(15)}\n`
    const resume = (before: string, after: string) => {
      const cursor = cursorOf(before, 16)
      writeFileSync(path, after)
      return resumePoint(cursor, path, after.length, 16).from
    }

    it.each([
      ['a short file', 'one\n'],
      ['a long file', long],
    ])('%s is read from where the last sweep stopped', (_, lines) => {
      const from = resume(`${slot('')}${lines}`, `${slot('Lamps')}${lines}more\n`)
      expect(from).toBe(16 + lines.length)
    })

    it('starts over if the lines after it are others', () => {
      expect(resume(`${slot('')}${long}`, `${slot('')}${long.replace('line 0', 'LINE 0')}`)).toBe(0)
      expect(resume(`${slot('')}one\n`, `${slot('')}two\n`)).toBe(0)
    })

    it('starts over if only the beginning was read', () => {
      expect(resume(slot(''), `${slot('Lamps')}one\n`)).toBe(0)
    })
  })

  it('accepts a cursor that was sent to another thread', () => {
    const cursor = structuredClone(cursorOf(long))
    writeFileSync(path, `${long}more\n`)
    expect(resumePoint(cursor, path, long.length + 5).from).toBe(long.length)
  })
})
