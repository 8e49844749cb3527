// The contract of an agent reader. One file per agent implements it; registry.ts lists them; test/agents holds the suite
// that every one of them passes. A reader turns the agent's own records into events and never touches the ledger.
import type { Machine } from '../core/paths.ts'
import type { Event, Json, SessionDetails, Usage } from '../core/session.ts'
import type { MemoryKind, MemoryTrust, MemoryType } from '../memory/memory.ts'

export interface Agent {
  id: string
  /** As people call it. */
  name: string
  /** Folders (or files) where this agent keeps transcripts, from its own environment variables. They need not exist. */
  roots(machine: Machine): string[]
  /** The transcripts below one root, cheaply: names and no content. */
  find(root: string): Iterable<Transcript>
  /** What its hooks say and how ours get into it; missing where the agent has none. */
  hooks?: Hooks
  /** What it remembers by itself; missing where it does not. */
  memories?: NativeMemories
}

export interface NativeMemories {
  /** The files that hold it. Those that we exported are not among them. */
  find(machine: Machine): NativeFile[]
  /** Whether an agent that writes to this path writes down a memory. */
  isMemoryPath(path: string): boolean
  /** What one of its files says, in statements that can be read alone. */
  read(file: NativeFile, content: string): NativeNote[]
  /**
   * Where memories of the project at a root can be put, and the home that this lies in. A user error where the agent looks for
   * them elsewhere. Missing where nothing can be put.
   */
  exportFolder?(machine: Machine, root: string): { home: string; folder: string }
}

export interface NativeFile {
  path: string
  /** The folder that transcripts of the same project lie in, and whose name is made of the project's path. */
  transcripts?: string
}

export interface NativeNote {
  text: string
  /** The headings that it stands under, from the outermost; what a part of it needs to be understood alone. */
  headings: string[]
  type?: MemoryType
  kind?: MemoryKind
  trust: MemoryTrust
  /** It holds everywhere, or for the project around a folder; where neither is said, for the project of its file. */
  scope?: { kind: 'everywhere' } | { kind: 'folder'; folder: string }
  /** The agent's own id of the session that it was learned in. */
  session?: string
}

export interface Hooks {
  /** The events that are asked for, by the agent's own name, and what each one means. */
  events: Readonly<Record<string, HookMoment>>
  /**
   * The answer that puts a brief into the conversation at a `start`: what stands before and after the brief, which is a
   * JSON string with its quotes. Missing where the agent takes no text from a hook.
   */
  brief?: { before: string; after: string }
  /**
   * The event at which the agent takes text for a prompt, and how our command stands there. Asked for only where the user
   * wants it; missing where a prompt cannot be answered.
   */
  prompt?: { event: string; entry(command: string): JsonEntry }
  /** A file or folder that is there when the agent is. */
  home(machine: Machine): string
  /** What has to stand where, so that `command(event)` is run at every one of the events. */
  files(machine: Machine, command: (event: string) => string): HookFile[]
  /** What the user still has to do by hand, if anything. */
  afterwards?: string
  /** Whether the user has agreed to our hooks, for agents that ask; undefined where that cannot be told. */
  isTrusted?(machine: Machine): boolean | undefined
}

/** `start`: a conversation begins or goes on after a compaction. `turn`: the agent has answered. `end`: the session is over. */
export type HookMoment = 'start' | 'turn' | 'compact' | 'end'

/** Edits as data. What is there already is left alone, to the byte; what was added can be taken out again exactly. */
export type HookFile =
  /** A file that is ours alone. */
  | { kind: 'own'; path: string; content: string }
  /** A JSON file (with comments, perhaps) of the agent. */
  | { kind: 'json'; path: string; entries: JsonEntry[] }
  /** A TOML file of the agent: the text is added at its end. */
  | { kind: 'toml'; path: string; text: string }

export type JsonEntry =
  /** Added to the list at this place; the list is made where it is missing. */
  | { at: readonly string[]; item: Json }
  /** Set where nothing stands at this place. */
  | { at: readonly string[]; fallback: Json }

/**
 * A `log` only ever grows by lines: it is read from where the last sweep stopped, with the reader's own small state.
 * A `document` is rewritten or replayed (JSON files, databases, update logs): it is read whole when it changed, and what
 * it says replaces what was stored of the sessions in it.
 */
export type Transcript = LogTranscript | DocumentTranscript

interface TranscriptFile {
  path: string
  /** Other files whose change means that this transcript must be read again. */
  also?: string[]
}

export interface LogTranscript extends TranscriptFile {
  shape: 'log'
  /** A line that can be passed over without parsing it; for floods of records that carry nothing. */
  isNoise?(line: Buffer): boolean
  open(out: ReaderOutput, state: Json | undefined): LogReader
}

export interface LogReader {
  /** One parsed line. Anything may be missing or of another type: never throw on content. */
  record(record: Record<string, Json>, offset: number): void
  /** What the next sweep needs to go on after the last record. Plain JSON, small. */
  state(): Json
}

export interface DocumentTranscript extends TranscriptFile {
  shape: 'document'
  /**
   * Hands over every session whose content may have changed. `memo` is what the last read returned: a database reader
   * remembers there which version of each session it has seen (`readChanged` in database.ts).
   */
  read(out: ReaderOutput, memo: Json | undefined): Json | undefined
}

/** Where a reader puts what it found. */
export interface ReaderOutput {
  session(native: string): SessionOutput
  /**
   * Whether enough was handed over for one time. A document with many sessions may then stop and return a memo of what it
   * has told so far: it is asked again.
   */
  isFull(): boolean
  /** A part that could not be read; the rest goes on. */
  problem(offset: number, reason: string): void
  /** A record type this reader does not know: counted, shown by `doctor`, never an error. */
  unknownType(type: string): void
}

export interface SessionOutput {
  about(fields: SessionDetails): void
  event(event: Event): void
  usage(usage: Usage): void
}
