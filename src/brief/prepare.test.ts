import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { claudeSession, lines, type Place, place, sessionName } from '../../test/program.ts'
import { type App, createApp } from '../app.ts'
import { fixedClock } from '../core/clock.ts'
import { projectFolder } from '../core/vault/files.ts'
import type { SweepReport } from '../pipeline.ts'
import { projectKeys } from '../store/sessions/projects.ts'
import { deleteSession, openSession } from '../store/sessions/sessions.ts'
import { sweep } from '../sweep.ts'
import { prepareBriefs } from './prepare.ts'

let at: Place
/** A folder for projects; in what is expected it is called `~`. */
let work: string
beforeEach(() => {
  at = place()
  work = join(at.root, 'work')
})
afterEach(() => at.remove())

describe('prepareBriefs writes pointers', () => {
  it('in a plain folder: there', async () => {
    session(1, folder('notes'))
    await swept()
    expect(pointers()).toEqual({ 'folders~/notes': '~/notes' })
  })

  it('in a subfolder of a repository: there, and at the root', async () => {
    repository('app')
    session(1, folder('app/src/parser'))
    await swept()
    expect(pointers()).toEqual({ 'folders~/app': '~/app', 'folders~/app/src/parser': '~/app' })
  })

  it('in a worktree: there, and at the repository that it was made from', async () => {
    repository('app')
    worktree('app', 'tree')
    session(1, folder('tree/src'))
    await swept()
    expect(pointers()).toEqual({ 'folders~/app': '~/app', 'folders~/tree': '~/app', 'folders~/tree/src': '~/app' })
  })

  it('in a clone: there, and under its remote', async () => {
    repository('app', 'git@github.com:dev/app.git')
    session(1, folder('app'))
    await swept()
    expect(pointers()).toEqual({
      'folders~/app': 'github.com/dev/app',
      'remotes/github.com/dev/app': 'github.com/dev/app',
    })
  })

  it('in a folder that is gone: there', async () => {
    session(1, join(work, 'gone', 'app'))
    await swept()
    expect(pointers()).toEqual({ 'folders~/gone/app': '~/gone/app' })
  })

  it('on Windows: under the letter of the drive', async () => {
    session(1, String.raw`C:\Users\dev\app`)
    await swept()
    expect(pointers()).toEqual({ 'folders/C/Users/dev/app': String.raw`C:\Users\dev\app` })
  })

  it('in several clones: in each of them the same', async () => {
    repository('one', 'https://github.com/dev/app')
    repository('two', 'https://github.com/dev/app')
    session(1, folder('one'))
    session(2, folder('two'))
    await swept()
    expect(Object.keys(pointers())).toEqual(['folders~/one', 'folders~/two', 'remotes/github.com/dev/app'])
    expect(briefs()).toEqual(['github.com/dev/app'])
  })

  it('in a folder that became a clone: the one of the clone from then on', async () => {
    session(1, folder('app'))
    await swept()
    repository('app', 'https://github.com/dev/app')
    session(2, folder('app'))
    await swept()
    expect(pointers()['folders~/app']).toBe('github.com/dev/app')
  })

  it('in a clone inside of another one, which is gone: nothing for the outer one', async () => {
    repository('app', 'https://github.com/dev/app')
    repository('app/tmp/other', 'https://github.com/dev/other')
    session(1, folder('app'))
    session(2, folder('app/tmp/other'))
    await swept()
    rmSync(join(work, 'app', 'tmp'), { recursive: true })
    session(2, join(work, 'app', 'tmp', 'other'), 2)
    await swept()
    expect(pointers()['folders~/app']).toBe('github.com/dev/app')
  })

  it('in a clone with another name given by the user: under its remote as well', async () => {
    mkdirSync(at.store, { recursive: true })
    writeFileSync(join(at.store, 'config.toml'), '[projects.aliases]\n"github.com/dev/app" = "the app"\n')
    repository('app', 'https://github.com/dev/app')
    session(1, folder('app'))
    await swept()
    expect(pointers()).toEqual({ 'folders~/app': 'the app', 'remotes/github.com/dev/app': 'the app' })
  })
})

describe('prepareBriefs', () => {
  beforeEach(() => session(1, folder('app')))

  it('writes a text and a JSON string, readable by the user only', async () => {
    await swept()
    const [text, json] = ['md', 'json'].map((extension) => join(store('briefs'), `${nameOf('~/app')}.${extension}`))
    expect(readFileSync(text!, 'utf8')).toMatch(/^<recollect-brief project="app" [\s\S]+<\/recollect-brief>\n$/)
    expect(JSON.parse(readFileSync(json!, 'utf8'))).toBe(readFileSync(text!, 'utf8'))
    for (const path of [text!, json!, store('briefs')]) expect(statSync(path).mode & 0o077).toBe(0)
  })

  it('rewrites only the brief of the project whose session grew', async () => {
    session(2, folder('other'))
    expect((await swept()).briefs).toBe(2)
    for (const project of ['~/app', '~/other']) writeFileSync(pathOf(project), 'as it was')
    session(2, folder('other'), 2)
    expect((await swept()).briefs).toBe(1)
    expect(readFileSync(pathOf('~/app'), 'utf8')).toBe('as it was')
    expect(readFileSync(pathOf('~/other'), 'utf8')).toContain(`answer 1`)
    expect((await swept()).briefs).toBe(0)
  })

  it('writes the brief in the next sweep after a killed one', async () => {
    await swept()
    inLedger(({ ledger }) => ledger.raw.exec('INSERT INTO briefs_due SELECT id FROM projects'))
    rmSync(pathOf('~/app'))
    expect((await swept()).briefs).toBe(1)
    expect(briefs()).toEqual(['~/app'])
  })

  it('rewrites all briefs when their folder was deleted', async () => {
    session(2, folder('other'))
    await swept()
    rmSync(store('briefs'), { recursive: true })
    session(2, folder('other'), 2)
    expect((await swept()).briefs).toBe(2)
    expect(briefs()).toEqual(['~/app', '~/other'])
    expect(Object.keys(pointers())).toEqual(['folders~/app', 'folders~/other'])
  })

  it('writes every brief when no session is named', async () => {
    session(2, folder('other'))
    await swept()
    for (const project of briefs()) rmSync(pathOf(project))
    expect(inLedger((context) => prepareBriefs(context))).toBe(2)
    expect(briefs()).toEqual(['~/app', '~/other'])
  })

  it('writes no brief for a project without content', async () => {
    write(2, folder('silent'), claudeSession(sessionName(2), 1, { cwd: folder('silent') }).slice(0, 1))
    await swept()
    expect(briefs()).toEqual(['~/app'])
    expect(pointers()).toEqual({ 'folders~/app': '~/app' })
  })

  it('deletes the brief when nothing is left', async () => {
    await swept()
    inLedger((context) => {
      const { ledger } = context
      deleteSession(ledger, openSession(ledger, `claude-code:${sessionName(1)}`, 'claude-code', '').id)
      prepareBriefs(context)
    })
    expect(briefs()).toEqual([])
    expect(existsSync(pathOf('~/app', 'json'))).toBe(false)
  })

  it('deletes the brief when its sessions moved to another project', async () => {
    await swept()
    repository('app', 'https://github.com/dev/app')
    session(2, folder('app'))
    await swept()
    expect(briefs()).toEqual(['github.com/dev/app'])
  })
})

describe('prepareBriefs with odd folder names', () => {
  it.each(["it's mine", 'a "b"', '$(date)', '日本語', 'a\nb', ' ', '..hidden', '-rf'])('%j', async (name) => {
    session(1, folder(name))
    await swept()
    expect(pointers()).toEqual({ [`folders~/${name}`]: `~/${name}` })
  })

  // The name of a pointer; one that no file system can hold; one that cannot be a name.
  it.each([
    ['.brief', '.brief'],
    ['300 letters', 'x'.repeat(300)],
    ['a null character', 'a\u0000b'],
  ])('%s', async (_, name) => {
    session(1, folder('app'))
    session(2, work)
    session(3, join(work, name))
    await expect(swept()).resolves.toMatchObject({ failed: [] })
    expect(briefs()).toContain('~/app')
  })
})

describe('projectFolder as name of a brief', () => {
  const odd = [
    '/home/dev/app',
    '/home/dev/App',
    '/home/dev/my app',
    '/home/dev/my-app',
    '/home/dev/it\'s "mine"',
    '/home/dev/a\nb',
    '/home/dev/../app',
    'github.com/dev/app',
    'github.com/dev.app',
    'C:\\Users\\dev\\app',
    '\\\\server\\share\\app',
    '/home/dev/日本語',
    '/home/dev/日本国',
    '/home/dev/café',
    '/home/dev/cafe\u0301',
    `/home/${'long/'.repeat(300)}a`,
    `/home/${'long/'.repeat(300)}b`,
    `/other/${'long/'.repeat(300)}a`,
    '/home/dev/con',
    '~',
    '/',
    '',
  ]

  it('is unique on every file system', () => {
    const names = odd.map((project) => projectFolder(project).toLowerCase())
    expect(new Set(names).size).toBe(odd.length)
  })

  it.each(odd)('is a safe file name: %j', (project) => {
    expect(projectFolder(project)).toMatch(/^[A-Za-z0-9.-]{1,100}$/)
    expect(projectFolder(project)).not.toMatch(/^\.|\.$/)
  })

  it.each([
    ['/home/dev/my app', 'home-dev-my-app-'],
    ['github.com/dev/app', 'github.com-dev-app-'],
    ['C:\\Users\\dev\\app', 'C-Users-dev-app-'],
    [
      '/home/dev/workspace/harbour/.worktrees/dana/fix-the-date-of-closed-sessions',
      'home--harbour-worktrees-dana-fix-the-date-of-closed-sessions-',
    ],
    [
      `/home/dev/${'one-long-word-after-another-'.repeat(4)}end`,
      'one-long-word-after-another-one-long-word-after-another-one-',
    ],
  ])('is readable: %s', (project, readable) =>
    expect(projectFolder(project)).toMatch(new RegExp(`^${readable}[0-9a-f]{8}$`)),
  )

  it.each(['/日本語', `/home/dev/.${'x'.repeat(59)}`, `/home/dev/-${'x'.repeat(59)}`])(
    'is no option and is not hidden: %j',
    (project) => expect(projectFolder(project)).toMatch(/^[A-Za-z0-9]/),
  )
})

function folder(path: string): string {
  mkdirSync(join(work, path), { recursive: true })
  return join(work, path)
}

function repository(path: string, remote?: string): void {
  mkdirSync(join(folder(path), '.git'))
  writeFileSync(join(work, path, '.git', 'config'), remote ? `[remote "origin"]\n\turl = ${remote}\n` : '')
}

function worktree(of: string, path: string): void {
  const git = join(work, of, '.git', 'worktrees', path)
  mkdirSync(git, { recursive: true })
  writeFileSync(join(git, 'commondir'), '../..\n')
  writeFileSync(join(folder(path), '.git'), `gitdir: ${git}\n`)
}

function session(index: number, cwd: string, turns = 1): void {
  write(index, cwd, claudeSession(sessionName(index), turns, { cwd }))
}

function write(index: number, cwd: string, records: object[]): void {
  const path = join(
    at.home,
    '.claude',
    'projects',
    cwd.replace(/[^A-Za-z0-9]/g, '-').slice(0, 100),
    `${sessionName(index)}.jsonl`,
  )
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, lines(records))
}

function app(): App {
  const machine = { home: at.home, env: { RECOLLECT_HOME: at.store }, platform: 'linux' as const }
  return createApp({ machine, clock: fixedClock('2026-09-08T12:00:00Z') })
}

async function swept(): Promise<SweepReport> {
  const done = await sweep(app())
  if (done.kind === 'busy') throw new Error('another sweep is running')
  return done.report
}

function inLedger<T>(use: (context: Parameters<typeof prepareBriefs>[0]) => T): T {
  const { clock, zone, existingLedger } = app()
  const ledger = existingLedger()
  try {
    return use({ ledger, clock, zone, maxQuotes: 3 })
  } finally {
    ledger.close()
  }
}

function store(...path: string[]): string {
  return join(at.store, ...path)
}

function nameOf(project: string): string {
  return projectFolder(project.replace(/^~/, work))
}

function pathOf(project: string, extension = 'md'): string {
  return store('briefs', `${nameOf(project)}.${extension}`)
}

/** The projects that have a brief. */
function briefs(): string[] {
  const names = readdirSync(store('briefs')).filter((name) => name.endsWith('.md'))
  return names.map((name) => projectNamed(name.slice(0, -3))).sort()
}

/** Where a hook looks, and the project whose brief it finds there. */
function pointers(): Record<string, string> {
  const found = readdirSync(store('briefs'), { recursive: true, encoding: 'utf8' }).filter((path) =>
    path.endsWith('/.brief'),
  )
  return Object.fromEntries(
    found.sort().map((path) => {
      const name = readFileSync(store('briefs', path), 'utf8').trim()
      return [dirname(path).replace(`folders${work}`, 'folders~'), projectNamed(name)]
    }),
  )
}

function projectNamed(name: string): string {
  const projects = inLedger(({ ledger }) => projectKeys(ledger))
  return (projects.find((key) => projectFolder(key) === name) ?? `unknown ${name}`).replace(work, '~')
}
