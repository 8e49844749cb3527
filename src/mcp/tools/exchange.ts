// Summarises the exchanges of a session in a few lines each: prompt, tools, edits, failures, reply.

import type { Zone } from '../../core/units.ts'
import { errorMessage } from '../../digest/fingerprint.ts'
import { tellName } from '../../gate/evidence.ts'
import { tellLines } from '../../gate/gate.ts'
import { printedForm } from '../../gate/printed.ts'
import type { StoredEvent } from '../../store/sessions/bodies.ts'
import { shortLine, truncate } from '../../text/truncate.ts'
import { toolName } from './session-get.ts'

export interface ExchangeSummary {
  /** Sequence number of its prompt. */
  from: number
  /** Sequence number after its last event. */
  to: number
  at: string | null
  asked: string
  /** Number of calls by tool. */
  ran: Map<string, number>
  files: Set<string>
  failed: string[]
  answered: string
}

/** The exchange of an event with `around` exchanges before and after it; fewer at the ends. */
export function exchangesAround(events: Iterable<StoredEvent>, seq: number, around: number): ExchangeSummary[] {
  const kept: ExchangeSummary[] = []
  let open: ExchangeSummary | undefined
  let after = -1
  for (const event of events) {
    if (!open || event.kind === 'prompt') {
      if (open && open.to > seq && ++after === around) return kept
      open = {
        from: event.seq,
        to: 0,
        at: event.ts,
        asked: '',
        ran: new Map(),
        files: new Set(),
        failed: [],
        answered: '',
      }
      kept.push(open)
      if (event.seq <= seq && kept.length > around + 1) kept.shift()
    }
    add(open, event)
  }
  return kept
}

const maxTextLength = 2000

function add(exchange: ExchangeSummary, event: StoredEvent): void {
  exchange.to = event.seq + 1
  switch (event.kind) {
    case 'prompt':
    case 'command':
    case 'shell':
      exchange.asked ||= truncate(event.text, maxTextLength)
      return
    case 'reply':
      exchange.answered = truncate(event.text, maxTextLength)
      return
    case 'tool_call':
      exchange.ran.set(event.tool ?? 'a tool', (exchange.ran.get(event.tool ?? 'a tool') ?? 0) + 1)
      return
    case 'edit':
      for (const { path } of event.files ?? []) exchange.files.add(path)
      return
    case 'error':
    case 'tool_result':
    case 'test_run':
      if (event.kind === 'error' || event.error !== undefined || event.exit)
        exchange.failed.push(truncate(event.text, 200))
      return
    case 'thinking':
    case 'interrupt':
    case 'compaction':
    case 'context':
    case 'lifecycle':
      return
    default:
      event.kind satisfies never
  }
}

/** `id` is the id for memory_get. */
export function exchangeText(exchange: ExchangeSummary, id: string, zone: Zone): string {
  const { at, asked, ran, files, failed, answered } = exchange
  const tools = [...ran].map(([tool, count]) => (count === 1 ? toolName(tool) : `${toolName(tool)} ${count}×`))
  const lines = [
    `[${id}]${at ? ` ${zone.minute(at)}` : ''} user: ${shortLine(tellLines(asked, 'person'), 400) || '(nothing)'}`,
    tools.length > 0 && `  agent ran: ${tools.slice(0, 10).join(', ')}`,
    files.size > 0 && `  edited: ${[...files].slice(0, 10).map(tellName).join(', ')}`,
    failed.length > 0 &&
      `  tool output, failed ${failed.length}×: ${shortLine(printedForm(errorMessage(failed.at(-1)!)) || '…', 200)}`,
    answered && `  agent: ${shortLine(tellLines(answered, 'agent'), 400)}`,
  ]
  return lines.filter(Boolean).join('\n')
}
