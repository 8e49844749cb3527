// From a file and its lines to the sessions behind them, with real repositories and transcripts of many agents.
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type App, createApp } from '../src/app.ts'
import { fixedClock } from '../src/core/clock.ts'
import { parseConfig } from '../src/core/config/config.ts'
import { projectOf } from '../src/core/project/project.ts'
import { blame } from '../src/history/blame.ts'
import { locateFile } from '../src/history/blame-file.ts'
import { rebuild } from '../src/rebuild.ts'
import { retain } from '../src/retain/retain.ts'
import { storedBodies } from '../src/store/sessions/evictions.ts'
import { sweep } from '../src/sweep.ts'
import { keepCandidates } from './keep-candidates.ts'
import { lines, type Place, place, sessionName } from './program.ts'
import { sample } from './proof.ts'

let at: Place
let repository: string
beforeEach(() => {
  at = place()
  repository = join(at.root, 'work', 'app')
  mkdirSync(repository, { recursive: true })
  git('init', '-q', '-b', 'main')
})
afterEach(() => at.remove())

const environment = { GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null', PATH: process.env.PATH ?? '' }

function git(...args: string[]): string {
  return execFileSync('git', ['-C', repository, ...args], { env: environment, encoding: 'utf8' }).trim()
}

function write(path: string, ...content: string[]): void {
  mkdirSync(dirname(join(repository, path)), { recursive: true })
  writeFileSync(join(repository, path), `${content.join('\n')}\n`)
}

/** Commits the whole tree, at a time on the first of September. */
function commit(time: string, subject: string, author = 'Mara'): string {
  const date = `2026-09-01T${time}Z`
  git('add', '-A')
  execFileSync('git', ['-C', repository, 'commit', '-q', '-m', subject], {
    env: {
      ...environment,
      GIT_AUTHOR_NAME: author,
      GIT_AUTHOR_EMAIL: 'mara@example.com',
      GIT_COMMITTER_NAME: author,
      GIT_COMMITTER_EMAIL: 'mara@example.com',
      GIT_AUTHOR_DATE: date,
      GIT_COMMITTER_DATE: date,
    },
  })
  return git('rev-parse', 'HEAD')
}

type Step = [time: string, what: { prompt: string } | { edit: string; to: string } | { run: string; prints: string }]

/** A session of Claude Code 2.1 on that day. */
function session(index: number, steps: Step[], cwd = repository): void {
  const name = sessionName(index)
  const records = steps.flatMap(([time, what], step) => {
    const ids = { sessionId: name, cwd, version: '2.1.219', isSidechain: false }
    const record = (part: number, type: string, message: object, more: object = {}) => ({
      ...ids,
      type,
      uuid: `${name}-${step}-${part}`,
      timestamp: `2026-09-01T${time}.${part}00Z`,
      message: { role: type, ...message },
      ...more,
    })
    if ('prompt' in what) return [record(0, 'user', { content: what.prompt })]
    const call = `call-${name}-${step}`
    const isEdit = 'edit' in what
    const use = isEdit
      ? { name: 'Write', input: { file_path: what.edit, content: what.to } }
      : { name: 'Bash', input: { command: what.run } }
    const result = isEdit
      ? {
          filePath: what.edit,
          structuredPatch: [{ lines: what.to.split('\n').map((line) => `+${line}`) }],
          type: 'update',
        }
      : { stdout: what.prints, stderr: '', interrupted: false }
    return [
      record(0, 'assistant', { id: `msg-${step}`, content: [{ type: 'tool_use', id: call, ...use }] }),
      record(
        1,
        'user',
        { content: [{ type: 'tool_result', tool_use_id: call, content: isEdit ? 'Done.' : what.prints }] },
        { toolUseResult: result },
      ),
    ]
  })
  const path = join(at.home, '.claude/projects/-work-app', `${name}.jsonl`)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, lines(records))
}

function app(): App {
  const env = { RECOLLECT_HOME: at.store, ...environment }
  return createApp({
    machine: { home: at.home, env, platform: 'linux', name: 'desk' },
    clock: fixedClock('2026-09-02T00:00:00Z'),
  })
}

interface Ask {
  file?: string
  lines?: [from: number, to: number]
  project?: string
  env?: Record<string, string>
}

function ask({ file = 'src/app.ts', lines, project, env = environment }: Ask = {}) {
  const here = app()
  const ledger = here.ledger()
  try {
    const absolute = join(repository, file)
    const key = project ?? projectOf(dirname(absolute), undefined, here.config.projects).key
    const asked = project ? { path: file, absolute: null, folder: null, hasGit: false } : locateFile(absolute, key)
    const range = lines ? { lines: { from: lines[0], to: lines[1] } } : {}
    return blame({ ledger, env, project: key, file: asked }, { limit: 10, ...range })
  } finally {
    ledger.close()
  }
}

const uid = (index: number) => `claude-code:${sessionName(index)}`
const file = () => join(repository, 'src/app.ts')

describe('blame of a file', () => {
  it('lists the exchanges that changed it, latest first, with memories', async () => {
    session(1, [
      ['09:00:00', { prompt: 'Round the price down' }],
      ['09:00:10', { edit: file(), to: 'floor(price)' }],
      ['09:10:00', { prompt: "No, we always round prices up, never down. That's the law here." }],
      ['09:10:10', { edit: file(), to: 'ceil(price)\nexport' }],
      ['09:10:20', { edit: join(repository, 'README.md'), to: 'prices go up' }],
    ])
    session(2, [
      ['11:00:00', { prompt: 'Rename price to amount' }],
      ['11:00:10', { edit: file(), to: 'ceil(amount)' }],
    ])
    await sweep(app())
    keepCandidates(at)
    const found = ask()
    expect(found.sessions).toMatchObject([
      {
        session: uid(2),
        agent: 'claude-code',
        at: '2026-09-01T11:00:10.100Z',
        times: 1,
        exchanges: [{ id: `${uid(2)}#0`, asked: 'Rename price to amount', by: 'user', added: 1 }],
        isTextGone: false,
      },
      {
        session: uid(1),
        times: 2,
        added: 3,
        exchanges: [
          { id: `${uid(1)}#4`, asked: expect.stringContaining('always round prices up'), added: 2 },
          { id: `${uid(1)}#0`, asked: 'Round the price down', added: 1 },
        ],
        memories: [{ kind: 'correction', trust: 'user said', text: expect.stringContaining('round prices up') }],
      },
    ])
    expect(ask({ file: 'README.md' }).sessions).toMatchObject([{ session: uid(1), times: 1 }])
    expect(ask({ file: 'src/other.ts' })).toMatchObject({ sessions: [], total: 0 })
  })

  it('recognises the file in a worktree, a renamed checkout and a subfolder, but not in another package', async () => {
    write('src/app.ts', 'x')
    write('packages/a/src/app.ts', 'x')
    commit('08:00:00', 'Begin')
    git('remote', 'add', 'origin', 'https://example.com/dev/app.git')
    const tree = join(at.root, 'work', 'app-fix')
    git('worktree', 'add', '-q', tree)
    const old = join(at.root, 'work', 'before')
    execFileSync('git', ['clone', '-q', repository, old], { env: environment })
    execFileSync('git', ['-C', old, 'remote', 'set-url', 'origin', 'git@example.com:dev/app.git'], { env: environment })
    const asked: Step = ['09:00:00', { prompt: 'Change it' }]
    session(1, [asked, ['09:01:00', { edit: join(tree, 'src/app.ts'), to: '1' }]], tree)
    session(2, [asked, ['09:02:00', { edit: join(old, 'src/app.ts'), to: '2' }]], old)
    session(3, [asked, ['09:03:00', { edit: 'app.ts', to: '3' }]], join(repository, 'src'))
    session(4, [asked, ['09:04:00', { edit: join(repository, 'packages/a/src/app.ts'), to: '4' }]])
    await sweep(app())
    renameSync(old, join(at.root, 'work', 'after'))
    git('worktree', 'remove', '--force', tree)
    expect(ask().sessions.map(({ session }) => session)).toEqual([uid(3), uid(2), uid(1)])
    expect(ask({ file: 'packages/a/src/app.ts' }).sessions.map(({ session }) => session)).toEqual([uid(4)])
  })

  it('works after the text was deleted', async () => {
    session(1, [
      ['09:00:00', { prompt: 'Round the price down' }],
      ['09:00:10', { edit: file(), to: 'floor(price)' }],
    ])
    await sweep(app())
    letGo()
    const gone = {
      session: uid(1),
      at: '2026-09-01T09:00:10.100Z',
      times: 1,
      added: 1,
      exchanges: [{ id: uid(1), asked: 'Round the price down', by: 'user' }],
      isTextGone: true,
    }
    expect(ask().sessions).toMatchObject([gone])
    const here = app()
    const ledger = here.ledger()
    await rebuild(here, ledger, () => {})
    ledger.close()
    expect(ask().sessions).toMatchObject([gone])
  })

  it('counts the same after growth and after a rebuild', async () => {
    const steps: Step[] = [
      ['09:00:00', { prompt: 'Change it' }],
      ['09:00:10', { edit: file(), to: 'one' }],
    ]
    session(1, steps)
    await sweep(app())
    session(1, [...steps, ['09:05:00', { prompt: 'Again' }], ['09:05:10', { edit: file(), to: 'two\nlines' }]])
    await sweep(app())
    const before = ask()
    expect(before.sessions).toMatchObject([
      { times: 2, added: 3, exchanges: [{ asked: 'Again' }, { asked: 'Change it' }] },
    ])
    const here = app()
    const ledger = here.ledger()
    await rebuild(here, ledger, () => {})
    ledger.close()
    expect(ask()).toEqual(before)
  })
})

function letGo(): void {
  const here = app()
  const ledger = here.ledger()
  const later = fixedClock('2027-09-01T00:00:00Z')
  const config = parseConfig('[retain]\nmax_age_days = 45', 'test')
  retain({ ledger, clock: later, config, isConfirmed: true, digestRemaining: () => {} })
  expect(storedBodies(ledger)).toEqual([])
  ledger.close()
}

describe('blame of lines', () => {
  it('finds the session that made the commit, by hash or by time', async () => {
    write('src/app.ts', 'const rate = 1')
    const first = commit('09:00:20', 'Add a rate')
    write('src/app.ts', 'const rate = 1', 'const tax = 2')
    commit('10:00:20', 'Add a tax')
    session(1, [
      ['09:00:00', { prompt: 'Add a rate' }],
      ['09:00:10', { edit: file(), to: 'const rate = 1' }],
      [
        '09:00:20',
        { run: 'git commit -am "Add a rate"', prints: `[main ${first.slice(0, 7)}] Add a rate\n 1 file changed` },
      ],
    ])
    // What it prints was another hash then: the commit has been rebased since.
    session(2, [
      ['10:00:00', { prompt: 'Add a tax' }],
      ['10:00:10', { edit: file(), to: 'const tax = 2' }],
      ['10:00:20', { run: 'npm test && git commit -am "Add a tax"', prints: '[main 0123abc] Add a tax' }],
      ['10:30:00', { prompt: 'Now something else' }],
      ['10:30:10', { edit: file(), to: 'const other = 3' }],
    ])
    await sweep(app())
    expect(ask({ lines: [1, 2] }).lines).toMatchObject([
      {
        from: 1,
        to: 1,
        commit: { hash: first, subject: 'Add a rate', author: 'Mara', at: '2026-09-01T09:00:20.000Z' },
        sure: 'exact',
        sessions: [{ session: uid(1), because: 'it made this commit', asked: 'Add a rate', id: `${uid(1)}#0` }],
      },
      {
        from: 2,
        sure: 'exact',
        sessions: [{ session: uid(2), because: 'it ran git commit at that moment', asked: 'Add a tax' }],
      },
    ])
  })

  it('finds a session that edited the file before the commit, and none for lines written by hand', async () => {
    write('src/app.ts', 'const rate = 1')
    commit('09:30:00', 'By a person after a session')
    write('src/app.ts', 'const rate = 1', 'const byHand = true')
    commit('12:00:00', 'By a person alone')
    session(1, [
      ['09:00:00', { prompt: 'Add a rate' }],
      ['09:20:00', { edit: file(), to: 'const rate = 1' }],
    ])
    session(2, [
      ['15:00:00', { prompt: 'Much later' }],
      ['15:00:10', { edit: file(), to: 'const late = 1' }],
    ])
    await sweep(app())
    expect(ask({ lines: [1, 2] }).lines).toMatchObject([
      { sure: 'near', sessions: [{ session: uid(1), because: 'it wrote these lines 10 min 0 s before this commit' }] },
      { sure: 'none', commit: { subject: 'By a person alone' }, sessions: [] },
    ])
  })

  it('prefers the session that wrote the lines, and distinguishes writer and committer', async () => {
    write('src/app.ts', 'const rate = 1', 'const tax = 2')
    const made = commit('11:00:20', 'Two things')
    session(1, [
      ['09:00:00', { prompt: 'Add a rate' }],
      ['09:00:10', { edit: file(), to: 'const rate = 1' }],
    ])
    session(2, [
      ['10:00:00', { prompt: 'Add a tax' }],
      ['10:00:10', { edit: file(), to: 'const tax = 2' }],
    ])
    session(3, [
      ['11:00:00', { prompt: 'Commit what is there' }],
      ['11:00:20', { run: `git commit -am 'Two things'`, prints: `[main ${made.slice(0, 7)}] Two things` }],
    ])
    await sweep(app())
    const sessions = (line: number) => ask({ lines: [line, line] }).lines[0]!.sessions
    expect(sessions(1)).toMatchObject([
      { session: uid(3), sure: 'exact', asked: 'Commit what is there' },
      { session: uid(1), sure: 'near', asked: 'Add a rate' },
    ])
    expect(sessions(2)).toMatchObject([{ session: uid(3) }, { session: uid(2), asked: 'Add a tax' }])
  })

  it('assigns uncommitted lines to the last edit since the last commit', async () => {
    write('src/app.ts', 'const rate = 1')
    commit('09:00:00', 'Begin')
    write('src/app.ts', 'const rate = 1', 'const tax = 2')
    session(1, [
      ['08:00:00', { prompt: 'Begin' }],
      ['08:00:10', { edit: file(), to: 'const rate = 1' }],
    ])
    await sweep(app())
    expect(ask({ lines: [2, 2] }).lines).toMatchObject([{ commit: null, sure: 'none' }])
    session(2, [
      ['10:00:00', { prompt: 'Add a tax' }],
      ['10:00:10', { edit: file(), to: 'const tax = 2' }],
    ])
    await sweep(app())
    expect(ask({ lines: [2, 2] }).lines).toMatchObject([
      { commit: null, sure: 'near', sessions: [{ session: uid(2) }] },
    ])
  })

  it('follows a rename of the file', async () => {
    write('src/old.ts', 'const rate = 1', 'const tax = 2', 'const sum = 3')
    const made = commit('09:00:20', 'Begin')
    session(1, [
      ['09:00:00', { prompt: 'Begin' }],
      ['09:00:10', { edit: join(repository, 'src/old.ts'), to: 'const rate = 1\nconst tax = 2\nconst sum = 3' }],
    ])
    renameSync(join(repository, 'src/old.ts'), file())
    commit('10:00:00', 'Rename')
    await sweep(app())
    expect(ask({ lines: [1, 3] })).toMatchObject({
      total: 0,
      lines: [
        { from: 1, to: 3, commit: { hash: made }, sure: 'near', sessions: [{ session: uid(1), asked: 'Begin' }] },
      ],
    })
  })

  it('finds a session whose text was deleted', async () => {
    write('src/app.ts', 'const rate = 1')
    commit('09:30:00', 'Begin')
    session(1, [
      ['09:00:00', { prompt: 'Add a rate' }],
      ['09:20:00', { edit: file(), to: 'const rate = 1' }],
    ])
    await sweep(app())
    letGo()
    expect(ask({ lines: [1, 1] }).lines).toMatchObject([
      { sure: 'near', sessions: [{ session: uid(1), id: uid(1), asked: '', by: null }] },
    ])
  })

  it.each([
    ['git', { PATH: '/nowhere' }, () => {}, 'git is not installed'],
    ['a repository', environment, () => rmSync(join(repository, '.git'), { recursive: true }), 'no git repository'],
    ['a commit of the file', environment, () => {}, 'no such path'],
    ['that line', environment, () => commit('08:00:00', 'Begin'), 'file src/app.ts has only 1 line'],
  ])('falls back to the file without %s', async (_, env, change, note) => {
    write('src/app.ts', 'const rate = 1')
    session(1, [
      ['09:00:00', { prompt: 'Add a rate' }],
      ['09:00:10', { edit: file(), to: 'const rate = 1' }],
    ])
    write('README.md', 'x')
    git('add', 'README.md')
    git('-c', 'user.name=m', '-c', 'user.email=m@example.com', 'commit', '-q', '-m', 'Read me')
    await sweep(app())
    change()
    expect(ask({ lines: [9, 9], env })).toMatchObject({
      lines: [],
      notes: [expect.stringContaining(note)],
    })
  })
})

describe('blame with every agent', () => {
  const fixtures = join(import.meta.dirname, 'agents', 'fixtures')
  const agents = ['claude-code', 'codex', 'gemini-cli', 'qwen-code', 'cline', 'droid', 'pi', 'kimi', 'grok', 'roo-code']

  beforeEach(async () => {
    for (const agent of agents) cpSync(join(fixtures, agent, 'home'), at.home, { recursive: true })
    mkdirSync(at.store, { recursive: true })
    const folders = ['/home/dev/tidepool', '/home/mira/tidepool', '/srv/tidepool', 'example.com/mara/tidepool']
    const aliases = folders.map((folder) => `"${folder}" = "tidepool"`).join('\n')
    writeFileSync(join(at.store, 'config.toml'), `[projects.aliases]\n${aliases}\n`)
    await sweep(app())
  })

  const touched: [string, string, string[]][] = [
    ['src/tides.ts', 'tidepool', ['qwen-code', 'claude-code']],
    ['src/chart.ts', 'tidepool', ['droid', 'cline']],
    ['src/clock.ts', 'tidepool', ['codex']],
    ['src/table.ts', 'tidepool', ['grok']],
    ['harbour.html', 'tidepool', ['gemini-cli']],
    ['src/lamp.ts', '/srv/lantern', ['pi']],
    ['corals.txt', '/srv/reef', ['kimi']],
    ['docs/glossary.md', '/home/mira/almanac', ['roo-code']],
  ]
  it.each(sample(touched, 2))('%s of %s was touched by %j', (file, project, expected) => {
    const { sessions } = ask({ file, project })
    expect(sessions.map(({ agent }) => agent)).toEqual(expected)
    for (const { exchanges, isTextGone } of sessions) {
      expect(isTextGone).toBe(false)
      expect(exchanges.every(({ asked }) => asked !== '')).toBe(true)
    }
  })

  it('has a row for every file in a digest', () => {
    const ledger = app().ledger()
    const digested = ledger
      .sql(`SELECT d.session, f.key AS path, f.value ->> 'times' AS times, f.value ->> 'added' AS added
            FROM digests d, json_each(unpack_json(d.state), '$.files') f ORDER BY 1, 2`)
      .all()
    const touched = ledger.sql('SELECT session, path, times, added FROM touched ORDER BY 1, 2').all()
    ledger.close()
    expect(touched.length).toBeGreaterThan(20)
    expect(touched).toEqual(digested)
  })
})
