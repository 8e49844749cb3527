// Repairs damaged bodies: a full sweep reads their sessions again from the transcripts. Events that
// only the damaged body has are added by adoption, which follows capture.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Clock, isoTime } from '../core/clock.ts'
import { deleteValue, readChecked, writeValue } from '../store/key-values.ts'
import type { Ledger } from '../store/ledger.ts'
import { lastLearnedKeys, resumeLearning } from '../store/memories/learning.ts'
import {
  bodyFault,
  createStringLookup,
  headerOf,
  type RepackOptions,
  readBody,
  repackBody,
} from '../store/sessions/bodies.ts'
import { type KeptLines, readCopies } from '../store/sessions/body-copies.ts'
import { changeLines, type StringLookup } from '../store/sessions/copy-text.ts'
import {
  deleteScheduledBodies,
  type StoredBody,
  scheduleBodyDeletion,
  storedBodies,
} from '../store/sessions/evictions.ts'
import { bodyHeaderOf, bodyOfSession, saveBody } from '../store/sessions/session-bodies.ts'
import { detachBody } from '../store/sessions/sessions.ts'
import { countRedactions, deleteCursors, reportProblem, wholeFileOffset } from '../store/sessions/transcripts.ts'
import { eventKeysBetween } from '../store/sync/sent-sessions.ts'
import { markAdoptionDue } from './adoption-note.ts'
import { newBody } from './body-files.ts'
import type { RedactTexts } from './context.ts'
import { redactLine } from './copies/redact-line.ts'
import { createEventRedactor } from './redact-batch.ts'

export interface RepairContext {
  ledger: Ledger
  clock: Clock
}

const learnedNote = 'learned before repair'

/** A session and the keys of its cursors in base64; empty if there is none. */
type LearnedNote = [session: number, learned: string, judged: string]

function base64(key: Uint8Array | undefined): string {
  return key ? Buffer.from(key).toString('base64') : ''
}

/**
 * Prepares sessions whose body is damaged for being read again. Returns their ids. A session
 * without a transcript keeps the readable part of its body.
 */
export function detachDamagedBodies({ ledger, clock }: RepairContext): string[] {
  const damaged: StoredBody[] = []
  for (const body of storedBodies(ledger)) {
    const reason = bodyFault(ledger.layout.bodies, body.file, body.bytes, 'content')
    if (!reason) continue
    if (body.source !== null && existsSync(body.source)) {
      damaged.push(body)
      continue
    }
    const path = join(ledger.layout.bodies, body.file)
    reportProblem(ledger, { path, offset: wholeFileOffset, reason, seenAt: isoTime(clock.nowMs()) })
  }
  if (damaged.length === 0) return []
  ledger.transaction(() => {
    const learned = damaged.map(({ id }): LearnedNote => {
      const { learned, judged } = lastLearnedKeys(ledger, id)
      return [id, base64(learned), base64(judged)]
    })
    writeValue(ledger, learnedNote, learned)
    for (const { id } of damaged) detachBody(ledger, id)
    deleteCursors(ledger) // a session may be in more files than its last source
    markAdoptionDue(ledger)
  })
  return damaged.map(({ uid }) => uid)
}

/** After the sessions were read again: learning continues behind what was judged before. */
export function resumeRepairedLearning(ledger: Ledger): void {
  const learned = readChecked<LearnedNote[]>(
    ledger,
    learnedNote,
    (value) => Array.isArray(value) && value.every(Array.isArray),
  )
  if (!learned) return
  ledger.transaction(() => {
    for (const [id, learnedKey, judgedKey = ''] of learned)
      resumeLearning(ledger, id, {
        learned: Buffer.from(learnedKey, 'base64'),
        judged: Buffer.from(judgedKey, 'base64'),
      })
    deleteValue(ledger, learnedNote)
  })
}

/**
 * Writes bodies of earlier versions again with the header and the keys of their events, so that
 * they can be adopted if the ledger is lost. Returns how many.
 */
export function addBodyHeaders({ ledger }: RepairContext): number {
  let written = 0
  for (const stored of storedBodies(ledger)) {
    if (!needsHeader(ledger, stored)) continue
    ledger.transaction(() => {
      if (rewriteBody(ledger, stored)) written++
    })
    deleteScheduledBodies(ledger)
  }
  return written
}

function needsHeader({ layout }: Ledger, { file, bytes }: StoredBody): boolean {
  return !bodyFault(layout.bodies, file, bytes, 'content') && !headerOf(layout.bodies, file, bytes)
}

/**
 * Writes bodies in which the present rules find secrets again without them: they were captured by
 * a version that did not know those rules. Returns how many.
 */
export function redactBodies({ ledger }: RepairContext, redact: RedactTexts): number {
  let written = 0
  for (const stored of storedBodies(ledger)) {
    const { file, bytes } = stored
    if (bodyFault(ledger.layout.bodies, file, bytes, 'content')) continue
    const { counts, redactEvent } = createEventRedactor(redact)
    for (const event of readBody(ledger.layout.bodies, file, bytes)) redactEvent(event)
    const stringOf = createStringLookup(ledger.layout.bodies, stored)
    const changeCopy = (lines: Pick<KeptLines, 'text' | 'base'>) =>
      changeLines(lines, stringOf, (line, own) => (hasSecret(own, redact) ? redactLine(line, redact) : line))
    if (Object.keys(counts).length === 0 && !hasSecretLines(ledger, stored, stringOf, redact)) continue
    ledger.transaction(() => {
      const change = createEventRedactor(redact).redactEvent
      if (!rewriteBody(ledger, stored, { change, changeCopy })) return
      countRedactions(ledger, counts)
      written++
    })
    deleteScheduledBodies(ledger)
  }
  return written
}

function hasSecretLines(
  { layout }: Ledger,
  { file, bytes }: StoredBody,
  stringOf: StringLookup,
  redact: RedactTexts,
): boolean {
  let isFound = false
  for (const lines of readCopies(layout.bodies, file, bytes)) {
    changeLines(lines, stringOf, (line, own) => {
      isFound ||= hasSecret(own, redact)
      return line
    })
    if (isFound) return true
  }
  return false
}

/**
 * As capture does, looks only at what the events of a line do not have, because those are redacted by
 * themselves: beside escaped line breaks a part of their text may look like a secret that it is not.
 */
function hasSecret(own: string, redact: RedactTexts): boolean {
  return redactLine(own, redact) !== own
}

function rewriteBody(
  ledger: Ledger,
  { id, uid, file, events, capturedAt }: StoredBody,
  changes: Pick<RepackOptions, 'change' | 'changeCopy'> = {},
): boolean {
  const body = bodyOfSession(ledger, uid)
  if (body?.file !== file) return false
  const keys = eventKeysBetween(ledger, id, 0, events)
  const packed = repackBody(ledger.layout.bodies, body, newBody(ledger, { uid, body }), {
    header: bodyHeaderOf(ledger, id),
    keyOf: (seq) => keys.get(seq),
    ...changes,
  })
  saveBody(ledger, id, packed, capturedAt)
  scheduleBodyDeletion(ledger, file)
  return true
}
