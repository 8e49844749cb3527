// What goes wrong on the way, and what then helps: what patterns are found by besides the digest itself. Folded event by event
// like the rest of the state and stored with it, so everything here has a limit.
import type { StoredEvent } from '../store/sessions/bodies.ts'
import { speechAct } from './classify-prompt.ts'
import { isTestStep } from './command-names.ts'
import { fingerprintError } from './fingerprint.ts'
import { addName, baseName, type FrictionCall, fileNames, frictionCallOf, hasName } from './tool-call.ts'

export interface Friction {
  /** Calls so far. */
  calls: number
  /** Names of files that were read, written or named so far (names-seen.ts). */
  seen: string
  open: Record<string, FrictionCall>
  /** What failed last time it was tried, by its place: a command, or a tool and a file. */
  failing: Record<string, OpenFailure>
  /** The same thing failing three times and more, with no edit in between. */
  storms: FrictionCount[]
  /** What failed and then worked, and what was done before it did. */
  recoveries: { error: string; by: string; seq: number }[]
  /** Refused by a person, or by the rules a person gave. */
  denied: FrictionCount[]
  /** The same call again and again with nothing changed in between. */
  repeats: Record<string, number>
  thrash: FrictionCount[]
  /** Edits that failed because the file had not been read. */
  unread: FrictionCount[]
  /** Commands that change or prove something, in order; `!` before one that failed. */
  steps: string[]
  /** The last compaction, and what came after it. */
  compaction: { seq: number; atCall: number; prompts: number; again: string; rereads: number } | null
  lost: { seq: number; rereads: number; isCorrected: boolean }[]
  /** Places of the last edit of code and of the last run of tests, by whatever runs them. */
  codeEdit: number | null
  testRun: number | null
}

/** `what` is a command, or the kind of a tool. */
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
  /** What was done last since. */
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
  // The first word after it: later ones are about what was done since.
  if (!compaction || ++compaction.prompts > 1 || friction.calls - compaction.atCall > 3 * soonCalls) return
  if (speechAct(text) === 'correction') recordLostContext(friction, { seq, rereads: 0, isCorrected: true })
}

function foldCall(friction: Friction, event: StoredEvent): void {
  friction.calls++
  const call = frictionCallOf(event, friction.seen)
  for (const [place, failing] of Object.entries(friction.failing))
    if (place !== call.place) failing.doneSince = call.does
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
  delete friction.repeats[call.mark] // to try again what failed is no idle repetition
  if (call.kind === 'edit' && (call.isBlind || notRead.test(event.text)))
    countFriction(friction.unread, 'edit', event.seq)
  fail(friction, call, event)
}

/** As Claude Code 2.1 and Gemini CLI put it. */
const notRead = /\bhas not been read\b|\bread it first\b|\bmust (?:first )?(?:use .{1,20} to )?read\b/i

/** A look that finds nothing, and a command we cannot name, say nothing when they fail. */
function fail(friction: Friction, call: FrictionCall, { seq, text }: StoredEvent): void {
  if (call.kind === 'waiting' || (call.kind === 'shell' && call.does === 'read')) return
  const known = Object.hasOwn(friction.failing, call.place) ? friction.failing[call.place] : undefined
  // Calls of one batch were made before any of them failed: together they are one try.
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

/** A success long after the failure is another story. */
const soonCalls = 20

function recover(friction: Friction, call: FrictionCall, seq: number): void {
  const failing = Object.hasOwn(friction.failing, call.place) ? friction.failing[call.place]! : undefined
  if (!failing) return
  delete friction.failing[call.place]
  if (friction.calls - failing.atCall > soonCalls) return
  const isKnown = friction.recoveries.some(({ error, by }) => error === failing.error && by === failing.doneSince)
  if (!isKnown) keepFirst(friction.recoveries, { error: failing.error, by: failing.doneSince, seq })
}

/** A question that was answered otherwise is no denial. */
function recordDenial(friction: Friction, { what, kind, steps }: FrictionCall, seq: number): void {
  if (kind !== 'question') countFriction(friction.denied, steps.at(-1) ?? what, seq)
}

function foldEdit(friction: Friction, { seq, files }: StoredEvent): void {
  friction.repeats = {}
  for (const failing of Object.values(friction.failing)) failing.times = 0 // something was changed: no blind retry
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
  if (kind === 'shell' && does !== 'read') friction.repeats = {} // it may have changed what is looked at
  keepLatest(friction.repeats, mark, times, max.repeats)
  if (times === thrashTimes) countFriction(friction.thrash, what, seq, thrashTimes)
  else if (times > thrashTimes) countFriction(friction.thrash, what, seq)
}

/** What is named for the first time since the compaction, and was known before it. */
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

/** A search in the same folder is no reading of the same. */
const isFile = /\w\.[A-Za-z]\w{0,7}$/

/** One entry for each compaction. */
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

/** The last ones are kept: what is set again moves to the end. */
function keepLatest<T>(record: Record<string, T>, name: string, value: T, limit: number): void {
  delete record[name]
  record[name] = value
  const names = Object.keys(record)
  if (names.length > limit) delete record[names[0]!]
}

function keepFirst<T>(list: T[], item: T, limit = max.happened): void {
  if (list.length < limit) list.push(item)
}
