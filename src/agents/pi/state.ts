// State of the reader of one session, and how programs of the family differ.
import type { Event, SessionDetails } from '../../core/session.ts'
import type { EventBase, ReaderOutput, SessionOutput } from '../agent.ts'
import type { PendingChanges } from '../file-changes.ts'
import type { JsonObject } from '../json-values.ts'
import type { PendingCalls } from '../pending-calls.ts'
import type { Branches } from './branches.ts'
import type { Responses } from './responses.ts'

/** How a program of the family differs from Pi. */
export interface PiDialect {
  /** Entries that Pi does not write, or writes in another way. */
  entries: Readonly<Record<string, EntryReader>>
  /** Entries that Pi does not write and that have no content. */
  ignored: readonly string[]
  /** The id of the session in a file, until its header names it, and of a file that a header names. */
  sessionOfPath(path: string): string
  /** The program rewrites entries but keeps their ids, so they and not the content identify one. */
  isKeyedById?: boolean
  /** A later entry adds the tokens of a subagent to the answer that started it. */
  addsChildUsage?: boolean
  /** Whether another session started this one and wrote its prompts. */
  isSubagent?(path: string, header: JsonObject): boolean
  /** Further properties of the session in its header. */
  describe?(header: JsonObject, path: string): SessionDetails
}

export type EntryReader = (entry: JsonObject, context: EntryContext) => Event[]

export interface EntryContext {
  base: EventBase
  session: SessionOutput
  reading: PiState
}

export interface PiState {
  out: ReaderOutput
  path: string
  dialect: PiDialect
  session: string
  isSubagent: boolean
  calls: PendingCalls
  branches: Branches
  /** Files that open calls will change. */
  changes: PendingChanges
  responses: Responses
}
