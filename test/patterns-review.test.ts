// Patterns become practices by the word of a person: the program as people and scripts run it.
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { layoutOf } from '../src/core/paths.ts'
import type { Pattern } from '../src/patterns/types.ts'
import { openLedger } from '../src/store/ledger.ts'
import { savePatterns } from '../src/store/patterns/patterns.ts'
import { type Place, place, recollect } from './program.ts'

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
  examples: [{ session: 'claude-code:0a1b', seq: 14, detail: 'File has not been read yet' }],
}
const storm: Pattern = {
  ...unread,
  id: 'p-ffff000000',
  type: 'retry storm',
  locus: 'npm test',
  title: '`npm test` is tried again and again',
  agents: ['codex'],
  crossAgent: false,
}
const rare: Pattern = { ...storm, id: 'p-0000000001', locus: 'make', frequency: 1, sessions: 1 }

let at: Place
const run = (...args: string[]) => recollect(at, 'patterns', ...args)
const file = () => join(at.store, 'vault/practices/read-a-file-before-you-edit-it.md')

function detected(...patterns: Pattern[]): void {
  const ledger = openLedger(layoutOf(at.store))
  savePatterns(ledger, patterns)
  ledger.close()
}

beforeEach(() => {
  at = place()
  detected(unread, storm, rare)
})
afterEach(() => at.remove())

describe('recollect patterns review', () => {
  it('lists waiting patterns with their drafts', () => {
    const { status, json } = run('review', '--list', '--json')
    expect(status).toBe(0)
    expect(json()).toMatchObject([
      {
        id: unread.id,
        standing: 'waiting',
        draft: { title: 'Read a file before you edit it', agents: [], projects: [] },
      },
      { id: storm.id, standing: 'waiting', draft: { agents: ['codex'], projects: storm.projects } },
    ])
    const { out, err } = run('review')
    expect(out).toContain('0a1b#14  File has not been read yet')
    expect(err).toContain('--approve|--reject|--later')
  })

  it('approves, rejects and defers, and undoes each', () => {
    expect(run('review', 'p-1a', '--approve', '--note', 'yes', '--json').json()).toMatchObject({
      verdict: 'approved',
      practice: { id: unread.id, path: 'practices/read-a-file-before-you-edit-it', version: '1.0.0' },
    })
    expect(run('review', 'p-ff', '--reject', '--note', 'no').status).toBe(0)
    expect(run('review', '--list').status).toBe(1)
    expect(run('review', '--decided', '--json').json()).toMatchObject([
      { pattern: storm.id, verdict: 'rejected', note: 'no', undoneAtMs: null },
      { pattern: unread.id, verdict: 'approved', note: 'yes', undoneAtMs: null },
    ])
    expect(run('undo').err).toContain(`Undone: ${storm.id} rejected`)
    expect(run('review', 'p-ff', '--later').status).toBe(0)
    expect(run('undo', 'p-1a').status).toBe(0)
    expect(run('review', '--list', '--json').json()).toMatchObject([{ id: unread.id }])
    expect(run('list').status).toBe(1)
  })

  it('returns a rejected pattern when its evidence changes', () => {
    run('review', storm.id, '--reject')
    detected(unread, { ...storm, frequency: 15, evidence: 'bb' })
    expect(run('review', '--list', '--json').json()).toHaveLength(1)
    detected(unread, { ...storm, agents: ['codex', 'grok'], evidence: 'cc' })
    expect(run('review', '--list', '--json').json()[1]).toMatchObject({
      id: storm.id,
      again: { because: 'now also with grok', review: { verdict: 'rejected' } },
    })
  })

  it.each([
    ['an id that is none', ['review', 'p-zzz', '--approve'], 1],
    ['too rare', ['review', rare.id, '--approve'], 1],
    ['two decisions', ['review', unread.id, '--approve', '--reject'], 2],
    ['a decision about nothing', ['review', '--approve'], 2],
    ['a rule without approval', ['review', unread.id, '--rule', 'x'], 2],
    ['an empty rule', ['review', unread.id, '--approve', '--rule', ' '], 2],
    ['an id that fits two', ['review', 'p-', '--reject'], 2],
    ['a practice that is none', ['retire', unread.id], 1],
    ['a name that is none', ['show', 'nothing-like-it'], 1],
    ['nothing to take back', ['undo'], 1],
  ])('refuses %s', (_, args, status) => {
    const done = run(...args)
    expect(done.status).toBe(status)
    expect(done.out).toBe('')
    expect(run('review', '--decided').status).toBe(1)
  })

  it('has examples in its help', () => {
    for (const name of ['review', 'undo', 'list', 'show', 'retire'])
      expect(run(name, '--help').out).toMatch(/Examples:\n {2}recollect patterns /)
  })
})

describe('recollect patterns list', () => {
  it('shows edited practices and warnings', () => {
    run('review', unread.id, '--approve')
    run('review', storm.id, '--approve', '--title', 'Twice is enough', '--rule', 'Read the error first.')
    writeFileSync(file(), readFileSync(file(), 'utf8').replace('agents: []', 'agents: [claude]'))
    const { practices, problems, warnings } = run('list', '--json').json()
    expect(practices).toMatchObject([
      { id: unread.id, version: '1.1.0', agents: ['claude'] },
      { id: storm.id, version: '1.0.0', title: 'Twice is enough', rule: 'Read the error first.' },
    ])
    expect(problems).toEqual([])
    expect(warnings).toEqual([expect.stringContaining('unknown agent "claude"')])
    expect(run('list', '--agent', 'grok').status).toBe(1)
    expect(run('show', 'twice-is-enough').out).toContain('\n## Rule\n\nRead the error first.\n')
    expect(run('show', storm.id, '--json').json()).toMatchObject({
      practice: { id: storm.id },
      pattern: { id: storm.id },
    })
  })

  it('reports an unreadable file and does not change it', () => {
    run('review', unread.id, '--approve')
    const broken = readFileSync(file(), 'utf8').replace('status: approved', 'status: aproved')
    writeFileSync(file(), broken)
    const { status, err } = run('list')
    expect(status).toBe(1)
    expect(err).toContain('practices/read-a-file-before-you-edit-it.md:4: status is "aproved": did you mean approved?')
    expect(readFileSync(file(), 'utf8')).toBe(broken)
    rmSync(file())
    expect(run('review', '--decided', '--json').json()).toHaveLength(1)
    expect(run('list').status).toBe(1)
    expect(run('review', '--decided', '--json').json()[0]).toMatchObject({ verdict: 'deleted' })
  })

  it('retires a practice', () => {
    run('review', unread.id, '--approve')
    expect(run('retire', 'read-a-file-before-you-edit-it', '--note', 'slow', '--json').json()).toMatchObject({
      status: 'retired',
      history: [{ what: 'approved' }, { what: 'retired: slow' }],
    })
    expect(run('undo', unread.id).status).toBe(0)
    expect(run('list', '--json').json().practices).toMatchObject([{ status: 'approved' }])
  })
})
