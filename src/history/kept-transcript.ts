// The transcript of a session from the lines that its body keeps.
import type { Ledger } from '../store/ledger.ts'
import { bodyState, createStringLookup } from '../store/sessions/bodies.ts'
import { type KeptLines, readCopies } from '../store/sessions/body-copies.ts'
import { restoreText } from '../store/sessions/copy-text.ts'
import { bodyOfSession } from '../store/sessions/session-bodies.ts'
import type { SessionView } from '../store/sessions/sessions.ts'
import { sessionsReadFrom } from '../store/sessions/transcripts.ts'

export interface KeptTranscript {
  /** Where the agent had it. */
  path: string
  /** Bytes of the original that are kept, from its beginning on. */
  length: number
  /** Whether it is only a file beside a transcript. */
  isBeside: boolean
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
    const isBeside = path.endsWith('.meta.json')
    return {
      path,
      length,
      isBeside,
      hasGap: all.some(({ from }) => from > length),
      read: () => readChain(ledger, chain),
    }
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
  const ranges: KeptRange[] = []
  // One frame in memory at a time.
  for (const { path, from, to } of linesIn(ledger, session))
    ranges.push({ session, path, from, to, index: ranges.length })
  return ranges
}

function* linesIn(ledger: Ledger, session: string): Generator<KeptLines> {
  const body = bodyOfSession(ledger, session)
  const { bodies } = ledger.layout
  if (!body || bodyState(bodies, body.file, body.bytes) !== 'whole') return
  yield* readCopies(bodies, body.file, body.bytes, { isTolerant: true })
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
    const body = bodyOfSession(ledger, session)
    if (!body) return
    const stringOf = createStringLookup(ledger.layout.bodies, body)
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
