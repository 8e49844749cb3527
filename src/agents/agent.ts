// The contract of an agent reader. One file per agent implements it; registry.ts lists them; test/agents holds the suite
// that every one of them passes. A reader turns the agent's own records into events and never touches the ledger.
import type { Machine } from '../core/machine.ts'
import type { About, Event, Json, Usage } from '../core/session.ts'

export interface Agent {
  id: string
  /** As people call it. */
  name: string
  /** Folders (or files) where this agent keeps transcripts, from its own environment variables. They need not exist. */
  roots(machine: Machine): string[]
  /** The transcripts below one root, cheaply: names and no content. */
  find(root: string): Iterable<Transcript>
}

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
  open(out: Out, state: Json | undefined): LogReader
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
  read(out: Out, memo: Json | undefined): Json | undefined
}

/** Where a reader puts what it found. */
export interface Out {
  session(native: string): SessionOut
  /**
   * Whether enough was handed over for one time. A document with many sessions may then stop and return a memo of what it
   * has told so far: it is asked again.
   */
  isFull(): boolean
  /** A part that could not be read; the rest goes on. */
  bad(offset: number, reason: string): void
  /** A record type this reader does not know: counted, shown by `doctor`, never an error. */
  unknown(type: string): void
}

export interface SessionOut {
  about(fields: About): void
  event(event: Event): void
  usage(usage: Usage): void
}
