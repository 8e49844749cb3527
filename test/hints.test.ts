// Hints at the moment of a failure or an edit, as an agent gets them: switched on in config.toml,
// installed, and run by the agent's own command line.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { agents } from '../src/agents/registry.ts'
import { hookCommand } from '../src/core/hook-command.ts'
import { injectedPlaceholder, stripInjected } from '../src/core/injected-text.ts'
import { writeHook } from '../src/hook/script.ts'
import { lines, type Place, place, recollect } from './program.ts'
import { type Step, transcriptOf } from './transcripts.ts'

const settings =
  '{\r\n\t"mine":  1,\r\n\t"hooks": {\r\n\t\t"PreToolUse": [\r\n\t\t\t{ "matcher": "Bash", "hooks": [] }\r\n\t\t]\r\n\t}\r\n}'
const files = {
  'claude-code': ['.claude/settings.json', 'PostToolUseFailure', 'Edit|MultiEdit|Write|NotebookEdit'],
  codex: ['.codex/hooks.json', 'PostToolUse', 'apply_patch'],
} as const

const places: Place[] = []
afterEach(() => {
  for (const at of places.splice(0)) at.remove()
})

function home(tree: Record<string, string> = {}): Place {
  const at = place(tree)
  places.push(at)
  return at
}

function set(at: Place, isOn: boolean): void {
  mkdirSync(at.store, { recursive: true })
  writeFileSync(join(at.store, 'config.toml'), `[hooks]\nfix = ${isOn}\n`)
}

describe.each(Object.entries(files))('%s', (id, [path, failure, editors]) => {
  it('has the hooks only while the setting is on, and is restored byte for byte', () => {
    const at = home({ [path]: settings })
    const text = () => readFileSync(join(at.home, path), 'utf8')
    recollect(at, 'install', id, '--yes')
    const usual = text()
    expect(usual).not.toContain(`${id} failure`)
    set(at, true)
    recollect(at, 'install', id, '--yes')
    const { hooks } = JSON.parse(text())
    expect(hooks[failure].at(-1)).toMatchObject({
      matcher: 'Bash',
      hooks: [{ command: expect.stringMatching(/ failure$/) }],
    })
    expect(hooks.PreToolUse.at(-1)).toMatchObject({
      matcher: editors,
      hooks: [{ command: expect.stringMatching(/ edit$/) }],
    })
    expect(recollect(at, 'install', id, '--yes').out).toContain('Nothing to change')
    set(at, false)
    recollect(at, 'install', id, '--yes')
    expect(text()).toBe(usual)
    set(at, true)
    recollect(at, 'install', id, '--yes')
    recollect(at, 'uninstall', id, '--yes')
    expect(text()).toBe(settings)
  })
})

const noLinter = 'zsh:1: command not found: golangci-lint'
const steps: Step[] = [
  { do: 'say', text: 'Run the linter.' },
  { do: 'run', command: 'golangci-lint run ./...', output: noLinter, exit: 127 },
  { do: 'run', command: 'mise exec -- golangci-lint run ./...', output: '0 issues.' },
  { do: 'run', command: 'git push', output: ' ! [rejected]  main -> main (fetch first)', exit: 1 },
  { do: 'run', command: 'git pull --rebase', output: 'Updated.' },
  { do: 'run', command: 'git push', output: 'main -> main' },
  { do: 'reply', text: 'Done.' },
]

/** A project with two fixes and decisions about two files, and the hook. */
function known(): Place & { app: string } {
  const at = home()
  const app = join(at.root, 'app')
  mkdirSync(join(app, '.git'), { recursive: true })
  set(at, true)
  const story = {
    agent: 'claude-code',
    number: 1,
    project: 'app',
    cwd: app,
    startedMs: Date.UTC(2026, 8, 1),
    steps,
  } as const
  const { path, lines: records } = transcriptOf(story)
  mkdirSync(dirname(join(at.home, path)), { recursive: true })
  writeFileSync(join(at.home, path), lines(records))
  recollect(at, 'sweep')
  recollect(at, 'remember', 'Never edit src/queue.ts by hand: it is "generated".', '--project', app)
  recollect(at, 'remember', 'Never edit config.ts by hand: it is copied from the server.', '--project', app)
  recollect(at, 'sweep')
  writeHook({ root: at.store, platform: 'linux', node: process.execPath, cli: '/nowhere/cli.js' }, agents)
  return { ...at, app }
}

function hookOf(at: Place, agent: string, moment: string): string {
  return hookCommand({ root: at.store, platform: 'linux', node: process.execPath }, agent, moment)
}

function fire(at: Place & { app: string }, agent: string, moment: string, payload: object, env: object = {}) {
  return spawnSync('/bin/sh', ['-c', hookOf(at, agent, moment)], {
    cwd: at.app,
    env: { PATH: process.env.PATH, HOME: at.home, ...env },
    input: JSON.stringify({ session_id: 's1', cwd: at.app, ...payload }),
    encoding: 'utf8',
  })
}

/** The answers of eight hooks that a shell starts at the same time. */
function fireAtOnce(at: Place & { app: string }, payload: object): string[] {
  const file = join(at.root, 'payload.json')
  writeFileSync(file, JSON.stringify({ cwd: at.app, ...payload }))
  const start = `${hookOf(at, 'claude-code', 'failure')} <'${file}' &`
  const { stdout } = spawnSync('/bin/sh', ['-c', `${`${start}\n`.repeat(8)}wait`], { cwd: at.app, encoding: 'utf8' })
  return stdout.split('\n').filter((line) => line !== '')
}

const silent = { status: 0, stdout: '', stderr: '' }
const failed = (command: string, error: string) => ({ tool_name: 'Bash', tool_input: { command }, error })
const linting = failed('cd src && golangci-lint run', `Exit code 127\n${noLinter.replace('1', '9')}`)

describe('hook', () => {
  it('tells once per session what helped with the same error', () => {
    const at = known()
    const { status, stdout, stderr } = fire(at, 'claude-code', 'failure', linting)
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    const { hookEventName, additionalContext } = JSON.parse(stdout).hookSpecificOutput
    expect(hookEventName).toBe('PostToolUseFailure')
    expect(additionalContext).toContain(
      '`golangci-lint run ./...` failed before: zsh:1: command not found: golangci-lint. It works with `mise exec --` in front.',
    )
    expect(additionalContext).toContain('session="claude-code:00000001-')
    expect(additionalContext.split('\n')).toHaveLength(1)
    expect(stripInjected(additionalContext)).toBe(injectedPlaceholder)
    expect(fire(at, 'claude-code', 'failure', linting)).toMatchObject(silent)
    expect(fire(at, 'claude-code', 'failure', { ...linting, session_id: 's2' }).stdout).toBe(stdout)
  })

  it('tells once if several commands fail at once', () => {
    const at = known()
    for (const session_id of Array.from({ length: 30 }, (_, index) => `at-once-${index}`))
      expect(fireAtOnce(at, { ...linting, session_id })).toHaveLength(1)
  })

  it('tells Codex, which has no event for failures', () => {
    const response = {
      tool_name: 'Bash',
      tool_input: { command: 'git push' },
      tool_response: '! [rejected] a -> a (non-fast-forward)\n',
    }
    const { stdout } = fire(known(), 'codex', 'failure', response)
    expect(JSON.parse(stdout).hookSpecificOutput).toMatchObject({
      hookEventName: 'PostToolUse',
      additionalContext: expect.stringContaining('It works after `git pull --rebase`.'),
    })
  })

  it.each([
    ['claude-code', { tool_name: 'Edit', tool_input: { file_path: '$APP/src/queue.ts', old_string: 'a' } }],
    [
      'codex',
      {
        tool_name: 'apply_patch',
        tool_input: { command: '*** Begin Patch\n*** Update File: src/queue.ts\n@@\n-a\n+b\n' },
      },
    ],
  ])('tells %s a decision about the file that it will edit, once', (agent, payload) => {
    const at = known()
    const filled = JSON.parse(JSON.stringify(payload).replace('$APP', at.app))
    const { additionalContext, ...others } = JSON.parse(fire(at, agent, 'edit', filled).stdout).hookSpecificOutput
    expect(others).toEqual({ hookEventName: 'PreToolUse' })
    expect(additionalContext).toContain('Never edit src/queue.ts by hand: it is "generated".')
    expect(fire(at, agent, 'edit', filled)).toMatchObject(silent)
  })

  it.each([
    ['config.ts', true],
    ['$APP/config.ts', true],
    ['$APP/lib/config.ts', false],
    ['lib/config.ts', false],
  ])('knows a name that many folders have in the root only: a patch of %s', (path, isTold) => {
    const at = known()
    const command = `*** Begin Patch\n*** Update File: ${path.replace('$APP', at.app)}\n@@\n-a\n+b\n`
    const { stdout } = fire(at, 'codex', 'edit', { tool_name: 'apply_patch', tool_input: { command } })
    expect(stdout.includes('Never edit config.ts by hand')).toBe(isTold)
  })

  it.each([
    ['another error', 'failure', failed('golangci-lint run', 'Exit code 1\nError: out of memory'), {}],
    ['the error of another program', 'failure', failed('npm test', noLinter), {}],
    ['an error that only the command names', 'failure', failed(`golangci-lint ${noLinter}`, 'Exit code 1'), {}],
    ['another file', 'edit', { tool_input: { file_path: '/a/src/my-queue.ts' } }, {}],
    ['a session without an id', 'failure', { ...linting, session_id: '../x' }, {}],
    ['our own model calls', 'failure', linting, { RECOLLECT_INTERNAL: '1' }],
    ['an agent that runs the hooks of others', 'failure', linting, { GROK_SESSION_ID: 'g1' }],
  ])('is silent for %s', (_, moment, payload, env) => {
    expect(fire(known(), 'claude-code', moment, payload, env)).toMatchObject(silent)
  })

  it('is silent in a project without hints, and where what was told cannot be noted', () => {
    const at = known()
    expect(fire({ ...at, app: at.root }, 'claude-code', 'failure', linting)).toMatchObject(silent)
    rmSync(join(at.store, 'run', 'told'), { recursive: true })
    expect(fire(at, 'claude-code', 'failure', linting)).toMatchObject(silent)
  })

  it('does not wait for an agent that never closes standard input', async () => {
    const at = known()
    const child = spawn('/bin/sh', ['-c', hookOf(at, 'claude-code', 'failure')], {
      cwd: at.app,
      stdio: ['pipe', 'pipe', 'ignore'],
    })
    child.stdin.write('{"session_id":"s1"')
    expect(await new Promise((resolve) => child.once('exit', resolve))).toBe(0)
    child.stdin.destroy()
  })
})

it('is silent in a session whose user said to ignore memory', () => {
  const at = known()
  const told = { do: 'say', text: 'Ignore memory in this session, and repair the parser.' } as const
  const started = {
    agent: 'claude-code',
    number: 2,
    project: 'app',
    cwd: at.app,
    startedMs: Date.UTC(2026, 8, 2),
  } as const
  const { path, lines: records } = transcriptOf({ ...started, steps: [told, { do: 'reply', text: 'Done.' }] })
  writeFileSync(join(at.home, path), lines(records))
  recollect(at, 'sweep')
  const session_id = '00000002-0000-4000-8000-000000000000'
  expect(fire(at, 'claude-code', 'failure', { ...linting, session_id })).toMatchObject(silent)
  expect(fire(at, 'claude-code', 'failure', linting).stdout).toContain('mise exec')
})

it('files of hints go when the setting is switched off, and with a deleted session', () => {
  const at = known()
  const hints = () => readdirSync(join(at.store, 'briefs')).filter((name) => /\.(?:fixes|files)$/.test(name))
  expect(hints()).toHaveLength(2)
  recollect(at, 'delete', '00000001', '--yes')
  expect(hints().filter((name) => name.endsWith('.fixes'))).toEqual([])
  recollect(at, 'undo')
  expect(hints()).toHaveLength(2)
  set(at, false)
  recollect(at, 'sweep')
  expect(hints()).toEqual([])
  expect(existsSync(join(at.store, 'briefs'))).toBe(true)
})
