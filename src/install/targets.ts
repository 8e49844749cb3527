// Lists the install targets: the hooks of each agent, the MCP server in each agent, and the plugin,
// which contains hooks, the MCP server and a skill.
import { join } from 'node:path'
import type { Agent, HookFile, JsonEntry } from '../agents/agent.ts'
import type { App } from '../app.ts'
import { hookCommand, promptMoment } from '../core/hook-command.ts'
import type { Json } from '../core/session.ts'
import { shellQuote, typedCommand, windowsQuote } from '../core/shell/command-line.ts'
import { type HookProgram, launcherPath } from '../hook/script.ts'
import { pluginFiles } from './plugin.ts'
import { pluginFolder } from './plugin-traces.ts'
import { serverCommand, serverFile } from './server-entry.ts'

export interface InstallTarget {
  id: string
  /** Display name. */
  name: string
  files: HookFile[]
  /** Manual steps that the user still has to do. */
  afterwards: string | undefined
  /** The agent of hooks; undefined for the plugin, which has hooks of several agents. */
  agent?: HookedAgent
  /** The agent whose status line is set, for a target that does only that. */
  statusLineOf?: Agent
  /** The agent that the MCP server is registered with, for a target that does only that. */
  serves?: McpAgent
}

/** An agent that has hooks. */
export type HookedAgent = Agent & Required<Pick<Agent, 'hooks'>>

/** An agent that we can register the MCP server with. */
export type McpAgent = HookedAgent & Required<Pick<Agent, 'mcp'>>

export function agentTargets(app: App, program: HookProgram): InstallTarget[] {
  return app.agents.filter(isHooked).map((agent) => ({
    id: agent.id,
    name: agent.name,
    files: [
      ...hookFilesOf(app, agent, (event) => hookCommand(program, agent.id, event)),
      // The hooks of the plugin do nothing if this file exists.
      { kind: 'own', path: join(app.layout.root, 'bin', `${agent.id}.direct`), content: '' },
    ],
    afterwards: agent.hooks.afterwards,
    agent,
  }))
}

/** The registration of the MCP server with each agent: targets of their own, since they are optional. */
export function mcpTargets(app: App, program: HookProgram): InstallTarget[] {
  const server = serverCommand(program)
  return app.agents.filter(isMcpAgent).map((agent) => ({
    id: `${agent.id}-mcp`,
    name: agent.name,
    files: [serverFile(app.machine, agent.mcp, server)],
    afterwards: undefined,
    serves: agent,
  }))
}

/** The status line of each agent that has one; never installed unless the user asks for it. */
export function statusLineTargets(app: App, program: HookProgram): InstallTarget[] {
  const launcher = launcherPath(program)
  const command =
    program.platform === 'win32' ? `${windowsQuote(launcher)} statusline` : `${shellQuote(launcher)} statusline`
  return app.agents.flatMap((agent) =>
    agent.statusLine
      ? {
          id: `${agent.id}-statusline`,
          name: agent.name,
          files: [agent.statusLine(app.machine, command)],
          afterwards: undefined,
          statusLineOf: agent,
        }
      : [],
  )
}

export const pluginId = 'plugin'

export function pluginTarget(app: App, program: HookProgram, version: string): InstallTarget {
  const root = pluginFolder(program.root)
  const hooksOf = (plugin: 'claude' | 'codex') =>
    groupsOf(app, program, app.agents.filter(isHooked).find(({ hooks }) => hooks.plugin === plugin)!)
  const command = launcherPath(program)
  const files = pluginFiles({
    folder: 'recollect',
    version,
    command,
    // Codex 0.166 passes only HOME and PATH.
    server: { command: program.node, args: [program.cli, 'mcp'], env: { RECOLLECT_HOME: program.root } },
    hooks: { claude: hooksOf('claude'), codex: hooksOf('codex') },
    origin: `Made by \`${command} install\`; \`${command} uninstall\` takes it away again, \`${command} doctor\` says what is wrong.`,
  })
  return {
    id: pluginId,
    name: 'Plugin for Claude Code and Codex',
    files: files.map(({ path, content }) => ({ kind: 'own', path: join(root, path), content })),
    afterwards: [
      `${typedCommand('claude', 'plugin', 'marketplace', 'add', root)} && claude plugin install recollect@recollect`,
      `${typedCommand('codex', 'plugin', 'marketplace', 'add', root)} && codex plugin add recollect@recollect`,
    ].join('\n'),
  }
}

function isHooked(agent: Agent): agent is HookedAgent {
  return agent.hooks !== undefined
}

function isMcpAgent(agent: Agent): agent is McpAgent {
  return agent.mcp !== undefined && isHooked(agent)
}

/** The agent's hook files, with the hooks that the user wants: for prompts, for hints. */
function hookFilesOf({ machine, config }: App, { hooks }: HookedAgent, command: (event: string) => string): HookFile[] {
  const { prompt, hints } = hooks
  const wanted: JsonEntry[] = []
  if (config.recall.perPrompt && prompt) wanted.push(prompt.entry(command(promptMoment)))
  // Hints are looked up by sh and awk.
  if (config.hooks.fix && hints && machine.platform !== 'win32')
    for (const [moment, { entry }] of Object.entries(hints)) wanted.push(entry(command(moment)))
  const files = hooks.files(machine, command)
  return files.map((file) => (file.kind === 'json' ? { ...file, entries: [...file.entries, ...wanted] } : file))
}

function groupsOf(app: App, program: HookProgram, agent: HookedAgent): Json {
  return hookGroups(hookFilesOf(app, agent, (event) => `${hookCommand(program, agent.id, event)} plugin`))
}

/** The hook groups of an agent's settings file, in the format of a plugin. */
export function hookGroups(files: readonly HookFile[]): Json {
  const entries = files.flatMap((file) => (file.kind === 'json' ? file.entries : []))
  return {
    hooks: Object.fromEntries(entries.flatMap((entry) => ('item' in entry ? [[entry.at.at(-1)!, [entry.item]]] : []))),
  }
}
