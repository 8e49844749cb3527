// Signals of failures: retries, repeated and recurring errors, and recoveries from them.
import { plural } from '../../core/units.ts'
import { toolKind } from '../../digest/tool-call.ts'
import { ellipsize } from '../../text/truncate.ts'
import type { Signal } from '../types.ts'
import { type ErrorKind, errorKind, notReadYet, wrongArguments } from './error-kind.ts'
import { createSignal, type ScannedSession } from './scanned-session.ts'

export function failureSignals(session: ScannedSession): Signal[] {
  const kinds = errorKindsOf(session)
  const errors = mergeErrors(session, kinds)
  return [
    ...retryStorms(session),
    ...repeatedErrors(session, errors),
    ...recurringErrors(session, errors),
    ...schemaThrash(session, errors),
    ...unreadEdits(session),
    ...recoveries(session, kinds),
  ]
}

interface SessionError extends Pick<ErrorKind, 'locus'> {
  count: number
  message: string
  tool: string
  firstSeq: number
}

type ErrorKinds = Map<string, ErrorKind>

/** Error kinds by fingerprint. */
function errorKindsOf({ state }: ScannedSession): ErrorKinds {
  const kinds: ErrorKinds = new Map()
  for (const [fingerprint, error] of Object.entries(state.errors)) {
    const kind = errorKind(error)
    if (kind) kinds.set(fingerprint, kind)
  }
  return kinds
}

/** Merges errors of one kind. */
function mergeErrors({ state }: ScannedSession, kinds: ErrorKinds): SessionError[] {
  const errors = new Map<string, SessionError>()
  for (const [fingerprint, kind] of kinds) {
    const error = state.errors[fingerprint]!
    const key = kind.locus === wrongArguments ? `${kind.locus} ${error.tool}` : kind.locus
    const known = errors.get(key)
    if (known) known.count += error.count
    else errors.set(key, { locus: kind.locus, ...error })
  }
  return [...errors.values()]
}

const minStormRetries = 3

function retryStorms(session: ScannedSession): Signal[] {
  return (session.state.friction?.storms ?? [])
    .filter(({ times }) => times >= minStormRetries)
    .map(({ what, times, seq }) =>
      createSignal(session, {
        type: 'retry storm',
        locus: what,
        magnitude: times,
        detail: `failed ${times} times`,
        seq,
        calls: times,
      }),
    )
}

function repeatedErrors(session: ScannedSession, errors: SessionError[]): Signal[] {
  return errors
    .filter(({ count, locus }) => count >= minStormRetries && !hasOwnSignal(locus))
    .map(({ locus, count, message, firstSeq }) =>
      createSignal(session, {
        type: 'repeated error',
        locus,
        magnitude: count,
        detail: `${count} times: ${ellipsize(message, maxMessage)}`,
        seq: firstSeq,
        calls: count,
      }),
    )
}

function recurringErrors(session: ScannedSession, errors: SessionError[]): Signal[] {
  return errors
    .filter(({ locus }) => !hasOwnSignal(locus))
    .map(({ locus, count, message, firstSeq }) =>
      createSignal(session, {
        type: 'recurring error',
        locus,
        magnitude: count,
        detail: ellipsize(message, maxMessage),
        seq: firstSeq,
        calls: count,
      }),
    )
}

function hasOwnSignal(locus: string): boolean {
  return locus === notReadYet || locus === wrongArguments
}

const maxMessage = 160

/** One wrong call may be a slip; two mean that the schema is not understood. */
function schemaThrash(session: ScannedSession, errors: SessionError[]): Signal[] {
  return errors
    .filter(({ locus, count }) => locus === wrongArguments && count >= 2)
    .map(({ count, tool, message, firstSeq }) =>
      createSignal(session, {
        type: 'schema thrash',
        locus: toolKind(tool),
        magnitude: count,
        detail: `${count} times: ${ellipsize(message, maxMessage)}`,
        seq: firstSeq,
        calls: count,
      }),
    )
}

function unreadEdits(session: ScannedSession): Signal[] {
  return (session.state.friction?.unread ?? []).map(({ times, seq }) =>
    createSignal(session, {
      type: 'unread edit',
      magnitude: times,
      detail: plural(times, 'edit'),
      seq,
      calls: times,
    }),
  )
}

/** Success after an edit, or of a command after a read, is normal work. */
function isTrivialRecovery(locus: string, by: string): boolean {
  return by === '' || by === 'edit' || (by === 'read' && locus.endsWith(' fails'))
}

function recoveries(session: ScannedSession, kinds: ErrorKinds): Signal[] {
  const found = new Map<string, Signal>()
  for (const { error, by, seq } of session.state.friction?.recoveries ?? []) {
    const kind = kinds.get(error)
    if (!kind || kind.locus === notReadYet || isTrivialRecovery(kind.locus, by)) continue
    const locus = `${kind.locus} → ${by}`
    found.set(
      locus,
      createSignal(session, {
        type: 'recovery',
        polarity: 'success',
        locus,
        magnitude: 1,
        detail: ellipsize(session.state.errors[error]!.message, maxMessage),
        seq,
      }),
    )
  }
  return [...found.values()]
}
