// What one session did to one file, read from its body: each change with the exchange it was made in, and the commits that the
// session made.
import { commandOf, splitCommands } from '../core/commands.ts'
import type { Json } from '../core/session.ts'
import type { Ledger } from '../store/ledger.ts'
import { readBody, type StoredEvent } from '../store/sessions/bodies.ts'
import { promptSeqBefore } from '../store/sessions/events.ts'
import { bodyOfSession } from '../store/sessions/sessions.ts'
import { truncate } from '../text/truncate.ts'

/** What was asked for; a subagent was asked by an agent, not by a person. */
export interface Asked {
  seq: number
  at: string | null
  text: string
  by: 'user' | 'agent'
}

export interface FileEdit {
  seq: number
  at: string | null
  asked: Asked | null
  added: number
  removed: number
  /** What the call that made it wrote, as far as its input tells. */
  wrote: string
}

export interface MadeCommit {
  /** As much of the hash as was told; '' where only the command is known. */
  hash: string
  /** The moments between which it was made. */
  fromAt: string | null
  toAt: string | null
  seq: number
  asked: Asked | null
}

export interface SessionWork {
  edits: FileEdit[]
  commits: MadeCommit[]
  /** Less than the session had: its body is gone, cut or damaged. */
  isTextGone: boolean
}

export interface WorkFilter {
  session: number
  uid: string
  fromSeq: number
  isFile(path: string): boolean
  /** Stop behind this place; all of the rest where it is not known. */
  throughSeq?: number | null
  /** Stop behind this moment. */
  untilMs?: number
}

const longestAsked = 600
/** What of a call's input is kept to find lines in. */
const longestWritten = 200_000

export function readWork(ledger: Ledger, filter: WorkFilter): SessionWork {
  const work: SessionWork = { edits: [], commits: [], isTextGone: false }
  const body = bodyOfSession(ledger, filter.uid)
  if (!body) return { ...work, isTextGone: true }
  const from = promptSeqBefore(ledger, filter.session, filter.fromSeq + 1)
  try {
    fold(readBody(ledger.layout.bodies, body.file, body.bytes, from), filter, work)
  } catch {
    work.isTextGone = true // damaged: doctor tells of it, and what could be read is told here
  }
  return work
}

function fold(events: Iterable<StoredEvent>, filter: WorkFilter, work: SessionWork): void {
  const calls = new Map<string, StoredEvent>()
  let asked: Asked | null = null
  for (const event of events) {
    if (typeof filter.throughSeq === 'number' && event.seq > filter.throughSeq) return
    if (filter.untilMs !== undefined && event.ts !== null && Date.parse(event.ts) > filter.untilMs) return
    asked = askedIn(event, asked)
    if (event.kind === 'tool_call' && event.call) remember(calls, event.call, event)
    const call = event.call ? calls.get(event.call) : undefined
    if (event.kind === 'edit') work.edits.push(...editsIn(event, call, asked, filter))
    else work.commits.push(...commitsIn(event, call, asked))
  }
}

/** The task of a subagent stands at its beginning; behind a prompt, machine text with the user's role asks for nothing. */
function askedIn({ kind, role, seq, ts, text }: StoredEvent, before: Asked | null): Asked | null {
  const isTask = before === null && kind === 'context' && role === 'user'
  const isSaid = kind === 'prompt' || kind === 'command'
  if ((!isSaid && !isTask) || text.trim() === '') return before
  return { seq, at: ts, text: truncate(text.trim(), longestAsked), by: isSaid ? 'user' : 'agent' }
}

function editsIn(
  { seq, ts, files }: StoredEvent,
  call: StoredEvent | undefined,
  asked: Asked | null,
  { isFile }: WorkFilter,
): FileEdit[] {
  return (files ?? [])
    .filter(({ path }) => isFile(path))
    .map(({ added, removed }) => {
      const wrote = call?.input === undefined ? '' : stringsIn(call.input).join('\n').slice(0, longestWritten)
      return { seq, at: ts, asked, added: added ?? 0, removed: removed ?? 0, wrote }
    })
}

function commitsIn(event: StoredEvent, call: StoredEvent | undefined, asked: Asked | null): MadeCommit[] {
  const { seq, ts, text } = event
  if (event.kind === 'lifecycle') {
    const hash = /^Commit ([0-9a-f]{7,40})\b/.exec(text)?.[1]
    return hash ? [{ hash, fromAt: null, toAt: null, seq, asked }] : []
  }
  if (!call || (event.kind !== 'tool_result' && event.kind !== 'test_run') || !isCommit(commandOf(call.input)))
    return []
  // `[main 0a1b2c3] Fix it`, also where a later command of the line failed.
  const hashes = [...text.matchAll(/^\[[^\]\n]* ([0-9a-f]{7,40})\] /gm)].map((match) => match[1]!)
  if (hashes.length === 0 && (event.error || event.exit)) return []
  const made = hashes.length > 0 ? hashes : ['']
  return made.map((hash) => ({ hash, fromAt: call.ts, toAt: ts, seq, asked }))
}

function isCommit(command: string): boolean {
  return splitCommands(command).some(
    (part) => /^(?:\w+=\S*\s+)*git\b.*\scommit\b/.test(part) && !/--dry-run/.test(part),
  )
}

function stringsIn(input: Json): string[] {
  if (typeof input === 'string') return [input]
  if (typeof input !== 'object' || input === null) return []
  return Object.values(input).flatMap((value) => (value === undefined ? [] : stringsIn(value)))
}

/** Calls and what comes of them stand close together. */
function remember(calls: Map<string, StoredEvent>, call: string, event: StoredEvent): void {
  calls.set(call, event)
  if (calls.size > 200) calls.delete(calls.keys().next().value!)
}
