import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parsePractice } from './practice-file.ts'
import { renderPractice } from './practice-render.ts'
import type { Practice } from './types.ts'

const practice: Practice = {
  id: 'p-1a2b3c',
  path: 'practices/read-before-edit',
  title: 'Read before you edit',
  version: '1.0.0',
  status: 'approved',
  problem: 'An edit of a file that was not read fails.',
  rule: 'Read a file in this session before you edit it.',
  agents: [],
  projects: ['github.com/dev/app'],
  steps: [],
  pattern: { polarity: 'problem', type: 'unread edit', locus: 'Edit' },
  provenance: {
    frequency: 12,
    sessions: 9,
    agents: ['claude-code', 'codex'],
    evidence: 'e-77',
    examples: ['claude-code:0a1b#14: File has not been read yet'],
  },
  history: [{ version: '1.0.0', day: '2026-09-01', what: 'approved' }],
}

const file = `---
id: "p-1a2b3c"
version: "1.0.0"
status: approved
agents: []
projects: ["github.com/dev/app"]
pattern: { polarity: problem, type: "unread edit", locus: "Edit" }
provenance: { frequency: 12, sessions: 9, agents: ["claude-code", "codex"], evidence: "e-77" }
---

# Read before you edit

## Problem

An edit of a file that was not read fails.

## Rule

Read a file in this session before you edit it.

## Evidence

Seen 12 times in 9 sessions, with claude-code, codex.

- claude-code:0a1b#14: File has not been read yet

## History

- 1.0.0, 2026-09-01: approved
`

async function rendered(one: Practice, existing?: string): Promise<string> {
  const content = await renderPractice(one, existing === undefined ? undefined : Buffer.from(existing))
  if (!Buffer.isBuffer(content)) throw new Error(`line ${content.line}: ${content.reason}`)
  return content.toString()
}

async function read(text: string): Promise<Practice> {
  const found = await parsePractice(practice.path, Buffer.from(text))
  if (found.kind !== 'practice') throw new Error(JSON.stringify(found))
  return found.practice
}

describe('renderPractice and parsePractice', () => {
  it('M8: makes images and HTML in examples inert, and reads the examples back', async () => {
    const examples = ['codex:1#2: ![x](https://evil.example/p.png) <img src=x> [[note]]']
    const hostile = { ...practice, provenance: { ...practice.provenance, examples } }
    const text = await rendered(hostile)
    expect(text).not.toMatch(/(?<!\\)!\[|<img|(?<!\\)\[\[/)
    expect((await read(text)).provenance.examples).toEqual(examples)
    expect(await rendered(await read(text), text)).toBe(text)
  })

  it('round-trip a practice', async () => {
    expect(await rendered(practice)).toBe(file)
    expect(await read(file)).toEqual(practice)
    expect(await rendered(practice, file)).toBe(file)
  })

  it.each([
    [
      'steps of several lines',
      { steps: ['Run the tests:\n\n```sh\nnpm test\n```', 'Commit', ...Array(9).fill('Again')] },
    ],
    ['a rule that looks like sections', { rule: '## Rule\n\n# Title\n\\## already\n```\nno end' }],
    ['a rule with code in it', { rule: 'Do this:\n\n```md\n## History\n```\n\nand that' }],
    ['no problem and no scope', { problem: '', projects: [] }],
    ['other scripts', { title: '編集する前に読む', rule: 'Ünïcode "quoted" — ok' }],
    [
      'a locus with anything in it',
      { pattern: { polarity: 'success' as const, type: 'denial' as const, locus: '"} #\n---' } },
    ],
  ])('round-trip %s', async (_, change) => {
    const one = { ...practice, ...change }
    const text = await rendered(one)
    expect(await read(text)).toEqual(one)
    expect(await rendered(one, text)).toBe(text)
  })

  it('keep foreign text around it', async () => {
    const theirs = file
      .replace('status: approved', '# mine\ncssclass: wide\nstatus: approved # still')
      .replace('## Rule', 'Ask Ann about this.\n\n## Notes\n\nKeep me.\n\n## Rule')
      .concat('- and a line of mine\n\n## See also\n\n- [[other]]')
    const one = await read(theirs)
    expect(one.history).toEqual(practice.history)
    const history = [...practice.history, { version: '2.0.0', day: '2026-09-02', what: 'rule rewritten' }]
    const after = await rendered({ ...one, rule: 'Read it first.', version: '2.0.0', history }, theirs)
    expect(after).toBe(
      theirs
        .replace('version: "1.0.0"', 'version: "2.0.0"')
        .replace('Read a file in this session before you edit it.', 'Read it first.')
        .replace('- and a line of mine\n', '- and a line of mine\n- 2.0.0, 2026-09-02: rule rewritten\n'),
    )
  })

  it('keep Windows line ends', async () => {
    const theirs = file.replaceAll('\n', '\r\n')
    expect(await read(theirs)).toEqual(practice)
    expect(await rendered(practice, theirs)).toBe(theirs)
    const after = await rendered({ ...practice, rule: 'One.\nTwo.' }, theirs)
    expect(after).toBe(theirs.replace('Read a file in this session before you edit it.', 'One.\r\nTwo.'))
  })

  it('do not restore a section that a person deleted', async () => {
    const theirs = file.replace(/## Evidence[\s\S]*?(?=## History)/, '')
    const one = await read(theirs)
    expect(one.provenance).toEqual({ ...practice.provenance, examples: [] })
    expect(await rendered({ ...one, status: 'retired' }, theirs)).toBe(theirs.replace('approved', 'retired'))
  })

  it('accept a rule without frontmatter', async () => {
    const theirs = '# Small commits\n\n## Rule\n\nCommit after each green test.\n'
    const found = await parsePractice('practices/Small commits', Buffer.from(theirs))
    expect(found).toMatchObject({
      kind: 'practice',
      practice: { id: 'by-hand-small-commits', version: '1.0.0', agents: [], provenance: { frequency: 0 } },
    })
  })

  it('accept all YAML lists', async () => {
    const one = await read(
      file.replace('agents: []', 'agents:\n  - codex\n  - grok').replace(/^version.*\n/m, 'version:\n'),
    )
    expect(one).toMatchObject({ agents: ['codex', 'grok'], version: '1.0.0' })
    const after = await rendered(
      { ...one, agents: ['codex'] },
      file.replace('agents: []', 'agents:\n  - codex\n  - grok'),
    )
    expect(after).toBe(file.replace('agents: []', 'agents: ["codex"]'))
  })

  it.each([
    ['a note', '# Ideas\n\nWe might.\n', { kind: 'note' }],
    ['no end of the head', file.replace('\n---\n\n', '\n\n'), { kind: 'bad', line: 1 }],
    ['a head that is no YAML', file.replace('agents: []', 'agents: ['), { kind: 'bad', line: 6 }],
    ['a version that is none', file.replace('"1.0.0"', '1.0'), { kind: 'bad', line: 3 }],
    [
      'a mistyped status',
      file.replace('approved', 'retierd'),
      { kind: 'bad', line: 4, reason: expect.stringContaining('did you mean retired') },
    ],
    ['an id that is a list', file.replace('"p-1a2b3c"', '[1]'), { kind: 'bad', line: 2 }],
    ['a scope that is a tree', file.replace('agents: []', 'agents: [{ a: 1 }]'), { kind: 'bad', line: 5 }],
    ['another type', file.replace('unread edit', 'unread'), { kind: 'bad', line: 7 }],
    ['no rule', file.replace('Read a file in this session before you edit it.\n', ''), { kind: 'bad', line: 17 }],
    ['two rules', `${file}\n## rule\n\nAnother.\n`, { kind: 'bad', line: 31 }],
    ['old line ends', file.replace('# Read', '# \rRead'), { kind: 'bad', line: 11 }],
  ])('report the line of an error: %s', async (_, text, expected) => {
    const content = Buffer.from(text)
    expect(await parsePractice(practice.path, content)).toMatchObject(expected)
    if (expected.kind === 'bad')
      expect(await renderPractice(practice, content)).toMatchObject({ line: (expected as { line: number }).line })
  })

  it('do not change binary files', async () => {
    const content = Buffer.from(file.replace('Read before', 'L\xe9s before'), 'latin1')
    expect(await parsePractice(practice.path, content)).toMatchObject({ kind: 'bad', line: 11 })
  })

  it('round-trip any text', async () => {
    const pieces = [
      '#',
      '##',
      '## Rule',
      '```',
      '~~~',
      '- ',
      '1. ',
      '\\',
      '---',
      '\n',
      '\n\n',
      ' ',
      '   ',
      'id: x',
      'word',
      '`',
      '<!--',
      'é',
    ]
    const text = fc.array(fc.constantFrom(...pieces), { maxLength: 12 }).map((parts) => plain(parts.join('')))
    const some = text.filter((one) => one !== '')
    await fc.assert(
      fc.asyncProperty(some, text, fc.array(some, { maxLength: 3 }), text, async (rule, problem, steps, note) => {
        const one = { ...practice, rule, problem, steps }
        const first = await rendered(one)
        expect(await read(first)).toEqual(one)
        const theirs = `${first}\n## Notes\n\n${note.replace(/^#/gm, 'x')}\n`
        const changed = { ...one, status: 'retired' as const, rule: 'Another.' }
        const second = await rendered(changed, theirs)
        expect(await read(second)).toEqual(changed)
        expect(second.endsWith(theirs.slice(first.length))).toBe(true)
      }),
      { numRuns: 400 },
    )
  })
})

function plain(text: string): string {
  return text
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .trim()
}
