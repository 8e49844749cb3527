// What `recollect doctor` says about hooks, in a home of its own for every state.
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { agents } from '../src/agents/registry.ts'
import type { HookedAgent } from '../src/install/targets.ts'
import { claudeSession, type Place, place, recollect, sessionName } from './program.ts'
import { sample } from './proof.ts'

const hooked = agents.filter((agent): agent is HookedAgent => agent.hooks !== undefined)

const places: Place[] = []
afterEach(() => {
  for (const at of places.splice(0)) at.remove()
})

describe('an agent', () => {
  let at: Place
  let states: Record<'absent' | 'missing' | 'installed' | 'outdated', Checks>
  beforeAll(() => {
    at = place()
    const absent = examine(at)
    for (const { hooks } of hooked) mkdirSync(hooks.home(machine(at)), { recursive: true })
    const missing = examine(at)
    recollect(at, 'install', '--yes')
    const installed = examine(at)
    for (const agent of hooked) changeOurs(at, agent)
    states = { absent, missing, installed, outdated: examine(at) }
  })
  afterAll(() => at.remove())

  describe.each(sample(hooked, 2))('such as $name', ({ id, hooks }) => {
    const check = (state: keyof typeof states) => states[state].checks[`hooks of ${id}`]

    it('is passed over where it is not used', () => expect(check('absent')).toBeUndefined())

    it('may have no hooks', () => expect(check('missing')).toBeUndefined())

    it('passes, or fails until they are trusted', () =>
      expect(check('installed')).toEqual(
        hooks.isTrusted && hooks.afterwards
          ? { ok: false, detail: expect.stringContaining('not trusted'), fix: hooks.afterwards }
          : {
              ok: true,
              isPending: true,
              detail: 'installed; not seen yet, last session never',
              fix: `Start a session of ${id}`,
            },
      ))

    it('fails when the hooks were changed', () =>
      expect(check('outdated')).toEqual({
        ok: false,
        detail: 'changed or from another version; not seen yet, last session never',
        fix: `recollect install ${id}`,
      }))
  })

  it('says in one line which agents have no hooks, and how to install them', () => {
    const names = hooked.map(({ id }) => id).join(', ')
    expect(states.missing.checks.hooks).toEqual({
      ok: true,
      detail: `not installed in ${names} ("recollect install"); sweeps capture their sessions`,
      fix: '',
    })
    expect(states.installed.checks.hooks).toBeUndefined()
  })

  it('makes doctor exit with 1 when a check fails', () => {
    expect(states.outdated).toMatchObject({ ok: false, status: 1 })
  })
})

const withComment = (text: string) => text.replace('{', '{ // mine')
const withComma = (text: string) => text.replace(/\}\s*$/, ',}')

describe('a file that is no strict JSON', () => {
  it.each([
    ['claude-code', '.claude/settings.json', 'comment', withComment],
    ['claude-code', '.claude/settings.json', 'trailing comma', withComma],
    ['codex', '.codex/hooks.json', 'comment', withComment],
    ['codex', '.codex/hooks.json', 'trailing comma', withComma],
    ['droid', '.factory/settings.json', 'trailing comma', withComma],
    ['gemini-cli', '.gemini/settings.json', 'trailing comma', withComma],
  ])('makes the check fail, and install refuse: %s, %s with a %s', (id, path, what, spoil) => {
    const at = place({ [path]: '{\n  "hooks": {}\n}\n' })
    places.push(at)
    recollect(at, 'install', id, '--yes')
    const file = join(at.home, path)
    writeFileSync(file, spoil(readFileSync(file, 'utf8')))
    const before = readFileSync(file, 'utf8')
    const message = `the agent does not read this file because of a ${what}`
    expect(examine(at).checks[`hooks of ${id}`]).toMatchObject({
      ok: false,
      detail: expect.stringContaining(message),
      fix: expect.stringContaining(`Remove the ${what}`),
    })
    expect(recollect(at, 'install', id, '--yes')).toMatchObject({ err: expect.stringContaining(message) })
    expect(readFileSync(file, 'utf8')).toBe(before)
    expect(recollect(at, 'uninstall', id, '--yes').status).toBe(0)
    expect(readFileSync(file, 'utf8')).not.toContain('bin/hook')
  })
})

describe('the plugin alone', () => {
  it.each([
    ['claude-code', '.claude/settings.json', '{"enabledPlugins":{"recollect@recollect":true}}', true],
    ['claude-code', '.claude/settings.json', '{"enabledPlugins":{"recollect@recollect":false}}', false],
    ['gemini-cli', '.gemini/extensions/recollect/gemini-extension.json', '{}', true],
    ['codex', '.codex/config.toml', '[plugins."recollect@recollect"]\nenabled = true\n', true],
    ['codex', '.codex/config.toml', '[plugins."recollect@recollect"]\nenabled = false\n', false],
  ])('counts as installed if the agent enables it: %s, %s, %s', (id, path, content, isInstalled) => {
    const at = place({ [path]: content })
    places.push(at)
    const { checks } = examine(at)
    const { ok, detail } = checks[`hooks of ${id}`] ?? checks.hooks!
    expect(ok).toBe(true)
    expect(detail.startsWith('installed by the plugin')).toBe(isInstalled)
  })
})

describe('Codex', () => {
  /** A hook of the user stands before ours at the end of a turn. */
  const mine = '{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"lint"}]}]}}'
  const trusted = (path: string, granted: string[], more = '') =>
    granted.map((at) => `[hooks.state."${path}:${at}"]\ntrusted_hash = "sha256:0f"\n${more}`).join('\n')
  const all = ['session_start:0:0', 'stop:1:0', 'pre_compact:0:0', 'interrupt:0:0', 'session_end:0:0']

  it.each([
    ['nothing is trusted', [], '', false],
    ['everything is trusted', all, '', true],
    ['a version before the two last events has trusted all that it knows', all.slice(0, 3), '', true],
    ['one of ours is not trusted', all.slice(1), '', false],
    ["only the user's own is trusted", [...all.filter((at) => at !== 'stop:1:0'), 'stop:0:0'], '', false],
    ['the user has switched them off', all, 'enabled = false\n', false],
  ])('trust of the hooks: %s', (_, granted, more, isTrusted) => {
    const at = home({ '.codex/hooks.json': mine })
    recollect(at, 'install', 'codex', '--yes')
    const path = join(at.home, '.codex', 'hooks.json')
    writeFileSync(join(at.home, '.codex', 'config.toml'), `model = "gpt-5"\n${trusted(path, granted, more)}`)
    const check = examine(at).checks['hooks of codex']!
    expect(check.ok).toBe(isTrusted)
    expect(check.detail).toContain(
      isTrusted ? 'installed, trusted; ' : 'installed, but not trusted, so the agent does not run them',
    )
    expect(check.fix.includes('trust the hooks')).toBe(!isTrusted)
  })

  it('passes when its configuration cannot be read', () => {
    const at = home({ '.codex/hooks.json': mine, '.codex/config.toml': 'model = ' })
    recollect(at, 'install', 'codex', '--yes')
    expect(examine(at).checks['hooks of codex']).toMatchObject({
      ok: true,
      detail: expect.stringMatching(/^installed; /),
    })
  })
})

describe('hooks and sessions', () => {
  // The made-up session goes from 10:00 to 10:01 on 1 September 2026.
  it.each([
    ['that go together are good', '2026-09-01T10:01:02Z', true, 'last event 2026-09-01 10:01'],
    ['may be apart for an hour: a turn can be long', '2026-09-01T09:01:00Z', true, 'last event 2026-09-01 09:01'],
    ['that are apart for hours mean silence', '2026-09-01T06:00:00Z', false, '4 h 1 min behind the sessions'],
  ])('%s', (_, heardAt, ok, detail) => {
    const at = withSession()
    recollect(at, 'install', 'claude-code', '--yes')
    spool(at, 'claude-code.Stop.1.1', { at: heardAt })
    recollect(at, 'work')
    const check = examine(at).checks['hooks of claude-code']!
    expect(check.ok).toBe(ok)
    expect(check.detail).toContain(detail)
    expect(check.detail).toContain('last session 2026-09-01 10:01')
    expect(check.fix.startsWith('Restart the agent')).toBe(!ok)
  })

  it('from before the install say nothing about hooks that have not been run yet', () => {
    const at = withSession()
    recollect(at, 'sweep')
    recollect(at, 'install', 'claude-code', '--yes')
    expect(examine(at).checks['hooks of claude-code']).toEqual({
      ok: true,
      isPending: true,
      detail: 'installed; not seen yet, last session 2026-09-01 10:01',
      fix: 'Start a session of claude-code',
    })
  })

  it('get no tick from a plugin whose hooks were not run yet, and a cross once sessions came without them', () => {
    const at = withSession()
    mkdirSync(join(at.home, '.claude'), { recursive: true })
    writeFileSync(join(at.home, '.claude', 'settings.json'), '{"enabledPlugins":{"recollect@recollect":true}}')
    recollect(at, 'install', 'plugin', '--yes')
    recollect(at, 'sweep')
    expect(recollect(at, 'doctor').out).toMatch(/^· hooks of claude-code +installed by the plugin; not seen yet/m)
    const monthBefore = new Date('2026-08-01T10:00:00Z')
    utimesSync(join(at.store, 'bin', 'hook'), monthBefore, monthBefore)
    expect(recollect(at, 'doctor').out).toMatch(/^✗ hooks of claude-code +installed, .* behind the sessions; not seen/m)
  })

  it('from after the install show that hooks are never run', () => {
    const at = withSession()
    recollect(at, 'install', 'claude-code', '--yes')
    backdateInstall(at, '2026-08-01T10:00:00Z')
    recollect(at, 'sweep')
    expect(examine(at).checks['hooks of claude-code']).toMatchObject({ ok: false })
  })
})

describe('the spool', () => {
  const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()

  it('passes when it is empty', () =>
    expect(examine(home({})).checks.spool).toEqual({ ok: true, detail: 'no hook events waiting', fix: '' }))

  it('passes with a recent event', () => {
    const at = home({})
    spool(at, 'codex.Stop.1.1', { at: minutesAgo(1) })
    expect(examine(at).checks.spool).toEqual({
      ok: true,
      detail: expect.stringMatching(/^1 hook event waiting$/),
      fix: '',
    })
  })

  it('fails with an old event', () => {
    const at = home({})
    spool(at, 'codex.Stop.1.1', { at: minutesAgo(125) })
    spool(at, 'codex.Stop.2.1', { at: minutesAgo(1) })
    expect(examine(at).checks.spool).toEqual({
      ok: false,
      detail: '2 hook events waiting, the oldest for 2 h 5 min',
      fix: `recollect work; for the cause, see ${join(at.store, 'logs', 'work.log')}`,
    })
  })

  it('mentions unreadable events', () => {
    const at = home({})
    spool(at, 'no-such-agent.Stop.1.1', {})
    recollect(at, 'work')
    expect(examine(at).checks.spool).toEqual({
      ok: true,
      detail: `no hook events waiting; 1 unreadable event in ${join(at.store, 'spool', 'bad')}`,
      fix: '',
    })
  })

  it('mentions old and unreadable events together', () => {
    const at = home({})
    spool(at, 'no-such-agent.Stop.1.1', {})
    recollect(at, 'work')
    spool(at, 'codex.Stop.1.1', { at: minutesAgo(11) })
    const { ok, detail } = examine(at).checks.spool!
    expect(ok).toBe(false)
    expect(detail).toMatch(/^1 hook event waiting, the oldest for 11 min \d+ s; 1 unreadable event in /)
  })
})

it('a hook check that throws fails alone, without the ledger check', () => {
  const at = withSession()
  recollect(at, 'sweep')
  mkdirSync(join(at.store, 'installed.json'))
  const { checks } = examine(at)
  expect(checks.hooks).toMatchObject({ ok: false })
  expect(checks.ledger).toMatchObject({ ok: true })
})

it('fails when Claude Code has disableAllHooks', () => {
  const at = home({ '.claude/settings.json': '{"disableAllHooks": true}' })
  recollect(at, 'install', 'claude-code', '--yes')
  expect(examine(at).checks['hooks of claude-code']).toMatchObject({
    ok: false,
    fix: expect.stringContaining('disableAllHooks'),
  })
})

describe('the hook itself', () => {
  const gone = { ok: false, detail: 'is missing or starts another program', fix: 'recollect install' }

  it('is not checked when no agent has hooks', () => expect(examine(home({})).checks.hook).toBeUndefined())

  it('starts this program', () => {
    const at = home({ '.codex/config.toml': '' })
    recollect(at, 'install', 'codex', '--yes')
    const cli = join(import.meta.dirname, '..', 'dist', 'cli.js')
    expect(examine(at).checks.hook).toEqual({ ok: true, detail: `starts ${cli}`, fix: '' })
  })

  it('fails when the program was moved, until it is installed again', () => {
    const at = home({ '.codex/config.toml': '' })
    const elsewhere = join(at.root, 'elsewhere')
    installFrom(elsewhere, at)
    rmSync(elsewhere, { recursive: true })
    expect(examine(at).checks.hook).toEqual(gone)
    recollect(at, 'install', 'codex', '--yes')
    expect(examine(at).checks.hook).toMatchObject({ ok: true })
  })

  it.each(['hook', 'recollect'])('fails when bin/%s is missing', (name) => {
    const at = home({ '.codex/config.toml': '' })
    recollect(at, 'install', 'codex', '--yes')
    rmSync(join(at.store, 'bin', name))
    expect(examine(at).checks.hook).toEqual(gone)
  })

  it('is checked when only the plugin is installed', () => {
    const at = home({ '.codex/config.toml': '' })
    recollect(at, 'install', 'plugin', '--yes')
    rmSync(join(at.store, 'bin', 'hook'))
    expect(examine(at).checks.hook).toEqual(gone)
  })
})

interface Checks {
  ok: boolean
  status: number
  checks: Record<string, { ok: boolean; detail: string; fix: string }>
}

function examine(at: Place): Checks {
  const run = recollect(at, 'doctor', '--json')
  const { ok, checks } = run.json() as { ok: boolean; checks: ({ name: string } & Checks['checks'][string])[] }
  return { ok, status: run.status, checks: Object.fromEntries(checks.map(({ name, ...check }) => [name, check])) }
}

function home(files: Record<string, string | object[]>): Place {
  const at = place(files)
  places.push(at)
  return at
}

function withSession(): Place {
  return home({ [`.claude/projects/-home-dev-app/${sessionName(1)}.jsonl`]: claudeSession(sessionName(1), 2) })
}

function machine(at: Place) {
  return { home: at.home, env: {}, platform: 'linux' as const }
}

/** The first of our commands is not ours any more. */
function changeOurs(at: Place, { id, hooks }: HookedAgent): void {
  const [file] = hooks.files(machine(at), () => '')
  const text = readFileSync(file!.path, 'utf8')
  const changed = text.replace(`bin/hook' ${id} `, `bin/hook' ${id} -v `)
  expect(changed).not.toBe(text)
  writeFileSync(file!.path, changed)
}

function spool(at: Place, name: string, options: { at?: string }): void {
  const folder = join(at.store, 'spool')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, name), '.\n')
  if (options.at) utimesSync(join(folder, name), new Date(options.at), new Date(options.at))
}

function backdateInstall(at: Place, time: string): void {
  const path = join(at.store, 'installed.json')
  writeFileSync(path, readFileSync(path, 'utf8').replace(/"at": "[^"]+"/, `"at": "${time}"`))
}

function installFrom(folder: string, at: Place): void {
  cpSync(join(import.meta.dirname, '..', 'dist'), folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  const env = { PATH: process.env.PATH, HOME: at.home, RECOLLECT_HOME: at.store }
  expect(spawnSync(process.execPath, [join(folder, 'cli.js'), 'install', 'codex', '--yes'], { env }).status).toBe(0)
}
