// Finds rollouts: in sessions/YYYY/MM/DD/, sessions/ (2025) and archived_sessions/; plain,
// compressed, or a single JSON.
import { basename, dirname, join, sep } from 'node:path'
import { readForeignBytes } from '../../core/files.ts'
import { type JsonlLine, readLines } from '../../core/jsonl.ts'
import { findFiles } from '../files.ts'

export interface RolloutFile {
  path: string
  /** Thread id in the name; '' if it has none. */
  thread: string
  /**
   * The id by which other rollouts refer to this file: the thread's, or after a revert the
   * rollout's.
   */
  rollout: string
  extension: 'jsonl' | 'json' | 'jsonl.zst'
}

/**
 * Every rollout of a Codex home once, oldest first. A resumed thread may exist both plain and
 * compressed.
 */
export function rolloutFiles(root: string): RolloutFile[] {
  const byName = new Map<string, RolloutFile>()
  for (const folder of ['sessions', 'archived_sessions']) {
    for (const path of findFiles(join(root, folder), /^rollout-.*\.(?:jsonl|json|jsonl\.zst)$/, 4)) {
      const file = rolloutFile(path)
      const name = path.slice(path.lastIndexOf(sep) + 1, -file.extension.length)
      const known = byName.get(name)
      if (!known || (known.extension === 'jsonl.zst' && file.extension === 'jsonl')) byName.set(name, file)
    }
  }
  return [...byName].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, file]) => file)
}

const uuid = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}'
const ids = new RegExp(`(${uuid})(?:_([0-9a-f-]+))?\\.`, 'i')

export function rolloutFile(path: string): RolloutFile {
  const [, thread = '', rollout = thread] = ids.exec(path.slice(path.lastIndexOf(sep) + 1)) ?? []
  const extension = path.endsWith('.zst') ? 'jsonl.zst' : path.endsWith('.json') ? 'json' : 'jsonl'
  return { path, thread, rollout, extension }
}

/** The home that a rollout belongs to. */
export function homeOf(path: string): string {
  let folder = dirname(path)
  while (!/^(?:archived_)?sessions$/.test(basename(folder)) && dirname(folder) !== folder) folder = dirname(folder)
  return dirname(folder)
}

const maxBytes = 1 << 30

/** The lines of a rollout, plain or compressed. */
export function* rolloutLines({ path, extension }: RolloutFile): Generator<JsonlLine> {
  if (extension !== 'jsonl.zst') return yield* readLines(path)
  const content = process
    .getBuiltinModule('node:zlib')
    .zstdDecompressSync(readForeignBytes(path), { maxOutputLength: maxBytes })
  for (let offset = 0; offset < content.length; ) {
    const found = content.indexOf(10, offset)
    const end = found < 0 ? content.length : found
    const bytes = content.subarray(offset, end)
    yield { bytes, length: bytes.length, offset, isWhole: true, isTooLong: false }
    offset = end + 1
  }
}
