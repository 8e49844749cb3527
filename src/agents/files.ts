// Reads files and lists folders for readers. Errors are reported or treated as missing, never
// thrown.
import { type Dirent, readdirSync } from 'node:fs'
import { join, sep } from 'node:path'
import { messageOf } from '../core/errors.ts'
import { readForeignText } from '../core/files.ts'
import { parseForeignJson } from '../core/foreign-json.ts'
import { type JsonRecord, parseJsonlLine, readLines } from '../core/jsonl.ts'
import type { Json } from '../core/session.ts'
import type { ReaderOutput } from './agent.ts'

/** Every readable record of a JSONL file, in order; none if the file is missing. */
export function* readRecords(
  path: string,
  out: Pick<ReaderOutput, 'problem'>,
): Generator<{ record: JsonRecord; offset: number }> {
  try {
    for (const line of readLines(path)) {
      const { records, bad, omitted } = parseJsonlLine(line)
      if (bad && line.isWhole) out.problem(line.offset + bad.at, bad.reason)
      if (omitted) out.problem(line.offset, omitted)
      for (const record of records) yield { record, offset: line.offset }
    }
  } catch (error) {
    if (!isMissing(error)) out.problem(0, messageOf(error))
  }
}

/** The content of a JSON file; undefined if it is missing or unreadable, which is reported. */
export function readJsonFile(path: string, out: Pick<ReaderOutput, 'problem'>): Json | undefined {
  try {
    const { value, omitted } = parseForeignJson(readForeignText(path).replace(/^\ufeff/, ''))
    if (omitted) out.problem(0, omitted)
    return value
  } catch (error) {
    if (!isMissing(error)) out.problem(0, messageOf(error))
    return undefined
  }
}

function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT'
}

/** Entries of a folder sorted by name, so that every sweep has the same order. */
export function listEntries(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))
  } catch {
    return []
  }
}

export function listSubfolders(folder: string): string[] {
  return listEntries(folder)
    .filter((entry) => entry.isDirectory())
    .map((entry) => join(folder, entry.name))
}

/** Files below a folder whose name matches, at most `depth` folders down. */
export function findFiles(folder: string, fits: RegExp, depth: number): string[] {
  const found: string[] = []
  collectFiles(join(folder), { fits, depth }, found)
  return found
}

/** `join` for each of thousands of files would normalise a path that is normalised already. */
function collectFiles(folder: string, { fits, depth }: { fits: RegExp; depth: number }, found: string[]): void {
  for (const entry of listEntries(folder)) {
    if (entry.isFile()) {
      if (fits.test(entry.name)) found.push(folder + sep + entry.name)
    } else if (depth > 0 && entry.isDirectory()) {
      collectFiles(folder + sep + entry.name, { fits, depth: depth - 1 }, found)
    }
  }
}
