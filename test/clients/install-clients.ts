// The real clients, at the versions that the suite was written against, in a folder that outlives a run.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Not all are agents: the inspector asks the MCP server as any client does, three check files of the repository, and the
 * package runs on three versions of Node.
 */
export type ClientName =
  | 'claude'
  | 'codex'
  | 'gemini'
  | 'copilot'
  | 'opencode'
  | 'qwen'
  | 'grok'
  | 'kimi'
  | 'droid'
  | 'pi'
  | 'kilo'
  | 'omp'
  | 'continue'
  | 'inspector'
  | 'mcpb'
  | 'skills'
  | 'actions'
  | 'node20'
  | 'node22'
  | 'node26'

interface ClientPackage {
  name: string
  version: string
  command?: string
  /** The program, below node_modules, of a package without a command. */
  program?: string
  /** Another package that the client needs at run time and would download. */
  beside?: string
}

export const packages: Record<ClientName, ClientPackage> = {
  claude: { name: '@anthropic-ai/claude-code', version: '2.1.325' },
  codex: { name: '@openai/codex', version: '0.166.0' },
  gemini: { name: '@google/gemini-cli', version: '0.61.0' },
  copilot: { name: '@github/copilot', version: '1.0.102' },
  opencode: { name: 'opencode-ai', version: '1.18.33', command: 'opencode', beside: '@opencode-ai/plugin@1.18.33' },
  qwen: { name: '@qwen-code/qwen-code', version: '0.24.4' },
  grok: { name: '@xai-official/grok', version: '1.0.41' },
  kimi: { name: '@moonshot-ai/kimi-code', version: '2.1.0' },
  // The package `@factory/cli` of this version is not published.
  droid: { name: '@factory/cli-linux-x64', version: '0.225.2', program: '@factory/cli-linux-x64/bin/droid' },
  pi: { name: '@mariozechner/pi-coding-agent', version: '0.73.1' },
  kilo: { name: '@kilocode/cli', version: '7.7.7', command: 'kilo', beside: '@kilocode/plugin@7.3.1' },
  omp: { name: '@oh-my-pi/pi-coding-agent', version: '18.2.3', beside: 'bun@1.4.4' },
  continue: { name: '@continuedev/cli', version: '1.5.47', command: 'cn' },
  inspector: { name: '@modelcontextprotocol/inspector', version: '2.12.0', command: 'mcp-inspector' },
  mcpb: { name: '@anthropic-ai/mcpb', version: '2.1.2' },
  skills: { name: 'skills', version: '1.7.4' },
  actions: {
    name: '@action-validator/cli',
    version: '0.6.0',
    command: 'action-validator',
    beside: '@action-validator/core@0.6.0',
  },
  node20: { name: 'node', version: '20.19.6', program: 'node/bin/node' },
  node22: { name: 'node', version: '22.18.0', program: 'node/bin/node' },
  node26: { name: 'node', version: '26.10.0', program: 'node/bin/node' },
}

/** Installs what is missing. A client that cannot be fetched stays missing, and its tests are skipped. */
export function installClients(): void {
  for (const client of Object.keys(packages) as ClientName[]) {
    if (!isInstalled(client)) install(client)
  }
}

export function isInstalled(client: ClientName): boolean {
  return existsSync(binary(client))
}

/** The command of a client. */
export function binary(client: ClientName): string {
  return join(folder(client), 'node_modules', programOf(client))
}

function programOf(client: ClientName): string {
  const { program, command = client } = packages[client]
  return program ?? join('.bin', command)
}

/** Set by run.ts, because the temporary folder of a test run is another one. */
export const clientsFolder = process.env.RECOLLECT_TEST_CLIENTS ?? join(tmpdir(), 'recollect-clients')

export function folder(client: ClientName): string {
  return join(clientsFolder, `${client}-${packages[client].version}`)
}

/** Beside its final place first: a run that is cut off leaves nothing that looks installed. */
function install(client: ClientName): void {
  const { name, version, beside: needed } = packages[client]
  const wanted = `${name}@${version}`
  console.log(`Installing ${wanted} (once) ...`)
  mkdirSync(clientsFolder, { recursive: true })
  const beside = mkdtempSync(join(clientsFolder, 'installing-'))
  try {
    const all = needed ? [wanted, needed] : [wanted]
    const npm = spawnSync('npm', ['install', '--prefix', beside, ...quietly, ...all], { encoding: 'utf8', cwd: beside })
    if (npm.status === 0) return place(beside, client)
    if (!isUnreachable(npm.stderr)) throw new Error(`npm install ${wanted} failed:\n${npm.stderr}`)
    console.log(`SKIPPED ${client}: the registry cannot be reached, so ${wanted} cannot be installed.`)
  } finally {
    rmSync(beside, { recursive: true, force: true })
  }
}

const quietly = ['--no-audit', '--no-fund', '--loglevel=error', '--fetch-retries=1']

function place(beside: string, client: ClientName): void {
  if (!existsSync(join(beside, 'node_modules', programOf(client)))) {
    throw new Error(`${packages[client].name} brought no command named ${client}`)
  }
  rmSync(folder(client), { recursive: true, force: true })
  renameSync(beside, folder(client))
}

function isUnreachable(complaint: string): boolean {
  const codes =
    'ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ERR_SOCKET_TIMEOUT|ENOTCACHED'
  return new RegExp(`code (?:${codes})\\b`).test(complaint)
}
