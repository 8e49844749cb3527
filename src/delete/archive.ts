// The archive of a deletion: a folder with the deleted rows, compressed, and the bodies. It is
// complete and on disk before the ledger forgets anything, and it is removed a day later.
import {
  closeSync,
  copyFileSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import type { Layout } from '../core/paths.ts'
import { compress, decompress } from '../core/zstd.ts'
import type { EntryFrame } from '../journal/day-file.ts'
import type { Memory } from '../memory/memory.ts'
import type { ArchivedProject, ArchivedRow } from '../store/deletion/session-rows.ts'
import type { MemoryFile } from '../store/memories/files.ts'
import type { StoredCommit } from '../store/sessions/commits.ts'
import type { ArticleRow } from '../store/wiki/articles.ts'

export type ArchiveRecord =
  | { kind: 'project'; project: ArchivedProject }
  | ({ kind: 'row' } & ArchivedRow)
  /** Path of a body below the folder of bodies. */
  | { kind: 'body'; file: string; session: number; bytes: number }
  | { kind: 'removed memory'; memory: Memory; number: number }
  | { kind: 'changed memory'; before: Memory; after: Memory }
  /** A day of the journal in base64, and the entries that were removed from it. */
  | { kind: 'journal'; day: string; content: string; entries: EntryFrame[] }
  /** The file of a removed memory in base64: it may have a name that a person gave it. */
  | { kind: 'memory file'; file: MemoryFile; content: string }
  /** An article with its file in base64. */
  | { kind: 'article'; article: Omit<ArticleRow, 'number'>; content: string }
  | { kind: 'commits'; project: string; commits: StoredCommit[] }

const rowsName = 'rows'
/** Size of the text that is compressed together. */
const chunkChars = 1024 * 1024

export interface DeletionArchive {
  add(record: ArchiveRecord): void
  /** Returns when everything is on disk. */
  close(): void
}

/** Replaces what a killed run has left there. */
export function createArchive(layout: Layout, change: number): DeletionArchive {
  const folder = archiveFolder(layout, change)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const file = openSync(join(folder, rowsName), 'wx', 0o600)
  let lines: string[] = []
  let chars = 0
  const flush = () => {
    if (lines.length === 0) return
    const data = compress(Buffer.from(lines.join('')))
    const size = Buffer.alloc(4)
    size.writeUInt32LE(data.length)
    const bytes = Buffer.concat([size, data])
    for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done)
    lines = []
    chars = 0
  }
  return {
    add(record) {
      const line = `${JSON.stringify(record, encodeBytes)}\n`
      lines.push(line)
      chars += line.length
      if (chars > chunkChars) flush()
    },
    close() {
      flush()
      fsyncSync(file)
      closeSync(file)
    },
  }
}

export function* readArchive(layout: Layout, change: number): Generator<ArchiveRecord> {
  const content = readFileSync(join(archiveFolder(layout, change), rowsName))
  for (let at = 0; at < content.length; ) {
    const size = content.readUInt32LE(at)
    const text = decompress(content.subarray(at + 4, at + 4 + size)).toString('utf8')
    for (const line of text.split('\n')) if (line !== '') yield JSON.parse(line, decodeBytes) as ArchiveRecord
    at += 4 + size
  }
}

function encodeBytes(_: string, value: unknown): unknown {
  return value instanceof Uint8Array ? { $bytes: Buffer.from(value).toString('base64') } : value
}

function decodeBytes(_: string, value: unknown): unknown {
  const bytes = (value as { $bytes?: unknown } | null)?.$bytes
  return typeof bytes === 'string' ? Buffer.from(bytes, 'base64') : value
}

export function hasArchive(layout: Layout, change: number): boolean {
  return existsSync(join(archiveFolder(layout, change), rowsName))
}

export function removeArchive(layout: Layout, change: number): void {
  rmSync(archiveFolder(layout, change), { recursive: true, force: true })
}

/** Numbers of the deletions that have a folder. */
export function archivesIn({ deleted }: Layout): number[] {
  if (!existsSync(deleted)) return []
  return readdirSync(deleted)
    .map(Number)
    .filter((change) => Number.isInteger(change))
}

/** Keeps a body that the ledger is about to delete. */
export function archiveBody(layout: Layout, change: number, file: string): void {
  if (existsSync(join(layout.bodies, file))) linkOrCopy(join(layout.bodies, file), bodyPath(layout, change, file))
}

/** Puts a body back; the archive keeps its own until it is removed. */
export function restoreBodyFile(layout: Layout, change: number, file: string): void {
  const from = bodyPath(layout, change, file)
  const to = join(layout.bodies, file)
  // A body that is there is from an interrupted run: no session names it.
  rmSync(to, { force: true })
  if (existsSync(from)) linkOrCopy(from, to)
}

/** A link takes no space; not every file system has them. */
function linkOrCopy(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true, mode: 0o700 })
  try {
    linkSync(from, to)
  } catch {
    copyFileSync(from, to)
  }
}

function bodyPath(layout: Layout, change: number, file: string): string {
  return join(archiveFolder(layout, change), 'bodies', file)
}

function archiveFolder({ deleted }: Layout, change: number): string {
  return join(deleted, String(change))
}
