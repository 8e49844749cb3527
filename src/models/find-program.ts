import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import type { Machine } from '../core/paths.ts'

/** Installation folders that are missing in the PATH of hooks and timers. */
const usualPlaces = ['.local/bin', '.claude/local', '.npm-global/bin', '.bun/bin', '.volta/bin']
const commonPlaces = ['/opt/homebrew/bin', '/usr/local/bin', '/usr/bin']

export function findProgram(name: string, { env, home, platform }: Machine): string | undefined {
  const file = platform === 'win32' ? `${name}.exe` : name
  const folders = [
    ...(env.PATH ?? env.Path ?? '').split(delimiter).filter((folder) => folder !== ''),
    ...usualPlaces.map((place) => join(home, place)),
    ...(platform === 'win32' ? [] : commonPlaces),
  ]
  return folders.map((folder) => join(folder, file)).find(isProgram)
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}
