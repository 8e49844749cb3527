// The entry of our MCP server in the files of agents: how it is started, written and recognised.
import { join, resolve } from 'node:path'
import { stringify } from 'smol-toml'
import type { HookFile, McpFile, McpServerCommand } from '../agents/agent.ts'
import { UserError } from '../core/errors.ts'
import type { Machine } from '../core/paths.ts'
import type { Json } from '../core/session.ts'
import { type HookProgram, launcherPath } from '../hook/script.ts'
import { jsonOf, parseJson } from './edit/json-document.ts'
import { pathTo } from './edit/owned-entries.ts'
import { parseToml } from './edit/plan-toml.ts'
import { readText } from './edit/read-text.ts'

export const serverName = 'recollect'

/**
 * The launcher, whose path stays the same in every version and which sets RECOLLECT_HOME: Codex
 * passes only HOME and PATH. On Windows not every agent can start a .cmd file.
 */
export function serverCommand(program: HookProgram): McpServerCommand {
  const { root, node, cli, platform } = program
  if (platform === 'win32') return { command: node, args: [cli, 'mcp'], env: { RECOLLECT_HOME: root } }
  return { command: launcherPath(program), args: ['mcp'] }
}

export function serverFile(machine: Machine, mcp: McpFile, server: McpServerCommand): HookFile {
  const path = mcp.path(machine)
  const at = [mcp.key, serverName]
  const entry = mcp.entry(server)
  if (mcp.format === 'toml')
    return { kind: 'toml table', path, at, text: stringify({ [mcp.key]: { [serverName]: entry } }) }
  return { kind: 'json', path, entries: [{ at, member: entry }], ...(mcp.rejects ? { rejects: mcp.rejects } : {}) }
}

/**
 * Whether an entry starts the program of this store, whatever else it says. Other entries of this
 * name, such as one for a `recollect` on the path, are the user's.
 */
export function isOurServer(entry: Json, root: string): boolean {
  if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) return false
  const { command, args, env, environment } = entry
  const line = [command ?? [], args ?? []].flat()
  if (line.at(-1) !== 'mcp') return false
  if (line[0] === join(resolve(root), 'bin', 'recollect')) return true
  const store = { ...(env as Record<string, Json> | undefined), ...(environment as Record<string, Json> | undefined) }
  return /^(?:[A-Za-z]:|\\\\)/.test(String(line[0])) && store.RECOLLECT_HOME === resolve(root)
}

/** The entry of our name in a file, whoever wrote it. Undefined if the file cannot be read. */
export function registeredEntry(file: HookFile): Json | undefined {
  try {
    const text = readText(file.path)
    if (text === undefined) return undefined
    if (file.kind === 'json') {
      const element = pathTo(parseJson(text, file.path), file.entries[0]!.at)?.at(-1)?.element
      return element && jsonOf(element.value)
    }
    if (file.kind !== 'toml table') return undefined
    const table = parseToml(text, file.path) as Record<string, Record<string, Json> | undefined>
    return table[file.at[0]!]?.[file.at[1]!]
  } catch (error) {
    if (error instanceof UserError) return undefined
    throw error
  }
}
