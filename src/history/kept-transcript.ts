// The transcript of a session from the lines that its body keeps.
import type { Ledger } from '../store/ledger.ts'
import { bodyState, readableEvents } from '../store/sessions/bodies.ts'
import { type KeptLines, readCopies } from '../store/sessions/body-copies.ts'
import type { PackedEvent } from '../store/sessions/body-frames.ts'
import { type EventString, eventStrings, restoreText } from '../store/sessions/copy-text.ts'
import { bodyOfSession } from '../store/sessions/session-bodies.ts'
import type { SessionView } from '../store/sessions/sessions.ts'
import { sessionsReadFrom } from '../store/sessions/transcripts.ts'

export interface KeptTranscript {
  /** Where the agent had it. */
  path: string
  /** Bytes of the original that are kept, from its beginning on. */
  length: number
  /** Whether lines are kept that do not follow them: what is between is missing. */
  hasGap: boolean
  /** The content, a frame at a time, with the number of parts that are missing in it. */
  read(): Generator<{ bytes: Buffer; missing: number }>
}

/** One for each transcript of the session; usually one. */
export function keptTranscripts(ledger: Ledger, { id, transcript }: SessionView): KeptTranscript[] {
  const own = rangesOf(ledger, id)
  const paths = new Set([...(transcript ? [transcript.path] : []), ...own.map(({ path }) => path)])
  return [...paths].flatMap((path) => {
    // Lines of a file with several sessions may be in the body of another one.
    const others = sessionsReadFrom(ledger, path).filter((other) => other !== id)
    const all = [...others.flatMap((other) => rangesOf(ledger, other)), ...own].filter((one) => one.path === path)
    const chain = chainOf(all)
    if (chain.length === 0) return []
    const length = chain.at(-1)!.to
    return { path, length, hasGap: all.some(({ from }) => from > length), read: () => readChain(ledger, chain) }
  })
}

/** A run of lines in the body of a session. */
interface KeptRange {
  session: string
  path: string
  from: number
  to: number
  /** Its place among those of the body. */
  index: number
}

function rangesOf(ledger: Ledger, session: string): KeptRange[] {
  return [...linesIn(ledger, session)].map(({ path, from, to }, index) => ({ session, path, from, to, index }))
}

function* linesIn(ledger: Ledger, session: string): Generator<KeptLines> {
  const body = bodyOfSession(ledger, session)
  const { bodies } = ledger.layout
  if (!body || bodyState(bodies, body.file, body.bytes) !== 'whole') return
  yield* readCopies(bodies, body.file, body.bytes)
}

/** From the beginning of the file, without gaps; what was read last wins. */
function chainOf(ranges: readonly KeptRange[]): KeptRange[] {
  const chain: KeptRange[] = []
  for (let at = 0; ; ) {
    const next = ranges.findLast(({ from, to }) => from === at && to > at)
    if (!next) return chain
    chain.push(next)
    at = next.to
  }
}

function* readChain(ledger: Ledger, chain: readonly KeptRange[]): Generator<{ bytes: Buffer; missing: number }> {
  for (const [session, ranges] of runsOf(chain)) {
    const wanted = new Map(ranges.map((range) => [range.index, range]))
    const stringOf = createStringLookup(ledger, session)
    let index = 0
    for (const { base, text } of linesIn(ledger, session))
      if (wanted.has(index++)) yield restoreText(text, base, stringOf)
  }
}

/** Consecutive ranges of one body. */
function runsOf(chain: readonly KeptRange[]): [session: string, ranges: KeptRange[]][] {
  const runs: [string, KeptRange[]][] = []
  for (const range of chain) {
    const last = runs.at(-1)
    if (last?.[0] === range.session && last[1].at(-1)!.index < range.index) last[1].push(range)
    else runs.push([range.session, [range]])
  }
  return runs
}

/** Lines refer to events in their order, so only those around the last one are in memory. */
const maxEvents = 20_000
const eventsBefore = 2000

function createStringLookup(
  ledger: Ledger,
  session: string,
): (event: number, string: EventString) => string | undefined {
  const body = bodyOfSession(ledger, session)
  let events = new Map<number, PackedEvent>()
  let source: Generator<PackedEvent & { seq: number }> | undefined
  let read = -1
  const start = (seq: number) => {
    events = new Map()
    read = seq - 1
    source = body ? readableEvents(ledger.layout.bodies, body.file, body.bytes, { fromSeq: seq }) : undefined
  }
  const find = (seq: number): PackedEvent | undefined => {
    const known = events.get(seq)
    if (known) return known
    if (!source || seq <= read || seq > read + maxEvents) start(Math.max(0, seq - eventsBefore))
    for (let next = source?.next(); next && !next.done; next = source?.next()) {
      read = next.value.seq
      events.set(read, next.value)
      if (events.size > maxEvents) events.delete(events.keys().next().value!)
      if (read >= seq) break
    }
    return events.get(seq)
  }
  return (seq, string) => {
    const event = find(seq)
    return event && (string === 'id' ? event.id : eventStrings(event)[string])
  }
}
