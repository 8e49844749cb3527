import { parse } from 'smol-toml'
import { describe, expect, it } from 'vitest'
import { hookCommand, isHookCommand } from '../core/hook-command.ts'
import type { Machine } from '../core/paths.ts'
import type { Json } from '../core/session.ts'
import type { HookFile, Hooks } from './agent.ts'
import { agents } from './registry.ts'

const machine: Machine = { home: '/home/dev', env: {}, platform: 'linux' }
const hooked = agents.flatMap(({ id, hooks }) => (hooks ? [{ id, hooks }] : []))

describe('hooks.files', () => {
  it('for Claude Code', () =>
    expect(shown('claude-code')).toMatchInlineSnapshot(`
      "/home/dev/.claude/settings.json
      hooks.SessionStart += {"hooks":[{"type":"command","command":"hook SessionStart","timeout":10}]}
      hooks.Stop += {"hooks":[{"type":"command","command":"hook Stop","timeout":10}]}
      hooks.PreCompact += {"matcher":"auto","hooks":[{"type":"command","command":"hook PreCompact","timeout":10}]}
      hooks.SessionEnd += {"hooks":[{"type":"command","command":"hook SessionEnd","timeout":10}]}"
    `))
  it('for Codex', () =>
    expect(shown('codex')).toMatchInlineSnapshot(`
    "/home/dev/.codex/hooks.json
    hooks.SessionStart += {"hooks":[{"type":"command","command":"hook SessionStart","timeout":10}]}
    hooks.Stop += {"hooks":[{"type":"command","command":"hook Stop","timeout":10}]}
    hooks.Interrupt += {"hooks":[{"type":"command","command":"hook Interrupt","timeout":3}]}
    hooks.PreCompact += {"hooks":[{"type":"command","command":"hook PreCompact","timeout":10}]}
    hooks.SessionEnd += {"hooks":[{"type":"command","command":"hook SessionEnd","timeout":3}]}"
  `))
  it('for Gemini CLI', () =>
    expect(shown('gemini-cli')).toMatchInlineSnapshot(`
    "/home/dev/.gemini/settings.json
    hooks.SessionStart += {"hooks":[{"type":"command","command":"hook SessionStart","timeout":10000}]}
    hooks.AfterAgent += {"hooks":[{"type":"command","command":"hook AfterAgent","timeout":10000}]}
    hooks.SessionEnd += {"hooks":[{"type":"command","command":"hook SessionEnd","timeout":10000}]}"
  `))
  it('for Qwen Code', () =>
    expect(shown('qwen-code')).toMatchInlineSnapshot(`
    "/home/dev/.qwen/settings.json
    hooks.SessionStart += {"hooks":[{"type":"command","command":"hook SessionStart","timeout":10000}]}
    hooks.Stop += {"hooks":[{"type":"command","command":"hook Stop","timeout":10000}]}
    hooks.StopFailure += {"hooks":[{"type":"command","command":"hook StopFailure","timeout":10000}]}
    hooks.PreCompact += {"hooks":[{"type":"command","command":"hook PreCompact","timeout":10000}]}
    hooks.SessionEnd += {"hooks":[{"type":"command","command":"hook SessionEnd","timeout":10000}]}"
  `))
  it('for Factory Droid', () =>
    expect(shown('droid')).toMatchInlineSnapshot(`
    "/home/dev/.factory/settings.json
    hooks.SessionStart += {"hooks":[{"type":"command","command":"hook SessionStart","timeout":10}]}
    hooks.Stop += {"hooks":[{"type":"command","command":"hook Stop","timeout":10}]}
    hooks.PreCompact += {"hooks":[{"type":"command","command":"hook PreCompact","timeout":10}]}
    hooks.SessionEnd += {"hooks":[{"type":"command","command":"hook SessionEnd","timeout":10}]}"
  `))
  it('for Cursor', () =>
    expect(shown('cursor')).toMatchInlineSnapshot(`
    "/home/dev/.cursor/hooks.json
    version ??= 1
    hooks.sessionStart += {"command":"hook sessionStart","timeout":10}
    hooks.stop += {"command":"hook stop","timeout":10}
    hooks.preCompact += {"command":"hook preCompact","timeout":10}
    hooks.sessionEnd += {"command":"hook sessionEnd","timeout":10}"
  `))
  it('for Copilot CLI', () =>
    expect(shown('copilot-cli')).toMatchInlineSnapshot(`
    "/home/dev/.copilot/hooks/recollect.json
    {"version":1}
    hooks.sessionStart = [{"type":"command","bash":"hook sessionStart","timeoutSec":10}]
    hooks.agentStop = [{"type":"command","bash":"hook agentStop","timeoutSec":10}]
    hooks.errorOccurred = [{"type":"command","bash":"hook errorOccurred","timeoutSec":10}]
    hooks.preCompact = [{"type":"command","bash":"hook preCompact","timeoutSec":10}]
    hooks.sessionEnd = [{"type":"command","bash":"hook sessionEnd","timeoutSec":10}]"
  `))
  it('for Grok', () =>
    expect(shown('grok')).toMatchInlineSnapshot(`
    "/home/dev/.grok/hooks/recollect.json
    {}
    hooks.SessionStart = [{"hooks":[{"type":"command","command":"hook SessionStart","timeout":10}]}]
    hooks.Stop = [{"hooks":[{"type":"command","command":"hook Stop","timeout":10}]}]
    hooks.StopFailure = [{"hooks":[{"type":"command","command":"hook StopFailure","timeout":10}]}]
    hooks.StopCancelled = [{"hooks":[{"type":"command","command":"hook StopCancelled","timeout":10}]}]
    hooks.PreCompact = [{"hooks":[{"type":"command","command":"hook PreCompact","timeout":10}]}]
    hooks.SessionEnd = [{"hooks":[{"type":"command","command":"hook SessionEnd","timeout":10}]}]"
  `))
  it('for Antigravity, in a group of our own', () =>
    expect(shown('antigravity')).toMatchInlineSnapshot(`
    "/home/dev/.gemini/config/hooks.json
    recollect.Stop += {"type":"command","command":"hook Stop","timeout":10}"
  `))
  it('for Windsurf', () =>
    expect(shown('windsurf')).toMatchInlineSnapshot(`
    "/home/dev/.codeium/windsurf/hooks.json
    hooks.post_cascade_response_with_transcript += {"command":"hook post_cascade_response_with_transcript","show_output":false}"
  `))
  it('for Devin CLI', () =>
    expect(shown('devin')).toMatchInlineSnapshot(`
    "/home/dev/.config/devin/config.json
    hooks.SessionStart += {"hooks":[{"type":"command","command":"hook SessionStart","timeout":10}]}
    hooks.Stop += {"hooks":[{"type":"command","command":"hook Stop","timeout":10}]}
    hooks.SessionEnd += {"hooks":[{"type":"command","command":"hook SessionEnd","timeout":10}]}"
  `))
  it('for Kimi', () =>
    expect(shown('kimi')).toMatchInlineSnapshot(`
    "/home/dev/.kimi-code/config.toml ends with
    [[hooks]]
    event = "SessionStart"
    command = "hook SessionStart"
    timeout = 10

    [[hooks]]
    event = "Stop"
    command = "hook Stop"
    timeout = 10

    [[hooks]]
    event = "StopFailure"
    command = "hook StopFailure"
    timeout = 10

    [[hooks]]
    event = "PreCompact"
    command = "hook PreCompact"
    timeout = 10

    [[hooks]]
    event = "SessionEnd"
    command = "hook SessionEnd"
    timeout = 10"
  `))
})

it.each([
  ['claude-code', { CLAUDE_CONFIG_DIR: ' /srv/claude , /srv/other' }, '/srv/claude/settings.json'],
  ['codex', { CODEX_HOME: '/srv/codex' }, '/srv/codex/hooks.json'],
  ['gemini-cli', { GEMINI_CLI_HOME: '/srv' }, '/srv/.gemini/settings.json'],
  ['qwen-code', { QWEN_HOME: '/srv/qwen', QWEN_RUNTIME_DIR: '/srv/run' }, '/srv/qwen/settings.json'],
  ['cursor', { CURSOR_DATA_DIR: '/srv/cursor' }, '/home/dev/.cursor/hooks.json'],
  ['copilot-cli', { COPILOT_HOME: '/srv/copilot' }, '/srv/copilot/hooks/recollect.json'],
  ['grok', { GROK_HOME: '/srv/grok' }, '/srv/grok/hooks/recollect.json'],
  ['kimi', { KIMI_CODE_HOME: '/srv/kimi' }, '/srv/kimi/config.toml'],
  ['opencode', { XDG_CONFIG_HOME: '/srv/config' }, '/srv/config/opencode/plugin/recollect.js'],
])('finds the home of %s by its own variables', (id, env, path) => {
  expect(filesOf(id, { ...machine, env }).map((file) => file.path)).toEqual([path])
})

/** Antigravity has no such events in every version, Windsurf has none. */
const turnsOnly = ['antigravity', 'windsurf']

describe.each(hooked)('$id', ({ id, hooks }) => {
  it('subscribes to a start, to turns and to an end', () => {
    const moments = turnsOnly.includes(id) ? ['turn'] : ['start', 'turn', 'end']
    expect(Object.values(hooks.events)).toEqual(expect.arrayContaining(moments))
  })

  it('runs the command of every event and of no other', () => {
    const asked: string[] = []
    const files = hooks.files(machine, (event) => {
      asked.push(event)
      return commandOf(id, event)
    })
    expect([...new Set(asked)]).toEqual(Object.keys(hooks.events))
    for (const event of asked) expect(JSON.stringify(files)).toContain(commandOf(id, event))
  })

  it('has one command in every item, recognised as ours', () => {
    const lines = filesOf(id).flatMap(itemsOf).map(commandsIn)
    expect(lines.filter((found) => found.length !== 1 || !isHookCommand(found[0]!))).toEqual([])
  })
})

const inSessionStart = { hookSpecificOutput: { hookEventName: 'SessionStart', additionalContext: 'what "we" know' } }

it.each([
  ['claude-code', inSessionStart],
  ['codex', inSessionStart],
  ['gemini-cli', inSessionStart],
  ['qwen-code', inSessionStart],
  ['droid', inSessionStart],
  ['devin', inSessionStart],
  ['copilot-cli', { additionalContext: 'what "we" know' }],
  ['opencode', { additionalContext: 'what "we" know' }],
  ['cursor', { additional_context: 'what "we" know' }],
])('wraps the brief in the answer format of %s', (id, answer) => {
  const { before, after } = hooksOf(id).brief!
  expect(JSON.parse(`${before}${JSON.stringify('what "we" know')}${after}`)).toEqual(answer)
})

it.each(['grok', 'kimi', 'antigravity', 'windsurf'])('defines no brief for %s, which would not take it', (id) => {
  expect(hooksOf(id).brief).toBeUndefined()
})

it('gives Copilot CLI a command for PowerShell on Windows', () => {
  const [item] = itemsOf(filesOf('copilot-cli', { ...machine, platform: 'win32' })[0]!)
  expect(item).toMatchObject({ powershell: `& ${commandOf('copilot-cli', 'sessionStart')}` })
})

function commandOf(id: string, event: string): string {
  return hookCommand({ root: '/home/dev/.recollect', platform: 'linux', node: '/usr/bin/node' }, id, event)
}

function hooksOf(id: string): Hooks {
  return hooked.find((agent) => agent.id === id)!.hooks
}

function filesOf(id: string, on = machine): HookFile[] {
  return hooksOf(id).files(on, (event) => commandOf(id, event))
}

/** What an agent plans, on a few lines: `hook Stop` stands for the whole command. */
function shown(id: string): string {
  const lines = filesOf(id).flatMap((file) => {
    if (file.kind === 'own') {
      const { hooks, ...head } = JSON.parse(file.content) as { hooks: Record<string, Json> }
      const lists = Object.entries(hooks).map(([event, list]) => `hooks.${event} = ${JSON.stringify(list)}`)
      return [file.path, JSON.stringify(head), ...lists]
    }
    if (file.kind !== 'json') return [`${file.path} ends with`, file.text.trim()]
    return [
      file.path,
      ...file.entries.map((entry) =>
        'item' in entry
          ? `${entry.at.join('.')} += ${JSON.stringify(entry.item)}`
          : `${entry.at.join('.')} ??= ${JSON.stringify('member' in entry ? entry.member : entry.fallback)}`,
      ),
    ]
  })
  return Object.keys(hooksOf(id).events).reduce(
    (text, event) => text.replaceAll(commandOf(id, event), `hook ${event}`),
    lines.join('\n'),
  )
}

/** The items of a file as the agent reads them; a plugin has none. */
function itemsOf(file: HookFile): Json[] {
  if (file.kind === 'json') return file.entries.flatMap((entry) => ('item' in entry ? [entry.item] : []))
  if (file.kind !== 'own') return parse(file.text).hooks as unknown as Json[]
  if (file.path.endsWith('.js')) return []
  const { hooks } = JSON.parse(file.content) as { hooks: Record<string, Json[]> }
  return Object.values(hooks).flat()
}

/** Every string in an item that runs our hook. */
function commandsIn(item: Json): string[] {
  if (typeof item === 'string') return item.includes('/bin/hook') ? [item] : []
  if (typeof item !== 'object' || item === null) return []
  return Object.values(item).flatMap((value) => commandsIn(value ?? null))
}
