// Remembers in the store which version a person used last, to tell once that it has changed.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { writeAtomically } from '../../core/files.ts'
import type { Layout } from '../../core/paths.ts'
import { compareVersions } from './release-notes.ts'

interface UsedVersion {
  current: string
  /** The one before, for the notes of what came since. */
  previous?: string
}

export function usedVersion(layout: Layout): UsedVersion | undefined {
  try {
    const used = JSON.parse(readFileSync(join(layout.run, 'version.json'), 'utf8')) as UsedVersion
    return typeof used.current === 'string' ? used : undefined
  } catch {
    return undefined // the first use, or a file that somebody has edited
  }
}

/** Returns what to say if this is the first command after an upgrade. Writes only into a store that exists. */
export function noteVersion(layout: Layout, version: string): string | undefined {
  const used = usedVersion(layout)
  if (used?.current === version || !existsSync(layout.run)) return undefined
  try {
    writeAtomically(
      join(layout.run, 'version.json'),
      JSON.stringify({ current: version, ...(used && { previous: used.current }) }),
    )
  } catch {
    return undefined // what cannot be noted would be said every time
  }
  if (used === undefined || compareVersions(version, used.current) < 0) return undefined
  return `Recollect ${used.current} → ${version}: recollect upgrade --notes`
}
