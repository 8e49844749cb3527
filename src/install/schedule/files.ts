import { lstatSync, readFileSync } from 'node:fs'
import { isoTime } from '../../core/clock.ts'
import { UserError } from '../../core/errors.ts'
import { cadenceIn, type Step } from './scheduler.ts'

/** The files that are there; a link counts, wherever it leads. */
export function textsOf(paths: string[], encoding: 'utf8' | 'utf16le' = 'utf8'): Record<string, string> {
  return Object.fromEntries(
    paths.flatMap((path) => {
      const entry = lstatSync(path, { throwIfNoEntry: false })
      if (!entry) return []
      return [[path, entry.isSymbolicLink() ? '' : readFileSync(path, encoding)]]
    }),
  )
}

export function changedAt(path: string): string | undefined {
  const entry = lstatSync(path, { throwIfNoEntry: false })
  return entry && isoTime(entry.mtimeMs)
}

type Write = Extract<Step, { kind: 'write' }>

/** Those that are not there as they should be. A file that somebody else made stays his. */
export function writesNeeded(files: Write[], texts: Readonly<Record<string, string>>): Write[] {
  const foreign = files.find(({ path }) => texts[path] !== undefined && !cadenceIn(texts[path]))
  if (foreign)
    throw new UserError(`${foreign.path} was not made by recollect`, 'Move it away, then run the same command again.')
  return files.filter(({ path, content }) => texts[path] !== content)
}

export function deletes(paths: string[], texts: Readonly<Record<string, string>>): Step[] {
  return paths.filter((path) => cadenceIn(texts[path])).map((path) => ({ kind: 'delete', path }))
}
