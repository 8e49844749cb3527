// The types that the steps of capture hand each other: discover → read → collect → prepare → write.
import type { Agent, Transcript } from '../agents/agent.ts'
import type { Clock } from '../core/clock.ts'
import type { Config } from '../core/config/config.ts'
import type { Machine } from '../core/paths.ts'
import type { Redaction } from '../core/redact/redact.ts'
import type { Usage } from '../core/session.ts'
import type { Ledger } from '../store/ledger.ts'
import type { Cursor } from '../store/sessions/transcripts.ts'
import type { CollectedData } from './collect.ts'

/** Enough to find and read transcripts. */
export interface CaptureSources {
  agents: readonly Agent[]
  machine: Machine
  config: Config
}

export interface CaptureContext extends CaptureSources {
  ledger: Ledger
  clock: Clock
  /** Loads redaction rules and prices; called only when there is something to read. */
  loadTools(): Promise<Omit<PrepareTools, 'isIgnored'>>
  /** Ledger ids of projects by folder and remote, cached for this run. */
  projects: Map<string, number>
}

export interface DiscoveredTranscript {
  agent: Agent
  transcript: Transcript
  /** Equal to the stamp in the cursor if nothing has changed since the last sweep. */
  stamp: string
  size: number
  bornMs: number
  /** Time of the last change. */
  changedMs: number
}

/** A part of a transcript, small enough to hold, with the cursor that points behind it. */
export interface TranscriptPart {
  found: DiscoveredTranscript
  data: CollectedData
  cursor: Cursor
  /** Problems stored for this file from this offset on are obsolete: that range was read again. */
  from: number
}

export interface PrepareTools {
  redact: RedactTexts
  priceOf(usage: Usage): number | null
  isIgnored: IgnoreFilter
}

export type RedactTexts = (texts: readonly string[]) => Redaction

export interface IgnoreFilter {
  (cwd: string | undefined): boolean
  /** Logs that were found to be ignored in this run. */
  logs: Set<string>
}
