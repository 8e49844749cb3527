// Writes events and digests of sessions to the passage index.

import { commandOf, pathsOf } from '../../core/commands.ts'
import { addedText } from '../../core/diff-lines.ts'
import type { Ledger } from '../ledger.ts'
import type { EventSummary } from '../sessions/events.ts'
import { deletePassages, type PassageRole, passageId, sessionPassageIds, writePassages } from './passages.ts'
import { personWords } from './person-words.ts'

/**
 * Returns the passage that the next event is linked to; `after` is the one that this event follows.
 */
export function indexEvent(
  ledger: Ledger,
  place: { session: number; seq: number },
  event: EventSummary,
  after: number | null,
): number | null {
  const content = searchTextOf(event)
  if (!content) return after
  const ts = event.ts === null ? null : Date.parse(event.ts)
  return writePassages(ledger, { source: { kind: 'event', ...place }, ts, ...content }, after)
}

/** Removes a session's events up to a place from the index; the digest stays. */
export function unindexEvents(ledger: Ledger, session: number, throughSeq: number): void {
  const { from, to } = sessionPassageIds(session, throughSeq)
  deletePassages(ledger, from, to)
}

/**
 * Indexes the title that an agent gave a session. Goal and last reply are only indexed after
 * eviction, because until then they would count twice beside the prompts.
 */
export function indexDigest(ledger: Ledger, session: number): void {
  unindexDigest(ledger, session)
  const row = ledger
    .sql(
      `SELECT s.ended, s.title, s.evicted_through, d.title AS own,
         CASE WHEN s.evicted_through > 0 THEN unpack_json(d.state) END AS state
       FROM sessions s JOIN digests d ON d.session = s.id WHERE s.id = ?`,
    )
    .get(session) as Record<string, string | number | null> | undefined
  if (!row) return
  const state = JSON.parse(String(row.state)) as { goal?: string; lastReply?: string } | null
  const parts = state ? [row.title ?? row.own, state.goal, state.lastReply] : [row.title]
  const said = parts.filter(Boolean).join('\n')
  if (said === '') return
  const source = { kind: 'digest' as const, session }
  writePassages(ledger, { source, role: 'note', ts: row.ended as number | null, said }, null)
}

export function unindexDigest(ledger: Ledger, session: number): void {
  const first = passageId({ kind: 'digest', session }, 0)
  deletePassages(ledger, first, passageId({ kind: 'digest', session: session }, 31))
}

interface SearchText {
  role: PassageRole
  said: string
  done: string
}

/**
 * The text of an event that people search for: statements, commands, paths and errors. Undefined
 * for successful output and other kinds.
 */
export function searchTextOf(event: EventSummary): SearchText | undefined {
  const words = personWords(event)
  if (words !== '') return { role: 'human', said: words, done: '' }
  switch (event.kind) {
    case 'prompt':
    case 'command':
      return { role: 'human', said: event.text, done: '' }
    case 'shell':
      return { role: 'human', said: '', done: event.text }
    case 'reply':
      return { role: 'agent', said: event.text, done: '' }
    case 'tool_call':
      return actionText('agent', [
        ...pathsOf(event.input),
        commandOf(event.input).slice(0, maxOfCommand),
        addedText(event.input).slice(0, maxOfEdit),
      ])
    case 'edit':
      return actionText(
        'tool',
        (event.files ?? []).map((file) => file.path),
      )
    case 'error':
      return actionText('tool', [event.text.slice(0, maxOfError)])
    case 'tool_result':
    case 'test_run':
      return event.error === 'failed' || event.exit ? actionText('tool', [event.text.slice(0, maxOfError)]) : undefined
    default:
      return undefined
  }
}

/** An error message is at the beginning; the rest is trace. */
const maxOfError = 2000
const maxOfCommand = 2000
/** The beginning names what was written; the rest is in the file. */
const maxOfEdit = 1500

function actionText(role: PassageRole, texts: string[]): SearchText | undefined {
  const text = texts.filter(Boolean).join('\n')
  return text === '' ? undefined : { role, said: '', done: text }
}
