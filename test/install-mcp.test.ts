// Registering the MCP server with agents, as a user does it, on the files that agents and their users keep.
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { agents } from '../src/agents/registry.ts'
import { type Place, place, recollect } from './program.ts'
import { scaled } from './proof.ts'

const serving = agents.flatMap(({ id, name, mcp }) => (mcp ? [{ id, name, mcp }] : []))

/** What users have: other servers, comments, tabs, line ends of Windows, no line end at all. */
const configs: Record<string, Record<string, string>> = {
  'claude-code': {
    '.claude/settings.json': '{}',
    '.claude.json':
      '{\n  "numStartups": 3,\n  "mcpServers": {\n    "files": { "command": "files" }\n  },\n  "projects": {}\n}',
  },
  codex: { '.codex/config.toml': 'model = "gpt-5"\r\n\r\n[mcp_servers.files]\r\ncommand = "files"\r\n' },
  grok: { '.grok/config.toml': '# mine\n[compat.claude]\nhooks = false' },
  'gemini-cli': {
    '.gemini/settings.json': '{\r\n    // what I like\r\n    "theme": "Ayu", /* dark */\r\n    "hooks": {}\r\n}\r\n',
  },
  opencode: {
    '.config/opencode/opencode.jsonc': '{ "theme": "system", /* mine */ }',
    '.config/opencode/node_modules/@opencode-ai/plugin/package.json': '{}',
  },
  kilo: { '.config/kilo/kilo.jsonc': '{ "theme": "system", /* mine */ }' },
  'copilot-cli': {
    '.copilot/mcp-config.json': '{"mcpServers":{"files":{"type":"local","command":"files","args":[]}}}',
  },
  'qwen-code': { '.qwen/settings.json': '// Qwen\n{\n\t"mcpServers": {}\n}' },
  cursor: { '.cursor/mcp.json': '{}' },
  droid: { '.factory/mcp.json': '{\n  "mcpServers": {\n  }\n}\n' },
  antigravity: { '.gemini/antigravity/x': '', '.gemini/config/mcp_config.json': '' },
  kimi: { '.kimi-code/mcp.json': '{ "mcpServers": { "web": { "url": "http://127.0.0.1:9/mcp" } } }' },
}

const places: Place[] = []
afterEach(() => {
  for (const at of places.splice(0)) at.remove()
})

it('the registration is tested for every agent that has one', () =>
  expect(Object.keys(configs).sort()).toEqual(serving.map(({ id }) => id).sort()))

// All agents in `npm run test:proof`; a sample of the file formats in `npm test`.
describe.each(serving.slice(0, scaled(4, serving.length)))('$id', ({ id, mcp }) => {
  const fileOf = (at: Place) => mcp.path({ home: at.home, env: {}, platform: 'linux' })

  it('gets our server beside its others, once, and it answers', () => {
    const at = home(configs[id]!)
    const file = fileOf(at)
    const before = textOf(file)
    expect(install(at, id, '--mcp')).toEqual([
      { agent: id, state: 'registered', files: [file], isVerified: true, problem: null },
    ])
    const after = readFileSync(file, 'utf8')
    expect(after).toContain(join(at.store, 'bin', 'recollect'))
    for (const word of before.match(/"?files"?|theme|numStartups|model|mine/g) ?? []) expect(after).toContain(word)
    const once = tree(at.home)
    expect(install(at, id, '--mcp')).toMatchObject([{ files: [], state: 'registered', isVerified: true }])
    expect(install(at, id)).toMatchObject([{ files: [], state: 'registered' }])
    expect(tree(at.home)).toEqual(once)
    expect(stateOf(at, id)).toBe('registered')
  })

  it.each([
    ['as its user had it', configs[id]!],
    ['where it had nothing at all', {}],
  ])('is the same to the byte after uninstall, %s', (_, files) => {
    for (const steps of [[['--mcp']], [[], ['--mcp']], [['--mcp'], []]]) {
      const at = home(files)
      const before = tree(at.home)
      for (const options of steps) install(at, id, ...options)
      expect(recollect(at, 'uninstall', id, '--yes')).toMatchObject({ status: 0, err: '' })
      expect(tree(at.home)).toEqual(before)
      expect(existsSync(join(at.store, 'bin'))).toBe(false)
    }
  })
})

describe('an agent', () => {
  it.each([[[]], [['--no-mcp']]])('gets no server unless it is asked for (%j)', (options) => {
    const at = home(configs['claude-code']!)
    const before = readFileSync(join(at.home, '.claude.json'), 'utf8')
    expect(install(at, 'claude-code', ...options)).toEqual([])
    expect(readFileSync(join(at.home, '.claude.json'), 'utf8')).toBe(before)
    expect(stateOf(at, 'claude-code')).toBe('missing')
  })

  it('keeps a server of that name that its user added, and install says so', () => {
    const own = '{"mcpServers":{"recollect":{"type":"stdio","command":"recollect","args":["mcp"],"env":{}}}}'
    const at = home({ '.claude/settings.json': '{}', '.claude.json': own })
    const { out, status } = recollect(at, 'install', 'claude-code', '--mcp', '--yes')
    expect(status).toBe(0)
    expect(out).toContain('~/.claude.json has an MCP server "recollect" that you')
    expect(stateOf(at, 'claude-code')).toBe('by hand')
    recollect(at, 'uninstall', 'claude-code', '--yes')
    expect(readFileSync(join(at.home, '.claude.json'), 'utf8')).toBe(own)
    expect(existsSync(join(at.store, 'bin'))).toBe(false)
  })

  it('whose file cannot be edited is reported, and the hooks are installed all the same', () => {
    const at = home({ '.claude/settings.json': '{}', '.claude.json': '{ "a": 1, // mine\n}' })
    const run = recollect(at, 'install', 'claude-code', '--mcp', '--yes', '--json')
    expect(run.status).toBe(3)
    expect(run.err).toContain('.claude.json')
    expect(run.json().agents).toMatchObject([{ agent: 'claude-code', isVerified: true }])
    expect(run.json().mcp).toMatchObject([{ state: 'missing', problem: expect.stringContaining('comment') }])
  })

  it('with the plugin has the server already', () => {
    const at = home({ '.claude/settings.json': '{"enabledPlugins":{"recollect@recollect":true}}' })
    expect(install(at, 'claude-code', '--mcp')).toEqual([])
    expect(stateOf(at, 'claude-code')).toBe('plugin')
    expect(existsSync(join(at.home, '.claude.json'))).toBe(false)
  })

  it('gets back an entry that was changed, with what its user added to it', () => {
    const at = home(configs.cursor!)
    install(at, 'cursor', '--mcp')
    const file = join(at.home, '.cursor/mcp.json')
    const { mcpServers } = JSON.parse(readFileSync(file, 'utf8'))
    const changed = { ...mcpServers.recollect, args: ['--verbose', 'mcp'], disabled: true }
    writeFileSync(file, JSON.stringify({ mcpServers: { recollect: changed } }))
    expect(stateOf(at, 'cursor')).toBe('outdated')
    expect(checkOf(at)).toMatchObject({ ok: false, detail: expect.stringContaining('cursor') })
    install(at, 'cursor')
    expect(JSON.parse(readFileSync(file, 'utf8')).mcpServers.recollect).toEqual({
      ...mcpServers.recollect,
      disabled: true,
    })
    expect(recollect(at, 'uninstall', 'cursor', '--yes').status).toBe(0)
    expect(readFileSync(file, 'utf8')).not.toContain('recollect')
  })
})

it('a file with hooks and servers that cannot be edited is reported once', () => {
  const at = home({ '.qwen/settings.json': '{\n  "a": 1,\n}\n' })
  const { err, status } = recollect(at, 'install', 'qwen-code', '--mcp', '--yes')
  expect(status).toBe(3)
  expect(err.match(/settings\.json:2:9: the agent does not read this file/g)).toHaveLength(1)
  expect(err).toContain('The file was not changed. Remove the trailing comma, then run the command again.')
})

it('one line per agent and file says what changes, within 80 columns', () => {
  const at = home({ ...configs['claude-code'], ...configs.codex, ...configs.opencode })
  const { out, err } = recollect(at, 'install', '--dry-run', '--mcp')
  expect(`${out}${err}`.split('\n').filter((line) => line.length > 80)).toEqual([])
  expect(out).toBe(`agent        part   file                                    change
Claude Code  hooks  ~/.claude/settings.json                 +49 -1 lines
Claude Code  MCP    ~/.claude.json                          +8 -1 lines
Codex        hooks  ~/.codex/hooks.json                     new file, 59 lines
Codex        MCP    ~/.codex/config.toml                    +4 lines
OpenCode     hooks  ~/.config/opencode/plugin/recollect.js  new file, 102 lines
OpenCode     MCP    ~/.config/opencode/opencode.jsonc       +1 -1 lines
To see every changed line: add --diff
`)
  expect(readdirSync(at.home).sort()).toEqual(['.claude', '.claude.json', '.codex', '.config'])
})

it('install without a terminal says how to register it', () => {
  const at = home({ ...configs['claude-code'], ...configs.codex })
  const { err } = recollect(at, 'install', '--yes', '--judge', 'none')
  expect(err).toContain('Not registered with:\nClaude Code, Codex.\nTo register it: recollect install --mcp')
})

it('doctor names the agents with and without it', () => {
  const at = home({ ...configs['claude-code'], ...configs.codex })
  install(at, 'codex', '--mcp')
  expect(checkOf(at)).toMatchObject({
    detail: 'registered with codex; not registered with claude-code ("recollect install --mcp")',
  })
})

function home(files: Record<string, string>): Place {
  const at = place()
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(at.home, path)), { recursive: true })
    writeFileSync(join(at.home, path), content)
  }
  places.push(at)
  return at
}

function install(at: Place, id: string, ...options: string[]): unknown[] {
  return recollect(at, 'install', id, '--yes', '--json', ...options).json().mcp
}

function stateOf(at: Place, id: string): string {
  const rows: { agent: string; mcp: string }[] = recollect(at, 'install', '--status', '--json').json()
  return rows.find(({ agent }) => agent === id)!.mcp
}

function checkOf(at: Place): unknown {
  const { checks }: { checks: { name: string }[] } = recollect(at, 'doctor', '--json').json()
  return checks.find(({ name }) => name === 'mcp server')
}

function textOf(path: string): string {
  return existsSync(path) ? readFileSync(path, 'utf8') : ''
}

/** Every file and folder below, with its bytes. */
function tree(folder: string): Record<string, string> {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()
  return Object.fromEntries(
    paths.map((path) => {
      const isFolder = statSync(join(folder, path)).isDirectory()
      return [path, isFolder ? '' : readFileSync(join(folder, path), 'latin1')]
    }),
  )
}
