import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { fixedClock } from '../../core/clock.ts'
import { layoutOf } from '../../core/paths.ts'
import { zoneOf } from '../../core/units.ts'
import { type Ledger, openLedger } from '../../store/ledger.ts'
import { savePatterns } from '../../store/patterns/patterns.ts'
import { listReviews } from '../../store/patterns/practices.ts'
import { readPractices } from '../catalogue.ts'
import type { Pattern } from '../types.ts'
import type { ReviewContext } from './context.ts'
import { approvePattern, declinePattern, retirePractice, undoDecision } from './decide.ts'
import { createDraft, parseDraft, renderDraft } from './draft.ts'
import { reviewQueue } from './queue.ts'
import { refreshCatalogue } from './refresh-catalogue.ts'

const unread: Pattern = {
  id: 'p-1a2b3c4d5e',
  polarity: 'problem',
  type: 'unread edit',
  locus: '',
  title: 'Files are edited before they were read',
  frequency: 12,
  times: 20,
  sessions: 9,
  projects: ['github.com/dev/app', 'github.com/dev/site'],
  agents: ['claude-code', 'codex'],
  crossAgent: true,
  costUsd: 1.5,
  firstMs: Date.parse('2026-08-01'),
  lastMs: Date.parse('2026-09-01'),
  evidence: 'aa00',
  examples: [
    { session: 'claude-code:0a1b', seq: 14, detail: 'File has not been read yet.\nRead it first' },
    { session: 'codex:77', seq: null, detail: 'an edit' },
  ],
}
const storm: Pattern = {
  ...unread,
  id: 'p-ffff000000',
  type: 'retry storm',
  locus: 'npm test',
  title: '`npm test` is tried again and again',
  projects: ['github.com/dev/app'],
  agents: ['codex'],
  crossAgent: false,
  evidence: 'bb00',
}

let root: string
let ledger: Ledger
let context: ReviewContext
const file = 'read-a-file-before-you-edit-it.md'

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'recollect-review-'))
  ledger = openLedger(layoutOf(root))
  context = { ledger, clock: fixedClock('2026-09-03T12:00:00Z'), zone: zoneOf('UTC') }
  savePatterns(ledger, [unread, storm])
})
afterEach(() => {
  ledger.close()
  rmSync(root, { recursive: true, force: true })
})

const practicePath = (name = file) => join(root, 'vault/practices', name)
const text = (name = file) => readFileSync(practicePath(name), 'utf8')
const write = (content: string, name = file) => writeFileSync(practicePath(name), content)
const approved = () => approvePattern(context, unread, createDraft(unread))
const practices = async () => (await refreshCatalogue(context)).practices
const standings = async () => reviewQueue(context, await practices()).map(({ standing }) => standing.kind)

describe('approvePattern', () => {
  it('creates no second file beside an unreadable one', async () => {
    await approved()
    write('---\nid: [\n---\n')
    await expect(approved()).rejects.toThrow(`practices/${file}:`)
    expect(readdirSync(join(root, 'vault/practices'))).toEqual([file])
  })

  it('creates a practice with scope, evidence and history', async () => {
    await approvePattern(context, unread, createDraft(unread), { note: 'at last' })
    expect(text()).toBe(`---
id: "p-1a2b3c4d5e"
version: "1.0.0"
status: approved
agents: []
projects: []
pattern: { polarity: problem, type: "unread edit", locus: "" }
provenance: { frequency: 12, sessions: 9, agents: ["claude-code", "codex"], evidence: "aa00" }
---

# Read a file before you edit it

## Problem

Edits failed because the file had not been read in the session.

## Rule

Read a file in this session before you edit or overwrite it; a search result is not enough.

## Evidence

Seen 12 times in 9 sessions, with claude-code, codex.

- claude-code:0a1b#14: File has not been read yet. Read it first
- codex:77: an edit

## History

- 1.0.0, 2026-09-03: approved: at last
`)
    expect(await standings()).toEqual(['practice', 'waiting'])
  })

  it('limits the scope to one agent and project', async () => {
    const practice = await approvePattern(context, storm, createDraft(storm))
    expect(practice).toMatchObject({ agents: ['codex'], projects: ['github.com/dev/app'] })
  })

  it('refuses patterns seen once and existing practices', async () => {
    const once = { ...storm, frequency: 5, sessions: 1 }
    await expect(approvePattern(context, once, createDraft(once))).rejects.toThrow('a practice needs 2 in 2')
    await approved()
    await expect(approved()).rejects.toThrow('is a practice already')
    await expect(declinePattern(context, unread, 'rejected')).rejects.toThrow('is a practice')
    expect(listReviews(ledger)).toHaveLength(1)
  })

  it('uses the edited draft', async () => {
    const draft = await renderDraft(ledger.layout, unread, createDraft(unread))
    const mine = draft.replace(/Read a file in this.*/, 'Look first.').replace('agents: []', 'agents: [codex]')
    await approvePattern(context, unread, await parseDraft(mine))
    expect(await practices()).toMatchObject([{ rule: 'Look first.', agents: ['codex'], version: '1.0.0' }])
    await expect(parseDraft(draft.replace('## Rule', '## Rules'))).rejects.toThrow('no text below "## Rule"')
  })

  it('never overwrites the file of another practice', async () => {
    mkdirSync(join(root, 'vault/practices'), { recursive: true })
    write('# Mine\n', file.toUpperCase().replace('.MD', '.md'))
    await approved()
    expect(readdirSync(join(root, 'vault/practices'))).toHaveLength(2)
    expect(text(file.toUpperCase().replace('.MD', '.md'))).toBe('# Mine\n')
  })
})

describe('refreshCatalogue', () => {
  it('turns edits into versions', async () => {
    await approved()
    write(text().replace(/Read a file in this session.*/, 'Open pull requests as drafts.'))
    expect(await practices()).toMatchObject([{ version: '2.0.0', rule: 'Open pull requests as drafts.' }])
    expect(text()).toContain('\nversion: "2.0.0"\n')
    expect(text()).toMatch(/- 2\.0\.0, 2026-09-03: rule rewritten\n$/)
    const settled = text()
    await practices()
    expect(text()).toBe(settled)
  })

  it('retires by status, and follows a renamed file', async () => {
    await approved()
    write(text().replace('status: approved', 'status: retired'))
    renameSync(practicePath(), practicePath('read-first.md'))
    expect(await practices()).toMatchObject([{ id: unread.id, path: 'practices/read-first', status: 'retired' }])
    expect(await standings()).toEqual(['practice', 'waiting'])
    expect(text('read-first.md')).toMatch(/: retired\n$/)
  })

  it('does not change unreadable files', async () => {
    await approved()
    const broken = text().replace('version: "1.0.0"', 'version: "one"')
    write(broken)
    const catalogue = await refreshCatalogue(context)
    expect(catalogue).toEqual({
      practices: [],
      problems: [{ file: `practices/${file}`, line: 3, reason: expect.any(String) }],
    })
    expect(text()).toBe(broken)
    expect(listReviews(ledger).map(({ verdict }) => verdict)).toEqual(['approved'])
    write(broken.replace('"one"', '"1.0.0"'))
    expect(await practices()).toMatchObject([{ id: unread.id, version: '1.0.0' }])
  })

  it('removes deleted practices, and does not bring the pattern back', async () => {
    await approved()
    const before = text()
    await practices()
    rmSync(practicePath())
    expect(await standings()).toEqual(['decided', 'waiting'])
    expect(listReviews(ledger)[0]).toMatchObject({ verdict: 'deleted', pattern: unread.id })
    await undoDecision(context, unread.id)
    expect(text()).toBe(before)
    expect(await standings()).toEqual(['practice', 'waiting'])
  })

  it('restores a practice whose file is put back', async () => {
    await approved()
    const before = text()
    rmSync(practicePath())
    await practices()
    write(before)
    expect(await standings()).toEqual(['practice', 'waiting'])
    expect(listReviews(ledger)[0]).toMatchObject({ verdict: 'deleted', undoneAtMs: expect.any(Number) })
    expect(text()).toBe(before)
  })

  it('does not treat a missing folder as deletion', async () => {
    await approved()
    renameSync(join(root, 'vault'), join(root, 'elsewhere'))
    const { problems } = await refreshCatalogue(context)
    expect(problems).toMatchObject([{ file: 'practices', reason: expect.stringContaining('missing') }])
    expect(listReviews(ledger)).toHaveLength(1)
  })

  it('accepts files written by hand and copies', async () => {
    await approved()
    write('# Small commits\n\n## Rule\n\nCommit after each green test.\n', 'small.md')
    write(text(), 'another.md')
    const { practices: read, problems } = await refreshCatalogue(context)
    expect(read.map(({ id, path }) => [id, path])).toEqual([
      [unread.id, `practices/${file.slice(0, -3)}`],
      ['by-hand-small', 'practices/small'],
    ])
    expect(problems).toMatchObject([{ file: 'practices/another.md' }])
    expect(text('small.md')).toMatch(/^---\nid: "by-hand-small"\n[\s\S]*written by hand\n$/)
    expect((await readPractices(ledger.layout)).map(({ id }) => id)).toContain('by-hand-small')
  })

  it('never follows links out of the vault', async () => {
    const outside = join(root, 'outside.md')
    writeFileSync(outside, '# Out\n\n## Rule\n\nElsewhere.\n')
    mkdirSync(join(root, 'vault/practices'), { recursive: true })
    symlinkSync(outside, practicePath('linked.md'))
    expect(await refreshCatalogue(context)).toMatchObject({
      practices: [],
      problems: [{ file: 'practices/linked.md' }],
    })
    rmSync(join(root, 'vault/practices'), { recursive: true })
    mkdirSync(join(root, 'target'))
    symlinkSync(join(root, 'target'), join(root, 'vault/practices'))
    await expect(approved()).rejects.toThrow('is a link or a folder')
    expect(readdirSync(join(root, 'target'))).toEqual([])
    expect(readFileSync(outside, 'utf8')).toBe('# Out\n\n## Rule\n\nElsewhere.\n')
  })
})

describe('undoDecision', () => {
  it('removes the file of an approval, unless it was edited', async () => {
    await approved()
    await undoDecision(context)
    expect(readdirSync(join(root, 'vault/practices'))).toEqual([])
    expect(await standings()).toEqual(['waiting', 'waiting'])
    await approved()
    write(`${text()}\nMine.\n`)
    await expect(undoDecision(context, unread.id)).rejects.toThrow('was edited since')
    expect(text()).toMatch(/Mine\.\n$/)
  })

  it('returns a rejected or deferred pattern to the queue', async () => {
    await declinePattern(context, unread, 'rejected', { note: 'no' })
    await declinePattern(context, storm, 'later')
    expect(await standings()).toEqual(['decided', 'decided'])
    expect((await undoDecision(context)).pattern).toBe(storm.id)
    expect((await undoDecision(context, 'p-1a2b')).note).toBe('no')
    expect(await standings()).toEqual(['waiting', 'waiting'])
    await expect(undoDecision(context)).rejects.toThrow('Nothing to undo')
  })

  it('re-approves a retired practice, and back', async () => {
    await approved()
    await retirePractice(context, 'read-a-file-before-you-edit-it', { note: 'too slow' })
    expect(text()).toMatch(/status: retired[\s\S]*- 1\.0\.0, 2026-09-03: retired: too slow\n$/)
    await expect(retirePractice(context, unread.id)).rejects.toThrow('retired already')
    await undoDecision(context, unread.id)
    expect(await practices()).toMatchObject([{ status: 'approved', version: '1.0.0' }])
    await retirePractice(context, unread.id)
    await approved()
    expect(await practices()).toMatchObject([{ status: 'approved' }])
    await undoDecision(context, unread.id)
    expect(await practices()).toMatchObject([{ status: 'retired' }])
  })
})
