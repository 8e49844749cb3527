// Runs a reader over a home and keeps what it hands over, by session. No ledger: this is the reader alone.
import type { Agent, LogTranscript, ReaderOutput, Transcript } from '../../src/agents/agent.ts'
import { parseLine, readLines } from '../../src/core/jsonl.ts'
import type { Machine } from '../../src/core/paths.ts'
import type { Event, Json, SessionDetails, Usage } from '../../src/core/session.ts'

export interface Collected {
  about: SessionDetails
  events: Event[]
  usages: Usage[]
}

export interface Collection {
  sessions: Map<string, Collected>
  bad: string[]
  unknown: string[]
}

export function collect(agent: Agent, machine: Machine): Collection {
  const collection: Collection = { sessions: new Map(), bad: [], unknown: [] }
  for (const root of agent.roots(machine)) {
    for (const transcript of agent.find(root)) readAll(transcript, collection)
  }
  return collection
}

function readAll(transcript: Transcript, collection: Collection): void {
  const out = outInto(collection)
  if (transcript.shape === 'document') transcript.read(out, undefined)
  else readLog(transcript, out, undefined, 0)
}

/** Reads a log from an offset, as one sweep would; gives back where the next one has to go on. */
export function readLog(transcript: LogTranscript, out: ReaderOutput, state: Json | undefined, from: number) {
  const reader = transcript.open(out, state)
  let next = from
  for (const line of readLines(transcript.path, from)) {
    if (line.isWhole) next = line.offset + line.bytes.length + 1
    if (transcript.isNoise?.(line.bytes)) continue
    const { records, bad } = parseLine(line.bytes)
    if (!line.isWhole && bad) break
    if (bad) out.problem(line.offset + bad.at, bad.reason)
    for (const record of records) reader.record(record, line.offset)
    next = line.offset + line.bytes.length + (line.isWhole ? 1 : 0)
  }
  return { state: JSON.parse(JSON.stringify(reader.state())) as Json, next }
}

/** Applies the rules that hold for every agent: the first event of a key counts, the largest usage of a key counts. */
export function outInto(collection: Collection): ReaderOutput {
  return {
    session(native) {
      let session = collection.sessions.get(native)
      if (!session) {
        session = { about: {}, events: [], usages: [] }
        collection.sessions.set(native, session)
      }
      const { about, events, usages } = session
      return {
        about(fields) {
          for (const [name, value] of Object.entries(fields)) {
            if (value === undefined || name === 'title' || name === 'titleRank') continue
            Object.assign(about, { [name]: value })
          }
          if (fields.title && (fields.titleRank ?? 0) >= (about.titleRank ?? 0)) {
            about.title = fields.title
            about.titleRank = fields.titleRank ?? 0
          }
        },
        event(event) {
          const isKnown = [...collection.sessions.values()].some((other) =>
            other.events.some((e) => e.key === event.key),
          )
          if (!isKnown) events.push(event)
        },
        usage(usage) {
          const at = usages.findIndex((other) => other.key === usage.key)
          if (at < 0) usages.push(usage)
          else if (usage.output >= usages[at]!.output) usages[at] = usage
        },
      }
    },
    isFull: () => false,
    problem: (offset, reason) => collection.bad.push(`${offset}: ${reason}`),
    unknownType: (type) => collection.unknown.push(type),
    rateLimits() {},
  }
}

export interface Summary {
  parent?: string
  kind?: string
  title?: string
  cwd?: string
  branch?: string
  model?: string
  prompts: string[]
  kinds: Record<string, number>
  tools: Record<string, number>
  errors: Record<string, number>
  edited: string[]
  tests?: string[]
  tokens: { input: number; cacheRead: number; cacheWrite: number; output: number; reasoning: number }
  costUsd?: number
}

/** What a person would check by hand: short enough to write down beside a fixture. */
export function summarise({ about, events, usages }: Collected): Summary {
  const total = (pick: (usage: Usage) => number) => usages.reduce((sum, usage) => sum + pick(usage), 0)
  const cost = usages.some((usage) => usage.costUsd !== undefined)
  const tests = events
    .filter((e) => e.kind === 'test_run')
    .map((e) => (e.tests ? `${e.tests.passed}/${e.tests.failed}` : '?'))
  return dropUndefined({
    parent: about.parent,
    kind: about.kind,
    title: about.title,
    cwd: about.cwd,
    branch: about.branch,
    model: about.model,
    prompts: events.filter((e) => e.kind === 'prompt').map((e) => e.text),
    kinds: tally(events.map((e) => e.kind)),
    tools: tally(events.filter((e) => e.kind === 'tool_call').map((e) => e.tool ?? '')),
    errors: tally(events.flatMap((e) => e.error ?? [])),
    edited: events.flatMap((e) =>
      e.kind === 'edit' ? (e.files ?? []).map((file) => `${file.change} ${file.path}`) : [],
    ),
    tests: tests.length > 0 ? tests : undefined,
    tokens: {
      input: total((u) => u.input),
      cacheRead: total((u) => u.cacheRead),
      cacheWrite: total((u) => u.cacheWrite + u.cacheWrite1h),
      output: total((u) => u.output),
      reasoning: total((u) => u.reasoning),
    },
    costUsd: cost ? Number(total((u) => u.costUsd ?? 0).toFixed(6)) : undefined,
  })
}

function tally(names: string[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const name of names.sort()) counts[name] = (counts[name] ?? 0) + 1
  return counts
}

function dropUndefined<T extends object>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T
}
