// Pi, session versions 1 to 3 (seen to May 2026): one JSONL file per session, a tree from version 2
// on.
import { basename } from 'node:path'
import type { PiDialect } from './state.ts'

export const pi: PiDialect = { entries: {}, ignored: [], sessionOfPath: sessionInName }

/** `<time>_<session>.jsonl`; where a header names another session, its path or its id. */
export function sessionInName(path: string): string {
  return basename(path, '.jsonl').replace(/^[^_]*_/, '')
}
