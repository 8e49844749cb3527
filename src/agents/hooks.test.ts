import { parse } from 'smol-toml'
import { describe, expect, it } from 'vitest'
import type { Machine } from '../core/machine.ts'
import type { Json } from '../core/session.ts'
import type { HookFile } from './agent.ts'
import { holdsOurHook, isOurHook } from './hook-groups.ts'
import { agents } from './registry.ts'

const machine: Machine = { home: '/home/dev', env: {}, platform: 'linux' }
const hooked = agents.flatMap(({ id, hooks }) => (hooks ? [{ id, hooks }] : []))

describe('what has to stand where', () => {
  it('for Claude Code', () =>
    expect(shown('claude-code')).toMatchInlineSnapshot(`
    "/home/dev/.claude/settings.json
    hooks.SessionStart += {"hooks":[{"type":"command","command":"hook SessionStart","timeout":10}]}
    hooks.Stop += {"hooks":[{"type":"command","command":"hook Stop","timeout":10}]}
    hooks.PreCompact += {"hooks":[{"type":"command","command":"hook PreCompact","timeout":10}]}
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

describe.each(hooked)('$id', ({ id, hooks }) => {
  it('hears of a start, of turns and of an end', () => {
    expect(Object.values(hooks.events)).toEqual(expect.arrayContaining(['start', 'turn', 'end']))
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

  it('is recognised in every item', () => {
    const items = filesOf(id).flatMap(itemsOf)
    expect(items.map(holdsOurHook)).toEqual(items.map(() => true))
  })
})

const inSessionStart = { hookSpecificOutput: { hookEventName: 'SessionStart', additionalContext: 'what "we" know' } }

it.each([
  ['claude-code', inSessionStart],
  ['codex', inSessionStart],
  ['gemini-cli', inSessionStart],
  ['qwen-code', inSessionStart],
  ['droid', inSessionStart],
  ['copilot-cli', { additionalContext: 'what "we" know' }],
  ['opencode', { additionalContext: 'what "we" know' }],
  ['cursor', { additional_context: 'what "we" know' }],
])('gives %s a brief in the form that it takes', (id, answer) => {
  const { before, after } = hooked.find((agent) => agent.id === id)!.hooks.brief!
  expect(JSON.parse(`${before}${JSON.stringify('what "we" know')}${after}`)).toEqual(answer)
})

it.each(['grok', 'kimi'])('gives %s no brief: it would ignore it', (id) => {
  expect(hooked.find((agent) => agent.id === id)!.hooks.brief).toBeUndefined()
})

it.each<[string, Json]>([
  ['a command of another tool', { hooks: [{ type: 'command', command: "'/opt/tool/bin/notify' codex Stop" }] }],
  ['a hook for an agent that we do not know', { command: "'/opt/tool/bin/hook' emacs Stop" }],
  ['our program at other work', { command: "'/home/dev/.recollect/bin/recollect' sweep" }],
  ['an empty group', { hooks: [] }],
  ['no item at all', null],
])('does not take for ours: %s', (_, item) => expect(holdsOurHook(item)).toBe(false))

it.each([
  ["'/home/o'\\''brien/.recollect/bin/hook' droid Stop 2>/dev/null || true"],
  ['"C:\\Program Files\\nodejs\\node.exe" "C:\\Users\\dev\\.recollect\\bin\\hook.cjs" copilot-cli agentStop'],
])('takes for ours, wherever it lies: %s', (command) => expect(isOurHook(command)).toBe(true))

it('gives Copilot CLI a command for PowerShell on Windows', () => {
  const [item] = itemsOf(filesOf('copilot-cli', { ...machine, platform: 'win32' })[0]!)
  expect(item).toMatchObject({ powershell: commandOf('copilot-cli', 'sessionStart') })
})

function commandOf(id: string, event: string): string {
  return `'/home/dev/.recollect/bin/hook' ${id} ${event} 2>/dev/null || true`
}

function filesOf(id: string, on = machine): HookFile[] {
  return hooked.find((agent) => agent.id === id)!.hooks.files(on, (event) => commandOf(id, event))
}

/** What an agent plans, on a few lines: `hook Stop` stands for the whole command. */
function shown(id: string): string {
  const lines = filesOf(id).flatMap((file) => {
    if (file.kind === 'own') {
      const { hooks, ...head } = JSON.parse(file.content) as { hooks: Record<string, Json> }
      const lists = Object.entries(hooks).map(([event, list]) => `hooks.${event} = ${JSON.stringify(list)}`)
      return [file.path, JSON.stringify(head), ...lists]
    }
    if (file.kind === 'toml') return [`${file.path} ends with`, file.text.trim()]
    return [
      file.path,
      ...file.entries.map((entry) =>
        'item' in entry
          ? `${entry.at.join('.')} += ${JSON.stringify(entry.item)}`
          : `${entry.at.join('.')} ??= ${JSON.stringify(entry.fallback)}`,
      ),
    ]
  })
  return lines
    .join('\n')
    .replace(/'\/home\/dev\/\.recollect\/bin\/hook' [\w-]+ ([\w.]+) 2>\/dev\/null \|\| true/g, 'hook $1')
}

/** The items of a file as the agent reads them; a plugin has none. */
function itemsOf(file: HookFile): Json[] {
  if (file.kind === 'json') return file.entries.flatMap((entry) => ('item' in entry ? [entry.item] : []))
  if (file.kind === 'toml') return parse(file.text).hooks as unknown as Json[]
  if (file.path.endsWith('.js')) return []
  const { hooks } = JSON.parse(file.content) as { hooks: Record<string, Json[]> }
  return Object.values(hooks).flat()
}
