// Lays out the bundle for Claude Desktop (.mcpb): the manifest and the built program.
import { cpSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'

const parts = ['dist', 'LICENSE', 'README.md', 'CHANGELOG.md', 'package.json']

export function layOutBundle(root: string, folder: string): void {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  cpSync(join(root, 'packaging', 'mcpb', 'manifest.json'), join(folder, 'manifest.json'))
  for (const part of parts) {
    // The compile cache is made for one version of Node.
    cpSync(join(root, part), join(folder, part), { recursive: true, filter: (path) => !path.endsWith('.cache') })
  }
}
