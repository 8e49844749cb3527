// Writes the transcript of a session again, as the agent wrote it but without secrets.
import { existsSync } from 'node:fs'
import type { RepairingAgent, RepairPart } from '../core/conversation/repaired-part.ts'
import { UserError } from '../core/errors.ts'
import { writeNewFile } from '../core/files.ts'
import { deleteLeftovers } from '../core/leftovers.ts'
import { countMarks } from '../core/redact/marks.ts'
import { shortId } from '../core/session.ts'
import { ownCommand } from '../core/shell/command-line.ts'
import type { Ledger } from '../store/ledger.ts'
import { bodyOfSession } from '../store/sessions/session-bodies.ts'
import { childrenOf, type SessionView } from '../store/sessions/sessions.ts'
import { type KeptTranscript, keptTranscripts } from './kept-transcript.ts'
import { type LeftOut, repairLines } from './repair-record.ts'

export interface RestoredTranscript {
  session: string
  path: string
  lines: number
  bytes: number
  /** Places where a secret or a private part was removed. */
  redacted: number
  /** Parts that were not kept. */
  missing: number
  /** Parts that its service would refuse without what was removed; a text is in their place. */
  leftOut: LeftOut
}

export interface RestoreOptions {
  agents: readonly RepairingAgent[]
  /** Instead of the place where the agent had it. Subagents are not restored then. */
  out?: string | undefined
}

export interface RestoreReport extends RestoredTranscript {
  /** Transcripts of subagents, and further ones of the same session. */
  others: RestoredTranscript[]
}

export function restoreSession(ledger: Ledger, session: SessionView, { agents, out }: RestoreOptions): RestoreReport {
  const kept = keptTranscripts(ledger, session)
  const main = kept.find(({ isBeside }) => !isBeside)
  const further = kept.filter((one) => one !== main)
  if (!main) throw notKeptError(ledger, session)
  deleteLeftovers(ledger.layout)
  const path = out ?? main.path
  if (existsSync(path)) throw fileExistsError(path, session, out !== undefined)
  const repair = agents.find(({ id }) => id === session.agent)?.repairPart
  const restored = write(ledger, { session, kept: main, path, repair })
  if (out !== undefined) return { ...restored, others: [] }
  const subagents = childrenOf(ledger, session.id).flatMap((child) =>
    keptTranscripts(ledger, child).map((kept) => ({ child, kept })),
  )
  const others = [...further.map((kept) => ({ child: session, kept })), ...subagents]
    .filter(({ kept }) => !existsSync(kept.path))
    .map(({ child, kept }) => write(ledger, { session: child, kept, path: kept.path, repair }))
  return { ...restored, others }
}

interface Writing {
  session: SessionView
  kept: KeptTranscript
  path: string
  repair: RepairPart | undefined
}

function write(ledger: Ledger, { session, kept, path, repair }: Writing): RestoredTranscript {
  const leftOut: LeftOut = { image: 0, thinking: 0 }
  const report = { session: session.id, path, lines: 0, bytes: 0, redacted: 0, missing: kept.hasGap ? 1 : 0, leftOut }
  function* chunks() {
    for (const { bytes: read, missing } of kept.read()) {
      const removed = countMarks(read.toString('latin1'))
      const bytes = removed > 0 && repair ? repairLines(read, repair, leftOut) : read
      report.bytes += bytes.length
      report.missing += missing
      report.lines += countLines(bytes)
      report.redacted += removed
      yield bytes
    }
  }
  try {
    const modified = session.ended ? new Date(session.ended) : undefined
    writeNewFile(path, chunks(), { staging: ledger.layout.run, modified })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw fileExistsError(path, session, true)
    throw error
  }
  return report
}

function countLines(bytes: Buffer): number {
  let lines = 0
  for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) lines++
  return lines
}

function fileExistsError(path: string, { id }: SessionView, isChosen: boolean): UserError {
  const hint = isChosen ? 'Choose another file with --out.' : `To continue it: ${ownCommand('resume', shortId(id))}`
  return new UserError(`${path} exists already`, hint, 1)
}

function notKeptError(ledger: Ledger, session: SessionView): UserError {
  const id = shortId(session.id)
  const isPartKept = (bodyOfSession(ledger, session.id)?.copyBytes ?? 0) > 0
  const reason = session.evictedAt
    ? 'the conversation was deleted to save space'
    : isPartKept
      ? 'its beginning is missing or cannot be read'
      : 'only agents that write one file of lines per session have one that can be restored'
  return new UserError(
    `The transcript of ${id} is not kept: ${reason}`,
    `To continue it in the same or another agent: ${ownCommand('handoff', id)} --to <agent>`,
    1,
  )
}
