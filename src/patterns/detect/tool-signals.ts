// Signals of tool use: overhead, repeated identical calls, denials, and context lost at a
// compaction.
import { plural } from '../../core/units.ts'
import { toolKind } from '../../digest/tool-call.ts'
import type { Signal } from '../types.ts'
import { createSignal, type ScannedSession } from './scanned-session.ts'

export function toolSignals(session: ScannedSession): Signal[] {
  return [...overhead(session), ...toolThrash(session), ...denials(session), ...lostAtCompaction(session)]
}

const minCallsForOverhead = 20
const maxOverheadShare = 0.25

/** Kinds of tools that manage the work instead of doing it. */
const managingKinds = new Set(['task list', 'waiting', 'tool search'])

export function isManagingTool(tool: string): boolean {
  return managingKinds.has(toolKind(tool))
}

function overhead(session: ScannedSession): Signal[] {
  const calls = new Map<string, number>()
  for (const [tool, times] of Object.entries(session.state.tools)) {
    const kind = toolKind(tool)
    if (isManagingTool(tool)) calls.set(kind, (calls.get(kind) ?? 0) + times)
  }
  const all = Object.values(session.state.tools).reduce((sum, times) => sum + times, 0)
  const spent = [...calls.values()].reduce((sum, times) => sum + times, 0)
  if (all < minCallsForOverhead || spent / all <= maxOverheadShare) return []
  const [locus] = [...calls].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))[0]!
  const share = Math.round((100 * spent) / all)
  return [
    createSignal(session, {
      type: 'overhead',
      locus,
      magnitude: spent,
      detail: `${spent} of ${plural(all, 'call')} (${share} %)`,
      calls: spent,
    }),
  ]
}

function toolThrash(session: ScannedSession): Signal[] {
  return (session.state.friction?.thrash ?? []).map(({ what, times, seq }) =>
    createSignal(session, {
      type: 'tool thrash',
      locus: what,
      magnitude: times,
      detail: `${times} times`,
      seq,
      calls: times - 1,
    }),
  )
}

function denials(session: ScannedSession): Signal[] {
  return (session.state.friction?.denied ?? []).map(({ what, times, seq }) =>
    createSignal(session, {
      type: 'denial',
      locus: what,
      magnitude: times,
      detail: plural(times, 'time'),
      seq,
      calls: times,
    }),
  )
}

function lostAtCompaction(session: ScannedSession): Signal[] {
  return (session.state.friction?.lost ?? []).map(({ seq, rereads, isCorrected }) =>
    createSignal(session, {
      type: 'lost at compaction',
      locus: isCorrected ? 'corrected' : 'read again',
      magnitude: isCorrected ? 1 : rereads,
      detail: isCorrected ? 'the first prompt after it' : `${rereads} files`,
      seq,
      calls: rereads,
    }),
  )
}
