// Settings and places of the store that are wrong or open: a sweep goes on and says so.
import { chmodSync, mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createApp } from '../src/app.ts'
import { machineChecks } from '../src/doctor/machine.ts'
import { type TestHome, testHome } from './corpus/home.ts'
import { claudeSession, lines, recollect, sessionName } from './program.ts'

let home: TestHome
const store = () => join(home.path, '.recollect')
const session = (index: number, cwd: string) =>
  home.write(`.claude/projects/-a/${sessionName(index)}.jsonl`, lines(claudeSession(sessionName(index), 2, { cwd })))
beforeEach(() => {
  home = testHome()
})
afterEach(() => home.remove())

describe('an unknown time zone', () => {
  beforeEach(() => {
    home.write('.recollect/config.toml', '[display]\nzone = "Europe/Atlantis"\n')
    session(1, '/home/dev/app')
  })

  it('SPEC A.33: is a warning, and the zone of the machine is used', async () => {
    const report = await home.sweep()
    expect(report).toMatchObject({ ingested: 1, failed: [], failedStages: [] })
    expect(machineChecks.config!(createApp({ machine: home.machine }))).toMatchObject({
      ok: false,
      detail: `${store()}/config.toml: unknown time zone "Europe/Atlantis"; the one of this machine is used`,
    })
  })

  it('SPEC A.33: is named by the command', () => {
    const at = { root: home.path, home: home.path, store: store(), env: {}, remove() {} }
    const swept = recollect(at, 'sweep')
    expect(swept).toMatchObject({ status: 0, err: expect.stringContaining('unknown time zone "Europe/Atlantis"') })
  })
})

describe('sessions of models that were asked by Recollect', () => {
  it('are not captured, by the name of the folder or by its real path', async () => {
    mkdirSync(join(home.path, 'data'), { mode: 0o700 })
    symlinkSync(join(home.path, 'data'), store())
    mkdirSync(join(home.path, 'data', 'run', 'judge'), { recursive: true })
    session(1, join(store(), 'run', 'judge'))
    session(2, join(home.path, 'data', 'run', 'judge'))
    session(3, join(store(), 'run', 'judge', 'inner'))
    session(4, '/home/dev/run/judge')
    await home.sweep()
    expect(home.sessions().map(({ id }) => id)).toEqual([`claude-code:${sessionName(4)}`])
  })
})

describe.skipIf(process.platform === 'win32')('the folder of the store', () => {
  const mode = () => statSync(store()).mode & 0o7777

  it('is closed to other users if it was open and is ours', async () => {
    mkdirSync(store())
    chmodSync(store(), 0o777)
    await home.sweep()
    expect(mode()).toBe(0o700)
  })

  it('stays as it is if it holds files of others or is for everybody', async () => {
    mkdirSync(store())
    writeFileSync(join(store(), 'thesis.txt'), '')
    chmodSync(store(), 0o755)
    await home.sweep()
    expect(mode()).toBe(0o755)
  })

  it('stays as it is if everybody may write to it on purpose', async () => {
    mkdirSync(store())
    chmodSync(store(), 0o1777)
    await home.sweep()
    expect(mode()).toBe(0o1777)
  })
})
