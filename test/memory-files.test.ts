// Memories as files in the vault: what is written there, and what comes back when people change it.
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { fixedClock } from '../src/core/clock.ts'
import { parseConfig } from '../src/core/config/config.ts'
import { tryLock } from '../src/core/lock.ts'
import { layoutOf } from '../src/core/paths.ts'
import { redact } from '../src/core/redact/redact.ts'
import { projectFolder } from '../src/core/vault/files.ts'
import { decide, proposeDeletion, remember, undo } from '../src/learn/change.ts'
import { editedMemory } from '../src/learn/files/diff.ts'
import { memoryFileProblems } from '../src/learn/files/find-changes.ts'
import { indexLimits, indexLine } from '../src/learn/files/index-file.ts'
import { parseMemoryFile } from '../src/learn/files/parse.ts'
import { readMemoryEdits } from '../src/learn/files/read.ts'
import { hashOf, renderMemory } from '../src/learn/files/render.ts'
import { writeMemoryFiles } from '../src/learn/files/write.ts'
import { fileNameOf } from '../src/memory/file-name.ts'
import { type Memory, memoryKinds, memoryStatuses, memoryTrusts, memoryTypes } from '../src/memory/memory.ts'
import { type Ledger, openLedger } from '../src/store/ledger.ts'
import { changeMemories, lastUndoableChange, memoryHistory, undoChange } from '../src/store/memories/changes.ts'
import { saveMemoryFile } from '../src/store/memories/files.ts'
import { listMemories, memoryById } from '../src/store/memories/memories.ts'
import { projectsWithStaleFiles } from '../src/store/memories/rows.ts'
import { isProof, scaled } from './proof.ts'
import { sampleMemory } from './sample-memory.ts'

const project = 'github.com/acme/app'
const now = '2026-10-05T12:00:00.000Z'

let root: string
let ledger: Ledger
let vault: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'recollect-files-'))
  ledger = openLedger(layoutOf(join(root, 'home')))
  vault = ledger.layout.vault
})
afterEach(() => {
  ledger.close()
  rmSync(root, { recursive: true, force: true })
})

const context = () => ({
  ledger,
  config: parseConfig('[display]\nzone = "UTC"', 'test'),
  clock: fixedClock(now),
  origin: 'desk',
  loadTools: async () => ({ redact }),
})
const write = (which?: 'all') => writeMemoryFiles(context(), which).written
const read = () => readMemoryEdits(context())

let count = 0
function memory(fields: Partial<Memory> = {}): Memory {
  return sampleMemory({
    id: `m-${String(++count).padStart(10, 'a')}`,
    project,
    type: 'feedback',
    kind: 'correction',
    text: 'Never commit without running the tests.',
    why: 'A broken main blocked the release on Friday.',
    apply: 'Run npm test before each commit.',
    importance: 0.8,
    tags: ['git', 'tests'],
    keywords: ['commit'],
    evidence: [{ session: 'claude-code:abc', event: 'e1', quote: 'never commit\nwithout running the tests' }],
    trust: 'agent said',
    learnedAt: '2026-09-01T10:00:00.000Z',
    validFrom: '2026-09-01T09:00:00.000Z',
    confirmedAt: '2026-09-02T09:00:00.000Z',
    counts: { said: 2, shown: 0, used: 0 },
    ...fields,
  })
}

function keep(...memories: Memory[]): void {
  const change = { at: now, kind: 'learned' as const, about: 'test' }
  ledger.transaction(() => changeMemories(ledger, change, memories))
}

const folder = (of: string | null = project) => join(vault, 'memory', projectFolder(of))
const pathOf = (one: Memory) => join(folder(one.project), fileNameOf(one))
const textOf = (path: string) => readFileSync(path, 'utf8')
const index = (of: string | null = project) => textOf(join(folder(of), 'MEMORY.md'))
const current = (one: Memory) => memoryById(ledger, one.id)!

function edit(path: string, from: string | RegExp, to: string): void {
  const before = textOf(path)
  const after = before.replace(from, to)
  expect(after).not.toBe(before)
  writeFileSync(path, after)
}

/** Every path below a folder with its content: what a later look is compared with. */
function tree(of: string): Record<string, string> {
  const files = readdirSync(of, { recursive: true, withFileTypes: true }).filter((one) => one.isFile())
  return Object.fromEntries(
    files.map((one) => [join(one.parentPath, one.name), textOf(join(one.parentPath, one.name))]),
  )
}

describe('writeMemoryFiles: a memory file', () => {
  it('SPEC C.15: has name, description and type, then the statement, why, and how to apply', () => {
    const one = memory()
    keep(one)
    expect(write()).toBe(2)
    expect(textOf(pathOf(one))).toBe(`---
name: "Never commit without running"
description: "Never commit without running the tests."
type: feedback
kind: correction
status: settled
trust: agent said
because: person
importance: 0.8
tags: ["git", "tests"]
learned: "2026-09-01T10:00:00.000Z"
confirmed: "2026-09-02T09:00:00.000Z"
said: 2
project: "github.com/acme/app"
id: "${one.id}"
sources: ["claude-code:abc"]
---

Never commit without running the tests.

**Why:** A broken main blocked the release on Friday.

**How to apply:** Run npm test before each commit.

## Sources

- \`claude-code:abc\`
  > never commit
  > without running the tests
`)
  })

  it('is in the folder of its project, or the global one', () => {
    const [here, everywhere] = [memory(), memory({ project: null })]
    keep(here, everywhere)
    write()
    expect(readdirSync(folder(project))).toContain(fileNameOf(here))
    expect(folder(null)).toBe(join(vault, 'memory', 'global'))
    expect(readdirSync(folder(null))).toContain(fileNameOf(everywhere))
  })

  it('keeps its name when the text changes', () => {
    const one = memory()
    keep(one)
    write()
    keep({ ...one, text: 'Something else altogether.', version: 2 })
    write()
    expect(textOf(pathOf(one))).toContain('Something else altogether.')
    expect(readdirSync(folder())).toEqual(['MEMORY.md', fileNameOf(one)].sort())
  })

  it('moves to the archive when it is superseded, with a link to what holds now', () => {
    const [old, newer] = [memory(), memory({ text: 'Commit freely on branches.' })]
    keep(old, newer)
    write()
    keep({ ...old, supersededBy: newer.id, supersededAt: now, version: 2 })
    write()
    expect(existsSync(pathOf(old))).toBe(false)
    const archived = textOf(join(folder(), 'archive', fileNameOf(old)))
    expect(archived).toContain(`By [[${fileNameOf(newer).replace('.md', '')}]] since 2026-10-05`)
    expect(archived).toContain('> Commit freely on branches.')
    expect(index()).not.toContain(fileNameOf(old))
  })

  it('is removed when the memory is forgotten, and restored by undo', () => {
    const one = memory()
    keep(one)
    write()
    keep({ ...one, state: 'forgotten', version: 2 })
    write()
    expect(existsSync(folder())).toBe(false)
    ledger.transaction(() => undoChange(ledger, lastUndoableChange(ledger)!, now))
    write()
    expect(existsSync(pathOf(one))).toBe(true)
  })

  it('of an inbox memory is in the inbox, with the contradicted memory and the commands', () => {
    const [old, waiting] = [memory(), memory({ text: 'Commit without tests.', state: 'inbox' })]
    keep(old, { ...waiting, contradicts: old.id })
    write()
    const shown = textOf(join(vault, 'inbox', fileNameOf(waiting)))
    expect(shown).toContain(`May contradict [[${fileNameOf(old).replace('.md', '')}]]`)
    expect(shown).toContain('> Never commit without running the tests.')
    expect(shown).toContain(`recollect inbox ${waiting.id} keep`)
    expect(shown).toContain(`recollect inbox ${waiting.id} drop`)
  })

  it('is written again only when it has changed', () => {
    const [one, other] = [memory(), memory({ text: 'Use pnpm.' })]
    keep(one, other)
    write()
    const before = statSync(pathOf(other)).mtimeMs
    keep({ ...one, importance: 0.1, version: 2 })
    expect(write()).toBe(1)
    expect(statSync(pathOf(other)).mtimeMs).toBe(before)
    expect(write()).toBe(0)
    expect(write('all')).toBe(0)
    expect(projectsWithStaleFiles(ledger)).toEqual([])
  })

  it('is the only one written with the index after a single change', () => {
    const many = Array.from({ length: 1500 }, (_, index) => memory({ text: `Rule number ${index} of the house.` }))
    keep(...many)
    expect(write()).toBe(1501)
    keep({ ...many[700]!, text: 'Rule 700 is another one now.', version: 2 })
    expect(write()).toBe(2)
  })

  it('is restored when its whole folder is gone', async () => {
    const [one, other] = [memory(), memory({ text: 'Use pnpm.' })]
    keep(one, other)
    write()
    const before = tree(vault)
    rmSync(folder(), { recursive: true })
    expect(await read()).toMatchObject({ forgotten: 0 })
    write()
    expect(tree(vault)).toEqual(before)
    rmSync(vault, { recursive: true })
    expect(await read()).toMatchObject({ forgotten: 0 })
    expect(write('all')).toBe(3)
  })
})

describe('MEMORY.md', () => {
  it('SPEC C.18: is an index only, without frontmatter, rules first', () => {
    const [fact, rule, decision] = [
      memory({ text: 'The staging database is a copy.', kind: 'fact', importance: 1 }),
      memory({ text: 'Use pnpm, not npm.' }),
      memory({ text: 'We stay on Postgres.', kind: 'decision' }),
    ]
    keep(fact, rule, decision)
    write()
    expect(index()).toBe(`# github.com/acme/app

## Rules

- [Use pnpm, not npm](${fileNameOf(rule)}): Use pnpm, not npm.

## Decisions

- [We stay on Postgres](${fileNameOf(decision)}): We stay on Postgres.

## Knowledge

- [The staging database is a copy](${fileNameOf(fact)}): The staging database is a copy.

<!-- Anything below this line is yours and is kept. -->
`)
  })

  it('orders by importance, then by how often it was said, then by time', () => {
    const said = (times: number) => ({ said: times, shown: 0, used: 0 })
    keep(
      memory({ text: 'third', importance: 0.5, counts: said(1), confirmedAt: '2026-09-09T00:00:00Z' }),
      memory({ text: 'fourth', importance: 0.5, counts: said(1), confirmedAt: '2026-09-01T00:00:00Z' }),
      memory({ text: 'second', importance: 0.5, counts: said(7) }),
      memory({ text: 'first', importance: 0.9, counts: said(1) }),
    )
    write()
    expect([...index().matchAll(/\): (\w+)/g)].map((match) => match[1])).toEqual(['first', 'second', 'third', 'fourth'])
  })

  it.each([
    ['lines', 300, 'Short rule', /^\d+ more are not listed here: \d+ lines where 198 are the limit\.$/m],
    ['bytes', 150, '规则'.repeat(60), /^\d+ more are not listed here: \d+ bytes where \d+ are the limit\.$/m],
    [
      'both',
      400,
      '规则'.repeat(60),
      /^\d+ more .*: \d+ lines where \d+ are the limit, \d+ bytes where \d+ are the limit\.$/m,
    ],
  ])(
    'SPEC C.18: keeps 200 lines and 25,000 bytes and says which limit fired, by the original size: %s',
    (_, many, text, note) => {
      keep(...Array.from({ length: many }, (_, number) => memory({ text: `${text} ${number} holds.` })))
      write()
      const lines = index().split('\n').slice(0, -1)
      expect(lines.length).toBeLessThanOrEqual(indexLimits.lines)
      expect(Buffer.byteLength(index())).toBeLessThanOrEqual(indexLimits.bytes)
      expect(index()).toMatch(note)
      const left = Number(/^(\d+) more/m.exec(index())![1])
      expect(lines.filter((line) => line.startsWith('- ')).length + left).toBe(many)
    },
  )

  it('a line has at most 150 characters, whatever the text and the file are called', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), fc.string({ unit: 'binary' }), (text, name) => {
        const line = indexLine(text, `${name}.md`)
        expect(line.length).toBeLessThanOrEqual(indexLimits.line)
        expect(line).not.toMatch(/\n/)
      }),
    )
  })

  it('keeps lines that a person added, also above the marker', () => {
    keep(memory())
    write()
    const path = join(folder(), 'MEMORY.md')
    edit(path, '## Rules\n', '## Rules\nAsk Ana about releases.\n')
    writeFileSync(path, `${textOf(path)}- [my own](elsewhere.md): stays\n`)
    keep(memory({ text: 'Use pnpm.' }))
    write()
    expect(index().split('is yours and is kept. -->\n')[1]).toBe(
      'Ask Ana about releases.\n- [my own](elsewhere.md): stays\n',
    )
    expect(index()).toContain('Use pnpm.')
    const before = index()
    expect(write('all')).toBe(0)
    expect(index()).toBe(before)
  })
})

describe('readMemoryEdits', () => {
  it('SPEC E.8: an edit changes the memory; the original stays as history, and the trust is the user', async () => {
    const one = memory()
    keep(one)
    write()
    edit(pathOf(one), 'Never commit without running the tests.\n\n**', 'Commit only what passes `npm run check`.\n\n**')
    edit(pathOf(one), 'tags: ["git", "tests"]', 'tags:\n  - git\n  - checks')
    edit(pathOf(one), 'importance: 0.8', 'importance: 1')
    edit(pathOf(one), /\*\*Why:\*\*.*/, '**Why:** Ana said so.')
    edit(pathOf(one), 'kind: correction', 'kind: preference')
    expect(await read()).toEqual({ edited: 1, forgotten: 0, added: 0, problems: [] })
    expect(current(one)).toMatchObject({
      text: 'Commit only what passes `npm run check`.',
      why: 'Ana said so.',
      apply: one.apply,
      tags: ['git', 'checks'],
      importance: 1,
      kind: 'preference',
      trust: 'user said',
      version: 2,
      ...{ validFrom: one.validFrom, confirmedAt: now },
    })
    expect(memoryHistory(ledger, one.id).map(({ change, before }) => [change.kind, before?.text])).toEqual([
      ['learned', undefined],
      ['edited', one.text],
    ])
    write()
    expect(textOf(pathOf(one))).toContain('tags: ["git", "checks"]')
    expect(await read()).toMatchObject({ edited: 0 })
    expect(current(one).version).toBe(2)
  })

  it('an edit is not overwritten before it was read', async () => {
    const one = memory()
    keep(one)
    write()
    edit(pathOf(one), 'Never commit without running the tests.\n\n**', 'Mine.\n\n**')
    const mine = textOf(pathOf(one))
    keep({ ...one, importance: 0.3, version: 2 })
    write()
    expect(textOf(pathOf(one))).toBe(mine)
    await read()
    write()
    expect(current(one)).toMatchObject({ text: 'Mine.', version: 3 })
    expect(textOf(pathOf(one))).toContain('Mine.')
  })

  it('text at the end of the file is added to the statement, and foreign fields are kept', async () => {
    const one = memory()
    keep(one)
    write()
    writeFileSync(
      pathOf(one),
      `${textOf(pathOf(one)).replace('---\n', '---\naliases:\n  - commit rule\n')}\nAlso on hotfix branches.\n`,
    )
    expect(await read()).toMatchObject({ edited: 1 })
    write()
    expect(current(one).text).toBe('Never commit without running the tests.\n\nAlso on hotfix branches.')
    expect(current(one).evidence).toEqual(one.evidence)
    expect(textOf(pathOf(one))).toContain('aliases:\n  - commit rule\n')
    expect(await read()).toMatchObject({ edited: 0 })
  })

  it('a file with other formatting changes nothing', async () => {
    const one = memory()
    keep(one)
    write()
    writeFileSync(pathOf(one), textOf(pathOf(one)).replaceAll('\n', '\r\n'))
    const mine = textOf(pathOf(one))
    expect(await read()).toEqual({ edited: 0, forgotten: 0, added: 0, problems: [] })
    expect(write()).toBe(0)
    expect(textOf(pathOf(one))).toBe(mine)
    expect(current(one).version).toBe(1)
  })

  it('a deleted file forgets the memory; one undo restores all of them', async () => {
    const [one, two, three] = [memory(), memory({ text: 'Use pnpm.' }), memory({ text: 'Use tabs.' })]
    keep(one, two, three)
    write()
    rmSync(pathOf(one))
    rmSync(pathOf(two))
    expect(await read()).toMatchObject({ forgotten: 2 })
    expect(current(one)).toMatchObject({ state: 'forgotten', version: 2 })
    write()
    expect(existsSync(pathOf(one))).toBe(false)
    expect(index()).not.toContain('pnpm')
    ledger.transaction(() => undoChange(ledger, lastUndoableChange(ledger)!, now))
    write()
    expect([one, two, three].map((each) => existsSync(pathOf(each)))).toEqual([true, true, true])
    expect(await read()).toMatchObject({ forgotten: 0 })
  })

  it('a new file is a new memory', async () => {
    keep(memory())
    write()
    const path = join(folder(), 'releases.md')
    writeFileSync(path, 'Releases go out on Tuesdays.\n\n**Why:** Support is there.\n')
    expect(await read()).toMatchObject({ added: 1, problems: [] })
    const added = listMemories(ledger).find(({ text }) => text === 'Releases go out on Tuesdays.')!
    expect(added).toMatchObject({ project, why: 'Support is there.', trust: 'user said', kind: 'fact', origin: 'desk' })
    write()
    expect(textOf(path)).toContain(`id: "${added.id}"`)
    expect(index()).toContain('(releases.md)')
    expect(await read()).toMatchObject({ added: 0, edited: 0, forgotten: 0 })
  })

  it('a file that was renamed or moved to another project stays the same memory', async () => {
    const one = memory()
    keep(one, memory({ project: null, text: 'Be brief.' }))
    write()
    renameSync(pathOf(one), join(folder(), 'tests first.md'))
    expect(await read()).toMatchObject({ forgotten: 0, added: 0, problems: [] })
    write()
    expect(index()).toContain('(tests%20first.md)')
    renameSync(join(folder(), 'tests first.md'), join(folder(null), 'tests first.md'))
    expect(await read()).toMatchObject({ edited: 1, forgotten: 0, added: 0 })
    expect(current(one)).toMatchObject({ project: null, state: 'kept' })
    write()
    expect(index(null)).toContain('(tests%20first.md)')
  })

  it('a copy with the same id is reported as a problem', async () => {
    const one = memory()
    keep(one)
    write()
    writeFileSync(join(folder(), 'copy.md'), textOf(pathOf(one)))
    expect((await read()).problems).toEqual([
      { path: `memory/${projectFolder(project)}/copy.md`, line: 1, reason: expect.stringContaining('A copy of') },
    ])
  })

  it.each([
    ['a deleted file', (path: string) => rmSync(path), { state: 'forgotten' }],
    ['decision: drop', (path: string) => edit(path, 'decision: null', 'decision: drop'), { state: 'forgotten' }],
    ['decision: keep', (path: string) => edit(path, 'decision: null', 'decision: keep'), { state: 'kept' }],
  ])('decides on what is in the inbox: %s', async (_, act, expected) => {
    const [old, waiting] = [memory(), memory({ text: 'Commit without tests.', state: 'inbox' })]
    keep(old, { ...waiting, contradicts: old.id })
    write()
    act(join(vault, 'inbox', fileNameOf(waiting)))
    await read()
    write()
    expect(current(waiting)).toMatchObject(expected)
    expect(current(old).supersededBy).toBe(expected.state === 'kept' ? waiting.id : null)
    expect(existsSync(join(vault, 'inbox', fileNameOf(waiting)))).toBe(false)
    expect(existsSync(pathOf(waiting))).toBe(expected.state === 'kept')
  })

  it.each<[string, (path: string) => void, Memory['state'], Memory['state'], number]>([
    ['a deleted file', (path) => rmSync(path), 'kept', 'forgotten', 0],
    ['refuse', (path) => edit(path, 'decision: null', 'decision: refuse'), 'kept', 'forgotten', 0],
    ['accept', (path) => edit(path, 'decision: null', 'decision: accept'), 'forgotten', 'forgotten', 0],
    ['keep', (path) => edit(path, 'decision: null', 'decision: keep'), 'kept', 'inbox', 1],
  ])('M3: decides on a request of an agent to forget a memory: %s', async (_, act, state, decided, problems) => {
    const old = memory()
    keep(old)
    const proposal = proposeDeletion(context(), old, { session: null, event: null })
    write()
    const path = join(vault, 'inbox', fileNameOf(proposal))
    expect(textOf(path)).toContain(`recollect inbox ${proposal.id} accept`)
    expect(textOf(path)).toContain(`> ${old.text}`)
    act(path)
    expect((await read()).problems).toHaveLength(problems)
    write()
    expect(current(old)).toMatchObject({ state, supersededBy: null })
    expect(current(proposal).state).toBe(decided)
  })

  it('M3: an accepted request to forget can be undone, and a repeated statement is no part of it', () => {
    const old = memory()
    keep(old)
    const proposal = proposeDeletion(context(), old, { session: null, event: null })
    expect(proposeDeletion(context(), old, { session: null, event: null }).id).toBe(proposal.id)
    expect(() => decide(context(), proposal.id, 'both')).toThrow(/proposes to forget/)
    remember(context(), { text: old.text, project: old.project })
    expect(current(proposal)).toMatchObject({ state: 'inbox', text: proposal.text, trust: 'agent said' })
    decide(context(), proposal.id, 'accept')
    expect(current(old).state).toBe('forgotten')
    undo(context())
    expect([current(old).state, current(proposal).state]).toEqual(['kept', 'inbox'])
    expect(() => decide(context(), old.id, 'accept')).toThrow(/not waiting/)
  })

  it.each([
    ['in quotation marks', '"My own words"'],
    ['plain', 'My own words # not a comment of ours'],
    ['over two lines', '>-\n  My own\n  words'],
  ])('SPEC C.15: keeps the name and the description of a person: %s', async (_, words) => {
    const one = memory({ text: 'Say "tests first" before you commit. It helps.' })
    keep(one)
    write()
    const line = (name: string) => new RegExp(`^${name}: .*$`, 'm')
    const edited = textOf(pathOf(one))
      .replace(line('name'), `name: ${words}`)
      .replace(line('description'), `description: ${words}`)
    writeFileSync(pathOf(one), edited)
    await read()
    write('all')
    expect(textOf(pathOf(one)).replace(/^confirmed: .*$/m, '')).toBe(edited.replace(/^confirmed: .*$/m, ''))
    expect(index()).toContain('- [My own words](')
    expect(index()).toContain('): My own words\n')
    expect(current(one).because).toBe('person')
    edit(pathOf(one), 'It helps.', 'It helps a lot.')
    await read()
    write('all')
    expect(textOf(pathOf(one))).toContain(`\nname: ${words}\ndescription: ${words}\n`)
    expect(current(one).text).toContain('a lot')
  })

  it('SPEC C.15: derives the name and the description again when the text changes', async () => {
    const one = memory({ text: 'Say "tests first" before you commit.' })
    keep(one)
    write()
    edit(pathOf(one), '\n\nSay "tests first" before you commit.', '\n\nSay "tests first" before you push.')
    await read()
    write('all')
    expect(textOf(pathOf(one))).toContain('description: "Say \\"tests first\\" before you push."')
    keep({ ...current(one), text: 'Ask before you push.', version: 9 })
    write('all')
    expect(textOf(pathOf(one))).toContain('name: "Ask before you push"\ndescription: "Ask before you push."')
  })

  it('an edit in the inbox keeps the memory of the person', async () => {
    const waiting = memory({ state: 'inbox' })
    keep(waiting)
    write()
    edit(
      join(vault, 'inbox', fileNameOf(waiting)),
      'Never commit without running the tests.\n\n**',
      'Never commit.\n\n**',
    )
    expect(await read()).toMatchObject({ edited: 1 })
    expect(current(waiting)).toMatchObject({ text: 'Never commit.', state: 'kept', because: 'person' })
  })

  it.each([
    ['a head that is no YAML', (text: string) => text.replace('kind: correction', 'kind: [correction'), 5],
    ['a head without an end', (text: string) => text.replace('\n---\n', '\n'), 1],
    ['an unknown kind', (text: string) => text.replace('kind: correction', 'kind: corection'), 5],
    ['an importance beyond 1', (text: string) => text.replace('importance: 0.8', 'importance: 80'), 8],
    ['another id', (text: string) => text.replace(/\nid: .*/, '\nid: "m-zzzzzzzzzz"'), 1],
    ['a text that is too long', (text: string) => text.replace('\n\nNever', `\n\n${'x'.repeat(1500)} Never`), 17],
    ['a text that is too long at the end', (text: string) => `${text}\n${'x'.repeat(1500)}\n`, 1],
  ])('%s is a problem with its line: the file stays as it is', async (_, change, line) => {
    const one = memory()
    keep(one)
    write()
    const mine = change(textOf(pathOf(one)))
    writeFileSync(pathOf(one), mine)
    const path = `memory/${projectFolder(project)}/${fileNameOf(one)}`
    expect((await read()).problems).toEqual([{ path, line: expect.any(Number), reason: expect.any(String) }])
    expect(Math.abs(memoryFileProblems(ledger)[0]!.line - line)).toBeLessThanOrEqual(1)
    keep({ ...one, importance: 0.2, version: 2 })
    write()
    expect(textOf(pathOf(one))).toBe(mine)
    expect(current(one).text).toBe(one.text)
    writeFileSync(pathOf(one), renderMemory(one, { dayOf: () => undefined, other: () => undefined }))
    expect((await read()).problems).toEqual([])
    expect(memoryFileProblems(ledger)).toEqual([])
  })

  it('SPEC E.17: a secret in an edited file reaches neither the ledger nor the next version of the file', async () => {
    const one = memory()
    keep(one)
    write()
    const secret = `ghp_${'a1B2c3D4e5F6g7H8i9J0'.repeat(2)}`
    edit(pathOf(one), 'Never commit without running the tests.\n\n**', `Push with ${secret}.\n\n**`)
    await read()
    write()
    expect(current(one).text).toBe('Push with [secret: github-token].')
    expect(JSON.stringify(memoryHistory(ledger, one.id))).not.toContain(secret)
    expect(textOf(pathOf(one))).not.toContain(secret)
  })

  it('a file that lost its content in a crash is restored', async () => {
    const one = memory()
    keep(one)
    write()
    const before = textOf(pathOf(one))
    writeFileSync(pathOf(one), '')
    expect(await read()).toEqual({ edited: 0, forgotten: 0, added: 0, problems: [] })
    write()
    expect(textOf(pathOf(one))).toBe(before)
  })

  it('a vault without its ledger is imported with the fields of each file', async () => {
    const [one, old] = [memory(), memory({ text: 'Use npm.' })]
    keep(one, { ...old, supersededBy: one.id, supersededAt: now })
    write()
    ledger.close()
    for (const name of readdirSync(join(root, 'home')))
      if (name !== 'vault') rmSync(join(root, 'home', name), { recursive: true })
    ledger = openLedger(layoutOf(join(root, 'home')))
    expect(await read()).toEqual({ edited: 0, forgotten: 0, added: 2, problems: [] })
    expect(current(one)).toMatchObject({ text: one.text, project, trust: 'agent said', kind: one.kind, why: one.why })
    expect(current(old).supersededBy).toBe(one.id)
    write()
    expect(await read()).toEqual({ edited: 0, forgotten: 0, added: 0, problems: [] })
  })

  it('SPEC C.19: an unreadable file does not stop the others', async () => {
    const [one, two] = [memory(), memory({ text: 'Use pnpm.' })]
    keep(one, two)
    write()
    rmSync(pathOf(one))
    mkdirSync(pathOf(one))
    mkdirSync(join(folder(), 'folder.md'))
    writeFileSync(join(folder(), 'back\\slash.md'), 'no name for a file here')
    edit(pathOf(two), 'Use pnpm.\n\n**', 'Use bun.\n\n**')
    const report = await read()
    expect(report).toMatchObject({ edited: 1, forgotten: 0, added: 0 })
    expect(report.problems.map(({ path }) => path).sort()).toEqual(
      [fileNameOf(one), 'folder.md'].map((name) => `memory/${projectFolder(project)}/${name}`).sort(),
    )
    keep({ ...one, text: 'Changed.', version: 2 })
    write()
    expect(current(one).state).toBe('kept')
  })

  it('an edit of a memory that was undone meanwhile restores it', async () => {
    const one = memory()
    keep(one)
    write()
    ledger.transaction(() => undoChange(ledger, lastUndoableChange(ledger)!, now))
    edit(pathOf(one), 'Never commit without running the tests.\n\n**', 'Never commit.\n\n**')
    expect(await read()).toMatchObject({ added: 1 })
    write()
    expect(current(one)).toMatchObject({ text: 'Never commit.', state: 'kept' })
    expect(textOf(pathOf(one))).toContain('Never commit.')
  })

  it.each(['old', 'new'] as const)(
    'a program that ended while it wrote is no person who edits: %s content',
    async (which) => {
      const one = memory()
      keep(one)
      write()
      const path = `memory/${projectFolder(project)}/${fileNameOf(one)}`
      const around = { dayOf: () => undefined, other: () => undefined }
      const contents = { old: textOf(pathOf(one)), new: renderMemory({ ...one, text: 'Second.' }, around) }
      keep({ ...one, text: 'Second.', version: 2 })
      saveMemoryFile(ledger, {
        path,
        memory: one.id,
        hash: `${hashOf(contents.old)} ${hashOf(contents.new)}`,
        stamp: '',
      })
      writeFileSync(pathOf(one), contents[which])
      keep({ ...one, text: 'Third.', version: 3 })
      expect(await read()).toEqual({ edited: 0, forgotten: 0, added: 0, problems: [] })
      write()
      expect(current(one)).toMatchObject({ text: 'Third.', version: 3 })
      expect(textOf(pathOf(one))).toContain('Third.')
    },
  )

  it('does nothing while another process holds the lock', async () => {
    const [one, other] = [memory(), memory({ text: 'Use pnpm.' })]
    keep(one)
    write()
    const locking = tryLock(join(ledger.layout.run, 'memory-files.lock'), 'test', fixedClock(now))
    if (locking.kind !== 'held') throw new Error('the files are taken')
    edit(pathOf(one), 'Never commit without running the tests.\n\n**', 'Never commit.\n\n**')
    keep(other)
    expect(await read()).toMatchObject({ edited: 0 })
    expect(write()).toBe(0)
    expect(existsSync(pathOf(other))).toBe(false)
    locking.release()
    expect(await read()).toMatchObject({ edited: 1 })
    write()
    expect(existsSync(pathOf(other))).toBe(true)
  })

  it.runIf(isProof)(
    'with very many files an edit is found after some scans, a new or deleted file at once',
    async () => {
      const many = Array.from({ length: 4100 }, (_, number) => memory({ text: `Rule number ${number} of the house.` }))
      keep(...many)
      write()
      await read()
      await read()
      edit(pathOf(many[4000]!), 'Rule number 4000 of the house.\n\n**', 'Edited.\n\n**')
      const sweeps = [await read(), await read(), await read()]
      expect(sweeps.reduce((sum, { edited }) => sum + edited, 0)).toBe(1)
      write()
      await read()
      rmSync(pathOf(many[17]!))
      writeFileSync(join(folder(), 'new.md'), 'A new one.\n')
      expect(await read()).toMatchObject({ forgotten: 1, added: 1, problems: [] })
    },
  )
})

describe('writes stay inside the vault', () => {
  it.each([
    ['a project key', memory({ project: '../../../../etc/evil' })],
    ['a project key of dots', memory({ project: '..' })],
    ['a memory id', memory({ id: '../../../evil' })],
    ['a text', memory({ text: '../../../evil\0/..\\..\\evil' })],
  ])('SPEC E invariant 8: whatever %s says', (_, one) => {
    keep(one)
    write()
    expect(listed(root).every((path) => path.startsWith(join(root, 'home')))).toBe(true)
    expect(listed(join(vault, 'memory'))).toHaveLength(2)
  })

  it('SPEC E invariant 8: through no link', async () => {
    const outside = join(root, 'outside')
    mkdirSync(outside)
    mkdirSync(join(vault, 'memory'), { recursive: true })
    symlinkSync(outside, folder())
    const one = memory()
    keep(one)
    write()
    expect(readdirSync(outside)).toEqual([])
    expect((await read()).problems).toEqual([
      { path: `memory/${projectFolder(project)}`, line: 1, reason: expect.stringContaining('Not a plain') },
    ])
    rmSync(folder())
    await read()
    write()
    const precious = join(outside, 'precious.md')
    writeFileSync(precious, 'not yours')
    rmSync(pathOf(one))
    symlinkSync(precious, pathOf(one))
    keep({ ...one, text: 'Changed.', version: 2 })
    write()
    expect(await read()).toMatchObject({ edited: 0, forgotten: 0, added: 0 })
    expect(textOf(precious)).toBe('not yours')
    expect(current(one)).toMatchObject({ text: 'Changed.', state: 'kept' })
  })

  it('but a vault that is itself a link is followed', () => {
    const elsewhere = join(root, 'obsidian')
    mkdirSync(elsewhere)
    symlinkSync(elsewhere, vault)
    keep(memory())
    expect(write()).toBe(2)
    expect(readdirSync(elsewhere)).toEqual(['memory'])
  })

  function listed(of: string): string[] {
    return readdirSync(of, { recursive: true, withFileTypes: true })
      .filter((one) => one.isFile())
      .map((one) => join(one.parentPath, one.name))
  }
})

describe('a random memory', () => {
  const words = fc.string({ unit: 'grapheme', maxLength: 200 })
  const lines = fc
    .array(
      fc.oneof(
        words,
        fc.constantFrom(
          '---',
          '**Why:** x',
          '\\**Why:** y',
          '## Sources',
          '\\## Sources',
          '**How to apply:**',
          '> q',
          '',
          '\r',
          '- `a`',
        ),
      ),
      { minLength: 1, maxLength: 6 },
    )
    .map((parts) => parts.join('\n'))
  const text = lines.filter((value) => value.replaceAll('\0', '').trim() !== '' && value.length <= 1400)
  const any: fc.Arbitrary<Memory> = fc
    .record({
      id: fc.oneof(
        fc.stringMatching(/^m-[a-z2-9]{10}$/),
        words.filter((value) => value.length > 0),
      ),
      project: fc.option(words.filter((value) => value !== '')),
      type: fc.constantFrom(...memoryTypes),
      kind: fc.constantFrom(...memoryKinds),
      status: fc.constantFrom(...memoryStatuses),
      trust: fc.constantFrom(...memoryTrusts),
      state: fc.constantFrom('kept' as const, 'inbox' as const),
      text,
      why: fc.option(lines),
      apply: fc.option(lines),
      importance: fc.double({ min: 0, max: 1, noNaN: true }),
      tags: fc.array(words, { maxLength: 4 }),
      supersededBy: fc.option(fc.constant('m-notknown22')),
      evidence: fc.array(
        fc.record({ session: fc.option(words), event: fc.constant(null), quote: lines, file: words }),
        { maxLength: 3 },
      ),
    })
    .map((fields) => memory(fields))
  const around = { dayOf: () => '2026-09-01', other: () => ({ link: 'other', text: 'Other.' }) }

  it('is parsed from its file unchanged', async () => {
    await fc.assert(
      fc.asyncProperty(any, async (one) => {
        const parsed = await parseMemoryFile(renderMemory(one, around))
        expect(parsed).toMatchObject({ kind: 'said', said: { id: one.id } })
        if (parsed.kind === 'said') expect(editedMemory(one, parsed.said, now)).toBeUndefined()
      }),
      { numRuns: scaled(100, 500) },
    )
  })

  it('has a valid file name', () => {
    fc.assert(
      fc.property(any, (one) => {
        const name = fileNameOf(one)
        expect(name).toMatch(/^[\p{L}\p{N}-]+\.md$/u)
        expect(Buffer.byteLength(name)).toBeLessThan(200)
      }),
    )
  })

  it('is written and read back without a change, inside of its folder', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(any, { minLength: 1, maxLength: 3 }), async (some) => {
        ledger.close()
        rmSync(join(root, 'home'), { recursive: true })
        ledger = openLedger(layoutOf(join(root, 'home')))
        const unique = [...new Map(some.map((one) => [one.id, one])).values()]
        keep(...unique)
        write()
        expect(await read()).toEqual({ edited: 0, forgotten: 0, added: 0, problems: [] })
        expect(write('all')).toBe(0)
        expect(readdirSync(join(root, 'home')).sort()).toEqual(
          ['bodies', 'ledger.db', 'ledger.db-shm', 'ledger.db-wal', 'run', 'vault'].sort(),
        )
      }),
      { numRuns: scaled(10, 60) },
    )
  })
})
