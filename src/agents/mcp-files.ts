// The file with the user's MCP servers, per agent. Every entry was written by the agent's own command
// (`claude mcp add -s user`, `codex mcp add`, …) in the version that is named, except where it says
// otherwise, and `npm run test:clients` reads ours back with the real programs.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Machine } from '../core/paths.ts'
import type { McpFile, McpServerCommand } from './agent.ts'

/** Most agents: `{ "mcpServers": { "<name>": { "command", "args", "env" } } }`. */
function mcpServers(
  path: McpFile['path'],
  rejects: McpFile['rejects'] = [],
  about: Record<string, string | boolean | string[]> = {},
): McpFile {
  return { path, format: 'json', key: 'mcpServers', rejects, entry: (server) => ({ ...about, ...server }) }
}

/**
 * Claude Code 2.1.325: its state file, which is strict JSON. It is in the home of the user, or in
 * the folder that CLAUDE_CONFIG_DIR names.
 */
export function claudeCodeMcp(configuredHome: (machine: Machine) => string | undefined): McpFile {
  const path = (machine: Machine) => join(configuredHome(machine) ?? machine.home, '.claude.json')
  return mcpServers(path, ['comment', 'trailing comma'], { type: 'stdio' })
}

/** Codex 0.166 and Grok Build 1.0.41: a table `[mcp_servers.<name>]` in config.toml. */
export function configTomlMcp(home: (machine: Machine) => string): McpFile {
  return {
    path: (machine) => join(home(machine), 'config.toml'),
    format: 'toml',
    key: 'mcp_servers',
    entry: (server) => ({ ...server }),
  }
}

/** Gemini CLI 0.61 and Qwen Code 0.24.4: the same file as the hooks. */
export function settingsMcp(home: (machine: Machine) => string): McpFile {
  return mcpServers((machine) => join(home(machine), 'settings.json'), ['trailing comma'])
}

/** Copilot CLI 1.0.102. Without `tools` it offers none of them. */
export function copilotMcp(home: (machine: Machine) => string): McpFile {
  return mcpServers((machine) => join(home(machine), 'mcp-config.json'), [], { type: 'local', tools: ['*'] })
}

/** Cursor, as documented in 2026 for its editor and its command line; not tried. */
export function cursorMcp(home: (machine: Machine) => string): McpFile {
  return mcpServers((machine) => join(home(machine), 'mcp.json'))
}

/** Factory Droid 0.225.2. */
export function droidMcp(home: (machine: Machine) => string): McpFile {
  return mcpServers((machine) => join(home(machine), 'mcp.json'), ['trailing comma'], { type: 'stdio' })
}

/** Kimi Code 2.1.0, as read in its configLoader, which parses strict JSON. kimi-cli gets none. */
export function kimiMcp(home: (machine: Machine) => string): McpFile {
  return mcpServers((machine) => join(home(machine), 'mcp.json'), ['comment', 'trailing comma'])
}

/** Antigravity, for its editor and its command line, as reported for 1.1 in 2026; not tried. */
export const antigravityMcp: McpFile = mcpServers(({ home }) => join(home, '.gemini', 'config', 'mcp_config.json'))

/** OpenCode 1.18.33 and Kilo 7.7.7: it reads both files and writes to the one with comments if there is one. */
export function openCodeMcp(folder: (machine: Machine) => string, file: string): McpFile {
  return {
    path(machine) {
      const [withComments, plain] = [`${file}.jsonc`, `${file}.json`].map((name) => join(folder(machine), name))
      return existsSync(withComments!) ? withComments! : plain!
    },
    format: 'json',
    key: 'mcp',
    entry: ({ command, args, env }: McpServerCommand) => ({
      type: 'local',
      command: [command, ...args],
      ...(env ? { environment: env } : {}),
    }),
  }
}
