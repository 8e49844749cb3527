// Folds the events of a session into what later sessions can use: runs of programs with their outcome,
// edits with the names that they define, what checkers complain about, what the person said, and the
// closing reply of each turn. The state is small and plain JSON, so that a session which grows is read
// on from where it was left.
import { commandOf, pathsOf } from '../core/commands.ts'
import { addedText, diffLinesOf } from '../core/diff-lines.ts'
import { personWords } from '../store/search/person-words.ts'
import type { StoredEvent } from '../store/sessions/bodies.ts'
import { truncate } from '../text/truncate.ts'
import { type CommandPart, commandParts } from './command-parts.ts'
import { type Complaint, complaintsIn, suppressionsIn } from './complaints.ts'
import { type RunOutcome, runOutcome } from './run-outcome.ts'
import { symbolsIn } from './symbols.ts'

export type SessionItem = { seq: number; at: string | null } & (
  | { kind: 'run'; folder: string; parts: CommandPart[]; outcome: RunOutcome }
  | { kind: 'edit'; path: string; symbols: string[] }
  | { kind: 'complaint'; complaint: Complaint }
  | { kind: 'said'; text: string }
  /** The last reply before the next prompt. */
  | { kind: 'closing'; text: string }
)

export interface FoldState {
  /** Calls without a result yet, the latest last. */
  calls: { call: string; command: string }[]
  /** The latest reply of the turn. */
  reply: { seq: number; at: string | null; text: string } | null
}

export function newFold(): FoldState {
  return { calls: [], reply: null }
}

const maxCalls = 50
const maxCommand = 4000
const maxReply = 12_000
const maxSaid = 8000

/** Adds an event; returns what it completes. */
export function foldEvent(state: FoldState, event: StoredEvent, cwd: string | null): SessionItem[] {
  const { seq, ts: at } = event
  const words = personWords(event)
  if (words !== '') return [{ kind: 'said', seq, at, text: truncate(words, maxSaid) }]
  switch (event.kind) {
    case 'prompt':
      return [...closeTurn(state), { kind: 'said', seq, at, text: truncate(event.text, maxSaid) }]
    case 'reply':
      state.reply = { seq, at, text: truncate(event.text, maxReply) }
      return []
    case 'tool_call': {
      const edits = editsOf(event)
      // The command of an editor is not one of the shell.
      const command = edits.length > 0 ? '' : commandOf(event.input)
      if (event.call && command !== '') {
        state.calls.push({ call: event.call, command: truncate(command, maxCommand) })
        if (state.calls.length > maxCalls) state.calls.shift()
      }
      return edits
    }
    case 'tool_result':
    case 'test_run':
      return resultItems(state, event, cwd)
    default:
      return []
  }
}

/** What the session ends with for now; a later event may add to the turn. */
export function closeTurn(state: FoldState): SessionItem[] {
  const { reply } = state
  state.reply = null
  return reply ? [{ kind: 'closing', ...reply }] : []
}

function editsOf({ seq, ts: at, input }: StoredEvent): SessionItem[] {
  const added = addedText(input)
  if (added === '') return []
  const paths = new Set(pathsOf(input))
  for (const { kind, text } of diffLinesOf(input)) {
    const path =
      kind === 'hunk' ? /^(?:\*\*\* (?:Update|Add) File: |\+\+\+ (?:b\/)?)(\S.*)$/.exec(text)?.[1] : undefined
    if (path) paths.add(path.trim())
  }
  // A patch of several files does not say which name is in which without reading it again.
  const symbols = paths.size === 1 ? symbolsIn(added) : []
  return [
    ...[...paths].map((path): SessionItem => ({ kind: 'edit', seq, at, path, symbols })),
    ...suppressionsIn(added).map((complaint): SessionItem => ({ kind: 'complaint', seq, at, complaint })),
  ]
}

function resultItems(state: FoldState, event: StoredEvent, cwd: string | null): SessionItem[] {
  const { seq, ts: at } = event
  const index = state.calls.findIndex(({ call }) => call === event.call)
  const [pending] = index < 0 ? [] : state.calls.splice(index, 1)
  if (!pending) return []
  const { folder, parts } = commandParts(pending.command, cwd)
  const outcome = runOutcome(pending.command, event)
  const complaints = complaintsIn(event.text).map(
    (complaint): SessionItem => ({ kind: 'complaint', seq, at, complaint }),
  )
  return parts.length === 0 || outcome === undefined
    ? complaints
    : [{ kind: 'run', seq, at, folder, parts, outcome }, ...complaints]
}
