// events.jsonl: the agent's own timing log. It alone says why a tool did not run and how a turn ended that was never closed.
import type { ToolError } from '../../core/session.ts'
import type { ReaderOutput } from '../agent.ts'
import { readRecords } from '../files.ts'
import { asIsoTime, asString, fingerprint } from '../json-values.ts'
import type { Update } from './timeline.ts'

interface Turn {
  start: number
  end: number
  outcome: string
  category: string
}

export interface Journal {
  /** Outcome of each tool call, by its id. */
  outcomes: Map<string, string>
  turns: Turn[]
}

export function readJournal(path: string, out: ReaderOutput): Journal {
  const journal: Journal = { outcomes: new Map(), turns: [] }
  let start = 0
  for (const { record } of readRecords(path, out)) {
    const at = Date.parse(asIsoTime(record.ts) ?? '') || 0
    if (record.type === 'turn_started') start = at
    if (record.type === 'tool_completed') journal.outcomes.set(asString(record.tool_call_id), asString(record.outcome))
    if (record.type === 'turn_ended') {
      const category = asString(record.cancellation_category)
      journal.turns.push({ start: start || at, end: at, outcome: asString(record.outcome), category })
      start = 0
    }
  }
  return journal
}

/** The log's own clock is a little later than that of the update which closes the turn. */
const slackMs = 2000

export function turnAt(journal: Journal, ms: number): Turn | undefined {
  return journal.turns.find((turn) => ms >= turn.start && ms <= turn.end + slackMs)
}

/** Turns that ended badly without a word in the update log, as the update that should stand there. */
export function unclosedTurns(journal: Journal, timeline: Update[], session: string): Update[] {
  const closed = new Set(
    timeline.filter((update) => update.kind === 'turn_completed').map((update) => turnAt(journal, update.ms)),
  )
  return journal.turns
    .filter((turn) => turn.end > 0 && /^(?:cancelled|error)$/.test(turn.outcome) && !closed.has(turn))
    .map((turn) => ({
      kind: 'turn_completed',
      update: { stop_reason: turn.outcome },
      meta: {},
      id: '',
      key: fingerprint(session, 'turn', turn.end),
      ts: asIsoTime(turn.end),
      origin: session,
      ms: turn.end,
      counter: Number.MAX_SAFE_INTEGER,
    }))
}

const notRun = new Map<string, ToolError>([
  ['error', 'failed'],
  ['invalid_tool', 'failed'],
  ['permission_rejected', 'denied'],
  ['permission_timed_out', 'denied'],
  ['hook_denied', 'denied'],
  ['followup', 'denied'],
  ['permission_cancelled', 'interrupted'],
  ['cancelled', 'interrupted'],
])

export function toolError(journal: Journal, call: string): ToolError | undefined {
  return notRun.get(journal.outcomes.get(call) ?? '')
}
