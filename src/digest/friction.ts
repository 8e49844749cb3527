// Records failures, retries, denials and recoveries of a session, from which patterns are detected.
// Part of the digest state and stored with it, so every list has a limit.
import type { StoredEvent } from '../store/sessions/bodies.ts'
import { isCorrection, speechAct } from './classify-prompt.ts'
import { isTestStep } from './command-names.ts'
import { fingerprintError } from './fingerprint.ts'
import { addName, baseName, type FrictionCall, fileNames, frictionCallOf, hasName } from './tool-call.ts'

export interface Friction {
  /** Number of calls so far. */
  calls: number
  /** Hashed names of files read, written or mentioned so far (see `addName`). */
  seen: string
  open: Record<string, FrictionCall>
  /** Unresolved failures by place: a command, or a tool with a file. */
  failing: Record<string, OpenFailure>
  /** The same call failing three or more times without an edit in between. */
  storms: FrictionCount[]
  /** Failures that were resolved, and what was done before. */
  recoveries: { error: string; by: string; seq: number }[]
  /** Denied by the user or by the user's permission rules. */
  denied: FrictionCount[]
  /** Repeated calls without a change in between. */
  repeats: Record<string, number>
  thrash: FrictionCount[]
  /** Edits that failed because the file had not been read. */
  unread: FrictionCount[]
  /** Commands that change or check something, in order; failed ones begin with `!`. */
  steps: string[]
  /** The last compaction and what followed it. */
  compaction: { seq: number; atCall: number; prompts: number; again: string; rereads: number } | null
  lost: { seq: number; rereads: number; isCorrected: boolean }[]
  /** Places of the last code edit and of the last test run. */
  codeEdit: number | null
  testRun: number | null
}

/** `what` is a command or a kind of tool. */
export interface FrictionCount {
  what: string
  times: number
  seq: number
}

interface OpenFailure {
  times: number
  seq: number
  lastSeq: number
  error: string
  atCall: number
  /** What was done last since the failure. */
  doneSince: string
}

export function newFriction(): Friction {
  return {
    calls: 0,
    seen: '',
    open: {},
    failing: {},
    storms: [],
    recoveries: [],
    denied: [],
    repeats: {},
    thrash: [],
    unread: [],
    steps: [],
    compaction: null,
    lost: [],
    codeEdit: null,
    testRun: null,
  }
}

const max = { open: 20, failing: 12, happened: 10, repeats: 30, steps: 50, lost: 5 }

export function foldFriction(friction: Friction, event: StoredEvent): void {
  switch (event.kind) {
    case 'prompt':
      return foldPrompt(friction, event)
    case 'tool_call':
      return foldCall(friction, event)
    case 'tool_result':
    case 'test_run':
      return foldResult(friction, event)
    case 'edit':
      return foldEdit(friction, event)
    case 'compaction':
      if (event.role !== 'system') return
      friction.compaction = { seq: event.seq, atCall: friction.calls, prompts: 0, again: '', rereads: 0 }
  }
}

function foldPrompt(friction: Friction, { seq, text }: StoredEvent): void {
  friction.repeats = {}
  for (const name of fileNames(text.slice(0, 4000))) friction.seen = addName(friction.seen, name)
  const { compaction } = friction
  // Only the first prompt after a compaction counts; later ones are about newer work.
  if (!compaction || ++compaction.prompts > 1 || friction.calls - compaction.atCall > 3 * soonCalls) return
  if (isCorrection(speechAct(text))) recordLostContext(friction, { seq, rereads: 0, isCorrected: true })
}

function foldCall(friction: Friction, event: StoredEvent): void {
  friction.calls++
  const call = frictionCallOf(event, friction.seen)
  for (const place in friction.failing) if (place !== call.place) friction.failing[place]!.doneSince = call.does
  countRepeat(friction, call)
  countRereads(friction, call)
  for (const name of call.names) friction.seen = addName(friction.seen, name)
  if (event.call) keepLatest(friction.open, event.call, { ...call, names: [] }, max.open)
}

function foldResult(friction: Friction, event: StoredEvent): void {
  const call = event.call && Object.hasOwn(friction.open, event.call) ? friction.open[event.call] : undefined
  if (!call) return
  delete friction.open[event.call!]
  if (event.error === 'denied') return recordDenial(friction, call, event.seq)
  if (event.error === 'interrupted' || event.error === 'cancelled') return
  const isOk = !event.error && !event.exit
  for (const step of call.steps) addStep(friction, isOk ? step : `!${step}`)
  if (event.kind === 'test_run' || call.steps.some(isTestStep)) friction.testRun = event.seq
  if (isOk) return recover(friction, call, event.seq)
  delete friction.repeats[call.mark] // retrying a failed call is not an idle repetition
  if (call.kind === 'edit' && (call.isBlind || notRead.test(event.text)))
    countFriction(friction.unread, 'edit', event.seq)
  fail(friction, call, event)
}

/** Wording of Claude Code 2.1 and Gemini CLI. */
const notRead = /\bhas not been read\b|\bread it first\b|\bmust (?:first )?(?:use .{1,20} to )?read\b/i

/** Ignores failed inspections and unknown commands, which are no evidence. */
function fail(friction: Friction, call: FrictionCall, { seq, text }: StoredEvent): void {
  if (call.kind === 'waiting' || (call.kind === 'shell' && call.does === 'read')) return
  const known = Object.hasOwn(friction.failing, call.place) ? friction.failing[call.place] : undefined
  // Calls of one batch were made before any of them failed, so together they are one try.
  const isNewTry = !known || known.times === 0 || call.seq > known.lastSeq
  const times = (known?.times ?? 0) + (isNewTry ? 1 : 0)
  const failing = {
    times,
    seq: times === 1 ? (isNewTry ? seq : known.seq) : known!.seq,
    lastSeq: seq,
    error: fingerprintError(text, call.kind === 'shell' ? call.what : '').fingerprint,
    atCall: friction.calls,
    doneSince: '',
  }
  keepLatest(friction.failing, call.place, failing, max.failing)
  if (times === 3 && isNewTry) keepFirst(friction.storms, { what: call.what, times, seq: failing.seq })
  const storm = times > 3 ? friction.storms.find((one) => one.seq === failing.seq) : undefined
  if (storm) storm.times = times
}

/** A success much later is unrelated to the failure. */
const soonCalls = 20

function recover(friction: Friction, call: FrictionCall, seq: number): void {
  const failing = Object.hasOwn(friction.failing, call.place) ? friction.failing[call.place]! : undefined
  if (!failing) return
  delete friction.failing[call.place]
  if (friction.calls - failing.atCall > soonCalls) return
  const isKnown = friction.recoveries.some(({ error, by }) => error === failing.error && by === failing.doneSince)
  if (!isKnown) keepFirst(friction.recoveries, { error: failing.error, by: failing.doneSince, seq })
}

/** A question with another answer is not a denial. */
function recordDenial(friction: Friction, { what, kind, steps }: FrictionCall, seq: number): void {
  if (kind !== 'question') countFriction(friction.denied, steps.at(-1) ?? what, seq)
}

function foldEdit(friction: Friction, { seq, files }: StoredEvent): void {
  friction.repeats = {}
  for (const failing of Object.values(friction.failing)) failing.times = 0 // something was changed: not a blind retry
  for (const { path } of files ?? []) {
    friction.seen = addName(friction.seen, baseName(path))
    if (isCode.test(path)) friction.codeEdit = seq
  }
}

const isCode =
  /\.(?:[cm]?[jt]sx?|py|go|rs|java|kt|kts|scala|rb|php|cs|fs|c|cc|cpp|h|hpp|m|mm|swift|dart|ex|exs|erl|hs|ml|clj|lua|zig|vue|svelte|sql|sh|ps1)$/i

const thrashTimes = 4

function countRepeat(friction: Friction, { what, kind, does, mark, seq }: FrictionCall): void {
  if (mark === '') return
  const times = (friction.repeats[mark] ?? 0) + 1
  if (kind === 'shell' && does !== 'read') friction.repeats = {} // it may have changed what is read
  keepLatest(friction.repeats, mark, times, max.repeats)
  if (times === thrashTimes) countFriction(friction.thrash, what, seq, thrashTimes)
  else if (times > thrashTimes) countFriction(friction.thrash, what, seq)
}

/** Counts files that were known before the compaction and are read again after it. */
function countRereads(friction: Friction, { names, isReading, seq }: FrictionCall): void {
  const { compaction } = friction
  if (!compaction || friction.calls - compaction.atCall > soonCalls) return
  for (const name of names) {
    if (hasName(compaction.again, name)) continue
    compaction.again = addName(compaction.again, name)
    if (!isReading || !isFile.test(name) || !hasName(friction.seen, name)) continue
    compaction.rereads++
    if (compaction.rereads >= 3) recordLostContext(friction, { seq, rereads: compaction.rereads, isCorrected: false })
  }
}

/** Folders do not count: a search in the same folder is not a repeated read. */
const isFile = /\w\.[A-Za-z]\w{0,7}$/

/** Adds at most one entry per compaction. */
function recordLostContext({ lost, compaction }: Friction, found: Friction['lost'][number]): void {
  const known = lost.find(({ seq }) => seq > compaction!.seq)
  if (!known) return keepFirst(lost, found, max.lost)
  known.rereads = Math.max(known.rereads, found.rereads)
  known.isCorrected ||= found.isCorrected
}

function addStep({ steps }: Friction, step: string): void {
  if (steps.at(-1) === step) return
  steps.push(step)
  if (steps.length > max.steps) steps.shift()
}

function countFriction(list: FrictionCount[], what: string, seq: number, times = 1): void {
  const known = list.find((one) => one.what === what)
  if (known) known.times += times
  else keepFirst(list, { what, times, seq })
}

/** Keeps the latest entries; setting one again moves it to the end. */
function keepLatest<T>(record: Record<string, T>, name: string, value: T, limit: number): void {
  delete record[name]
  record[name] = value
  const names = Object.keys(record)
  if (names.length > limit) delete record[names[0]!]
}

function keepFirst<T>(list: T[], item: T, limit = max.happened): void {
  if (list.length < limit) list.push(item)
}
