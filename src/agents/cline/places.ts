// Where editors keep what their extensions store: each editor of the VS Code family, here and on remote machines.
import { join } from 'node:path'
import type { Machine } from '../../core/machine.ts'

const editors = ['Code', 'Code - Insiders', 'Code - OSS', 'VSCodium', 'Cursor', 'Windsurf']
const servers = [
  '.vscode-server',
  '.vscode-server-insiders',
  '.vscode-remote',
  '.vscodium-server',
  '.cursor-server',
  '.windsurf-server',
]

export function extensionStorages(extension: string, machine: Machine): string[] {
  const { home } = machine
  return [
    ...editors.map((editor) => join(configFolder(machine), editor)),
    ...servers.map((server) => join(home, server, 'data')),
    join(home, '.local', 'share', 'code-server'),
  ].map((folder) => join(folder, 'User', 'globalStorage', extension))
}

function configFolder({ home, env, platform }: Machine): string {
  if (platform === 'darwin') return join(home, 'Library', 'Application Support')
  if (platform === 'win32') return env.APPDATA ?? join(home, 'AppData', 'Roaming')
  return env.XDG_CONFIG_HOME ?? join(home, '.config')
}
