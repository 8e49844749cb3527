import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { writeEntries } from '../../journal/day-file.ts'
import { chunksOf, chunkText, hasContent, readStateOf, sessionsIn, unreadPart } from './journal-delta.ts'

describe('chunksOf', () => {
  it('splits between entries, and each chunk names its sessions', () => {
    const chunks = chunksOf(day(['a', 'x'.repeat(50)], ['b', 'y'.repeat(50)], ['c', 'z']), 300)
    expect(chunks.map(sessionsIn)).toEqual([['codex:a'], ['codex:b', 'codex:c']])
    expect(chunks.at(-1)).toContain('z')
  })

  it('keeps an entry that is too long in a chunk of its own', () => {
    const long = `${'word '.repeat(100)}\n\n### A heading of a person inside of it\n\n${'more '.repeat(100)}`
    const chunks = chunksOf(day(['a', 'short'], ['b', long], ['c', 'short']), 200)
    expect(chunks.map(sessionsIn)).toEqual([['codex:a'], ['codex:b'], ['codex:c']])
    expect(chunks[1]).toContain(long)
  })

  it('splits at headings of level three outside of entries and code', () => {
    const text = '# Day\n\n### One\n\nFirst.\n\n```\n### no heading\n```\n\n### Two\n\nSecond.\n'
    expect(chunksOf(text, 30)).toEqual([
      '# Day\n\n',
      '### One\n\nFirst.\n\n```\n### no heading\n```\n\n',
      '### Two\n\nSecond.\n',
    ])
  })

  it('joined are the day byte for byte, none too long unless it is one entry', () => {
    const line = fc.oneof(
      fc.constantFrom(
        '### Heading',
        '## Sessions',
        '```',
        '<!-- /recollect:entry -->',
        '<!-- recollect:entry codex:a 2026-10-30T09:00:00.000Z 0123456789ab -->',
        '',
      ),
      fc.string({ unit: 'binary', maxLength: 20 }).map((text) => text.replaceAll('\n', ' ')),
    )
    const content = fc
      .array(fc.tuple(line, fc.constantFrom('\n', '\r\n')), { maxLength: 25 })
      .map((lines) => lines.map(([text, end]) => text + end).join(''))
    fc.assert(
      fc.property(content, fc.integer({ min: 1, max: 400 }), (text, max) => {
        const chunks = chunksOf(text, max)
        expect(chunks.join('')).toBe(text)
        const pieces = chunksOf(text, 0)
        expect(chunks.filter((chunk) => chunk.length > max && !pieces.includes(chunk))).toEqual([])
      }),
    )
  })
})

it('hasContent ignores a day with headings only', () => {
  expect(hasContent('# Friday, 2026-10-30\n\n## Sessions\n')).toBe(false)
  expect(hasContent(day(['a', 'Something']))).toBe(true)
})

it('chunkText names the sessions and removes our markers', () => {
  expect(chunkText(day(['a', 'One.'], ['b', 'Two.']))).toBe(
    '# Friday, 2026-10-30\n\n## Sessions\n\n[session codex:a]\nOne.\n\n[session codex:b]\nTwo.',
  )
})

function day(...entries: [name: string, text: string][]): string {
  const wanted = entries.map(([name, text], index) => ({
    session: `codex:${name}`,
    start: `2026-10-30T0${index}:00:00.000Z`,
    isKnown: false,
    text: () => text,
  }))
  return writeEntries(undefined, '2026-10-30', wanted).content.toString('utf8')
}

describe('unreadPart', () => {
  const read = Buffer.from('# Friday\n\nÜber Mittag.\n')

  it.each([
    ['nothing was asked yet', read, { hash: null, bytes: 0 }, '# Friday\n\nÜber Mittag.\n'],
    ['nothing has changed', read, readStateOf(read), ''],
    ['something was added behind it', Buffer.concat([read, Buffer.from('Später.\n')]), readStateOf(read), 'Später.\n'],
    [
      'an entry has changed in place',
      Buffer.from('# Friday\n\nÜber Abend.\nMehr.\n'),
      readStateOf(read),
      '# Friday\n\nÜber Abend.\nMehr.\n',
    ],
    ['it has become shorter', Buffer.from('# Friday\n'), readStateOf(read), '# Friday\n'],
  ])('where %s', (_, content, asked, part) => {
    expect(unreadPart(content, asked)).toBe(part)
  })
})
