// Apart from files.ts: `import.meta` is not available in the hook's CommonJS bundle.
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * Finds a file of the package by one of these names: beside the bundle, or in the tree of a
 * checkout.
 */
export function findPackageFile(...names: string[]): string | undefined {
  for (let folder = dirname(fileURLToPath(import.meta.url)); folder !== dirname(folder); folder = dirname(folder)) {
    const found = names.map((name) => join(folder, name)).find((path) => existsSync(path))
    if (found) return found
  }
  return undefined
}

export function readPackageFile(...names: string[]): string {
  const path = findPackageFile(...names)
  if (!path) throw new Error(`${names[0]} is missing from this installation`)
  return readFileSync(path, 'utf8')
}
