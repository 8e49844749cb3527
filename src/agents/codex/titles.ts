// session_index.jsonl: one line for each time a thread got a name; the last one of a thread holds.
import type { LogReader, ReaderOutput } from '../agent.ts'
import { asString } from '../json-values.ts'
import { rolloutFiles } from './places.ts'

export function openTitles(root: string, out: ReaderOutput): LogReader {
  let threads: Set<string> | undefined
  return {
    record(record) {
      const id = asString(record.id)
      const title = asString(record.thread_name).trim()
      threads ??= new Set(rolloutFiles(root).map((file) => file.thread))
      // A deleted thread keeps its name here; without a rollout it would be a session with nothing in it.
      if (title && threads.has(id)) out.session(id).about({ title, titleRank: 4 })
    },
    state: () => null,
  }
}
