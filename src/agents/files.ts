// Reading whole files for readers of documents: what is wrong with them is reported, never thrown.
import { readFileSync } from 'node:fs'
import { messageOf } from '../core/errors.ts'
import { type JsonRecord, parseLine, readLines } from '../core/jsonl.ts'
import type { Json } from '../core/session.ts'
import type { ReaderOutput } from './agent.ts'

/** Every readable record of a JSONL file, in order. A file that is not there has none. */
export function* readRecords(path: string, out: ReaderOutput): Generator<{ record: JsonRecord; offset: number }> {
  try {
    for (const line of readLines(path)) {
      const { records, bad } = parseLine(line.bytes)
      if (bad && line.isWhole) out.problem(line.offset + bad.at, bad.reason)
      for (const record of records) yield { record, offset: line.offset }
    }
  } catch (error) {
    if (!isMissing(error)) out.problem(0, messageOf(error))
  }
}

/** The content of a JSON file; undefined where there is none, with a report where it cannot be read. */
export function readJsonFile(path: string, out: ReaderOutput): Json | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8').replace(/^\ufeff/, '')) as Json
  } catch (error) {
    if (!isMissing(error)) out.problem(0, messageOf(error))
    return undefined
  }
}

function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT'
}
