// Memories at a prompt, as a user gets them: switched on in config.toml, installed, run by the agent's own command line.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { agents } from '../src/agents/registry.ts'
import { hookCommand, isHookCommand } from '../src/core/hook-command.ts'
import { injectedPlaceholder, stripInjected } from '../src/core/injected-text.ts'
import { openDatabase } from '../src/core/sqlite.ts'
import { writeHook } from '../src/hook/script.ts'
import { claudeSession, lines, type Place, place, recollect, sessionName } from './program.ts'
import { scaled } from './proof.ts'

const files = {
  'claude-code': ['.claude/settings.json', 'UserPromptSubmit', 5],
  codex: ['.codex/hooks.json', 'UserPromptSubmit', 5],
  'gemini-cli': ['.gemini/settings.json', 'BeforeAgent', 5000],
} as const
const settings =
  '{\r\n\t"mine":  1,\r\n\t"hooks": {\r\n\t\t"UserPromptSubmit": [\r\n\t\t\t{ "hooks": [{ "type": "command", "command": "lint" }] }\r\n\t\t]\r\n\t}\r\n}'

const places: Place[] = []
afterEach(() => {
  for (const at of places.splice(0)) at.remove()
})

describe.each(Object.entries(files))('%s', (id, [path, event, timeout]) => {
  it('installs the prompt hook when enabled and removes it byte for byte when disabled', () => {
    const at = home({ [path]: settings })
    const text = () => readFileSync(join(at.home, path), 'utf8')
    recollect(at, 'install', id, '--yes')
    const usual = text()
    expect(usual).not.toContain(`${id} prompt`)

    set(at, true)
    expect(recollect(at, 'install', id, '--dry-run', '--diff').out).toContain(`${id} prompt`)
    expect(recollect(at, 'install', id, '--yes').status).toBe(0)
    const groups = JSON.parse(text()).hooks[event]
    expect(groups.at(-1)).toEqual({ hooks: [{ type: 'command', command: command(at, id), timeout }] })
    expect(recollect(at, 'install', id, '--yes').out).toContain('Nothing to change')

    set(at, false)
    recollect(at, 'install', id, '--yes')
    expect(text()).toBe(usual)
    recollect(at, 'uninstall', id, '--yes')
    expect(text()).toBe(settings)
  })

  it.each([
    ['with its record', () => {}],
    ['without a record', (at: Place) => rmSync(join(at.store, 'installed.json'))],
    ['with a broken config.toml', (at: Place) => writeFileSync(join(at.store, 'config.toml'), '[recall')],
  ])('is removed %s', (_, lose) => {
    const at = home({ [path]: settings })
    set(at, true)
    recollect(at, 'install', id, '--yes')
    lose(at)
    recollect(at, 'uninstall', id, '--yes')
    expect(readFileSync(join(at.home, path), 'utf8')).toBe(settings)
  })
})

it('the plugin contains the prompt hook', () => {
  const at = home({})
  set(at, true)
  recollect(at, 'install', 'plugin', '--yes')
  const hooks = join(at.store, 'plugin', 'recollect', 'hooks')
  for (const [file, id] of [
    ['hooks.json', 'claude-code'],
    ['codex.json', 'codex'],
  ] as const) {
    const { UserPromptSubmit } = JSON.parse(readFileSync(join(hooks, file), 'utf8')).hooks
    expect(UserPromptSubmit[0].hooks[0].command).toBe(`${command(at, id)} plugin`)
  }
})

it('the command of the prompt hook is recognised as ours', () => {
  for (const platform of ['linux', 'win32'] as const)
    expect(
      isHookCommand(hookCommand({ root: '/home/dev/.recollect', platform, node: 'node' }, 'codex', 'prompt')),
    ).toBe(true)
})

/** The hook for machines without sh runs in `npm run test:proof`. */
const forms = [
  ['sh', 'linux'],
  ['node', 'win32'],
] as const

describe.each(forms.slice(0, scaled(1, forms.length)))('the prompt hook as %s', (_, platform) => {
  it.each(Object.entries(files))('answers %s in its format, once', (id, [, event]) => {
    const at = known(platform)
    const first = fire(at, id, typed(at))
    expect(first).toMatchObject({ status: 0, stderr: '' })
    const answer = JSON.parse(first.stdout)
    const { additionalContext } = answer.hookSpecificOutput
    expect(answer).toEqual({ hookSpecificOutput: { hookEventName: event, additionalContext } })
    expect(additionalContext).toMatch(/^<recollect-evidence source="memories" project="app" /)
    expect(additionalContext).toMatch(/^- \d{4}-\d\d-\d\d, user said, .*: Releases go out .* \[m-\w{10}\]$/m)
    expect(stripInjected(additionalContext)).toBe(injectedPlaceholder)
    expect(fire(at, id, typed(at))).toMatchObject(silent)
  })

  it.each([
    ['is switched off', (at: Place) => set(at, false)],
    ['has a broken config.toml', (at: Place) => writeFileSync(join(at.store, 'config.toml'), '[recall')],
    ['has no ledger', (at: Place) => rmSync(join(at.store, 'ledger.db'))],
    ['has a ledger that is none', (at: Place) => writeFileSync(join(at.store, 'ledger.db'), 'not a database at all')],
    ['cannot remember what it tells', (at: Place) => writeFileSync(join(at.store, 'run', 'told'), '')],
  ])('returns nothing where it %s', (_, breakIt) => {
    const at = known(platform)
    breakIt(at)
    expect(fire(at, 'claude-code', typed(at))).toMatchObject(silent)
  })

  it.each([
    ['of a subagent', { agent_id: 'a1' }, {}],
    ['that is a command', { prompt: '/release from which branch do we publish' }, {}],
    ['about something else', { prompt: 'why is the login form empty?' }, {}],
    ['of our own model calls', {}, { RECOLLECT_INTERNAL: '1' }],
    ['of Grok, which runs the hooks of others', {}, { GROK_SESSION_ID: 'g1' }],
    ['that is a probe', {}, { RECOLLECT_PROBE: '1' }],
  ])('returns nothing for a prompt %s, and leaves no file', (_, more, env) => {
    const at = known(platform)
    expect(fire(at, 'claude-code', { ...typed(at), ...more }, env)).toMatchObject(silent)
    expect(existsSync(join(at.store, 'spool'))).toBe(false)
  })

  it('returns nothing while another process locks the ledger', () => {
    const at = known(platform)
    const ledger = openDatabase(join(at.store, 'ledger.db'), {
      pragmas: ['locking_mode = EXCLUSIVE', 'journal_mode = DELETE'],
    })
    try {
      ledger.transaction(() => expect(fire(at, 'claude-code', typed(at))).toMatchObject(silent))
    } finally {
      ledger.close()
    }
  })

  it('does not wait for an agent that never closes standard input', async () => {
    const at = known(platform)
    const child = spawn('/bin/sh', ['-c', command(at, 'claude-code', platform)], {
      env: environment(at),
      stdio: ['pipe', 'pipe', 'ignore'],
    })
    child.stdin.write(JSON.stringify(typed(at)).slice(0, -1))
    expect(await outcome(child)).toEqual({ status: 0, out: '' })
  })

  it('kills a program that takes too long', () => {
    const at = known(platform)
    const slow = join(at.root, 'slow.mjs')
    writeFileSync(slow, 'for (;;) {}')
    writeHook({ root: at.store, platform, node: process.execPath, cli: slow }, agents)
    expect(fire(at, 'claude-code', typed(at))).toMatchObject(silent)
  })
})

const silent = { status: 0, stdout: '', stderr: '' }

function home(tree: Record<string, string>): Place {
  const at = place(tree)
  for (const path of Object.keys(tree)) chmodSync(join(at.home, path), 0o644)
  places.push(at)
  return at
}

function set(at: Place, isOn: boolean): void {
  mkdirSync(at.store, { recursive: true })
  writeFileSync(join(at.store, 'config.toml'), `[recall]\nper_prompt = ${isOn}\n`)
}

it('gives no brief after a compaction to a session whose user said to ignore memory', () => {
  const at = home({ 'app/.git/HEAD': 'ref: refs/heads/main\n' })
  const cwd = join(at.home, 'app')
  const folder = join(at.home, '.claude/projects/app')
  mkdirSync(folder, { recursive: true })
  const [told, other] = [sessionName(1), sessionName(2)]
  const says = (turn: number) => (turn === 0 ? 'ignore memory in this session, and repair the parser' : undefined)
  writeFileSync(join(folder, `${told}.jsonl`), lines(claudeSession(told, 2, { cwd, says })))
  writeFileSync(join(folder, `${other}.jsonl`), lines(claudeSession(other, 2, { cwd })))
  recollect(at, 'sweep')
  const briefOf = (session: string) =>
    spawnSync(process.execPath, [program, 'brief', '--hook', 'claude-code'], {
      cwd,
      env: { ...environment(at), RECOLLECT_HOME: at.store },
      input: `"session_id":"${session}"`,
      encoding: 'utf8',
    }).stdout
  expect(JSON.parse(briefOf(told))).toBe('')
  expect(JSON.parse(briefOf(other))).toContain('repair the parser')
})

/** A project of which something is known, and the hook that asks for it. */
function known(platform: 'linux' | 'win32'): Place {
  const at = home({ 'app/.git/HEAD': 'ref: refs/heads/main\n' })
  set(at, true)
  const release = 'Releases go out with pnpm publish from the release branch, never from main.'
  const remembered = spawnSync(process.execPath, [program, 'remember', release], {
    cwd: join(at.home, 'app'),
    env: { ...environment(at), RECOLLECT_HOME: at.store },
    encoding: 'utf8',
  })
  expect(remembered).toMatchObject({ status: 0 })
  writeHook({ root: at.store, platform, node: process.execPath, cli: program }, agents)
  platformOf.set(at, platform)
  return at
}

const program = join(import.meta.dirname, '..', 'dist', 'cli.js')
const platformOf = new WeakMap<Place, 'linux' | 'win32'>()

function typed(at: Place): object {
  return {
    session_id: 's1',
    transcript_path: null,
    cwd: join(at.home, 'app'),
    hook_event_name: 'UserPromptSubmit',
    prompt: 'from which branch do we publish a release?',
  }
}

function command(at: Place, id: string, platform: 'linux' | 'win32' = 'linux'): string {
  return hookCommand({ root: at.store, platform, node: process.execPath }, id, 'prompt')
}

function environment(at: Place): Record<string, string> {
  return { PATH: process.env.PATH ?? '', HOME: at.home }
}

function fire(at: Place, id: string, input: object, env: Record<string, string> = {}) {
  return spawnSync('/bin/sh', ['-c', command(at, id, platformOf.get(at))], {
    cwd: join(at.home, 'app'),
    env: { ...environment(at), ...env },
    input: JSON.stringify(input),
    encoding: 'utf8',
  })
}

function outcome(child: ChildProcess): Promise<{ status: number | null; out: string }> {
  let out = ''
  child.stdout!.setEncoding('utf8').on('data', (chunk) => (out += chunk))
  return new Promise((resolve) => child.on('close', (status) => resolve({ status, out })))
}
