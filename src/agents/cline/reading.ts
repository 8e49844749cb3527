// What reading the rows of a task carries along, and how a row becomes an event.
import type { Event, FileChange, Json, ToolError } from '../../core/session.ts'
import type { ReaderOutput, SessionOutput } from '../agent.ts'
import { asIsoTime, asObject, type JsonObject, optionalString } from '../json-values.ts'
import type { PendingCalls } from '../pending-calls.ts'
import type { ApiHistory } from './api-history.ts'

export interface RowReading {
  task: string
  session: SessionOutput
  out: ReaderOutput
  history: ApiHistory
  cwd?: string
  /** Started by another task: nobody typed its first row. */
  isChild: boolean
  calls: PendingCalls
  /** The rows of each time: two of one millisecond are told apart by their order. */
  times: Map<string, JsonObject[]>
  open?: OpenTool
  /** When each request started: a model named before the next one belongs to it. */
  requestTimes: string[]
  /** The request that an older row completes. */
  request?: { key: string; ts: string | null }
  model?: string
  lastSaid: string
  lastRange: string
  /** A summary was told; the range that it took out of the context needs no word of its own. */
  isSummarised: boolean
}

/** A call that waits for the rows that answer it. */
export interface OpenTool {
  row: JsonObject
  call: string
  /** File, command or pattern by which the result is found among the messages to the model. */
  subject: string
  output: string[]
  error?: ToolError
  files: FileChange[]
}

export type RowEvent = Pick<Event, 'kind' | 'role' | 'text'> & Partial<Event>

export function eventOf(row: JsonObject, reading: RowReading, event: RowEvent): Event {
  const model = event.role === 'assistant' ? optionalString(asObject(row.modelInfo).modelId) : undefined
  return { id: timeOf(row.ts), key: keyOf(row, reading), ts: asIsoTime(row.ts), ...(model ? { model } : {}), ...event }
}

export function keyOf(row: JsonObject, reading: RowReading): string {
  const at = timeOf(row.ts)
  const rows = reading.times.get(at) ?? []
  if (rows.length === 0) reading.times.set(at, rows)
  if (!rows.includes(row)) rows.push(row)
  const nth = rows.indexOf(row)
  return `${reading.task}/${at}${nth === 0 ? '' : `#${nth + 1}`}`
}

function timeOf(ts: Json | undefined): string {
  return typeof ts === 'number' || typeof ts === 'string' ? String(ts) : ''
}
