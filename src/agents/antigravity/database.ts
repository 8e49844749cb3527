// Reads `conversations/<id>.db` of Antigravity (seen in CLI 1.0.10 and later): protobuf messages in
// rows. `gen_metadata` has one row per call of the model, with its tokens; `steps` repeats what the
// transcript says and is read only if there is none. The call that names a conversation is in no
// row of `gen_metadata` and not counted.
import type { JsonRecord } from '../../core/jsonl.ts'
import type { Usage } from '../../core/session.ts'
import type { ReaderOutput } from '../agent.ts'
import { type ForeignDatabase, withDatabase } from '../database.ts'
import { asIsoTime, type JsonObject } from '../json-values.ts'
import { countAt, secondsAt, textAt } from './protobuf.ts'

/**
 * Emits the tokens of the calls from a row on. Returns the last row, which the next sweep reads
 * again: it may not have been complete.
 */
export function readGenerations(path: string, native: string, out: ReaderOutput, from: number): number {
  let last = from
  withDatabase(path, out, (database) => {
    if (!database.columns('gen_metadata').has('data')) return
    const rowsFrom = (idx: number) => database.rows('SELECT idx FROM gen_metadata WHERE idx >= ? ORDER BY idx', idx)
    const rows = rowsFrom(from)
    // The last row is there no more: the conversation went back, and numbers are used again.
    for (const { idx } of rows.length > 0 ? rows : rowsFrom(0)) {
      const data = blobAt(database, 'SELECT data AS value FROM gen_metadata WHERE idx = ?', Number(idx))
      const usage = data && usageOf(data, native, Number(idx))
      if (usage) {
        out.session(native).usage(usage)
        out.session(native).about({ model: usage.model ?? undefined })
      }
      last = Number(idx)
    }
  })
  return last
}

/** One at a time: the latest row holds the whole request, with every tool. */
function blobAt(database: ForeignDatabase, sql: string, idx: number): Uint8Array | undefined {
  const value: unknown = database.rows(sql, idx)[0]?.value
  return value instanceof Uint8Array ? value : undefined
}

/** `1.4` is the usage of the call; `1.17` repeats it. Output includes thinking, input no cache. */
function usageOf(data: Uint8Array, native: string, idx: number): Usage | undefined {
  const reasoning = countAt(data, 1, 4, 9)
  const tokens = {
    input: countAt(data, 1, 4, 2),
    cacheRead: countAt(data, 1, 4, 5),
    output: countAt(data, 1, 4, 3) || reasoning + countAt(data, 1, 4, 10),
    reasoning,
  }
  if (tokens.input + tokens.cacheRead + tokens.output === 0) return undefined
  return {
    key: `${native}/${textAt(data, 1, 4, 11) || `call ${idx}`}`,
    ts: asIsoTime(secondsAt(data, 1, 9, 4)),
    model: textAt(data, 1, 21) || textAt(data, 1, 19) || null,
    ...tokens,
    cacheWrite: 0,
    cacheWrite1h: 0,
  }
}

/** Steps as the transcript would say them; tools are left out, whose fields are not known. */
export function stepRecords(path: string, out: ReaderOutput): JsonRecord[] {
  const records = withDatabase(path, out, (database) => {
    if (!database.columns('steps').has('step_payload')) return []
    const types = [...stepTypes.keys()].join(', ')
    const rows = database.rows(`SELECT idx, step_type FROM steps WHERE step_type IN (${types}) ORDER BY idx`)
    return rows.map((row) => recordOf(database, row)).filter((record) => record !== undefined)
  })
  return records ?? []
}

const stepTypes = new Map([
  [14, 'USER_INPUT'],
  [15, 'PLANNER_RESPONSE'],
  [23, 'CHECKPOINT'],
])

function recordOf(database: ForeignDatabase, { idx, step_type }: JsonObject): JsonRecord | undefined {
  const type = stepTypes.get(Number(step_type))
  const payload = blobAt(database, 'SELECT step_payload AS value FROM steps WHERE idx = ?', Number(idx))
  if (!type || !payload) return undefined
  const seconds = Math.floor(secondsAt(payload, 5, 1)) // as in a transcript, so that keys are the same
  return {
    step_index: Number(idx),
    type,
    source: sources.get(countAt(payload, 5, 3)) ?? 'unknown',
    created_at: asIsoTime(seconds)?.replace('.000Z', 'Z') ?? null,
    ...contentOf(type, payload),
  }
}

const sources = new Map([
  [2, 'MODEL'],
  [4, 'USER_EXPLICIT'],
  [5, 'SYSTEM'],
])

function contentOf(type: string, payload: Uint8Array): Record<string, string> {
  if (type === 'USER_INPUT') return { content: textAt(payload, 19, 2) }
  if (type === 'CHECKPOINT') return { content: `# USER Objective:\n${textAt(payload, 30, 4)}` }
  return { content: textAt(payload, 20, 1), thinking: textAt(payload, 20, 3) }
}
