// The block in files as people leave them. A failure prints its file.
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { hasBlock, putBlock, removeBlock } from './block.ts'

const rules = '## Practices\n\n- **Read before editing.** Read a file before you change it.\n- **Tests.** Run them.'
const others = '## Practices\n\n- **Small commits.** One reason each.'

describe('putBlock and removeBlock', () => {
  it.each([
    ['no file', undefined],
    ['an empty file', ''],
    ['a byte order mark and nothing else', '\uFEFF'],
    ['a byte order mark', '\uFEFF# App\n\nUse pnpm.\n'],
    ['a final newline', '# App\n\nUse pnpm.\n'],
    ['no final newline', '# App\n\nUse pnpm.'],
    ['empty lines at the end', '# App\n\n\n'],
    ['CRLF', '# App\r\n\r\nUse pnpm.\r\n'],
    ['CRLF and no final newline', '# App\r\n\r\nUse pnpm.'],
    ['mixed line ends', '# App\r\n\nUse pnpm.\nAnd git.\r\n'],
    ['the line ends of an old Mac', '# App\r\rUse pnpm.\r'],
    ['a fence that nobody closed', '# App\n\n```\npnpm test\n'],
  ])('insert, replace and remove byte for byte: %s', (_, text) => {
    const first = put(text, rules)
    expect(put(first, rules)).toBe(first)
    expect(removed(first)).toBe(text)
    expect(removed(put(first, others))).toBe(text)
  })

  it('append after a blank line', () => {
    expect(put('# App\n\nUse pnpm.', '- **Tests.** Run them.')).toBe(
      [
        '# App',
        '',
        'Use pnpm.',
        '',
        '<!-- recollect:practices begin lines=1 hash=16985f48 gap=2 -->',
        '',
        '- **Tests.** Run them.',
        '',
        '<!-- recollect:practices end -->',
        '',
      ].join('\n'),
    )
  })

  it('use the line ends of the file', () => {
    expect(put('# App\r\n', rules).replaceAll('\r\n', '')).not.toMatch(/[\r\n]/)
  })

  it('restore any text byte for byte', () => {
    check(fc.tuple(person, fc.constantFrom(rules, others)), ([text, body]) => {
      const first = put(text, body)
      expect(put(first, body)).toBe(first)
      expect(removed(first)).toBe(text)
      expect(removed(put(put(first, others), rules))).toBe(text)
    })
  })

  it('remove a block whose line ends git has changed', () => {
    check(person, (text) => {
      const unix = text.replace(/\r\n?/g, '\n')
      const windows = (some: string) => some.replaceAll('\n', '\r\n')
      const checkedOut = windows(put(unix, rules))
      expect(put(checkedOut, rules)).toBe(checkedOut)
      expect(removed(checkedOut)).toBe(windows(unix))
    })
  })
})

describe('edits of a person around the block', () => {
  it.each([
    ['after it', '# App\n', (text: string) => `${text}Use git.\n`, '# App\n\nUse git.\n'],
    ['after it, apart', '# App\n', (text: string) => `${text}\nUse git.\n`, '# App\n\nUse git.\n'],
    ['after it, where no newline was', '# App', (text: string) => `${text}Use git.`, '# App\n\nUse git.'],
    ['before it', '# App\n', (text: string) => text.replace('<!--', 'Use git.\n<!--'), '# App\n\nUse git.\n'],
    ['in its last line', '# App\n', inside('- Use git.\n'), '# App\n\n- Use git.\n'],
    ['between its lines', '# App\n', between('- Use git.\n- Use tabs.\n'), '# App\n\n- Use git.\n- Use tabs.\n'],
    ['in a file that was made for it', undefined, (text: string) => `${text}Use git.\n`, 'Use git.\n'],
  ])('are kept: %s', (_, before, edit, after) => {
    const text = edit(put(before, rules))
    expect(removed(text)).toBe(after)
    const again = put(text, others)
    expect(put(again, others)).toBe(again)
    expect(removed(again)).toBe(after)
  })

  it('move below the block where they were inside', () => {
    expect(put(inside('- Use git.\n')(put('# App\n', rules)), rules)).toBe(`${put('# App\n', rules)}- Use git.\n`)
  })

  it('keep every line, wherever it is', () => {
    check(fc.tuple(person, lines, fc.nat()), ([text, added, place]) => {
      const published = put(text, rules).split(/(?<=\n)/)
      const at = place % (published.length + 1)
      const edited = [...published.slice(0, at), added, ...published.slice(at)].join('')
      const taken = removed(edited) ?? ''
      expect(hasBlock(taken)).toBe(false)
      expect(said(taken).sort()).toEqual([...said(text), ...said(added)].sort())
      const again = put(edited, others)
      expect(put(again, others)).toBe(again)
      expect(removed(again) ?? '').toBe(taken)
    })
  })

  it('may move the whole block', () => {
    check(fc.tuple(person, person, fc.boolean()), ([before, after, hasNewline]) => {
      const block = put('# App\n', rules).slice('# App\n\n'.length)
      const moved = `${before}\n${hasNewline ? block : block.trimEnd()}${hasNewline ? after : ''}`
      const again = put(moved, others)
      expect(put(again, others)).toBe(again)
      expect(removed(again)).toBe(removed(moved))
      expect(said(removed(moved)!)).toEqual([...said(before), ...(hasNewline ? said(after) : [])])
    })
  })

  it('may copy the block: one stays', () => {
    const first = put('# App\n', rules)
    const twice = `${first}\nUse git.\n\n${first.slice('# App\n\n'.length)}`
    expect(put(twice, rules)).toBe(`${first}\nUse git.\n`)
    expect(removed(twice)).toBe('# App\n\nUse git.\n')
  })
})

describe('putBlock refuses', () => {
  const text = put('# App\n', rules)
  it.each([
    ['an end marker is missing', text.replace(/<!-- recollect:practices end -->\n/, ''), /has lost the other/],
    ['a begin marker is missing', text.replace(/<!-- recollect:practices begin.*\n/, ''), /has lost the other/],
    ['the begin marker was changed', text.replace(/ hash=\w+/, ''), /begin marker/],
    ['a rule was reworded', text.replace('Run them', 'Run them all'), /lines of the block/],
    ['a rule was deleted', text.replace(/- \*\*Tests.*\n/, ''), /lines of the block/],
    ['lines were added in two places', between('- A.\n')(inside('- B.\n')(text)), /lines of the block/],
  ])('where %s', (_, broken, reason) => {
    expect(putBlock(broken, rules)).toEqual({ kind: 'refused', reason: expect.stringMatching(reason) })
    expect(removeBlock(broken)).toEqual({ kind: 'refused', reason: expect.stringMatching(reason) })
  })
})

/** Text as people and their editors leave it. */
const person = fc
  .array(
    fc.constantFrom(
      '\n',
      '\r\n',
      '\r',
      '# App',
      '- Use git.',
      ' ',
      '\t',
      '```',
      '<!-- mine -->',
      'ü',
      '\u2028',
      '\uFEFF',
    ),
    {
      maxLength: 14,
    },
  )
  .map((parts) => parts.join(''))

const lines = fc
  .array(
    fc.tuple(
      fc.constantFrom('- Use tabs.', '', 'Words.', '> quoted', '- **Mine.** Own.'),
      fc.constantFrom('\n', '\r\n'),
    ),
    {
      minLength: 1,
      maxLength: 4,
    },
  )
  .map((parts) => parts.flat().join(''))

function check<T>(arbitrary: fc.Arbitrary<T>, task: (value: T) => void): void {
  fc.assert(fc.property(arbitrary, task), { numRuns: 300 })
}

function put(text: string | undefined, body: string): string {
  const placed = putBlock(text, body)
  if (placed.kind === 'refused') throw new Error(placed.reason)
  return placed.text!
}

function removed(text: string): string | undefined {
  const placed = removeBlock(text)
  if (placed.kind === 'refused') throw new Error(placed.reason)
  return placed.text
}

function inside(words: string): (text: string) => string {
  return (text) => text.replace('<!-- recollect:practices end', `${words}<!-- recollect:practices end`)
}

function between(words: string): (text: string) => string {
  return (text) => text.replace('- **Tests', `${words}- **Tests`)
}

function said(text: string): string[] {
  return text.split('\n').flatMap((line) => line.trim() || [])
}
