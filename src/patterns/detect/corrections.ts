// The same correction by a person in several sessions. The earliest one leads: later ones that say the same join it, so that
// more history moves nothing that was found before.

import { statementTermSet } from '../../text/statement.ts'
import { stem } from '../../text/stem.ts'
import { oneLine, truncate } from '../../text/truncate.ts'
import type { Signal } from '../signal.ts'
import { type SeenSession, signal } from './session.ts'

export interface CorrectionLeaders {
  leaders: Leader[]
  /** By each of their words. */
  byWord: Map<string, number[]>
  /** How many words each of them has in common with the correction in hand; all nothing between two. */
  shared: Uint8Array
}

interface Leader {
  /** How many words it has. */
  words: number
  /** What it says. */
  locus: string
}

export function newLeaders(): CorrectionLeaders {
  return { leaders: [], byWord: new Map(), shared: new Uint8Array(maxLeaders) }
}

/** Sessions come in the order in which they ended. */
export function repeatedCorrections(known: CorrectionLeaders, session: SeenSession): Signal[] {
  return session.state.corrections.flatMap(({ seq, text }) => {
    const words = wordsOf(text)
    if (words.size < fewestWords || words.size > maxWords) return []
    const detail = truncate(oneLine(text), 160)
    const leader = leaderOf(known, words) ?? lead(known, words, detail)
    if (!leader) return []
    return [signal(session, { type: 'repeated correction', locus: leader.locus, magnitude: 1, detail, seq, calls: 1 })]
  })
}

const fewestWords = 2
/** A long message is about many things. */
const maxWords = 24
/** Share of all their words that two must have in common. */
const same = 0.5
/** Each of them is looked at for each correction; a person who corrects more often than that is no person. */
const maxLeaders = 20_000
const maxByWord = 200

function wordsOf(text: string): Set<string> {
  return new Set([...statementTermSet(text.split('\n')[0]!)].filter((word) => !fillerStems.has(word)))
}

/** Words of any correction, whatever it is about. */
const fillerStems = new Set(
  `still again wrong work fail broke broken wait actual actually instead rather please undo revert said say told tell mean meant
  ask here thing want need should try fix same issue problem error see look right correct sure ok okay yes yet seem think know
  already even really`
    .split(/\s+/)
    .map(stem),
)

function leaderOf({ leaders, byWord, shared }: CorrectionLeaders, words: Set<string>): Leader | undefined {
  const touched: number[] = []
  for (const word of words) {
    for (const index of byWord.get(word) ?? []) {
      if (shared[index] === 0) touched.push(index)
      shared[index]!++
    }
  }
  let best: Leader | undefined
  let bestLikeness = 0
  for (const index of touched) {
    const common = shared[index]!
    shared[index] = 0
    if (common < fewestWords) continue
    const likeness = common / (words.size + leaders[index]!.words - common)
    if (likeness < same || likeness <= bestLikeness) continue
    best = leaders[index]!
    bestLikeness = likeness
  }
  return best
}

function lead({ leaders, byWord }: CorrectionLeaders, words: Set<string>, locus: string): Leader | undefined {
  if (leaders.length >= maxLeaders) return undefined
  const leader = { words: words.size, locus }
  for (const word of words) {
    const others = byWord.get(word)
    if (!others) byWord.set(word, [leaders.length])
    else if (others.length < maxByWord) others.push(leaders.length)
  }
  leaders.push(leader)
  return leader
}
