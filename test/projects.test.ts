// Projects of sessions in folders that are gone, from transcripts to briefs, and in ledgers of earlier versions.
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type App, createApp } from '../src/app.ts'
import { fixedClock } from '../src/core/clock.ts'
import { projectFolder } from '../src/core/vault/files.ts'
import { findBrief } from '../src/hook/find-brief.ts'
import { rebuild } from '../src/rebuild.ts'
import type { Ledger } from '../src/store/ledger.ts'
import { changeMemories } from '../src/store/memories/changes.ts'
import { memoryFiles } from '../src/store/memories/files.ts'
import { memoryById } from '../src/store/memories/memories.ts'
import { hasSessionsToLocate, upsertProject } from '../src/store/sessions/projects.ts'
import { listSessions } from '../src/store/sessions/sessions.ts'
import { sweep } from '../src/sweep.ts'
import { claudeSession, lines, type Place, place, recollect, sessionName } from './program.ts'
import { sampleMemory } from './sample-memory.ts'

const root = '/home/ada/code/tide'
const [first, second] = [`${root}/.worktrees/1`, `${root}/.worktrees/2`]

let at: Place
beforeEach(() => {
  at = place()
})
afterEach(() => at.remove())

describe('a sweep', () => {
  it('gives worktrees that are gone the project of their repository', async () => {
    session(1, first)
    session(2, second)
    session(3, root)
    await swept()
    expect(projects()).toEqual([['tide', root, 3]])
    expect(findBrief(at.store, second)).toContain('tide')
  })

  it('finds the remote in what git printed, for all worktrees', async () => {
    session(1, first)
    session(2, second, pushTo('github.com:acme/tide.git'))
    await swept()
    expect(projects()).toEqual([['tide', 'github.com/acme/tide', 2]])
  })

  it('finds it when it is printed later, and moves what was there before', async () => {
    session(1, first)
    await swept()
    expect(projects()).toEqual([['tide', root, 1]])
    session(1, first, pushTo('github.com:acme/tide.git'))
    await swept()
    expect(projects()).toEqual([['tide', 'github.com/acme/tide', 1]])
  })

  it('considers a session again that has gone to another folder', async () => {
    session(1, '/home/ada/code/tide', pushTo('github.com:acme/tide.git'))
    session(2, '/home/ada/code/reef')
    await swept()
    session(2, '/home/ada/code/reef', [moved(second)])
    await swept()
    expect(projects()).toEqual([['tide', 'github.com/acme/tide', 2]])
  })

  it('names projects so that they can be told apart, and renames the brief of one that is not alone any more', async () => {
    session(1, '/home/ada/work/cli')
    await swept()
    expect(projects()).toEqual([['cli', '/home/ada/work/cli', 1]])
    session(2, '/home/ada/play/cli')
    await swept()
    expect(projects()).toEqual([
      ['play/cli', '/home/ada/play/cli', 1],
      ['work/cli', '/home/ada/work/cli', 1],
    ])
    expect(findBrief(at.store, '/home/ada/work/cli')).toContain('project=\\"work/cli\\"')
  })

  it('has nothing to assign when nothing was captured', async () => {
    session(1, first)
    await swept()
    expect(inLedger(hasSessionsToLocate)).toBe(false)
    await swept()
    expect(inLedger(hasSessionsToLocate)).toBe(false)
  })
})

describe('commands', () => {
  beforeEach(async () => {
    session(1, '/home/ada/work/cli')
    session(2, '/home/ada/play/cli')
    await swept()
  })

  it('accept the names that they show', () => {
    const { out } = recollect(at, 'sessions', '--project', 'work/cli', '--json')
    expect(JSON.parse(out)).toMatchObject([{ project: '/home/ada/work/cli', projectName: 'work/cli' }])
  })

  it('list the names to choose from if one is ambiguous', () => {
    const { status, err } = recollect(at, 'sessions', '--project', 'cli')
    expect(status).not.toBe(0)
    expect(err).toContain('"cli" is the name of 2 projects')
    expect(err).toContain('Choose one: play/cli, work/cli')
  })
})

describe('a ledger in which worktrees are projects', () => {
  beforeEach(async () => {
    session(1, first)
    session(2, second)
    session(3, root)
    await swept()
    inLedger(asEarlierVersion)
    await swept()
  })

  it('gets the repository as project, with memories, their files and the brief', async () => {
    expect(projects()).toHaveLength(3)
    expect(existsSync(vault('memory', projectFolder(first), 'MEMORY.md'))).toBe(true)
    writeFileSync(vault('memory', projectFolder(second), 'by-hand.md'), 'The gauge is read every minute.\n')
    appendFileSync(vault('memory', projectFolder(second), 'MEMORY.md'), 'Ask Ben about the gauge.\n')
    await updated()
    expect(projects()).toEqual([['tide', root, 3]])
    expect(inLedger((ledger) => ['m-one', 'm-two'].map((id) => memoryById(ledger, id)))).toMatchObject([
      { project: root, state: 'kept' },
      { project: root, state: 'kept' },
    ])
    const names = readdirSync(vault('memory', projectFolder(root)))
    expect(names).toHaveLength(4) // the index, the two memories, and the one by hand
    expect(readdirSync(vault('memory'))).toEqual([projectFolder(root)])
    const index = readFileSync(vault('memory', projectFolder(root), 'MEMORY.md'), 'utf8')
    expect(index.match(/Ask Ben about the gauge/g)).toHaveLength(1)
    expect(inLedger(memoryFiles).every(({ path }) => path.startsWith(`memory/${projectFolder(root)}/`))).toBe(true)
    expect(findBrief(at.store, first)).toContain('Tests need a tide table')
    expect(findBrief(at.store, second)).toContain('Tests need a tide table')
    expect(readFileSync(vault('journal', '2026-09-01.md'), 'utf8')).not.toContain(projectFolder(first))
  })

  it('stays as it is in the next sweep', async () => {
    await updated()
    const before = inLedger(snapshot)
    await swept()
    inLedger((ledger) => ledger.raw.exec('UPDATE sessions SET located_through = 0'))
    await swept()
    expect(inLedger(snapshot)).toEqual(before)
  })

  it('is the same after a rebuild', async () => {
    await updated()
    const before = inLedger(snapshot)
    const ledger = app().existingLedger()
    await rebuild(app(), ledger, () => {})
    ledger.close()
    expect(inLedger(snapshot)).toEqual(before)
  })

  it('moves memories of a worktree in which no session is known', async () => {
    inLedger((ledger) => remember(ledger, 'm-three', `${root}/.worktrees/3`, 'The pump is on pin 4'))
    await updated()
    expect(inLedger((ledger) => memoryById(ledger, 'm-three'))?.project).toBe(root)
  })

  /** As before projects were assigned by other sessions: each folder is a project. */
  function asEarlierVersion(ledger: Ledger): void {
    ledger.transaction(() => {
      for (const cwd of [first, second, root]) {
        const id = upsertProject(ledger, { key: cwd, kind: 'folder', domain: null })
        ledger.sql('UPDATE sessions SET project = ? WHERE cwd = ?').run(id, cwd)
      }
    })
    remember(ledger, 'm-one', first, 'Tests need a tide table')
    remember(ledger, 'm-two', second, 'The gauge is on port 7718')
  }

  async function updated(): Promise<void> {
    inLedger((ledger) => ledger.raw.exec('UPDATE sessions SET located_through = 0'))
    await swept()
  }
})

it('a rebuild applies new aliases and domains', async () => {
  session(1, first)
  session(2, '/home/ada/code/reef')
  await swept()
  writeFileSync(
    join(at.store, 'config.toml'),
    `[projects.aliases]\n"${root}" = "acme/tide"\n[projects.domains]\n"/home/ada/code/*" = "work"\n`,
  )
  const ledger = app().existingLedger()
  await rebuild(app(), ledger, () => {})
  ledger.close()
  expect(projects()).toEqual([
    ['reef', '/home/ada/code/reef', 1],
    ['tide', 'acme/tide', 1],
  ])
  expect(inLedger((one) => listSessions(one, { domain: 'work' })).map(({ project }) => project)).toEqual([
    '/home/ada/code/reef',
  ])
})

function remember(ledger: Ledger, id: string, project: string, text: string): void {
  const change = { at: '2026-09-02T12:00:00.000Z', kind: 'remembered' as const, about: 'a test' }
  ledger.transaction(() => changeMemories(ledger, change, [sampleMemory({ id, project, text })]))
}

function snapshot(ledger: Ledger): unknown {
  return ['projects', 'memories', 'changes', 'memory_files'].map((table) =>
    ledger
      .sql(`SELECT * FROM ${table}`)
      .all()
      .map(({ id: _, hash: __, stamp: ___, ...row }) => row),
  )
}

function session(index: number, cwd: string, more: object[] = []): void {
  const path = join(at.home, '.claude', 'projects', `-${index}`, `${sessionName(index)}.jsonl`)
  const own = { sessionId: sessionName(index), cwd, version: '2.1.219', isSidechain: false }
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(
    path,
    lines([...claudeSession(sessionName(index), 2, { cwd }), ...more.map((record) => ({ ...own, ...record }))]),
  )
}

function moved(relocatedCwd: string): object {
  return { type: 'relocated', uuid: 'moved-1', timestamp: '2026-09-01T12:00:00.000Z', relocatedCwd }
}

function pushTo(url: string): object[] {
  const timestamp = '2026-09-01T11:00:00.000Z'
  const call = { type: 'tool_use', id: 'toolu_push', name: 'Bash', input: { command: 'git push 2>&1 | tail -3' } }
  const content = `To ${url}\n   1234567..89abcde  fix -> fix`
  return [
    { type: 'assistant', uuid: 'push-1', timestamp, message: { id: 'msg-push', role: 'assistant', content: [call] } },
    {
      type: 'user',
      uuid: 'push-2',
      timestamp,
      message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_push', content }] },
    },
  ]
}

function projects(): [name: string, key: string, sessions: number][] {
  const sessions = inLedger((ledger) => listSessions(ledger))
  const byKey = Map.groupBy(sessions, ({ project }) => project)
  return [...byKey]
    .map(([key, some]): [string, string, number] => [some[0]!.projectName!, key!, some.length])
    .sort(([, a], [, b]) => (a < b ? -1 : 1))
}

function app(): App {
  const machine = { home: at.home, env: { RECOLLECT_HOME: at.store }, platform: 'linux' as const }
  return createApp({ machine, clock: fixedClock('2026-09-08T12:00:00Z') })
}

async function swept(): Promise<void> {
  const done = await sweep(app())
  if (done.kind === 'busy') throw new Error('another sweep is running')
  expect(done.report.failedStages).toEqual([])
}

function inLedger<T>(use: (ledger: Ledger) => T): T {
  const ledger = app().existingLedger()
  try {
    return use(ledger)
  } finally {
    ledger.close()
  }
}

function vault(...path: string[]): string {
  return join(at.store, 'vault', ...path)
}
