// Collects from the events of a session what its digest does not have: decisions, causes, the plan,
// errors that were not overcome, and files without a commit.
import { isSummary, startsSummary } from '../compaction/summary.ts'
import { commandOf, pathsOf } from '../core/commands.ts'
import { plural } from '../core/units.ts'
import { type Digest, digestOf } from '../digest/digest.ts'
import { foldEvent, newDigestState } from '../digest/digest-state.ts'
import { fingerprintError } from '../digest/fingerprint.ts'
import { foldTasks, isOpen, type Task } from '../digest/task-list.ts'
import { tellCall, tellQuoting, tellWords } from '../gate/gate.ts'
import { printedForm } from '../gate/printed.ts'
import { causeReader } from '../journal/causes.ts'
import { type Decision, decisionsIn, tellDecisions } from '../journal/decisions.ts'
import { openItems, unfinishedIn } from '../journal/open-items.ts'
import { withClosedCode } from '../journal/prose.ts'
import { putOffIn } from '../journal/put-off.ts'
import { exchangesIn } from '../learn/exchanges.ts'
import type { StoredEvent } from '../store/sessions/bodies.ts'
import { summariseEvent } from '../store/sessions/events.ts'
import type { SessionView } from '../store/sessions/sessions.ts'
import { ellipsizeSentence, oneLine, shortLine } from '../text/truncate.ts'
import type { SourcedEvent } from './session-events.ts'

export interface PacketFacts {
  digest: Digest
  decisions: string[]
  causes: string[]
  /** What the session left to do. */
  open: string[]
  /** Failures that no later run of the same command has overcome, the last first. */
  errors: string[]
  /** The agent's own list of steps, if some are not done. */
  todo: Task[]
  files: ChangedFileFact[]
  /** Whether the last test run passed; undefined if there was none. */
  isTested: boolean | undefined
  /** The last prompt, if nobody has answered it. */
  unanswered: string
  /** The call that was running when the session ended. */
  running: string
  /** What the agent wrote when it compacted the conversation last; '' if that is not known. */
  summary: string
  isDigestOnly: boolean
}

export interface ChangedFileFact {
  path: string
  change: string
  added: number
  removed: number
  times: number
  isUncommitted: boolean
}

export function readFacts(
  events: Iterable<SourcedEvent>,
  session: Pick<SessionView, 'agent'>,
  stored: Digest | null,
): PacketFacts {
  const state = newDigestState()
  const reader = causeReader()
  const seen = newSeen()
  const decisions: Decision[] = []
  const putOff: string[] = []
  for (const { said } of exchangesIn(session.agent, numbered(events, visit))) {
    for (const utterance of said) {
      const before = withClosedCode(utterance.before)
      decisions.push(...decisionsIn({ ...utterance, before }))
      putOff.push(...putOffIn(utterance.prompt, before))
    }
  }
  function visit(event: StoredEvent): void {
    foldEvent(state, { seq: event.seq, ...summariseEvent(event) })
    reader.read(event, state.signals)
    readFact(event, seen)
  }
  const isDigestOnly = seen.events === 0
  const digest = isDigestOnly ? (stored ?? digestOf(state)) : digestOf(state)
  const lastReply = seen.reply || digest.lastReply
  const isTested = state.signals.test?.isOk
  const ending = {
    digest,
    isTested,
    isTakenUp: false,
    putOff: putOff.slice(0, 4),
    lastReply,
    segment: { nextDay: null },
  }
  const { commit, test } = state.signals
  return {
    digest,
    decisions: tellDecisions(decisions).map(({ text }) => text),
    causes: reader.causes(),
    open: openItems(ending).flatMap(itemForAgent),
    errors: openFailures(seen, Math.max(commit ?? -1, isTested ? (test?.seq ?? -1) : -1)),
    todo: seen.todo.some(isOpen) ? seen.todo : [],
    files: digest.files.map((file) => ({
      ...file,
      isUncommitted: !isDigestOnly && (seen.edits.get(file.path) ?? -1) > (commit ?? -1),
    })),
    isTested,
    unanswered: seen.unanswered,
    summary: seen.summary,
    running: digest.outcome === 'open' ? ([...seen.running.values()].at(-1) ?? '') : '',
    isDigestOnly,
  }
}

/** How it ended is told by the outcome; "you" is the user. */
function itemForAgent(text: string): string[] {
  const line = oneLine(text)
  if (/^(?:It (?:ended|stopped)|You (?:stopped|gave up))\b[^.]*\.$/.test(line)) return []
  return [line.replace(/^You(r?)\b/, (_, own) => (own ? "The user's" : 'The user'))]
}

/** Events of several sessions are numbered as one. */
function* numbered(events: Iterable<SourcedEvent>, visit: (event: StoredEvent) => void): Generator<StoredEvent> {
  let seq = 0
  for (const { session: _, ...event } of events) {
    const own = { ...event, seq: seq++ }
    visit(own)
    yield own
  }
}

interface SeenFacts {
  events: number
  reply: string
  unanswered: string
  todo: Task[]
  edits: Map<string, number>
  /** By command or tool. */
  failures: Map<string, { seq: number; text: string }>
  /** What calls do, by the agent's id of the call: all of them, and those without a result. */
  calls: Map<string, string>
  running: Map<string, string>
  summary: string
  /** A compaction was read, but not its summary. */
  isCompacting: boolean
}

function newSeen(): SeenFacts {
  const maps = { edits: new Map(), failures: new Map(), calls: new Map(), running: new Map() }
  return { events: 0, reply: '', unanswered: '', todo: [], summary: '', isCompacting: false, ...maps }
}

function readFact(event: StoredEvent, seen: SeenFacts): void {
  seen.events++
  seen.todo = foldTasks(seen.todo, event)
  readSummary(event, seen)
  if (event.kind === 'prompt') seen.unanswered = oneLine(event.text)
  if (event.kind === 'reply') {
    seen.reply = event.text.trim()
    seen.unanswered = ''
  }
  if (event.kind === 'tool_call') {
    const command = commandOf(event.input)
    const what = command || [event.tool, ...pathsOf(event.input)].filter(Boolean).join(' ')
    if (event.call) seen.calls.set(event.call, what)
    if (event.call && (command || changesFiles.test(event.tool ?? ''))) seen.running.set(event.call, what)
    seen.unanswered = ''
  }
  if (event.kind === 'edit') for (const { path } of event.files ?? []) seen.edits.set(path, event.seq)
  if (event.kind === 'tool_result' || event.kind === 'test_run') readResult(event, seen)
}

/** It is in the compaction itself, or in the text that follows it. */
function readSummary({ kind, text }: StoredEvent, seen: SeenFacts): void {
  if (kind === 'compaction') seen.isCompacting = true
  const isFound =
    kind === 'compaction' ? isSummary(text) : seen.isCompacting && kind === 'context' && startsSummary(text)
  if (!isFound) return
  seen.summary = text
  seen.isCompacting = false
}

/** Of other tools it does not matter that they were stopped. */
const changesFiles = /edit|write|patch|create|replace/i

/** A later success of the same command, or edit of the same tool, overcomes a failure. */
function readResult(event: StoredEvent, { calls, running, failures }: SeenFacts): void {
  running.delete(event.call ?? '')
  const what = (event.call && calls.get(event.call)) || event.tool || ''
  const hasFailed = event.error === 'failed' || (event.tests?.failed ?? 0) > 0
  const key = what.replace(/\s+/g, ' ').slice(0, 200)
  failures.delete(key)
  if (!hasFailed) return
  const { message } = fingerprintError(event.text, what)
  const counted = event.tests ? `${plural(event.tests.failed, 'test')} failed` : ''
  if (counted === '' && !namesFailure.test(message)) return
  const told = [shortLine(tellCall(what), 160), counted, shortLine(printedForm(message, what), 220)].filter(
    (part) => part !== '',
  )
  failures.set(key, { seq: event.seq, text: told.join(': ') })
}

/** The same facts, as an agent may be told them. */
export function toldFacts(facts: PacketFacts): PacketFacts {
  const { digest, decisions, causes, open, todo, running, unanswered } = facts
  const isTold = (text: string) => 'told' in tellWords(text, 'agent')
  const asked = (text: string) => ('told' in tellWords(text, 'person') ? text : '')
  return {
    ...facts,
    digest: {
      ...digest,
      goal: asked(digest.goal),
      thread: digest.thread.filter(({ text }) => asked(text) !== ''),
      question: isTold(digest.question) ? digest.question : '',
      lastReply: digest.lastReply.split('\n').filter(isTold).join('\n'),
    },
    decisions: decisions.filter((text) => 'told' in tellQuoting(text)),
    causes: causes.filter(isTold),
    open: open.filter(isTold),
    todo: todo.filter(({ text }) => isTold(text)),
    running: running === '' ? '' : tellCall(running),
    unanswered: asked(unanswered),
  }
}

/** Other commands end with a code to answer a question: `grep`, `diff`, `gh pr checks`. */
const namesFailure =
  /error|fail|fatal|panic|exception|denied|refused|reject|cannot|can't|could not|couldn't|unable|invalid|missing|unknown|unexpected|undefined|conflict|no such|not (?:found|a |allowed|defined|permitted)|timed? ?out|usage:/i

/** Those since the last commit or passing test run, which show that the earlier ones are overcome. */
function openFailures({ failures }: SeenFacts, overcomeSeq: number): string[] {
  const open = [...failures.values()].filter(({ seq }) => seq > overcomeSeq)
  return open
    .toReversed()
    .slice(0, 3)
    .map(({ text }) => text)
}

/** What the next agent should do first. */
export function nextStep(facts: PacketFacts): string {
  const { running } = facts
  if (running === '') return stepFrom(facts)
  return `Check what this did, it ran when the session ended: ${shortLine(running, 160)}\n  Then: ${stepFrom(facts)}`
}

function stepFrom({ digest, unanswered, todo, errors, isTested }: PacketFacts): string {
  const { outcome, question, tests, lastReply } = digest
  if (unanswered !== '') return `Answer the last prompt: "${ellipsizeSentence(unanswered, 300)}"`
  if (outcome === 'waiting' && question !== '')
    return `The user has not answered: "${ellipsizeSentence(oneLine(question), 300)}" Ask again, or go on if the answer is clear.`
  const step = todo.find(({ status }) => status === 'in_progress') ?? todo.find(isOpen)
  if (step) return `Go on with the plan: ${shortLine(step.text, 200)}`
  if (isTested === false && tests.lastFailed > 0)
    return `Make the tests pass: ${plural(tests.lastFailed, 'test')} failed in the last run.`
  const [rest] = unfinishedIn(lastReply)
  if (rest) return ellipsizeSentence(oneLine(rest), 300)
  const last = digest.thread.at(-1)?.text
  if ((outcome === 'open' || outcome === 'abandoned' || outcome === 'fail') && last)
    return `${digest.thread.length < 2 ? 'Finish the goal.' : `Finish the last request: "${ellipsizeSentence(oneLine(last), 300)}"`}${errors[0] ? ` It stopped at: ${errors[0]}` : ''}`
  if (question !== '') return `Offered, not answered: "${ellipsizeSentence(oneLine(question), 300)}"`
  return 'Nothing is open: the last request was answered. Ask what is next.'
}
