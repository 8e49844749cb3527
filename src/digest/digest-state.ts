// The state of a digest, updated event by event and continued by the next sweep. A growing session
// costs only what was added, and the digest outlives the body.
import { commandOf } from '../core/commands.ts'
import type { EventKind } from '../core/session.ts'
import type { StoredEvent } from '../store/sessions/bodies.ts'
import { truncate, truncateStart } from '../text/truncate.ts'
import { type ChangedFiles, noteEdits, noteRemovals } from './changed-files.ts'
import {
  ignoresMemory,
  isBuiltInCommand,
  isCorrection,
  isHealthCheck,
  type SpeechAct,
  saysNothing,
  speechAct,
} from './classify-prompt.ts'
import { commandNames, commandToBlame } from './command-names.ts'
import { addCommit, type CommitLog, takeBack } from './commit-log.ts'
import { fingerprintError } from './fingerprint.ts'
import { type Friction, foldFriction, newFriction } from './friction.ts'
import {
  isOkResult,
  maxOpenCalls,
  maxOpenCommand,
  noteCheck,
  type PassingSignals,
  testsPassed,
} from './passing-signals.ts'
import { addPromptNote, creditCommit, creditWork, type PromptNote, repeats } from './prompt-notes.ts'
import { type PublishedWork, publicationsIn, recordedCommit, recordedUndo, takenBackIn } from './published-work.ts'
import { announcesStep, breaksOff, type ClosingQuestion, closingQuestion } from './reply-end.ts'
import { asksPerson, inputText, questionOf } from './tool-call.ts'

export interface DigestState extends CommitLog {
  kinds: Partial<Record<EventKind, number>>
  tools: Record<string, number>
  /** First prompt that says something; the task of a subagent. */
  goal: string
  /** First slash command with arguments. */
  firstCommand?: string
  /** What was asked. Missing in a state of an earlier version whose body is deleted. */
  prompts?: PromptNote[]
  /** The person has told the agent to ignore memory. */
  ignoresMemory?: boolean
  /** True while every prompt only checked whether the agent responds. */
  isHealthCheck: boolean
  lastReply: string
  /** End of the last reply, where a question or the result is. */
  lastReplyEnd?: string
  /** The last reply announces a step instead of a result. */
  isAnnouncing?: boolean
  /** The last reply ends within a sentence. */
  isCutOff?: boolean
  /** Question or choice for the person that the last reply ended with. */
  question?: ClosingQuestion | null
  /** The reply before the last one, in case that one turns out to be a summary for a compaction. */
  earlierReply?: { seq: number | null; text: string }
  files: ChangedFiles
  commands: Record<string, { times: number; failed: number }>
  tests: { runs: number; failedRuns: number; lastPassed: number; lastFailed: number }
  errors: Record<string, { count: number; message: string; tool: string; command?: string; firstSeq: number }>
  corrections: { seq: number; text: string }[]
  turningPoints: TurningPoint[]
  counts: {
    corrections: number
    interrupts: number
    denials: number
    retries: number
    compactions: number
    commits: number
    undone: number
  }
  /** Places of the latest event of each kind, which the outcome is judged by. */
  signals: Signals
  openCalls: Record<string, OpenCall>
  /** Signature of the last failed call, until something else is tried. */
  lastFailed: string
  lastTsMs: number
  activeMs: number
  /** Missing in states begun before it was added, because half of a session would be misleading. */
  friction?: Friction
}

export interface TurningPoint {
  seq: number
  kind:
    | 'correction'
    | 'interrupt'
    | 'denial'
    | 'tests-failed'
    | 'tests-passed'
    | 'commit'
    | 'compaction'
    | 'rollback'
    | 'error'
  text: string
}

export interface Signals extends PassingSignals {
  prompt: { seq: number; act: SpeechAct } | null
  /** The last prompt that asks for something; what came before it is no evidence of its success. */
  request?: number | null
  reply: number | null
  assistant: number | null
  interrupt: number | null
  error: number | null
  /** A usage limit of the model's service. */
  limit?: number | null
  /** The person took commits back. */
  undo?: number | null
  result: { seq: number; isOk: boolean; isDenied?: boolean } | null
}

interface OpenCall {
  signature: string
  command: string
}

export function newDigestState(): DigestState {
  return {
    kinds: {},
    tools: {},
    goal: '',
    prompts: [],
    commits: [],
    isHealthCheck: true,
    lastReply: '',
    lastReplyEnd: '',
    question: null,
    files: {},
    commands: {},
    tests: { runs: 0, failedRuns: 0, lastPassed: 0, lastFailed: 0 },
    errors: {},
    corrections: [],
    turningPoints: [],
    counts: { corrections: 0, interrupts: 0, denials: 0, retries: 0, compactions: 0, commits: 0, undone: 0 },
    signals: {
      prompt: null,
      request: null,
      reply: null,
      assistant: null,
      interrupt: null,
      error: null,
      limit: null,
      test: null,
      check: null,
      commit: null,
      undo: null,
      result: null,
      edit: null,
    },
    openCalls: {},
    lastFailed: '',
    lastTsMs: 0,
    activeMs: 0,
    friction: newFriction(),
  }
}

/** Applies one event to the state in place. */
export function foldEvent(state: DigestState, event: StoredEvent): void {
  const folder = eventFolder(state)
  folder.fold(event)
  folder.finish()
}

export interface EventFolder {
  fold(event: StoredEvent): void
  /** Completes the state. Until then it does not say how the last reply ends. */
  finish(): void
}

/**
 * Applies events to the state in place, so that a million events do not create a million states. How
 * a reply ends is read only of the last one, because nothing else of it is kept.
 */
export function eventFolder(state: DigestState): EventFolder {
  let reply = ''
  const finish = () => {
    const text = reply
    reply = ''
    if (text !== '') readReplyEnd(state, text)
  }
  return {
    fold(event) {
      // These look at the end of the reply before them, or replace what it asks.
      if (event.kind === 'compaction' || (event.kind === 'tool_call' && asksPerson.test(event.tool ?? ''))) finish()
      const text = event.kind === 'reply' ? event.text.trim() : ''
      if (text !== '') reply = text
      apply(state, event)
    },
    finish,
  }
}

function apply(state: DigestState, event: StoredEvent): void {
  state.kinds[event.kind] = (state.kinds[event.kind] ?? 0) + 1
  foldTime(state, event)
  if (state.friction) foldFriction(state.friction, event)
  switch (event.kind) {
    case 'prompt':
      return foldPrompt(state, event)
    case 'command':
      return foldCommand(state, event)
    case 'shell':
      return
    case 'context':
      if (event.role === 'user' && !state.signals.prompt) state.goal ||= truncate(event.text, 500) // task of a subagent
      return
    case 'reply':
      return foldReply(state, event)
    case 'thinking':
      return
    case 'tool_call':
      return foldCall(state, event)
    case 'tool_result':
    case 'test_run':
      return foldResult(state, event)
    case 'edit':
      return foldEdit(state, event)
    case 'error':
      state.signals.error = event.seq
      if (isLimit.test(event.text)) state.signals.limit = event.seq
      countError(state, event)
      return
    case 'interrupt':
      state.counts.interrupts++
      state.signals.interrupt = event.seq
      return addTurningPoint(state, event, 'interrupt', event.text)
    case 'compaction':
      if (event.role !== 'system') return
      state.counts.compactions++
      withdrawSummary(state, event.text)
      return addTurningPoint(state, event, 'compaction', event.text)
    case 'lifecycle':
      return foldLifecycle(state, event)
    default:
      event.kind satisfies never
  }
}

function foldLifecycle(state: DigestState, event: StoredEvent): void {
  const recorded = recordedCommit(event.text)
  if (recorded) return foldPublication(state, event, recorded)
  const undone = recordedUndo(event.text)
  if (undone) takeBack(state, undone, event.seq)
  if (!event.undoes) return
  state.counts.undone += event.undoes
  addTurningPoint(state, event, 'rollback', event.text)
}

/** Messages of services about a limit that time or money lifts. */
const isLimit =
  /\b(?:usage|rate|session|weekly|daily|request|token|spend(?:ing)?|context)[ -]?(?:window )?limit|hit your (?:\w+ )?limit|limit (?:reached|exceeded)|quota|credit balance|out of credits|too many requests|prompt is too long|\b429\b/i

function foldReply(state: DigestState, event: StoredEvent): void {
  const text = event.text.trim()
  if (text === '') return
  state.earlierReply = { seq: state.signals.reply, text: state.lastReply }
  state.lastReply = truncate(text, 500)
  state.lastReplyEnd = truncateStart(text, 600)
  state.signals.reply = event.seq
  state.signals.assistant = event.seq
}

function readReplyEnd(state: DigestState, text: string): void {
  state.question = closingQuestion(text) ?? null
  state.isAnnouncing = announcesStep(text)
  state.isCutOff = breaksOff(text)
}

/** Codex records the answer to its request for a summary as any other, then the compaction. */
function withdrawSummary(state: DigestState, summary: string): void {
  const { signals, earlierReply, lastReply } = state
  if (!earlierReply || lastReply === '' || !summary.includes(lastReply)) return
  // A short reply straight after a prompt answers it, even if the summary says the same.
  const isAnswer = (signals.prompt?.seq ?? -1) > Math.max(earlierReply.seq ?? -1, signals.result?.seq ?? -1)
  if (isAnswer && lastReply.length < 400) return
  // A summary may also quote a short answer.
  if (lastReply.length < Math.min(400, summary.length * 0.4)) return
  state.lastReply = earlierReply.text
  state.lastReplyEnd = earlierReply.text
  state.question = closingQuestion(earlierReply.text) ?? null
  signals.reply = earlierReply.seq
  signals.assistant = Math.max(earlierReply.seq ?? 0, signals.result?.seq ?? 0)
}

/** Longer gaps mean that the user was away. */
const maxPauseMs = 5 * 60_000

function foldTime(state: DigestState, event: StoredEvent): void {
  if (event.ts === null) return
  const ms = Date.parse(event.ts)
  const gap = ms - state.lastTsMs
  if (state.lastTsMs > 0 && gap > 0 && gap < maxPauseMs) state.activeMs += gap
  if (ms > state.lastTsMs) state.lastTsMs = ms
}

function foldPrompt(state: DigestState, event: StoredEvent): void {
  const act =
    state.kinds.prompt === 1 ? 'other' : isAskedAgain(state, event.text) ? 'correction' : speechAct(event.text)
  // Before anything was asked, thanks and "hmm" ask for nothing either.
  const isCheck = isHealthCheck(event.text) || (state.isHealthCheck && saysNothing(event.text))
  if (!isCheck) {
    if (state.isHealthCheck) state.goal = truncate(event.text, 500)
    state.isHealthCheck = false
  }
  state.ignoresMemory = ignoresMemory(event.text) ?? state.ignoresMemory
  if (state.prompts) addPromptNote(state.prompts, event.seq, event.text, act)
  state.signals.prompt = { seq: event.seq, act }
  if (act !== 'approval' && !isCheck) state.signals.request = event.seq
  if (!isCorrection(act)) return
  state.counts.corrections++
  keepFirst(state.corrections, { seq: event.seq, text: truncate(event.text, 300) }, 20)
  addTurningPoint(state, event, 'correction', event.text)
}

/** The same words again, though they were answered: the answer was not what was wanted. */
function isAskedAgain({ prompts = [], signals }: DigestState, text: string): boolean {
  const asked = signals.prompt?.seq ?? -1
  const wasAnswered =
    (signals.reply ?? -1) > asked && (signals.interrupt ?? -1) < asked && (signals.error ?? -1) < asked
  return wasAnswered && repeats(prompts.at(-1), text)
}

/** A slash command with arguments, or one that a person wrote, asks for work. */
function foldCommand(state: DigestState, event: StoredEvent): void {
  const [name = '', ...words] = event.text.trim().split(/\s+/)
  if (words.length > 0) state.firstCommand ??= truncate(event.text.trim(), 80)
  if (isBuiltInCommand(name)) return
  state.signals.request = event.seq
  if (state.prompts && words.length > 0) addPromptNote(state.prompts, event.seq, words.join(' '), 'other')
}

function foldCall(state: DigestState, event: StoredEvent): void {
  const tool = event.tool ?? ''
  state.tools[tool] = (ownValue(state.tools, tool) ?? 0) + 1
  state.signals.assistant = event.seq
  if (state.prompts) creditWork(state.prompts, 1)
  if (asksPerson.test(tool)) state.question = { text: questionOf(event.input), isOffer: false }
  const command = commandOf(event.input)
  const signature = `${tool} ${command || inputText(event.input)}`.slice(0, 400)
  if (state.lastFailed === signature) state.counts.retries++
  else state.lastFailed = '' // something else was tried: not a blind retry
  if (event.call) {
    state.openCalls[event.call] = { signature, command: command.slice(0, maxOpenCommand) }
    const calls = Object.keys(state.openCalls)
    if (calls.length > maxOpenCalls) delete state.openCalls[calls[0]!]
  }
  for (const name of command ? commandNames(command) : []) countCommand(state, name)
}

function foldResult(state: DigestState, event: StoredEvent): void {
  const call = event.call ? ownValue(state.openCalls, event.call) : undefined
  if (event.call) delete state.openCalls[event.call]
  const isOk = isOkResult(event)
  state.signals.result = { seq: event.seq, isOk, ...(event.error === 'denied' ? { isDenied: true } : {}) }
  state.lastFailed = isOk ? '' : (call?.signature ?? '')
  if (event.kind === 'test_run') foldTests(state, event, testsPassed(event, isOk, call?.command ?? ''))
  else noteCheck(state.signals, event.seq, isOk, call?.command ?? '')
  if (event.error === 'denied') {
    state.counts.denials++
    addTurningPoint(state, event, 'denial', event.text)
  } else if (event.error === 'interrupted') {
    state.signals.interrupt = event.seq
  } else if (!isOk) {
    countError(state, event, call?.command)
    for (const name of call ? commandNames(call.command) : []) {
      const known = ownValue(state.commands, name)
      if (known) known.failed++
    }
  }
  if (call) foldWork(state, event, call.command, isOk)
}

/** What a shell line published, took back and deleted. */
function foldWork(state: DigestState, event: StoredEvent, command: string, isOk: boolean): void {
  const takenBack = isOk ? takenBackIn(command, event.text) : undefined
  if (takenBack) takeBack(state, takenBack, event.seq)
  for (const work of publicationsIn(command, event.text, isOk)) foldPublication(state, event, work)
  if (isOk) noteRemovals(state.files, command)
}

function foldPublication(state: DigestState, event: StoredEvent, work: PublishedWork): void {
  state.counts.commits++
  state.signals.commit = event.seq
  if (state.prompts) creditCommit(state.prompts, work.subject)
  addCommit(state, work, event.seq)
  addTurningPoint(state, event, 'commit', work.text)
}

function foldTests(state: DigestState, event: StoredEvent, isOk: boolean): void {
  const before = state.signals.test
  state.tests.runs++
  if (!isOk) state.tests.failedRuns++
  state.tests.lastPassed = event.tests?.passed ?? 0
  state.tests.lastFailed = event.tests?.failed ?? 0
  state.signals.test = { seq: event.seq, isOk }
  if (before?.isOk === isOk) return
  const counted = event.tests
    ? `${event.tests.passed} passed, ${event.tests.failed} failed`
    : isOk
      ? 'tests passed'
      : 'tests failed'
  if (before || !isOk) addTurningPoint(state, event, isOk ? 'tests-passed' : 'tests-failed', counted)
}

function foldEdit(state: DigestState, event: StoredEvent): void {
  state.signals.edit = event.seq
  if (state.prompts) creditWork(state.prompts, 3)
  noteEdits(state.files, event.files ?? [])
}

const maxCommands = 60
const maxErrors = 40

function countCommand(state: DigestState, name: string): void {
  const known = ownValue(state.commands, name)
  if (known) known.times++
  else if (Object.keys(state.commands).length < maxCommands) state.commands[name] = { times: 1, failed: 0 }
}

function countError(state: DigestState, event: StoredEvent, command = ''): void {
  const name = commandToBlame(commandNames(command))
  const { fingerprint, message } = fingerprintError(event.text, name)
  const known = ownValue(state.errors, fingerprint)
  if (known) known.count++
  else if (Object.keys(state.errors).length < maxErrors) {
    const counted = { count: 1, message, tool: event.tool ?? '', firstSeq: event.seq }
    state.errors[fingerprint] = name ? { ...counted, command: name } : counted
  }
}

function addTurningPoint(state: DigestState, { seq }: StoredEvent, kind: TurningPoint['kind'], text: string): void {
  const point = { seq, kind, text: truncate(text.replace(/\s+/g, ' '), 160) }
  // Drops points in the middle, because the beginning and end of a long session matter most.
  if (state.turningPoints.length >= 40) state.turningPoints.splice(20, 1)
  state.turningPoints.push(point)
}

function keepFirst<T>(list: T[], item: T, max: number): void {
  if (list.length < max) list.push(item)
}

/** Own properties only: a tool or file may be called `constructor`. */
function ownValue<T>(record: Record<string, T>, name: string): T | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined
}
