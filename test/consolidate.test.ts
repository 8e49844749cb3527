// Consolidation from end to end: a real ledger, a real repository, a scripted model; everything it does can be taken back.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type App, createApp } from '../src/app.ts'
import { fixedClock } from '../src/core/clock.ts'
import { tryLock } from '../src/core/lock.ts'
import { namedProject } from '../src/core/project/project.ts'
import { decide, undo } from '../src/learn/change.ts'
import {
  type ConsolidateOptions,
  type Consolidation,
  consolidate,
  consolidateExclusively,
} from '../src/learn/consolidate/consolidate.ts'
import { lastConsolidated } from '../src/learn/consolidate/schedule.ts'
import { readMemoryEdits } from '../src/learn/files/read.ts'
import { writeMemoryFiles } from '../src/learn/files/write.ts'
import type { Memory } from '../src/memory/memory.ts'
import type { ModelQuestion, ModelResponse } from '../src/models/context.ts'
import type { Ledger } from '../src/store/ledger.ts'
import { changeMemories, listChanges, memoryHistory } from '../src/store/memories/changes.ts'
import { memoryFiles } from '../src/store/memories/files.ts'
import { memoryById } from '../src/store/memories/memories.ts'
import { upsertProject } from '../src/store/sessions/projects.ts'
import { sampleMemory } from './sample-memory.ts'

let root: string
let app: App
let ledger: Ledger
let folder: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'recollect-consolidate-'))
  folder = join(root, 'app')
  mkdirSync(join(root, '.recollect'), { recursive: true })
  writeFileSync(join(root, '.recollect/config.toml'), '[models]\norder = ["heuristic"]\n[display]\nzone = "UTC"\n')
  app = createApp({
    machine: { home: root, env: { PATH: process.env.PATH }, platform: process.platform, name: 'desk' },
    clock: fixedClock('2026-11-01T12:00:00Z'),
  })
  ledger = app.ledger()
})
afterEach(() => {
  ledger.close()
  rmSync(root, { recursive: true, force: true })
})

function keep(...memories: Memory[]): void {
  const change = { at: '2026-09-01T10:00:00.000Z', kind: 'learned' as const, about: 'from a session' }
  ledger.transaction(() => changeMemories(ledger, change, memories))
}

function memory(id: string, text: string, day = '2026-09-01', more: Partial<Memory> = {}): Memory {
  const said = `${day}T10:00:00.000Z`
  return sampleMemory({
    id,
    project: folder,
    type: 'feedback',
    text,
    evidence: [{ session: `claude-code:${id}`, event: 'e1', quote: text }],
    at: said,
    ...more,
  })
}

const forced = (options: ConsolidateOptions = {}) => consolidate(app.context(ledger), { isForced: true, ...options })

function outcomes(result: Consolidation): string[] {
  if (result.kind === 'skipped') return [`skipped: ${result.reason}`]
  return result.findings.map(({ kind, memory, other }) => [kind, memory, other].filter(Boolean).join(' '))
}

/** Every row, but for what happened to it since. */
const rows = () => ledger.sql('SELECT * FROM memories ORDER BY id').all()

const person = () => ({ ledger, clock: app.clock, origin: 'desk' })

function mess(): void {
  keep(
    memory('m-one', 'Run the linter before every commit'),
    memory('m-two', 'run the linter before every commit.', '2026-09-02'),
    memory('m-npm', 'Use npm for installs'),
    memory('m-pnpm', 'Use pnpm instead of npm for installs', '2026-09-03'),
    memory('m-when', 'The cut-over to the new cluster was yesterday', '2026-09-04'),
    memory('m-12', 'Issue 12 was a race in the cache'),
    memory('m-13', 'Issue 13 was a race in the cache', '2026-09-05'),
    memory('m-gone', 'Run the linter before every commit', '2026-09-06', { state: 'forgotten' }),
  )
}

const tidied = ['merged m-one m-two', 'retired m-npm m-pnpm', 'waits m-13 m-12', 'dated m-when']

describe('consolidate', () => {
  it('repairs what admission missed, and a second run finds nothing', async () => {
    mess()
    expect(outcomes(await forced())).toEqual(tidied)
    expect(memoryById(ledger, 'm-one')).toMatchObject({ state: 'kept', supersededBy: 'm-two' })
    expect(memoryById(ledger, 'm-two')).toMatchObject({ counts: { said: 2 }, supersededBy: null })
    expect(memoryById(ledger, 'm-npm')).toMatchObject({
      supersededBy: 'm-pnpm',
      supersededAt: '2026-09-03T10:00:00.000Z',
    })
    expect(memoryById(ledger, 'm-13')).toMatchObject({ state: 'inbox', contradicts: 'm-12' })
    expect(memoryById(ledger, 'm-when')!.text).toBe('The cut-over to the new cluster was yesterday (2026-09-03)')
    expect(memoryById(ledger, 'm-gone')).toMatchObject({ state: 'forgotten', version: 1 })
    expect(outcomes(await forced())).toEqual([])
  })

  it('ends opposites that stand beside each other, and leaves candidates alone', async () => {
    const found = { state: 'candidate', because: 'rules', score: 0.4 } as const
    keep(
      memory('m-npm', 'Use npm for everything'),
      memory('m-pnpm', 'Always use pnpm, never npm', '2026-09-02'),
      memory('m-no-npm', 'We no longer use npm', '2026-09-03'),
      memory('m-friday', 'Deploy on Fridays', '2026-09-04'),
      memory('m-found', 'Never deploy on Fridays', '2026-09-05', found),
    )
    expect(outcomes(await forced())).toEqual(['retired m-npm m-no-npm'])
    expect(memoryById(ledger, 'm-found')).toMatchObject({ state: 'candidate', version: 1 })
  })

  it('reports the same in a dry run, and writes nothing', async () => {
    mess()
    const before = rows()
    expect(outcomes(await forced({ isForced: false, isDryRun: true }))).toEqual(tidied)
    expect(rows()).toEqual(before)
    expect(listChanges(ledger, 10)).toHaveLength(1)
    expect(lastConsolidated(ledger)).toBeNull()
  })

  it('can be undone step by step, and does not repeat what was undone', async () => {
    mess()
    const before = rows()
    const done = await forced()
    const changes = done.kind === 'done' ? done.changes : []
    expect(changes).toHaveLength(4)
    for (const { id } of changes) undo(person(), id)
    expect(rows()).toEqual(before)
    expect(outcomes(await forced())).toEqual([])
    expect(memoryHistory(ledger, 'm-one').map(({ change }) => change.kind)).toEqual([
      'learned',
      'consolidated',
      'undone',
    ])
  })

  it('repeats a step after the undo was undone', async () => {
    mess()
    await forced()
    const merging = listChanges(ledger, 10).find(({ about }) => /merged/.test(about))!
    const taking = undo(person(), merging.id).change
    undo(person(), Number(listChanges(ledger, 1)[0]!.id))
    expect(taking.id).toBe(merging.id)
    expect(memoryById(ledger, 'm-one')!.supersededBy).toBe('m-two')
  })

  it('leaves pairs alone that a person decided to keep', async () => {
    mess()
    await forced()
    decide(person(), 'm-13', 'both')
    expect(outcomes(await forced())).toEqual([])
  })

  it('consolidates one project without counting as the daily run', async () => {
    mess()
    keep(memory('m-x', 'Answer in English', '2026-09-01', { project: '/home/dev/x' }))
    keep(memory('m-y', 'answer in English', '2026-09-02', { project: '/home/dev/x' }))
    expect(outcomes(await forced({ project: '/home/dev/x' }))).toEqual(['merged m-x m-y'])
    expect(lastConsolidated(ledger)).toBeNull()
  })

  it('follows the schedule, and saves the time only when it is done', async () => {
    mess()
    const context = app.context(ledger)
    expect(outcomes(await consolidate(context))).toEqual([
      expect.stringMatching(/^skipped: 0 sessions besides the last/),
    ])
    expect(lastConsolidated(ledger)).toBeNull()
    await forced()
    expect(lastConsolidated(ledger)).toBe('2026-11-01T12:00:00.000Z')
    expect(outcomes(await consolidate(context))).toEqual([expect.stringMatching(/^skipped: done 0 s ago/)])
  })

  it('writes nothing when it fails half way', async () => {
    mess()
    const before = rows()
    ledger.raw.exec(`CREATE TRIGGER dies BEFORE UPDATE ON memories WHEN new.id = 'm-when'
      BEGIN SELECT raise(ABORT, 'killed'); END`)
    await expect(forced()).rejects.toThrow('killed')
    expect(rows()).toEqual(before)
    expect(lastConsolidated(ledger)).toBeNull()
    ledger.raw.exec('DROP TRIGGER dies')
    expect(outcomes(await forced())).toEqual(tidied)
  })

  it('applies edits of memory files first', async () => {
    mess()
    const context = app.context(ledger)
    writeMemoryFiles(context)
    const { path } = memoryFiles(ledger).find((one) => one.memory === 'm-one')!
    const file = join(app.layout.vault, path)
    const content = readFileSync(file, 'utf8')
    writeFileSync(file, content.replace(/^Run the linter before every commit$/m, 'Run the linter before every release'))
    expect(
      outcomes(await consolidateExclusively(context, { isForced: true }).then((done) => done as Consolidation)),
    ).toEqual(tidied.slice(1))
    expect(memoryById(ledger, 'm-one')).toMatchObject({
      text: 'Run the linter before every release',
      supersededBy: null,
    })
  })

  it('does not run twice at once', async () => {
    mess()
    const other = tryLock(join(app.layout.run, 'learn.lock'), 'learn', app.clock)
    expect(await consolidateExclusively(app.context(ledger), { isForced: true })).toMatchObject({
      kind: 'busy',
      owner: { command: 'learn' },
    })
    if (other.kind === 'held') other.release()
    expect(await consolidateExclusively(app.context(ledger), { isForced: true })).toMatchObject({ kind: 'done' })
  })

  it('plans again if a memory was changed meanwhile', async () => {
    mess()
    let calls = 0
    const asked = modelSaying(() => {
      if (calls++ === 0) keep({ ...memoryById(ledger, 'm-two')!, text: 'Format before every commit', version: 2 })
      return []
    })
    expect(outcomes(await consolidate(asked, { isForced: true }))).not.toContain('merged m-one m-two')
    expect(memoryById(ledger, 'm-two')!.text).toBe('Format before every commit')
  })
})

/** A context with a model that answers about every question as scripted. */
function modelSaying(pairs: (question: ModelQuestion<unknown>) => object[]): ReturnType<App['context']> {
  const context = app.context(ledger)
  return {
    ...context,
    config: { ...app.config, models: { ...app.config.models, order: ['claude', 'heuristic'] } },
    ask: async <T>(question: ModelQuestion<T>): Promise<ModelResponse<T>> => ({
      kind: 'answered',
      value: question.schema.parse({ pairs: pairs(question as ModelQuestion<unknown>) }),
      provider: 'claude',
      model: 'scripted',
      costUsd: 0,
    }),
  }
}

describe('consolidate with a model', () => {
  const near = () =>
    keep(
      memory('m-a', 'Invoices are rounded half up because the ledger of finance does so'),
      memory('m-b', 'Round invoices half up: finance books them like that in its ledger', '2026-09-02'),
      memory('m-agent', 'Invoices are rounded half even, as the ledger of finance does', '2026-09-03', {
        trust: 'agent said',
      }),
    )

  it('uses its verdicts on the shown pairs', async () => {
    near()
    const asked = modelSaying(() => [{ earlier: 'm-a', later: 'm-b', verdict: 'merge' }])
    expect(outcomes(await consolidate(asked, { isForced: true }))).toEqual(['merged m-a m-b'])
  })

  it.each([
    ['on others', { earlier: 'm-other', later: 'm-b', verdict: 'merge' }],
    ['against the word of the user', { earlier: 'm-b', later: 'm-agent', verdict: 'supersede' }],
    ['against time', { earlier: 'm-b', later: 'm-a', verdict: 'supersede' }],
  ])('does not decide %s', async (_, answer) => {
    near()
    keep(memory('m-other', 'Deploys go out on Tuesdays'))
    const asked = modelSaying(() => [answer])
    await consolidate(asked, { isForced: true })
    expect(rows().filter(({ superseded_by }) => superseded_by !== null)).toEqual([])
  })

  it('is not asked in a dry run', async () => {
    near()
    const shown: string[] = []
    const asked = modelSaying(({ text }) => {
      shown.push(text)
      return [{ earlier: 'm-a', later: 'm-b', verdict: 'merge' }]
    })
    expect(outcomes(await consolidate(asked, { isDryRun: true }))).toEqual([])
    expect(shown).toEqual([])
  })

  it('does not ask twice about kept pairs', async () => {
    near()
    const shown: string[] = []
    const asked = modelSaying(({ text }) => {
      shown.push(text)
      return [...text.matchAll(/earlier (m-\w+)[\s\S]*?later (m-\w+)/g)].map(([, earlier, later]) => ({
        earlier,
        later,
        verdict: 'keep',
      }))
    })
    await consolidate(asked, { isForced: true })
    await consolidate(asked, { isForced: true })
    expect(shown).toHaveLength(1)
  })
})

describe('verifyNames', () => {
  function git(at: string, ...args: string[]): void {
    execFileSync('git', ['-C', folder, '-c', 'user.name=dev', '-c', 'user.email=dev@example.com', ...args], {
      env: { PATH: process.env.PATH, GIT_COMMITTER_DATE: `${at}T10:00:00Z`, GIT_AUTHOR_DATE: `${at}T10:00:00Z` },
      stdio: 'ignore',
    })
  }

  function write(files: Record<string, string>): void {
    for (const [path, content] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      writeFileSync(join(folder, path), content)
    }
  }

  /** On 20 September things go away. */
  beforeEach(() => {
    mkdirSync(folder)
    git('2026-08-01', 'init', '-q', '-b', 'main')
    write({
      'src/retry.ts': 'export function retryTwice() {}\nexport const keepIt = 1\n',
      'src/http/client.ts': `${Array.from({ length: 20 }, (_, line) => `const line${line} = ${line}`).join('\n')}\n`,
      'src/mail.ts': 'function sendMail() {}\nfunction openBox() {}\n',
      'package.json': '{ "scripts": { "docs": "x", "build": "y" } }\n',
      Makefile: 'release:\n\ttrue\nclean:\n\ttrue\n',
    })
    git('2026-08-01', 'add', '-A')
    git('2026-08-01', 'commit', '-q', '-m', 'begin')
    git('2026-09-20', 'rm', '-q', 'src/retry.ts')
    mkdirSync(join(folder, 'src/net'))
    git('2026-09-20', 'mv', 'src/http/client.ts', 'src/net/fetcher.ts')
    write({
      'src/mail.ts': 'function openBox() {}\n',
      'package.json': '{ "scripts": { "build": "y" } }\n',
      Makefile: 'clean:\n\ttrue\n',
    })
    git('2026-09-20', 'add', '-A')
    git('2026-09-20', 'commit', '-q', '-m', 'tidy')
    const project = upsertProject(ledger, namedProject(folder, 'repository', { aliases: {}, domains: {} }))
    ledger
      .sql('INSERT INTO sessions (uid, agent, project, cwd, captured_at) VALUES (?, ?, ?, ?, ?)')
      .run('claude-code:s1', 'claude-code', project, folder, '2026-09-01T10:00:00.000Z')
  })

  const doubtOf = async (text: string, day = '2026-09-01', more: Partial<Memory> = {}) => {
    keep(memory('m-1', text, day, more))
    await forced()
    return memoryById(ledger, 'm-1')!.doubt
  }

  it.each([
    ['a file', 'Backoff is decided in src/retry.ts', 'src/retry.ts is gone since 2026-09-20'],
    ['a file by its name', 'Backoff is decided in retry.ts', 'retry.ts is gone since 2026-09-20'],
    ['a file that was moved', 'See src/http/client.ts', 'src/http/client.ts is src/net/fetcher.ts since 2026-09-20'],
    ['a symbol', 'Mails go out through `sendMail()`', '`sendMail` is gone from the code since 2026-09-20'],
    ['a script', 'Docs: `npm run docs`', 'the script docs is gone from package.json since 2026-09-20'],
    ['a target', 'Publish with `make release`', 'the target release is gone from the Makefile since 2026-09-20'],
    [
      'two at once',
      '`retryTwice` in src/retry.ts',
      'src/retry.ts is gone since 2026-09-20; `retryTwice` is gone from the code since 2026-09-20',
    ],
  ])('makes doubtful what names something that is gone: %s', async (_, text, doubt) => {
    expect(await doubtOf(text)).toBe(doubt)
  })

  it.each([
    ['what is there', 'See src/mail.ts, `openBox()`, `npm run build`, `make clean` and Makefile'],
    ['what was never there', 'Put it in src/plans.ts, call `planAhead()`, `npm run plan`'],
    ['what was to go', 'Delete src/retry.ts when `retryTwice` has no callers'],
    ['what is forbidden', 'Never call `sendMail()`'],
    ['what lies outside', 'Look at /src/retry.ts, ../src/retry.ts and ~/src/retry.ts'],
  ])('says nothing against %s', async (_, text) => {
    expect(await doubtOf(text)).toBeNull()
  })

  describe('of memories for all projects', () => {
    const everywhere = (because: Memory['because'] = 'model'): Partial<Memory> => ({
      ...{ project: null, because },
      evidence: [{ session: 'claude-code:s1', event: 'e1', quote: '' }],
    })

    it.each([
      ['a file', 'Keep src/mail.ts short', 'it is for all projects but names src/mail.ts of app'],
      ['a symbol', 'Never call `openBox()` twice', 'it is for all projects but names `openBox` of app'],
    ])('says which name of one project a model overlooked: %s', async (_, text, doubt) => {
      expect(await doubtOf(text, '2026-09-01', everywhere())).toBe(doubt)
      expect(memoryById(ledger, 'm-1')!.project).toBeNull()
    })

    it.each([
      ['products and common words', 'Prefer `TypeScript` and GitHub, macOS and/or snake_case'],
      ['files that every project may have', 'Keep README.md and src/index.ts short'],
      ['what is not there', 'Put plans into docs/plans.md and call `planAhead()`'],
    ])('says nothing against %s', async (_, text) => {
      write({ 'README.md': 'TypeScript on GitHub', 'src/index.ts': '' })
      expect(await doubtOf(text, '2026-09-01', everywhere())).toBeNull()
    })

    it('does not question a person', async () =>
      expect(await doubtOf('Keep src/mail.ts short', '2026-09-01', everywhere('person'))).toBeNull())
  })

  it('does not doubt memories confirmed after the commit', async () => {
    expect(await doubtOf('Backoff is decided in src/retry.ts', '2026-09-21')).toBeNull()
  })

  it('does not doubt names that another branch has', async () => {
    git('2026-09-21', 'checkout', '-q', '-b', 'mine')
    git('2026-09-21', 'rm', '-q', 'src/mail.ts')
    git('2026-09-21', 'commit', '-q', '-m', 'without mail')
    expect(await doubtOf('Mails go out through src/mail.ts and `openBox()`')).toBeNull()
  })

  it('does not doubt names that only another branch lost', async () => {
    git('2026-09-21', 'update-ref', 'refs/remotes/origin/main', 'HEAD')
    git('2026-09-21', 'checkout', '-q', '-b', 'mine')
    git('2026-09-21', 'branch', '-q', '-D', 'main')
    git('2026-09-21', 'rm', '-q', 'src/mail.ts')
    git('2026-09-21', 'commit', '-q', '-m', 'without mail')
    expect(await doubtOf('Mails go out through src/mail.ts')).toBeNull()
  })

  describe('that only stopped tracking a file', () => {
    beforeEach(() => {
      write({
        'web/dist/app.js': 'app',
        'web/local.json': '{}',
        'vendor/lib/util.c': 'int a;',
        'src/Queue.ts': 'queue',
      })
      git('2026-09-02', 'add', '-A')
      git('2026-09-02', 'commit', '-q', '-m', 'more')
    })

    it.each([
      ['what is made anew when it is needed', 'Ship web/dist/app.js', 'web/dist/app.js', 'web/dist\n', true],
      ['the same by its name', 'Ship app.js', 'web/dist/app.js', 'web/dist\n', true],
      ['what is ignored and there', 'Ports are in local.json', 'web/local.json', 'local.json\n', false],
    ])('says nothing against %s', async (_, text, path, ignored, isRemoved) => {
      write({ '.gitignore': ignored })
      git('2026-09-21', 'rm', '-q', '--cached', path)
      git('2026-09-21', 'add', '-A')
      git('2026-09-21', 'commit', '-q', '-m', 'ignore it')
      if (isRemoved) rmSync(join(folder, path))
      expect(await doubtOf(text, '2026-09-03')).toBeNull()
    })

    it('does not doubt files that are in a submodule now', async () => {
      git('2026-09-21', 'rm', '-q', '-r', 'vendor/lib')
      git('2026-09-21', 'update-index', '--add', '--cacheinfo', `160000,${'1'.repeat(40)},vendor/lib`)
      git('2026-09-21', 'commit', '-q', '-m', 'a submodule')
      expect(await doubtOf('Sizes are checked in util.c, in vendor/lib/util.c', '2026-09-03')).toBeNull()
    })

    it('does not doubt a file that only changed its case', async () => {
      git('2026-09-21', 'mv', 'src/Queue.ts', 'src/moved.ts')
      git('2026-09-21', 'mv', 'src/moved.ts', 'src/queue.ts')
      git('2026-09-21', 'commit', '-q', '-m', 'lower case')
      expect(await doubtOf('Jobs wait in src/Queue.ts', '2026-09-03')).toBeNull()
    })
  })

  it('does not depend on git settings of the user', async () => {
    git('2026-09-21', 'config', 'grep.lineNumber', 'true')
    git('2026-09-21', 'config', 'grep.column', 'true')
    git('2026-09-21', 'config', 'log.follow', 'true')
    write({ 'src/mail.ts': '', 'src/box.ts': 'function openBox() {}\n' })
    git('2026-09-21', 'add', '-A')
    git('2026-09-21', 'commit', '-q', '-m', 'a file of its own')
    expect(await doubtOf('Mails come in through `openBox()`')).toBeNull()
  })

  it('runs no program that git settings name', async () => {
    const mark = join(root, 'was-run')
    const program = join(root, 'program.sh')
    writeFileSync(program, `#!/bin/sh\ntouch ${mark}\n`, { mode: 0o755 })
    git('2026-09-21', 'rm', '-q', 'src/mail.ts')
    const gitOutput = (args: string[], input = '') =>
      execFileSync('git', ['-C', folder, ...args], { input, encoding: 'utf8' }).trim()
    const who = 'dev <dev@example.com> 1790000000 +0000'
    const commit = [
      `tree ${gitOutput(['write-tree'])}`,
      `parent ${gitOutput(['rev-parse', 'HEAD'])}`,
      `author ${who}`,
      `committer ${who}`,
      'gpgsig -----BEGIN PGP SIGNATURE-----\n \n x\n -----END PGP SIGNATURE-----',
      '\nsigned\n',
    ].join('\n')
    git('2026-09-21', 'update-ref', 'HEAD', gitOutput(['hash-object', '-t', 'commit', '-w', '--stdin'], commit))
    for (const name of ['gpg.program', 'diff.external', 'core.fsmonitor', 'core.pager'])
      git('2026-09-21', 'config', name, program)
    git('2026-09-21', 'config', 'log.showSignature', 'true')
    expect(await doubtOf('Mails go out through src/mail.ts and `openBox`')).toContain('src/mail.ts is gone')
    expect(existsSync(mark)).toBe(false)
  })

  it('does not doubt memories of other or missing projects', async () => {
    keep(memory('m-2', 'See src/retry.ts', '2026-09-01', { project: '/home/dev/other' }))
    keep(memory('m-3', 'Backoff is decided in src/retry.ts', '2026-09-01', { project: null }))
    expect(outcomes(await forced())).toEqual([])
  })

  it('removes the doubt when the name is back, and keeps it without a checkout', async () => {
    expect(await doubtOf('Backoff is decided in src/retry.ts')).not.toBeNull()
    expect(outcomes(await forced())).toEqual([])
    rmSync(join(folder, '.git'), { recursive: true })
    expect(outcomes(await forced())).toEqual([])
    write({ 'src/retry.ts': '' })
    git('2026-10-01', 'init', '-q', '-b', 'main')
    expect(outcomes(await forced())).toEqual(['trusted m-1'])
    expect(memoryById(ledger, 'm-1')!.doubt).toBeNull()
  })

  it('does not repeat a doubt that a person denied', async () => {
    await doubtOf('Backoff is decided in src/retry.ts')
    const context = app.context(ledger)
    writeMemoryFiles(context)
    const vault = join(app.layout.vault, 'memory')
    const file = readdirSync(vault, { recursive: true, encoding: 'utf8' }).find((name) => /backoff/i.test(name))!
    const content = readFileSync(join(vault, file), 'utf8')
    expect(content).toContain('doubt: "src/retry.ts is gone since 2026-09-20"\n')
    writeFileSync(join(vault, file), content.replace(/^doubt: .*\n/m, ''))
    expect(await readMemoryEdits(context)).toMatchObject({ edited: 1, problems: [] })
    expect(memoryById(ledger, 'm-1')!.doubt).toBeNull()
    expect(outcomes(await forced())).toEqual([])
  })

  it('keeps doubts of memories beyond the limit of names', async () => {
    expect(await doubtOf('Backoff is decided in src/retry.ts')).not.toBeNull()
    for (let many = 0; many < 26; many++) {
      const paths = Array.from({ length: 20 }, (_, index) => `plans/${many}/${index}.md`)
      keep(memory(`m-many-${many}`, `Plan ${many} is in ${paths.join(' ')}`, '2026-10-01'))
    }
    expect(outcomes(await forced()).filter((line) => line.includes('m-1'))).toEqual([])
    expect(memoryById(ledger, 'm-1')!.doubt).not.toBeNull()
  })

  it('does not repeat a doubt that was undone', async () => {
    await doubtOf('Backoff is decided in src/retry.ts')
    undo(person())
    expect(outcomes(await forced())).toEqual([])
  })
})
