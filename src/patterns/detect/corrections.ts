// Finds corrections that a person repeated in several sessions. Later corrections join the earliest
// similar one, so that more history does not change earlier groups.

import { statementTermSet } from '../../text/statement.ts'
import { stem } from '../../text/stem.ts'
import { oneLine, truncate } from '../../text/truncate.ts'
import type { Signal } from '../types.ts'
import { createSignal, type ScannedSession } from './scanned-session.ts'

export interface CorrectionLeaders {
  leaders: LeadingCorrection[]
  /** Indices of leaders by word. */
  byWord: Map<string, number[]>
  /** Scratch counters of shared words per leader; zero between calls. */
  shared: Uint8Array
}

interface LeadingCorrection {
  /** Number of its words. */
  words: number
  locus: string
}

export function createLeaders(): CorrectionLeaders {
  return { leaders: [], byWord: new Map(), shared: new Uint8Array(maxLeaders) }
}

/** Sessions must arrive in the order of their end. */
export function repeatedCorrections(known: CorrectionLeaders, session: ScannedSession): Signal[] {
  return session.state.corrections.flatMap(({ seq, text }) => {
    const words = correctionWords(text)
    if (words.size < minWords || words.size > maxWords) return []
    const detail = truncate(oneLine(text), 160)
    const leader = leaderOf(known, words) ?? addLeader(known, words, detail)
    if (!leader) return []
    return [
      createSignal(session, { type: 'repeated correction', locus: leader.locus, magnitude: 1, detail, seq, calls: 1 }),
    ]
  })
}

const minWords = 2
/** Longer messages have several topics. */
const maxWords = 24
/** Minimum Jaccard similarity. */
const minSharedShare = 0.5
/** Bounds memory and time: leaders are compared with each correction. */
const maxLeaders = 20_000
const maxByWord = 200

function correctionWords(text: string): Set<string> {
  return new Set([...statementTermSet(text.split('\n')[0]!)].filter((word) => !fillerStems.has(word)))
}

/** Words that corrections of any topic have. */
const fillerStems = new Set(
  `still again wrong work fail broke broken wait actual actually instead rather please undo revert said say told tell mean meant
  ask here thing want need should try fix same issue problem error see look right correct sure ok okay yes yet seem think know
  already even really`
    .split(/\s+/)
    .map(stem),
)

function leaderOf({ leaders, byWord, shared }: CorrectionLeaders, words: Set<string>): LeadingCorrection | undefined {
  const touched: number[] = []
  for (const word of words) {
    for (const index of byWord.get(word) ?? []) {
      if (shared[index] === 0) touched.push(index)
      shared[index]!++
    }
  }
  let best: LeadingCorrection | undefined
  let bestLikeness = 0
  for (const index of touched) {
    const common = shared[index]!
    shared[index] = 0
    if (common < minWords) continue
    const likeness = common / (words.size + leaders[index]!.words - common)
    if (likeness < minSharedShare || likeness <= bestLikeness) continue
    best = leaders[index]!
    bestLikeness = likeness
  }
  return best
}

function addLeader(
  { leaders, byWord }: CorrectionLeaders,
  words: Set<string>,
  locus: string,
): LeadingCorrection | undefined {
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
