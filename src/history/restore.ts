// Writes the transcript of a session again, as the agent wrote it but without secrets.
import { existsSync } from 'node:fs'
import { UserError } from '../core/errors.ts'
import { writeNewFile } from '../core/files.ts'
import { deleteLeftovers } from '../core/leftovers.ts'
import { shortId } from '../core/session.ts'
import { ownCommand } from '../core/shell/command-line.ts'
import type { Ledger } from '../store/ledger.ts'
import { bodyOfSession } from '../store/sessions/session-bodies.ts'
import { childrenOf, type SessionView } from '../store/sessions/sessions.ts'
import { type KeptTranscript, keptTranscripts } from './kept-transcript.ts'

export interface RestoredTranscript {
  session: string
  path: string
  lines: number
  bytes: number
  /** Places where a secret or a private part was removed. */
  redacted: number
  /** Parts that were not kept. */
  missing: number
}

export interface RestoreOptions {
  /** Instead of the place where the agent had it. Subagents are not restored then. */
  out?: string | undefined
}

export interface RestoreReport extends RestoredTranscript {
  /** Transcripts of subagents, and further ones of the same session. */
  others: RestoredTranscript[]
}

export function restoreSession(ledger: Ledger, session: SessionView, { out }: RestoreOptions = {}): RestoreReport {
  const kept = keptTranscripts(ledger, session)
  const main = kept.find(({ isBeside }) => !isBeside)
  const further = kept.filter((one) => one !== main)
  if (!main) throw notKeptError(ledger, session)
  deleteLeftovers(ledger.layout)
  const path = out ?? main.path
  if (existsSync(path)) throw fileExistsError(path, session, out !== undefined)
  const restored = write(ledger, session, main, path)
  if (out !== undefined) return { ...restored, others: [] }
  const subagents = childrenOf(ledger, session.id).flatMap((child) =>
    keptTranscripts(ledger, child).map((kept) => ({ child, kept })),
  )
  const others = [...further.map((kept) => ({ child: session, kept })), ...subagents]
    .filter(({ kept }) => !existsSync(kept.path))
    .map(({ child, kept }) => write(ledger, child, kept, kept.path))
  return { ...restored, others }
}

function write(ledger: Ledger, session: SessionView, kept: KeptTranscript, path: string): RestoredTranscript {
  const report = { session: session.id, path, lines: 0, bytes: 0, redacted: 0, missing: kept.hasGap ? 1 : 0 }
  function* chunks() {
    for (const { bytes, missing } of kept.read()) {
      report.bytes += bytes.length
      report.missing += missing
      report.lines += countLines(bytes)
      report.redacted += countRemoved(bytes)
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

function countRemoved(bytes: Buffer): number {
  return bytes.toString('latin1').match(/\[(?:secret: [\w-]+|private)\]/g)?.length ?? 0
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
