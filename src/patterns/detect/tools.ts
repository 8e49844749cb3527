// Signals of how tools were used: more managing than working, the same call over and over, what people refuse, what is lost at
// a compaction.
import { plural } from '../../core/units.ts'
import { toolKind } from '../../digest/tool-call.ts'
import type { Signal } from '../signal.ts'
import { type SeenSession, signal } from './session.ts'

export function toolSignals(session: SeenSession): Signal[] {
  return [...overhead(session), ...toolThrash(session), ...denials(session), ...lostAtCompaction(session)]
}

const fewestForOverhead = 20
const largestShare = 0.25

/** Kinds of tools that keep the work going and do none of it. */
const managing = new Set(['task list', 'waiting', 'tool search'])

export function isManaging(tool: string): boolean {
  return managing.has(toolKind(tool))
}

function overhead(session: SeenSession): Signal[] {
  const calls = new Map<string, number>()
  for (const [tool, times] of Object.entries(session.state.tools)) {
    const kind = toolKind(tool)
    if (isManaging(tool)) calls.set(kind, (calls.get(kind) ?? 0) + times)
  }
  const all = Object.values(session.state.tools).reduce((sum, times) => sum + times, 0)
  const spent = [...calls.values()].reduce((sum, times) => sum + times, 0)
  if (all < fewestForOverhead || spent / all <= largestShare) return []
  const [locus] = [...calls].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))[0]!
  const share = Math.round((100 * spent) / all)
  return [
    signal(session, {
      type: 'overhead',
      locus,
      magnitude: spent,
      detail: `${spent} of ${plural(all, 'call')} (${share} %) went into managing the work, most of them ${locus}`,
      calls: spent,
    }),
  ]
}

function toolThrash(session: SeenSession): Signal[] {
  return (session.state.friction?.thrash ?? []).map(({ what, times, seq }) =>
    signal(session, {
      type: 'tool thrash',
      locus: what,
      magnitude: times,
      detail: `${what}: the same call ${times} times with nothing changed in between`,
      seq,
      calls: times - 1,
    }),
  )
}

function denials(session: SeenSession): Signal[] {
  return (session.state.friction?.denied ?? []).map(({ what, times, seq }) =>
    signal(session, {
      type: 'denial',
      locus: what,
      magnitude: times,
      detail: `${what} was refused${times > 1 ? ` ${times} times` : ''}`,
      seq,
      calls: times,
    }),
  )
}

function lostAtCompaction(session: SeenSession): Signal[] {
  return (session.state.friction?.lost ?? []).map(({ seq, rereads, isCorrected }) =>
    signal(session, {
      type: 'lost at compaction',
      locus: isCorrected ? 'corrected' : 'read again',
      magnitude: isCorrected ? 1 : rereads,
      detail: isCorrected
        ? 'the first word after a compaction was a correction'
        : `${rereads} files were read again right after a compaction`,
      seq,
      calls: rereads,
    }),
  )
}
