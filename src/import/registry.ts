// All sources that can be imported, in the order in which a path is tried.
import { join } from 'node:path'
import { UserError } from '../core/errors.ts'
import { statOrUndefined } from '../core/files.ts'
import type { Machine } from '../core/paths.ts'
import type { ImportSource } from './source.ts'
import { basicMemory } from './sources/basic-memory.ts'
import { claudeMem } from './sources/claude-mem.ts'
import { claudeMemory } from './sources/claude-memory.ts'
import { memoria } from './sources/memoria.ts'
import { recollectExport } from './sources/recollect-export.ts'
import { serverMemory } from './sources/server-memory.ts'
import { specstory } from './sources/specstory.ts'

export const importSources: readonly ImportSource[] = [
  recollectExport,
  claudeMem,
  claudeMemory,
  serverMemory,
  specstory,
  memoria,
  basicMemory,
]

export interface FoundSource {
  source: ImportSource
  path: string
}

/** What is at a path; a user error if nothing known is there. */
export function detectSource(path: string): FoundSource {
  if (!statOrUndefined(path))
    throw new UserError(`There is no ${path}`, 'Give the path of a file or folder, or see: recollect import --help')
  for (const source of importSources) {
    const place = placeOf(source, path)
    if (place !== undefined) return { source, path: place }
  }
  throw new UserError(
    `${path} has no memories of a known form`,
    `Known: ${importSources.map(({ id }) => id).join(', ')}`,
  )
}

/** Sources at their default places, each place once. */
export function findSources(machine: Machine): FoundSource[] {
  return importSources.flatMap((source) =>
    source
      .places(machine)
      .filter((path) => statOrUndefined(path) && source.detect(path))
      .map((path) => ({ source, path })),
  )
}

/** A named source at a path, or at its default place. */
export function namedSource(machine: Machine, id: string, path: string | undefined): FoundSource {
  const source = importSources.find((one) => one.id === id)!
  if (path === undefined) {
    const places = source.places(machine)
    const found = places.find((one) => statOrUndefined(one) && source.detect(one))
    if (found) return { source, path: found }
    const looked = places.length > 0 ? ` at ${places.join(' or ')}` : ''
    throw new UserError(
      `No memory of ${source.name} found${looked}`,
      `Give its path: recollect import --from ${id} <path>`,
      1,
    )
  }
  if (!statOrUndefined(path)) throw new UserError(`There is no ${path}`, 'Give the path of a file or folder.')
  const place = placeOf(source, path)
  if (place === undefined)
    throw new UserError(`${path} is not a memory of ${source.name}`, 'Leave out --from to have it detected.')
  return { source, path: place }
}

/** The path itself, or the file in the folder that it names. */
function placeOf(source: ImportSource, path: string): string | undefined {
  return [path, ...(source.files ?? []).map((file) => join(path, file))].find((place) => source.detect(place))
}
