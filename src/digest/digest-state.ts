// The state of a digest, updated event by event and continued by the next sweep. A growing session
// costs only what was added, and the digest outlives the body.
import { commandOf, isCommitCommand } from '../core/commands.ts'
import type { EventKind } from '../core/session.ts'
import type { StoredEvent } from '../store/sessions/bodies.ts'
import { truncate } from '../text/truncate.ts'
import { isHealthCheck, speechAct, titleOf } from './classify-prompt.ts'
import { commandNames, commandToBlame } from './command-names.ts'
import { fingerprintError } from './fingerprint.ts'
import { type Friction, foldFriction, newFriction } from './friction.ts'

export interface DigestState {
  kinds: Partial<Record<EventKind, number>>
  tools: Record<string, number>
  title: string
  goal: string
  /** True while every prompt only checked whether the agent responds. */
  isHealthCheck: boolean
  lastReply: string
  /** The reply before the last one, in case that one turns out to be a summary for a compaction. */
  earlierReply?: { seq: number | null; text: string }
  files: Record<string, { change: string; added: number; removed: number; times: number }>
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

export interface Signals {
  prompt: { seq: number; act: string } | null
  reply: number | null
  assistant: number | null
  interrupt: number | null
  error: number | null
  test: { seq: number; isOk: boolean } | null
  commit: number | null
  result: { seq: number; isOk: boolean } | null
  edit: number | null
}

interface OpenCall {
  signature: string
  command: string
}

export function newDigestState(): DigestState {
  return {
    kinds: {},
    tools: {},
    title: '',
    goal: '',
    isHealthCheck: true,
    lastReply: '',
    files: {},
    commands: {},
    tests: { runs: 0, failedRuns: 0, lastPassed: 0, lastFailed: 0 },
    errors: {},
    corrections: [],
    turningPoints: [],
    counts: { corrections: 0, interrupts: 0, denials: 0, retries: 0, compactions: 0, commits: 0, undone: 0 },
    signals: {
      prompt: null,
      reply: null,
      assistant: null,
      interrupt: null,
      error: null,
      test: null,
      commit: null,
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

/**
 * Applies one event to the state in place, so that a million events do not create a million states.
 */
export function foldEvent(state: DigestState, event: StoredEvent): void {
  state.kinds[event.kind] = (state.kinds[event.kind] ?? 0) + 1
  foldTime(state, event)
  if (state.friction) foldFriction(state.friction, event)
  switch (event.kind) {
    case 'prompt':
      return foldPrompt(state, event)
    case 'command':
    case 'shell':
      state.title ||= titleOf(event.text)
      return
    case 'context':
      if (event.role === 'user') state.goal ||= truncate(event.text, 500) // the task of a subagent
      return
    case 'reply':
      state.earlierReply = { seq: state.signals.reply, text: state.lastReply }
      state.lastReply = truncate(event.text, 500)
      state.signals.reply = event.seq
      state.signals.assistant = event.seq
      return
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
      if (!event.undoes) return
      state.counts.undone += event.undoes
      return addTurningPoint(state, event, 'rollback', event.text)
    default:
      event.kind satisfies never
  }
}

/** Codex records the answer to its request for a summary as any other, then the compaction. */
function withdrawSummary(state: DigestState, summary: string): void {
  const { signals, earlierReply, lastReply } = state
  if (!earlierReply || lastReply === '' || !summary.includes(lastReply)) return
  state.lastReply = earlierReply.text
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
  const isFirst = state.kinds.prompt === 1
  if (isFirst) state.title = titleOf(event.text) || state.title
  if (!isHealthCheck(event.text)) {
    if (state.isHealthCheck) state.goal = truncate(event.text, 500)
    state.isHealthCheck = false
  }
  const act = isFirst ? 'other' : speechAct(event.text)
  state.signals.prompt = { seq: event.seq, act }
  if (act !== 'correction') return
  state.counts.corrections++
  keepFirst(state.corrections, { seq: event.seq, text: truncate(event.text, 300) }, 20)
  addTurningPoint(state, event, 'correction', event.text)
}

function foldCall(state: DigestState, event: StoredEvent): void {
  const tool = event.tool ?? ''
  state.tools[tool] = (ownValue(state.tools, tool) ?? 0) + 1
  state.signals.assistant = event.seq
  const command = commandOf(event.input)
  const signature = `${tool} ${command || JSON.stringify(event.input ?? '')}`.slice(0, 400)
  if (state.lastFailed === signature) state.counts.retries++
  else state.lastFailed = '' // something else was tried: not a blind retry
  if (event.call) {
    state.openCalls[event.call] = { signature, command: command.slice(0, 2000) }
    const calls = Object.keys(state.openCalls)
    if (calls.length > 200) delete state.openCalls[calls[0]!]
  }
  for (const name of command ? commandNames(command) : []) countCommand(state, name)
}

function foldResult(state: DigestState, event: StoredEvent): void {
  const call = event.call ? ownValue(state.openCalls, event.call) : undefined
  if (event.call) delete state.openCalls[event.call]
  const isOk = !event.error && !event.exit
  state.signals.result = { seq: event.seq, isOk }
  state.lastFailed = isOk ? '' : (call?.signature ?? '')
  if (event.kind === 'test_run') foldTests(state, event, isOk)
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
  if (isOk && call && isCommitCommand(call.command)) {
    state.counts.commits++
    state.signals.commit = event.seq
    addTurningPoint(state, event, 'commit', call.command)
  }
}

function foldTests(state: DigestState, event: StoredEvent, isExitOk: boolean): void {
  const isOk = isExitOk && (event.tests?.failed ?? 0) === 0
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
  for (const file of event.files ?? []) {
    const known = ownValue(state.files, file.path)
    if (!known && Object.keys(state.files).length >= maxFiles) continue
    const { change, added, removed, times } = known ?? { change: file.change, added: 0, removed: 0, times: 0 }
    state.files[file.path] = {
      change: file.change === 'delete' ? 'delete' : change,
      added: added + (file.added ?? 0),
      removed: removed + (file.removed ?? 0),
      times: times + 1,
    }
  }
}

const maxFiles = 200
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
