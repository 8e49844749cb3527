// Install and uninstall as a user runs them, on the files that agents and their users keep.
import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { runInNewContext } from 'node:vm'
import { parse } from 'smol-toml'
import { afterEach, describe, expect, it } from 'vitest'
import type { HookFile, JsonEntry } from '../src/agents/agent.ts'
import { agents } from '../src/agents/registry.ts'
import { hookCommand } from '../src/core/hook-command.ts'
import type { HookedAgent } from '../src/install/targets.ts'
import { type Place, place, recollect, start } from './program.ts'
import { scaled } from './proof.ts'

const hooked = agents.filter((agent): agent is HookedAgent => agent.hooks !== undefined)

/** What users have: other people's hooks, comments, tabs, line ends of Windows, no line end at all. */
const configs: Record<string, Record<string, string>> = {
  'claude-code': {
    '.claude/settings.json':
      '{\r\n\t"model": "opus",\r\n\t"hooks": {\r\n\t\t"Stop": [\r\n\t\t\t{ "hooks": [{ "type": "command", "command": "say done" }] }\r\n\t\t],\r\n\t\t"PreToolUse": []\r\n\t}\r\n}',
    '.claude/CLAUDE.md': 'Be brief.\n',
  },
  codex: {
    '.codex/hooks.json': '{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"lint","timeout":5}]}]}}\n',
    '.codex/config.toml': 'model = "gpt-5"\n',
  },
  'gemini-cli': {
    '.gemini/settings.json':
      '{\r\n    // what I like\r\n    "theme": "Ayu", /* dark */\r\n    "hooks": {\r\n        "AfterAgent": [\r\n            { "hooks": [{ "type": "command", "command": "lint" }] } // mine\r\n        ]\r\n    }\r\n}\r\n',
  },
  'qwen-code': {
    '.qwen/settings.json': '// Qwen\n{\n  "tools": { "approvalMode": "auto" } // always\n}',
  },
  droid: {
    '.factory/settings.json': '{\n  // the model\n  "model": "sonnet",\n  "logoAnimation": "off"\n}\n',
    '.factory/hooks.json': '{\n\t"Stop": [\n\t\t{ "hooks": [{ "type": "command", "command": "lint" }] }\n\t]\n}',
  },
  cursor: {
    '.cursor/hooks.json': '{ "hooks": { "stop": [ { "command": "./audit.sh" } ] } }',
    '.cursor/mcp.json': '{}',
  },
  'copilot-cli': {
    '.copilot/config.json': '{"banner":"never"}',
    '.copilot/hooks/mine.json': '{"version":1,"hooks":{"agentStop":[{"type":"command","bash":"lint"}]}}',
  },
  grok: {
    '.grok/config.toml': '[compat.claude]\nhooks = false\n',
    '.grok/hooks/lint.json': '{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"lint"}]}]}}',
  },
  antigravity: {
    '.gemini/antigravity-cli/settings.json': '{}',
    '.gemini/config/hooks.json':
      '{\n  "lint": {\n    "enabled": true,\n    "Stop": [{ "type": "command", "command": "lint", "timeout": 5 }]\n  }\n}\n',
  },
  windsurf: {
    '.codeium/windsurf/hooks.json': '{"hooks":{"post_cascade_response":[{"command":"say done","show_output":true}]}}',
  },
  devin: {
    '.config/devin/config.json':
      '{\n  // the model\n  "agent": { "model": "swe-1-6-fast" },\n  "hooks": {\n    "Stop": [{ "hooks": [{ "type": "command", "command": "lint" }] }]\n  }\n}\n',
  },
  kimi: {
    '.kimi-code/config.toml':
      '# mine\r\ndefault_model = "k2" # fast\r\n\r\n[[hooks]]\r\nevent = "Stop"\r\ncommand = "lint"\r\n\r\n[loop]\r\nmax = 9007199254740993',
  },
  openclaude: { '.openclaude/settings.json': '{\n  "model": "heron-70b"\n}\n' },
  opencode: {
    '.config/opencode/opencode.json': '{ "theme": "system" }',
    '.config/opencode/plugin/mine.js': 'export const Mine = async () => ({})\n',
    '.config/opencode/node_modules/@opencode-ai/plugin/package.json': '{}',
  },
  kilo: {
    '.config/kilo/kilo.jsonc': '{ "theme": "system" }',
  },
}

const places: Place[] = []
afterEach(() => {
  for (const at of places.splice(0)) at.remove()
})

it('install is tested for every agent that has hooks', () =>
  expect(Object.keys(configs).sort()).toEqual(hooked.map(({ id }) => id).sort()))

// All agents in `npm run test:proof`; a sample of the file formats in `npm test`.
describe.each(hooked.slice(0, scaled(4, hooked.length)))('$id', (agent) => {
  const { id } = agent

  it('gets our command at every event and keeps its other settings', () => {
    const at = home(configs[id]!)
    const before = texts(at, agent)
    const run = recollect(at, 'install', id, '--yes', '--json')
    expect(run).toMatchObject({ status: 0, err: '' })
    expect(run.json()).toEqual({
      isDone: true,
      agents: [
        {
          agent: id,
          files: [...before.keys()].map(({ path }) => path).concat(join(at.store, 'bin', `${id}.direct`)),
          isVerified: true,
          problem: null,
          afterwards: agent.hooks.afterwards ?? null,
        },
      ],
      mcp: [],
    })
    for (const [file, text] of before) expectAdded(file, text)
    const now = [...before.keys()].map(({ path }) => readFileSync(path, 'utf8')).join('\n')
    for (const event of Object.keys(agent.hooks.events)) expect(now).toContain(command(at, id, event))
  })

  it('is unchanged by a second install', () => {
    const at = home(configs[id]!)
    recollect(at, 'install', id, '--yes')
    const once = tree(at.home)
    const again = recollect(at, 'install', id, '--yes', '--json')
    expect(again.status).toBe(0)
    expect(again.json()).toMatchObject({ isDone: true, agents: [{ files: [], isVerified: true, problem: null }] })
    expect(tree(at.home)).toEqual(once)
    expect(recollect(at, 'install', id, '--yes').out).toContain(`Nothing to change for ${agent.name}.`)
  })

  it('is unchanged by --dry-run, which prints the diff on request', () => {
    const at = home(configs[id]!)
    const before = tree(at.root)
    const { status, out } = recollect(at, 'install', id, '--dry-run', '--diff')
    expect(status).toBe(0)
    for (const { path } of filesOf(at, agent)) expect(out).toContain(`+++ ${path}\n@@ -`)
    for (const event of Object.keys(agent.hooks.events)) expect(out).toMatch(added(command(at, id, event)))
    expect(tree(at.root)).toEqual(before)
  })

  it.each([[[]], [['--json']]])('is not touched when no terminal can confirm (%j)', (options) => {
    const at = home(configs[id]!)
    const before = tree(at.root)
    expect(recollect(at, 'install', id, ...options)).toMatchObject({
      status: 2,
      err: expect.stringContaining('Add --yes'),
    })
    expect(tree(at.root)).toEqual(before)
  })

  it.each([
    ['as its user had it', configs[id]!],
    ['where it had nothing at all', {}],
  ])('is the same to the byte after uninstall, %s', (_, files) => {
    const at = home(files)
    const before = tree(at.home)
    recollect(at, 'install', id, '--yes')
    expect(tree(at.home)).not.toEqual(before)
    expect(recollect(at, 'uninstall', id, '--yes')).toMatchObject({ status: 0, err: '' })
    expect(tree(at.home)).toEqual(before)
    expect(existsSync(join(at.store, 'bin'))).toBe(false)
  })

  it('is outdated if the user removed one of our hooks, until it is installed again', () => {
    const at = home(configs[id]!)
    expect(statusOf(at, id)).toMatchObject({ isPresent: true, hooks: 'missing' })
    recollect(at, 'install', id, '--yes')
    expect(statusOf(at, id)).toMatchObject({ isPresent: true, hooks: 'installed' })
    takeOneOut(filesOf(at, agent)[0]!, Object.keys(agent.hooks.events).at(-1)!)
    expect(statusOf(at, id)).toMatchObject({ isPresent: true, hooks: 'outdated' })
    recollect(at, 'install', id, '--yes')
    expect(statusOf(at, id)).toMatchObject({ isPresent: true, hooks: 'installed' })
  })
})

describe('install without a name', () => {
  it('installs only into the agents that are present', () => {
    const at = home({ ...configs.codex, ...configs.kimi })
    const run = recollect(at, 'install', '--yes', '--json')
    expect(run.json().agents.map(({ agent }: { agent: string }) => agent)).toEqual(['codex', 'kimi'])
    expect(readdirSync(at.home).sort()).toEqual(['.codex', '.kimi-code'])
  })

  it('explains what to do if no agent is present', () => {
    const at = home({})
    expect(recollect(at, 'install', '--yes')).toMatchObject({ status: 1, err: expect.stringContaining('Give one: ') })
    expect(readdirSync(at.home)).toEqual([])
  })

  it('skips a broken file, names its place and installs the others', () => {
    const broken = '{\n  "model": "opus",\n  "hooks": {\n    "Stop": [,]\n  }\n}\n'
    const at = home({ '.claude/settings.json': broken, ...configs.codex, ...configs.kimi })
    const path = join(at.home, '.claude', 'settings.json')
    const run = recollect(at, 'install', '--yes', '--json')
    expect(run).toMatchObject({ status: 3, err: expect.stringContaining(`${path}:4:14`) })
    expect(run.json().agents).toMatchObject([
      { agent: 'claude-code', files: [], isVerified: false, problem: expect.stringContaining(`${path}:4:14`) },
      { agent: 'codex', isVerified: true, problem: null },
      { agent: 'kimi', isVerified: true, problem: null },
    ])
    expect(readFileSync(path, 'utf8')).toBe(broken)
    expect(statusOf(at, 'claude-code').hooks).toBe('missing')
    expect(statusOf(at, 'kimi').hooks).toBe('installed')
  })

  it('is removed by uninstall without a name, which has a dry run', () => {
    const at = home({ ...configs['claude-code'], ...configs.codex, ...configs.kimi })
    const before = tree(at.home)
    recollect(at, 'install', '--yes')
    recollect(at, 'install', 'plugin', '--yes')
    recollect(at, 'install', 'grok', '--yes')
    const installed = tree(at.home)
    expect(recollect(at, 'uninstall', '--dry-run')).toMatchObject({
      status: 0,
      out: expect.stringMatching(/^Codex +hooks +~\/.codex\/hooks.json +\+1 -1 lines$/m),
    })
    expect(recollect(at, 'uninstall').status).toBe(2)
    expect(tree(at.home)).toEqual(installed)
    expect(recollect(at, 'uninstall', '--yes')).toMatchObject({ status: 0, err: '' })
    expect(tree(at.home)).toEqual(before)
    expect(existsSync(join(at.store, 'plugin'))).toBe(false)
  })
})

it('install works in a folder with spaces and quotes in its name', () => {
  const at = home(Object.assign({}, ...Object.values(configs)))
  const before = tree(at.home)
  const odd = { ...at, store: join(at.root, `it's "my" store $HOME`) }
  const plans = recollect(odd, 'install', '--yes', '--json').json().agents
  expect(plans.map(({ isVerified }: { isVerified: boolean }) => isVerified)).toEqual(hooked.map(() => true))
  expect(recollect(odd, 'install', '--yes').out).toContain('Nothing to change')
  expect(recollect(odd, 'uninstall', '--yes')).toMatchObject({ status: 0, err: '' })
  expect(tree(at.home)).toEqual(before)
})

describe('an agent name', () => {
  it.each([
    ['of an agent without hooks', 'aider', 'aider does not support hooks', 'recollect schedule'],
    ['that is misspelt', 'claude-cod', 'claude-cod', 'Did you mean claude-code?'],
    ['that is unknown', 'zeppelin', 'zeppelin', 'claude-code, openclaude, codex'],
  ])('%s is an error that says what to do', (_, name, message, hint) => {
    const at = home({})
    const run = recollect(at, 'install', name, '--yes')
    expect(run.status).toBe(2)
    expect(run.err).toContain(message)
    expect(run.err).toContain(hint)
    expect(readdirSync(at.home)).toEqual([])
  })

  it('that is a misspelt "plugin" or "all" is an error with a hint', () => {
    const at = home({})
    expect(recollect(at, 'install', 'plugn', '--yes').err).toContain('Did you mean plugin?')
  })
})

describe('another version in another folder', () => {
  it('changes no agent file and rewrites the hook script', () => {
    const at = home(Object.assign({}, ...Object.values(configs)))
    recollect(at, 'install', '--yes')
    const before = tree(at.home)
    const cli = otherVersion(at, '9.9.9')
    expect(run(at, cli, '--version').stdout.trim()).toBe('9.9.9')
    const plans = JSON.parse(run(at, cli, 'install', '--yes', '--json').stdout)
    expect(plans.agents).toHaveLength(hooked.length)
    for (const plan of plans.agents) expect(plan).toMatchObject({ files: [], isVerified: true })
    expect(tree(at.home)).toEqual(before)
    expect(readFileSync(join(at.store, 'bin', 'hook'), 'utf8')).toContain(`cli='${cli}'`)
    expect(statusOf(at, 'codex').hooks).toBe('installed')
  })
})

describe('the plugin', () => {
  const hooksOf = { 'claude-code': 'hooks.json', codex: 'codex.json' }

  it('is a folder of ours and changes no agent file', () => {
    const at = home(configs['claude-code']!)
    const before = tree(at.home)
    const { agents } = recollect(at, 'install', 'plugin', '--yes', '--json').json()
    expect(agents).toMatchObject([{ agent: 'plugin', problem: null }])
    expect(agents[0].files.length).toBeGreaterThan(5)
    expect(agents[0].files.filter((path: string) => !existsSync(path))).toEqual([])
    const folder = join(at.store, 'plugin')
    expect(agents[0].afterwards.split('\n')).toEqual([
      `claude plugin marketplace add ${folder} && claude plugin install recollect@recollect`,
      `codex plugin marketplace add ${folder} && codex plugin add recollect@recollect`,
    ])
    expect(tree(at.home)).toEqual(before)
    recollect(at, 'uninstall', 'plugin', '--yes')
    expect(agents[0].files.filter((path: string) => existsSync(path))).toEqual([])
  })

  describe('is taken out of the agents that have added it, with every byte as it was', () => {
    const strange = '{\n    "model": "opus", "permissions": {"allow": ["Bash(ls:*)"]}}'
    const toml = 'model="gpt-5"   # mine\n\n[tui]\nnotifications = true'

    /** As Claude Code 2.1.325 and Codex 0.166 write it. */
    function addToAgents(at: Place, source: string): void {
      const write = (path: string, text: string) => {
        mkdirSync(dirname(join(at.home, path)), { recursive: true })
        writeFileSync(join(at.home, path), text)
      }
      const json = (value: object) => JSON.stringify(value, null, 2)
      const from = { source: 'directory', path: source }
      const settings = JSON.parse(readFileSync(join(at.home, '.claude', 'settings.json'), 'utf8'))
      const extraKnownMarketplaces = { recollect: { source: from } }
      write(
        '.claude/settings.json',
        `${json({ ...settings, extraKnownMarketplaces, enabledPlugins: { 'recollect@recollect': true } })}\n`,
      )
      write(
        '.claude/plugins/known_marketplaces.json',
        json({ recollect: { source: from, installLocation: source, lastUpdated: '' } }),
      )
      const copy = '.claude/plugins/cache/recollect/recollect/0.1.0'
      const installed = [{ scope: 'user', installPath: join(at.home, copy), version: '0.1.0' }]
      write(
        '.claude/plugins/installed_plugins.json',
        json({ version: 2, plugins: { 'recollect@recollect': installed } }),
      )
      write(`${copy}/README.md`, '')
      const config = readFileSync(join(at.home, '.codex', 'config.toml'), 'utf8')
      write(
        '.codex/config.toml',
        `${config}\n\n[marketplaces.recollect]\nsource_type = "local"\nsource = "${source}"\n\n[plugins."recollect@recollect"]\nenabled = true\n`,
      )
    }
    const given = { '.claude/settings.json': strange, '.codex/config.toml': toml }

    it.each([
      ['alone', ['install plugin'], ['uninstall plugin']],
      ['after hooks', ['install all', 'install plugin'], ['uninstall all']],
      ['before hooks', ['install plugin', 'install all'], ['uninstall all']],
    ])('%s', (_, installs, uninstalls) => {
      const at = home(given)
      const before = tree(at.home)
      for (const command of installs) {
        recollect(at, ...command.split(' '), '--yes')
        if (command === 'install plugin') addToAgents(at, join(at.store, 'plugin'))
      }
      expect(recollect(at, 'uninstall', 'plugin', '--dry-run', '--json').json().agents[0].files).toEqual(
        expect.arrayContaining([join(at.home, '.claude', 'settings.json'), join(at.home, '.codex', 'config.toml')]),
      )
      for (const command of uninstalls) expect(recollect(at, ...command.split(' '), '--yes').status).toBe(0)
      expect(tree(at.home)).toEqual(before)
    })

    it('and stays what the user has changed since', () => {
      const at = home(given)
      recollect(at, 'install', 'plugin', '--yes')
      addToAgents(at, join(at.store, 'plugin'))
      const path = join(at.home, '.claude', 'settings.json')
      const text = readFileSync(path, 'utf8')
      writeFileSync(
        path,
        text
          .replace('"opus"', '"haiku"')
          .replace('"recollect@recollect": true', '"recollect@recollect": true,\n    "other@x": true'),
      )
      recollect(at, 'uninstall', 'plugin', '--yes')
      expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({
        ...JSON.parse(strange),
        model: 'haiku',
        enabledPlugins: { 'other@x': true },
      })
    })

    it('unless it is the plugin of another marketplace', () => {
      const at = home(given)
      addToAgents(at, '/home/dev/fork')
      const before = tree(at.home)
      recollect(at, 'install', 'plugin', '--yes')
      recollect(at, 'uninstall', 'plugin', '--yes')
      expect(tree(at.home)).toEqual(before)
    })
  })

  it.each(Object.entries(hooksOf))('keeps quiet while %s has the hooks itself', (id, file) => {
    const at = home(configs[id]!)
    recollect(at, 'install', 'plugin', '--yes')
    const text = readFileSync(join(at.store, 'plugin', 'recollect', 'hooks', file), 'utf8')
    const fire = () => {
      for (const line of commandsIn(JSON.parse(text))) shell(at, line)
      return spooled(at)
    }
    const events = Object.keys(hooked.find((agent) => agent.id === id)!.hooks.events)
    const expected = events.map((event) => `${id}.${event}`).sort()
    expect(fire()).toEqual(expected)
    recollect(at, 'install', id, '--yes')
    expect(fire()).toEqual([])
    recollect(at, 'uninstall', id, '--yes')
    expect(fire()).toEqual(expected)
  })

  it('is removed without the hook that agents still need', () => {
    const at = home(configs.codex!)
    recollect(at, 'install', 'plugin', '--yes')
    recollect(at, 'install', 'codex', '--yes')
    recollect(at, 'uninstall', 'plugin', '--yes')
    shell(at, command(at, 'codex', 'Stop'))
    expect(spooled(at)).toEqual(['codex.Stop'])
  })
})

function home(files: Record<string, string>): Place {
  const at = place(files)
  for (const path of Object.keys(files)) chmodSync(join(at.home, path), 0o644)
  places.push(at)
  return at
}

function command(at: Place, id: string, event: string): string {
  return hookCommand({ root: at.store, platform: 'linux', node: process.execPath }, id, event)
}

function filesOf(at: Place, { id, hooks }: HookedAgent): HookFile[] {
  return hooks.files({ home: at.home, env: {}, platform: 'linux' }, (event) => command(at, id, event))
}

/** The files that an install is about to change, with what stands there before it. */
function texts(at: Place, agent: HookedAgent): Map<HookFile, string> {
  const textOf = (path: string) => (existsSync(path) ? readFileSync(path, 'utf8') : '')
  return new Map(filesOf(at, agent).map((file) => [file, textOf(file.path)]))
}

/** Ours was added at its place, and nothing else is different: no value, no comment, no kind of line end. */
function expectAdded(file: HookFile, before: string): void {
  const after = readFileSync(file.path, 'utf8')
  if (file.kind === 'own') return expect(after).toBe(file.content)
  if (file.kind === 'json') {
    const expected = file.entries.reduce((node, entry) => withEntry(node, entry.at, entry), jsonIn(before))
    expect(jsonIn(after)).toEqual(expected)
  } else {
    const [was, ours] = [tomlIn(before), tomlIn(file.text)]
    expect(tomlIn(after)).toEqual({ ...was, hooks: [...(was.hooks as []), ...(ours.hooks as [])] })
  }
  expect(isWithin(before, after)).toBe(true)
  if (before.includes('\r\n')) expect(after).not.toMatch(/[^\r]\n/)
}

/** Whether every character of a text stands in another one, in the same order. */
function isWithin(text: string, longer: string): boolean {
  let next = 0
  for (let at = 0; at < longer.length; at++) if (longer[at] === text[next]) next++
  return next === text.length
}

type Fields = Record<string, unknown>

/** JSON with comments and trailing commas is JavaScript. */
function jsonIn(text: string): Fields {
  return JSON.parse(JSON.stringify(runInNewContext(`(${text})`)))
}

function tomlIn(text: string): Fields {
  return parse(text, { integersAsBigInt: 'asNeeded' })
}

function withEntry(node: Fields, [key, ...rest]: readonly string[], entry: JsonEntry): Fields {
  const value = node[key!]
  if (rest.length > 0) return { ...node, [key!]: withEntry((value ?? {}) as Fields, rest, entry) }
  if ('item' in entry) return { ...node, [key!]: [...((value ?? []) as unknown[]), entry.item] }
  return { [key!]: 'member' in entry ? entry.member : entry.fallback, ...node }
}

/** A line of a diff. */
function added(text: string): RegExp {
  return new RegExp(`^\\+.*${text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}`, 'm')
}

/** Every file and folder below, with mode and bytes. */
function tree(folder: string): Record<string, string> {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()
  return Object.fromEntries(
    paths.map((path) => {
      const { mode } = statSync(join(folder, path))
      const isFolder = statSync(join(folder, path)).isDirectory()
      return [path, `${mode.toString(8)} ${isFolder ? '' : readFileSync(join(folder, path), 'latin1')}`]
    }),
  )
}

function statusOf(at: Place, id: string): { agent: string; isPresent: boolean; hooks: string } {
  return recollect(at, 'install', '--status', '--json')
    .json()
    .find(({ agent }: { agent: string }) => agent === id)
}

/** Rewrites the file without the last event, as an editor would. */
function takeOneOut({ kind, path }: HookFile, event: string): void {
  const text = readFileSync(path, 'utf8')
  if (kind === 'toml') return writeFileSync(path, text.slice(0, text.lastIndexOf('[[hooks]]')))
  if (path.endsWith('.js')) return writeFileSync(path, text.replace(`"${event}":`, `// "${event}":`))
  const config = jsonIn(text)
  const group = 'hooks' in config ? 'hooks' : 'recollect'
  const { [event]: _, ...kept } = config[group] as Fields
  writeFileSync(path, JSON.stringify({ ...config, [group]: kept }, null, 2))
}

function otherVersion(at: Place, version: string): string {
  const folder = join(at.root, 'elsewhere')
  cpSync(join(import.meta.dirname, '..', 'dist'), folder, { recursive: true })
  // A release has a hash of its own, and so a cache of its own; here the hash stays the same.
  rmSync(join(folder, '.cache'), { recursive: true, force: true })
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  for (const path of readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.js'),
  )) {
    const file = join(folder, path)
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll(/(?<=version:")0\.1\.0(?=")/g, version))
  }
  return join(folder, 'cli.js')
}

function run(at: Place, cli: string, ...args: string[]) {
  const env = { PATH: process.env.PATH, HOME: at.home, RECOLLECT_HOME: at.store }
  return spawnSync(process.execPath, [cli, ...args], { env, encoding: 'utf8' })
}

function commandsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => (key === 'command' ? [String(inner)] : commandsIn(inner)))
}

/** As an agent runs it; no worker is started. */
function shell(at: Place, line: string): void {
  const env = { PATH: process.env.PATH, HOME: at.home, RECOLLECT_PROBE: '1' }
  expect(spawnSync('/bin/sh', ['-c', line], { cwd: at.home, env, input: '{"session_id":"s1"}' }).status).toBe(0)
}

/** The events in the spool, without the numbers of processes; they are taken out. */
function spooled(at: Place): string[] {
  const spool = join(at.store, 'spool')
  const names = existsSync(spool) ? readdirSync(spool) : []
  for (const name of names) rmSync(join(spool, name))
  return names.map((name) => name.replace(/\.\d.*$/, '')).sort()
}

describe('entries of others', () => {
  it('stay, even if they look similar', () => {
    const settings =
      '{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"\'/opt/acme/bin/hook\' policy-check stop"}]}]}}'
    const at = home({ '.claude/settings.json': settings })
    recollect(at, 'uninstall', '--yes')
    expect(readFileSync(join(at.home, '.claude/settings.json'), 'utf8')).toBe(settings)
    recollect(at, 'install', 'claude-code', '--yes')
    expect(readFileSync(join(at.home, '.claude/settings.json'), 'utf8')).toContain('policy-check stop')
    recollect(at, 'uninstall', '--yes')
    expect(readFileSync(join(at.home, '.claude/settings.json'), 'utf8')).toBe(settings)
  })
})

describe('installed.json', () => {
  it('lists every agent when several are installed at once', async () => {
    const at = home({ '.claude/settings.json': '{}', '.gemini/settings.json': '{}' })
    const names = ['claude-code', 'codex', 'gemini-cli']
    const children = names.map((name) => start(at, 'install', name, '--yes'))
    await Promise.all(children.map((child) => new Promise((resolve) => child.once('exit', resolve))))
    const record = JSON.parse(readFileSync(join(at.store, 'installed.json'), 'utf8'))
    expect(Object.keys(record.agents).sort()).toEqual(names)
  })

  it('that is damaged does not break the hooks of other agents', () => {
    const at = home({ '.claude/settings.json': '{}' })
    recollect(at, 'install', 'claude-code', '--yes')
    recollect(at, 'install', 'codex', '--yes')
    writeFileSync(join(at.store, 'installed.json'), '{')
    expect(recollect(at, 'uninstall', 'codex', '--yes').status).toBe(0)
    expect(existsSync(join(at.store, 'bin', 'hook'))).toBe(true)
  })
})

it('uninstall works with a broken config.toml', () => {
  const at = home({ '.claude/settings.json': '{}' })
  recollect(at, 'install', 'claude-code', '--yes')
  writeFileSync(join(at.store, 'config.toml'), 'garbage = [')
  expect(recollect(at, 'uninstall', '--yes').status).toBe(0)
  expect(readFileSync(join(at.home, '.claude/settings.json'), 'utf8')).toBe('{}')
})
