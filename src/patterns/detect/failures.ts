// Signals of what failed: the same thing again and again, the same error here and elsewhere, and what then helped.
import { plural } from '../../core/units.ts'
import { toolKind } from '../../digest/tool-call.ts'
import type { Signal } from '../signal.ts'
import { type ErrorKind, errorKind, notReadYet, wrongArguments } from './error-kind.ts'
import { type SeenSession, signal } from './session.ts'

export function failures(session: SeenSession): Signal[] {
  const kinds = kindsOf(session)
  const told = errorsOf(session, kinds)
  return [
    ...retryStorms(session),
    ...repeatedErrors(session, told),
    ...recurringErrors(session, told),
    ...schemaThrash(session, told),
    ...unreadEdits(session),
    ...recoveries(session, kinds),
  ]
}

interface Told extends ErrorKind {
  count: number
  message: string
  tool: string
  firstSeq: number
}

type Kinds = Map<string, ErrorKind>

/** By fingerprint. */
function kindsOf({ state }: SeenSession): Kinds {
  const kinds: Kinds = new Map()
  for (const [fingerprint, error] of Object.entries(state.errors)) {
    const kind = errorKind(error)
    if (kind) kinds.set(fingerprint, kind)
  }
  return kinds
}

/** Errors of one kind together. */
function errorsOf({ state }: SeenSession, kinds: Kinds): Told[] {
  const told = new Map<string, Told>()
  for (const [fingerprint, kind] of kinds) {
    const error = state.errors[fingerprint]!
    const key = kind.locus === wrongArguments ? `${kind.locus} ${error.tool}` : kind.locus
    const known = told.get(key)
    if (known) known.count += error.count
    else told.set(key, { locus: kind.locus, says: kind.says, ...error })
  }
  return [...told.values()]
}

const storm = 3

function retryStorms(session: SeenSession): Signal[] {
  return (session.state.friction?.storms ?? [])
    .filter(({ times }) => times >= storm)
    .map(({ what, times, seq }) =>
      signal(session, {
        type: 'retry storm',
        locus: what,
        magnitude: times,
        detail: `${what} failed ${times} times with no change in between`,
        seq,
        calls: times,
      }),
    )
}

function repeatedErrors(session: SeenSession, told: Told[]): Signal[] {
  return told
    .filter(({ count, locus }) => count >= storm && !hasSignalOfItsOwn(locus))
    .map(({ locus, count, says, message, firstSeq }) =>
      signal(session, {
        type: 'repeated error',
        locus,
        magnitude: count,
        detail: `${count} times in one session: ${shown(says, message)}`,
        seq: firstSeq,
        calls: count,
      }),
    )
}

function recurringErrors(session: SeenSession, told: Told[]): Signal[] {
  return told
    .filter(({ locus }) => !hasSignalOfItsOwn(locus))
    .map(({ locus, count, says, message, firstSeq }) =>
      signal(session, {
        type: 'recurring error',
        locus,
        magnitude: count,
        detail: shown(says, message),
        seq: firstSeq,
        calls: count,
      }),
    )
}

function hasSignalOfItsOwn(locus: string): boolean {
  return locus === notReadYet || locus === wrongArguments
}

function shown(says: string, message: string): string {
  return says.startsWith('"') ? says : `${says}: ${message.slice(0, 120)}`
}

/** Once may be a slip; a tool that is not understood is tried again. */
function schemaThrash(session: SeenSession, told: Told[]): Signal[] {
  return told
    .filter(({ locus, count }) => locus === wrongArguments && count >= 2)
    .map(({ count, tool, message, firstSeq }) =>
      signal(session, {
        type: 'schema thrash',
        locus: toolKind(tool),
        magnitude: count,
        detail: `${plural(count, 'call')} of ${tool} with arguments it does not take: ${message.slice(0, 100)}`,
        seq: firstSeq,
        calls: count,
      }),
    )
}

function unreadEdits(session: SeenSession): Signal[] {
  return (session.state.friction?.unread ?? []).map(({ times, seq }) =>
    signal(session, {
      type: 'unread edit',
      magnitude: times,
      detail: `${plural(times, 'edit')} of a file that had not been read`,
      seq,
      calls: times,
    }),
  )
}

/** That something works after a change, or a command after a look, is how work goes. */
function isNothingNew(locus: string, by: string): boolean {
  return by === '' || by === 'edit' || (by === 'read' && locus.endsWith(' fails'))
}

function recoveries(session: SeenSession, kinds: Kinds): Signal[] {
  const found = new Map<string, Signal>()
  for (const { error, by, seq } of session.state.friction?.recoveries ?? []) {
    const kind = kinds.get(error)
    if (!kind || kind.locus === notReadYet || isNothingNew(kind.locus, by)) continue
    const locus = `${kind.locus} → ${by}`
    found.set(
      locus,
      signal(session, {
        type: 'recovery',
        polarity: 'success',
        locus,
        magnitude: 1,
        detail: `${kind.says}: ${by} helped`,
        seq,
      }),
    )
  }
  return [...found.values()]
}
