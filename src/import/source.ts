// The contract of a source: a program whose memory can be imported. Each file in sources/ implements
// it, registry.ts lists the implementations, and one suite checks all of them. Sources only read;
// what becomes of an item is decided by import.ts.
import type { Machine } from '../core/paths.ts'
import type { Event, SessionDetails } from '../core/session.ts'
import type { Memory, MemoryKind, MemoryType } from '../memory/memory.ts'
import type { ArticleKind } from '../wiki/article.ts'

export interface ImportSource {
  id: string
  /** Name for display. */
  name: string
  /** Files or folders where the program keeps its memory unless told otherwise. They need not exist. */
  places(machine: Machine): string[]
  /** The file of the memory in a folder of the program, which a person may give instead. */
  files?: readonly string[]
  /** Whether a file or folder has the form of this source. Must not throw. */
  detect(path: string): boolean
  /**
   * Yields the items in a stable order and reports what cannot be read. Any field may be missing or
   * of another type: must not throw on content.
   */
  read(path: string, out: ImportOutput): Iterable<ImportedItem> | AsyncIterable<ImportedItem>
  /** Number of sessions, for the progress; missing if the source has none. */
  countSessions?(path: string): number
}

export interface ImportOutput {
  /** Reports a part that could not be read; the rest is still read. */
  problem(problem: ImportProblem): void
}

export interface ImportProblem {
  file: string
  /** From 1; undefined if the whole file is meant. */
  line?: number
  reason: string
}

export type ImportedItem = ImportedNote | ImportedSession | ImportedDay | ImportedArticle | ImportedMemory

/** A statement that the other program has kept. */
export interface ImportedNote {
  kind: 'note'
  /** Names it in the source: the same whenever it is read again. */
  key: string
  /** The file it was read from. */
  file: string
  /** What it is about, unless the text says it: it is put before every part of a long text. */
  subject?: string
  text: string
  memoryKind: MemoryKind
  type: MemoryType
  /** 0 to 1. */
  importance?: number
  why?: string
  tags: string[]
  keywords: string[]
  /** When it was said or last changed; the time of the import if that is not known. */
  at: string | null
  /** Rules of the other program have found it, and nobody has confirmed it. */
  isProposal?: true
}

/** A conversation, or what the other program has kept of one. */
export interface ImportedSession {
  kind: 'session'
  /** The id that the agent gave it, so that a captured session is recognised. */
  native: string
  /** The file it was read from. */
  file: string
  about: SessionDetails
  /** Name of the project, if the folder is not known. */
  project?: string
  events: Event[]
}

/** A day of a journal. */
export interface ImportedDay {
  kind: 'day'
  day: string
  /** Markdown, without a title. */
  text: string
  /** Entries of an exported day of ours, which are in the text. */
  entries?: { session: string; start: string; text: string; isEdited: boolean }[]
}

/** A page of a wiki. */
export interface ImportedArticle {
  kind: 'article'
  articleKind: ArticleKind
  /** File name without extension. */
  name: string
  /** Markdown with frontmatter. */
  content: string
}

/** A memory of ours, from an export. */
export interface ImportedMemory {
  kind: 'memory'
  memory: Memory
}
