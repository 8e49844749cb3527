// Where programs keep the data of a user on each system, and the folders of editors of the VS Code
// family.
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Machine } from '../core/paths.ts'

/** Data of desktop applications: `~/.config` on Linux. */
export function applicationData({ home, env, platform }: Machine): string {
  if (platform === 'darwin') return join(home, 'Library', 'Application Support')
  if (platform === 'win32') return env.APPDATA || join(home, 'AppData', 'Roaming')
  return env.XDG_CONFIG_HOME || join(home, '.config')
}

/** Data of command-line programs that follow the XDG specification: `~/.local/share` on Linux. */
export function sharedData({ home, env, platform }: Machine): string {
  if (env.XDG_DATA_HOME) return env.XDG_DATA_HOME
  if (platform === 'darwin') return join(home, 'Library', 'Application Support')
  if (platform === 'win32') return env.LOCALAPPDATA || join(home, 'AppData', 'Local')
  return join(home, '.local', 'share')
}

/** The `User` folder of every editor of the VS Code family, local and for remote windows. */
export function editorFolders(machine: Machine): string[] {
  const { home } = machine
  return [
    ...editors.map((editor) => join(applicationData(machine), editor)),
    ...servers.map((server) => join(home, server, 'data')),
    join(home, '.local', 'share', 'code-server'),
  ].map((folder) => join(folder, 'User'))
}

const editors = [
  'Code',
  'Code - Insiders',
  'Code - OSS',
  'VSCodium',
  'VSCodium - Insiders',
  'Positron',
  'Cursor',
  'Windsurf',
]
const servers = [
  '.vscode-server',
  '.vscode-server-insiders',
  '.vscode-remote',
  '.vscodium-server',
  '.positron-server',
  '.cursor-server',
  '.windsurf-server',
]

/**
 * The path of a `file:` or `vscode-remote:` URI, as it is on the machine where the file is; undefined
 * for any other.
 */
export function pathOfUri(uri: string): string | undefined {
  try {
    const { protocol, pathname } = new URL(uri)
    if (protocol === 'file:') return fileURLToPath(uri, { windows: /^\/[a-z](?::|%3a)/i.test(pathname) })
    return protocol === 'vscode-remote:' ? decodeURIComponent(pathname) : undefined
  } catch {
    return undefined
  }
}
