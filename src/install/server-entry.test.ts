import { describe, expect, it } from 'vitest'
import { agents } from '../agents/registry.ts'
import type { Machine } from '../core/paths.ts'
import type { HookProgram } from '../hook/script.ts'
import { isOurServer, serverCommand, serverFile } from './server-entry.ts'

const root = '/home/dev/.recollect'
const program: HookProgram = { root, platform: 'linux', node: '/usr/bin/node', cli: '/opt/recollect/cli.js' }
const windows: HookProgram = { ...program, platform: 'win32', node: 'C:\\node.exe', cli: 'C:\\recollect\\cli.js' }
const serving = agents.flatMap(({ id, mcp }) => (mcp ? [{ id, mcp }] : []))

function shown(env: Record<string, string> = {}, from = program): Record<string, string> {
  const machine: Machine = { home: '/home/dev', env, platform: 'linux' }
  return Object.fromEntries(
    serving.map(({ id, mcp }) => {
      const file = serverFile(machine, mcp, serverCommand(from))
      const text = file.kind === 'json' ? JSON.stringify(file.entries[0]) : (file as { text: string }).text
      return [id, `${file.path} ${text}`]
    }),
  )
}

describe('serverFile', () => {
  it('is the entry that each agent writes itself', () =>
    expect(shown()).toMatchInlineSnapshot(`
    {
      "antigravity": "/home/dev/.gemini/config/mcp_config.json {"at":["mcpServers","recollect"],"member":{"command":"/home/dev/.recollect/bin/recollect","args":["mcp"]}}",
      "claude-code": "/home/dev/.claude.json {"at":["mcpServers","recollect"],"member":{"type":"stdio","command":"/home/dev/.recollect/bin/recollect","args":["mcp"]}}",
      "codex": "/home/dev/.codex/config.toml [mcp_servers.recollect]
    command = "/home/dev/.recollect/bin/recollect"
    args = [ "mcp" ]
    ",
      "copilot-cli": "/home/dev/.copilot/mcp-config.json {"at":["mcpServers","recollect"],"member":{"type":"local","tools":["*"],"command":"/home/dev/.recollect/bin/recollect","args":["mcp"]}}",
      "cursor": "/home/dev/.cursor/mcp.json {"at":["mcpServers","recollect"],"member":{"command":"/home/dev/.recollect/bin/recollect","args":["mcp"]}}",
      "droid": "/home/dev/.factory/mcp.json {"at":["mcpServers","recollect"],"member":{"type":"stdio","command":"/home/dev/.recollect/bin/recollect","args":["mcp"]}}",
      "gemini-cli": "/home/dev/.gemini/settings.json {"at":["mcpServers","recollect"],"member":{"command":"/home/dev/.recollect/bin/recollect","args":["mcp"]}}",
      "grok": "/home/dev/.grok/config.toml [mcp_servers.recollect]
    command = "/home/dev/.recollect/bin/recollect"
    args = [ "mcp" ]
    ",
      "kilo": "/home/dev/.config/kilo/kilo.json {"at":["mcp","recollect"],"member":{"type":"local","command":["/home/dev/.recollect/bin/recollect","mcp"]}}",
      "kimi": "/home/dev/.kimi-code/mcp.json {"at":["mcpServers","recollect"],"member":{"command":"/home/dev/.recollect/bin/recollect","args":["mcp"]}}",
      "opencode": "/home/dev/.config/opencode/opencode.json {"at":["mcp","recollect"],"member":{"type":"local","command":["/home/dev/.recollect/bin/recollect","mcp"]}}",
      "qwen-code": "/home/dev/.qwen/settings.json {"at":["mcpServers","recollect"],"member":{"command":"/home/dev/.recollect/bin/recollect","args":["mcp"]}}",
    }
  `))

  it('follows the homes that agents are configured with', () => {
    const files = shown({
      CLAUDE_CONFIG_DIR: '/c',
      CODEX_HOME: '/x',
      GEMINI_CLI_HOME: '/g',
      XDG_CONFIG_HOME: '/o',
      KIMI_CODE_HOME: '/k',
    })
    const paths = ['claude-code', 'codex', 'gemini-cli', 'opencode', 'kimi'].map((id) => files[id]!.split(' ')[0])
    expect(paths).toEqual([
      '/c/.claude.json',
      '/x/config.toml',
      '/g/.gemini/settings.json',
      '/o/opencode/opencode.json',
      '/k/mcp.json',
    ])
  })

  it('names program and store on Windows, where not every agent starts a .cmd file', () => {
    expect(serverCommand(windows)).toEqual({
      command: 'C:\\node.exe',
      args: ['C:\\recollect\\cli.js', 'mcp'],
      env: { RECOLLECT_HOME: root },
    })
    expect(shown({}, windows).opencode).toContain('"environment":{"RECOLLECT_HOME"')
  })
})

describe('isOurServer', () => {
  it.each(serving)('recognises the entry of $id', ({ mcp }) => {
    expect(isOurServer(mcp.entry(serverCommand(program)), root)).toBe(true)
    expect(isOurServer({ ...mcp.entry(serverCommand(program)), timeout: 5 }, root)).toBe(true)
    expect(isOurServer(mcp.entry(serverCommand(windows)), root)).toBe(true)
  })

  it.each([
    ['the command on the path', { command: 'recollect', args: ['mcp'] }],
    ['another installation', { command: '/usr/local/bin/recollect', args: ['mcp'] }],
    ['another store', { command: '/srv/store/bin/recollect', args: ['mcp'] }],
    ['another command of ours', { command: `${root}/bin/recollect`, args: ['serve'] }],
    ['a server at an address', { type: 'http', url: 'http://127.0.0.1:7717/mcp' }],
    ['no object', 'recollect'],
  ])('does not recognise %s', (_, entry) => expect(isOurServer(entry, root)).toBe(false))
})
