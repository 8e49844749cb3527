// The files by which agents, registries and package managers find Recollect, generated from
// package.json and the code, so that version, commands and hooks are the same in all of them.
import { readFileSync } from 'node:fs'
import { transformSync } from 'esbuild'
import manifest from '../../package.json' with { type: 'json' }
import type { Agent } from '../../src/agents/agent.ts'
import { agents } from '../../src/agents/registry.ts'
import { notInstalled, portableHookCommand } from '../../src/core/hook-command.ts'
import { pluginFiles, skillFile } from '../../src/install/plugin.ts'
import { hookGroups } from '../../src/install/targets.ts'
import { homebrewFormula } from './homebrew.ts'

export interface PackagingFile {
  /** In the repository. */
  path: string
  content: string
}

/** The address of the repository. package.json is the only place where it is written by hand. */
export const repository = manifest.repository.url.replace(/^git\+|\.git$/g, '')

/** In one line: clients list the arguments of a server. */
const startServer = transformSync(
  readFileSync(new URL('./start-server.cjs', import.meta.url), 'utf8').replace('@notice@', notInstalled),
  { minifyWhitespace: true },
).code.trim()

/** The installed program and nothing else: a package of our name on npm may be somebody else's. */
const server = { command: 'node', args: ['-e', startServer] }

/** `current` reads a file of the repository as it is. */
export function packagingFiles(current: (path: string) => string): PackagingFile[] {
  const { name, version, description } = manifest
  const formula = 'packaging/homebrew/recollect.rb'
  return [
    ...pluginFiles({
      folder: 'plugins/recollect',
      version,
      command: name,
      server,
      hooks: { claude: hooksOf('claude-code'), codex: hooksOf('codex') },
      origin: [
        `Claude Code: \`/plugin marketplace add ${repository.split('/').slice(-2).join('/')}\`, then \`/plugin install recollect@recollect\``,
        '',
        'The plugin runs the installed Recollect and downloads nothing: install it first, see',
        `[docs/install.md](${repository}/blob/main/docs/install.md). Hooks work from the second session on; without Recollect the first`,
        'one says once that it is missing. On Windows `recollect install` adds hooks instead.',
      ].join('\n'),
      links: { homepage: manifest.homepage, repository },
    }),
    // For agents that take skills, and for Gemini CLI, which takes skills from the root of an extension.
    skillFile('skills', name),
    json('gemini-extension.json', { name, version, description, mcpServers: { [name]: server } }),
    json('hooks/hooks.json', hooksOf('gemini-cli')),
    json('server.json', registryEntry()),
    json('packaging/mcpb/manifest.json', bundleManifest()),
    { path: formula, content: homebrewFormula(current(formula), { repository, description }) },
  ]
}

function hooksOf(id: string) {
  const { hooks } = agents.find((agent) => agent.id === id) as Agent & Required<Pick<Agent, 'hooks'>>
  const anyMachine = { home: '', env: {}, platform: 'linux' } as const
  return hookGroups(hooks.files(anyMachine, (event) => portableHookCommand(id, event)))
}

/**
 * The entry of the MCP registry, in the format of 2025-12-11. It names no package: a client would run
 * whatever npm has under that name.
 */
function registryEntry() {
  const { version, description, mcpName } = manifest
  return {
    $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
    name: mcpName,
    title: 'Recollect',
    description,
    repository: { url: repository, source: 'github' },
    websiteUrl: manifest.homepage,
    version,
  }
}

/** The manifest of the bundle for Claude Desktop; scripts/packaging/bundle.ts adds the program. */
function bundleManifest() {
  const { name, version, description, keywords, license, engines } = manifest
  return {
    manifest_version: '0.3',
    name,
    display_name: 'Recollect',
    version,
    description,
    author: { name: manifest.author, url: repository },
    repository: { type: 'git', url: repository },
    homepage: manifest.homepage,
    support: manifest.bugs.url,
    server: {
      type: 'node',
      entry_point: 'dist/cli.js',
      mcp_config: { command: 'node', args: ['${' + '__dirname}/dist/cli.js', 'mcp'] },
    },
    tools_generated: true,
    keywords,
    license,
    compatibility: { platforms: ['darwin', 'linux', 'win32'], runtimes: { node: engines.node } },
  }
}

function json(path: string, value: unknown): PackagingFile {
  return { path, content: `${JSON.stringify(value, null, 2)}\n` }
}
