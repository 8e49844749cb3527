import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { escapeMarkdown, unescapeMarkdown } from '../text/markdown.ts'
import { type EntryToWrite, entriesIn, textOutside, withoutTotals, writeEntries } from './day-file.ts'

const day = '2026-09-01'

function wanted(session: string, time: string, text: string, isKnown = false): EntryToWrite {
  return { session, start: `${day}T${time}:00.000Z`, isKnown, text: () => text }
}

function put(content: string | undefined, ...entries: EntryToWrite[]): string {
  return writeEntries(content === undefined ? undefined : Buffer.from(content), day, entries).content.toString()
}

const one = wanted('codex:1', '10:00', '### 10:00 One\n\n_codex_')
const two = wanted('codex:2', '11:00', '### 11:00 Two\n\n_codex_')

describe('writeEntries into a new file', () => {
  it('adds the title, the section and the entries in the order of their start', () => {
    const content = put(undefined, two, one)
    expect(content.replace(/[0-9a-f]{12}/g, 'hash')).toBe(`# Tuesday, 2026-09-01

## Sessions

<!-- recollect:entry codex:1 2026-09-01T10:00:00.000Z hash -->
### 10:00 One

_codex_
<!-- /recollect:entry -->

<!-- recollect:entry codex:2 2026-09-01T11:00:00.000Z hash -->
### 11:00 Two

_codex_
<!-- /recollect:entry -->
`)
  })

  it('gives the same file in any order of entries', () => {
    expect(put(put(undefined, two), one)).toBe(put(put(undefined, one), two))
  })
})

describe('writeEntries beside text of a person', () => {
  it('accepts trailing spaces after a marker', () => {
    const spaced = put(undefined, one).replaceAll(' -->\n', ' -->  \n')
    const content = put(spaced, wanted('codex:1', '10:00', '### 10:00 One, gone on', true))
    expect(content).toContain('gone on')
    expect(entriesIn(Buffer.from(spaced))).toMatchObject([{ session: 'codex:1', isEdited: false }])
  })

  it('SPEC A.25: adds entries under Sessions, whatever section comes last', () => {
    const content = put('# My day\n\n## Sessions\n\n## Maintenance\n\nBackups are fine.\n', one, two)
    expect(content.indexOf('Two')).toBeGreaterThan(content.indexOf('## Sessions'))
    expect(content.indexOf('Two')).toBeLessThan(content.indexOf('## Maintenance'))
    expect(content.endsWith('\n\n## Maintenance\n\nBackups are fine.\n')).toBe(true)
  })

  it('keeps text before, between and after entries', () => {
    const first = put('A thought first.\n', one, two)
    const edited = first
      .replace('<!-- /recollect:entry -->\n', '<!-- /recollect:entry -->\nThat was a good one.\n')
      .concat('The end.\n')
    const between = wanted('codex:3', '10:30', '### 10:30 Between')
    const content = put(edited, between, wanted('codex:1', '10:00', '### 10:00 One, longer', true))
    expect(content.split('\n').filter((line) => /^(?:[A-Z]|#)/.test(line))).toEqual([
      'A thought first.',
      '## Sessions',
      '### 10:00 One, longer',
      'That was a good one.',
      '### 10:30 Between',
      '### 11:00 Two',
      'The end.',
    ])
  })

  it('uses CRLF in a CRLF file; changed line endings do not count as an edit', () => {
    const content = put('# Tag\r\n\r\n## Sessions\r\n', one)
    expect(content).not.toMatch(/[^\r]\n/)
    const unix = content.replaceAll('\r\n', '\n')
    expect(entriesIn(Buffer.from(unix))).toEqual([expect.objectContaining({ session: 'codex:1', isEdited: false })])
    expect(put(unix, wanted('codex:1', '10:00', '### 10:00 New', true))).toContain('### 10:00 New')
  })

  it('adds a missing line break at the end', () => {
    expect(put('# Tag\n\nEnde', one).startsWith('# Tag\n\nEnde\n\n## Sessions\n')).toBe(true)
  })

  it('keeps other encodings byte for byte', () => {
    const latin = Buffer.from([0x47, 0x72, 0xfc, 0xdf, 0x65, 0x0a])
    const { content } = writeEntries(latin, day, [one])
    expect(content.subarray(0, latin.length)).toEqual(latin)
  })

  it('ignores a Sessions heading in code and longer headings', () => {
    const notes = '```\n## Sessions\n```\n\n## Sessions of last year\n'
    const content = put(notes, one)
    expect(content.startsWith(`${notes}\n## Sessions\n\n<!-- recollect:entry`)).toBe(true)
    expect(put(content, two).match(/^## Sessions$/gm)).toHaveLength(2)
  })

  it('adds new entries beside old ones if the section was renamed', () => {
    const renamed = put(undefined, one).replace('## Sessions', '## Sitzungen')
    expect(put(renamed, two)).not.toContain('## Sessions')
    expect(entriesIn(Buffer.from(put(renamed, two))).map(({ session }) => session)).toEqual(['codex:1', 'codex:2'])
  })

  it('keeps any other text byte for byte and is idempotent', () => {
    const line = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('## Sessions', '```', '~~~', '# x', '<!-- /recollect:entry -->', '---', '', '\r', '## More'),
    )
    fc.assert(
      fc.property(fc.array(line), (lines) => {
        const before = `${lines.join('\n')}\n`
        const { content } = writeEntries(Buffer.from(before), day, [one, two])
        expect(entriesIn(content).map(({ session, isEdited }) => [session, isEdited])).toEqual([
          ['codex:1', false],
          ['codex:2', false],
        ])
        expect(isWithin(before.split('\n'), content.toString().split('\n'))).toBe(true)
        expect(writeEntries(content, day, [two, one]).content.equals(content)).toBe(true)
      }),
    )
  })
})

describe('totals of the day', () => {
  const withTotals = (content: string | undefined, totals: string, ...entries: EntryToWrite[]) =>
    writeEntries(content === undefined ? undefined : Buffer.from(content), day, entries, totals).content.toString()

  it('stand under the title and are updated', () => {
    const content = withTotals(withTotals(undefined, '1 session · $0.10', one), '2 sessions · $0.30', two)
    expect(
      content
        .split('\n')
        .slice(0, 6)
        .join('\n')
        .replace(/[0-9a-f]{12}/, 'hash'),
    ).toBe(`# Tuesday, 2026-09-01

<!-- recollect:totals hash -->
_2 sessions · $0.30_
<!-- /recollect:totals -->
`)
    expect(textOutside(Buffer.from(content))).toBe('')
  })

  it.each([
    ['edited', (content: string) => content.replace('1 session', 'One session, a good one')],
    ['deleted', (content: string) => content.replace(/<!-- recollect:totals[\s\S]*totals -->\n/, '')],
  ])('stay as they are when a person has %s them', (_, change) => {
    const changed = change(withTotals(undefined, '1 session', one))
    expect(withTotals(changed, '2 sessions', one)).toBe(changed)
  })

  it('do not count where the journal is read for new text', () => {
    const first = Buffer.from(withTotals(undefined, '1 session', one))
    const second = Buffer.from(withTotals(first.toString(), '2 sessions', one, two))
    expect(withoutTotals(second).subarray(0, withoutTotals(first).length)).toEqual(withoutTotals(first))
    expect(withoutTotals(first).toString()).toBe(put(undefined, one))
  })

  it('are not added to a file that a person began', () =>
    expect(withTotals('# My day\n', '1 session', one)).not.toContain('totals'))
})

describe('writeEntries and existing entries', () => {
  it('does not overwrite an edited entry', () => {
    const edited = put(undefined, one, two).replace('10:00 One', '10:00 One, and I was tired')
    const { content, placed } = writeEntries(Buffer.from(edited), day, [wanted('codex:1', '10:00', '### new', true)])
    expect(content.toString()).toBe(edited)
    expect(placed.get('codex:1')).toEqual({ kind: 'edited' })
  })

  it('does not restore a deleted entry', () => {
    const { content, placed } = writeEntries(Buffer.from(put(undefined, two)), day, [{ ...one, isKnown: true }])
    expect(content.toString()).toBe(put(undefined, two))
    expect(placed.get('codex:1')).toEqual({ kind: 'deleted' })
  })

  it('leaves an entry without its closing marker and everything after it alone', () => {
    const broken = put(undefined, one, two).replace('<!-- /recollect:entry -->\n', '')
    const { content, placed } = writeEntries(Buffer.from(broken), day, [wanted('codex:1', '10:00', '### new', true)])
    expect(content.toString()).toBe(broken)
    expect(placed.get('codex:1')).toEqual({ kind: 'edited' })
    expect(entriesIn(content).map(({ session }) => session)).toEqual(['codex:1', 'codex:2'])
  })

  it('SPEC A.23: recognises only whole marker lines', () => {
    const text = `### 10:00 About\n\n- the line \`<!-- /recollect:entry -->\` ends it\n- see <!-- recollect:entry codex:9 ${day}T10:00:00.000Z 0123456789ab -->`
    const content = put(undefined, wanted('codex:1', '10:00', text))
    expect(entriesIn(Buffer.from(content))).toEqual([
      { session: 'codex:1', start: `${day}T10:00:00.000Z`, text, isEdited: false },
    ])
  })

  it.each(['a b', 'x --> y', 'é<!--', '%00', 'cursor:../../etc'])(
    'of a session called %j is found again',
    (session) => {
      const content = put(undefined, wanted(session, '10:00', 'text'))
      expect(entriesIn(Buffer.from(content))).toEqual([expect.objectContaining({ session, isEdited: false })])
      expect(put(content, wanted(session, '10:00', 'text', true))).toBe(content)
    },
  )
})

describe('untrusted text', () => {
  it('becomes one line without markers, links, tags or comments', () => {
    expect(escapeMarkdown('see\n<!-- /recollect:entry -->\nthen [[wiki]] #tag %%hidden%% <script>', 200)).toBe(
      'see &lt;!-- /recollect:entry --> then \\[[wiki]] \\#tag %\\%hidden%\\% &lt;script>',
    )
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (text) => {
        const content = put(undefined, wanted('codex:1', '10:00', `### 10:00 ${escapeMarkdown(text, 300)}`))
        expect(entriesIn(Buffer.from(content)).length).toBe(1)
        expect(escapeMarkdown(text, 300)).not.toMatch(/[\n\r]/)
      }),
    )
  })

  it('is unescaped where it is shown as plain text', () => {
    const title = 'Why does <Foo> fail in [[x]] #later'
    expect(unescapeMarkdown(escapeMarkdown(title, 100))).toBe(title)
  })
})

function isWithin(part: string[], whole: string[]): boolean {
  let at = 0
  for (const line of part) {
    at = whole.indexOf(line, at) + 1
    if (at === 0) return false
  }
  return true
}
