// Finds the pieces of past sessions, memories and commits that say most about a text, best first. The
// index finds passages; their events are split into pieces, and each piece is ranked by itself.

import type { Memory } from '../memory/memory.ts'
import { type CandidateOptions, type Candidates, findCandidates } from '../search/candidates.ts'
import { readEvents } from '../search/event-texts.ts'
import type { SearchPlan } from '../search/plan.ts'
import type { RankedPassage } from '../search/rank.ts'
import type { Ledger } from '../store/ledger.ts'
import { memoriesByNumber } from '../store/memories/memories.ts'
import { sessionOfHit } from '../store/search/passage-search.ts'
import { type PassageSource, passageSource } from '../store/search/passages.ts'
import type { StoredEvent } from '../store/sessions/bodies.ts'
import { commitsByNumber, type StoredCommit } from '../store/sessions/commits.ts'
import { hashTerm } from '../text/term-hash.ts'
import { termsOf } from '../text/terms.ts'
import { type EventPiece, paragraphs, piecesOf } from './pieces.ts'

export type FoundPiece = { score: number; text: string; hashes: readonly number[] } & (
  | { kind: EventPiece['kind']; session: string; seq: number; at: string | null; path?: string }
  | { kind: 'memory'; memory: Memory }
  | { kind: 'commit'; commit: StoredCommit }
)

export interface PieceOptions {
  project: string | null
  nowMs: number
  vector?: CandidateOptions['vector']
}

/** Articles and journal days are left out, because they repeat their sources. */
const sources: readonly PassageSource['kind'][] = ['event', 'digest', 'memory', 'commit']
const maxPassages = 200

export interface FoundPieces extends Candidates {
  pieces: FoundPiece[]
}

export function findPieces(ledger: Ledger, text: string, { project, nowMs, vector }: PieceOptions): FoundPieces {
  // The text is plain: quotes and dashes in it are not query syntax.
  const query = { text: text.slice(0, maxText), phrases: [], without: [], filters: {} }
  const own = vector?.text === text ? vector : undefined
  const where = project === null ? {} : { project }
  const { plan, ranked } = findCandidates(ledger, query, { ...where, kinds: sources, nowMs, vector: own })
  const best = ranked.slice(0, maxPassages)
  const pieces = [...eventPieces(ledger, best), ...memoryPieces(ledger, best), ...commitPieces(ledger, best)]
  return { plan, ranked, pieces: rankPieces(plan, pieces) }
}

const maxText = 4000

type Unranked = FoundPiece extends infer P ? (P extends FoundPiece ? Omit<P, 'score' | 'hashes'> : never) : never

function numbersOf(ranked: readonly RankedPassage[], kind: 'memory' | 'commit'): number[] {
  return ranked.flatMap(({ passage }) => {
    const source = passageSource(passage.id)
    return source.kind === kind ? [source.number] : []
  })
}

function eventPieces(ledger: Ledger, ranked: readonly RankedPassage[]): Unranked[] {
  const places = ranked.flatMap(({ passage }) => {
    const source = passageSource(passage.id)
    return source.kind === 'event' ? [source] : []
  })
  return [...Map.groupBy(places, ({ session }) => session)].flatMap(([number, own]) => {
    const hit = sessionOfHit(ledger, number)
    const events = readEvents(
      ledger.layout.bodies,
      hit,
      own.map(({ seq }) => seq),
    )
    return [...events.values()].flatMap((event: StoredEvent) =>
      piecesOf(event, hit.cwd).map((piece) => ({ ...piece, session: hit.uid, seq: event.seq, at: event.ts })),
    )
  })
}

function memoryPieces(ledger: Ledger, ranked: readonly RankedPassage[]): Unranked[] {
  const memories = memoriesByNumber(ledger, numbersOf(ranked, 'memory'))
  return [...memories.values()]
    .filter(({ state }) => state === 'kept')
    .map((memory) => ({
      kind: 'memory',
      memory,
      text: [memory.text, memory.why, memory.apply].filter(Boolean).join(' '),
    }))
}

function commitPieces(ledger: Ledger, ranked: readonly RankedPassage[]): Unranked[] {
  return [...commitsByNumber(ledger, numbersOf(ranked, 'commit')).values()].flatMap((commit) =>
    paragraphs(commit.message).map((text) => ({ kind: 'commit' as const, commit, text })),
  )
}

/** BM25: saturation of repeated terms (k1) and length normalisation (b). */
const saturation = 1.2
const lengthLoss = 0.4
const averageTerms = 40
const relativeWeight = 0.5
/** An error names what failed, seldom what to do. */
const weights: Partial<Record<FoundPiece['kind'], number>> = { failed: 0.7 }
/** Of a longer piece the part with most of the query is told. */
export const maxShown = 300

export function rankPieces(plan: SearchPlan, pieces: readonly Unranked[]): FoundPiece[] {
  const weightOf = termWeights(plan)
  return pieces
    .map((piece): FoundPiece => {
      const hashes = termsOf('path' in piece && piece.path ? `${piece.path} ${piece.text}` : piece.text).map(hashTerm)
      const counts = new Map<number, number>()
      for (const hash of hashes) {
        const term = weightOf.get(hash)
        if (term) counts.set(term.index, (counts.get(term.index) ?? 0) + term.share)
      }
      const loss = saturation * (1 - lengthLoss + (lengthLoss * hashes.length) / averageTerms)
      let score = 0
      for (const [index, count] of counts)
        score += (plan.terms[index]!.weight * count * (1 + saturation)) / (count + loss)
      const text = bestPart(piece.text, (term) => {
        const known = weightOf.get(hashTerm(term))
        return known ? plan.terms[known.index]!.weight * known.share : 0
      })
      return { ...piece, text, hashes, score: score * (weights[piece.kind] ?? 1) }
    })
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
}

function termWeights({ terms }: SearchPlan): Map<number, { index: number; share: number }> {
  const known = new Map<number, { index: number; share: number }>()
  for (const [index, { relatives }] of terms.entries())
    for (const hash of relatives) known.set(hash, { index, share: relativeWeight })
  for (const [index, { hash }] of terms.entries()) known.set(hash, { index, share: 1 })
  return known
}

/** Whole lines or sentences with most of the weight. */
export function bestPart(text: string, weightOf: (term: string) => number): string {
  if (text.length <= maxShown) return text
  const units = text
    .split(/(?<=\n)|(?<=[.!?;]["')\]]?\s)|(?<=[。！？])/)
    .flatMap((unit) => unit.match(/[\s\S]{1,280}(?:\s|$)|[\s\S]{1,280}(?<![\ud800-\udbff])/g) ?? [])
  const terms = units.map((unit) => [...new Set(termsOf(unit))])
  let best = { from: 0, to: 1, score: -1 }
  for (let from = 0; from < units.length; from++) {
    const seen = new Set<string>()
    let length = 0
    let score = 0
    for (let to = from; to < units.length; to++) {
      length += units[to]!.length
      if (length > maxShown && to > from) break
      for (const term of terms[to]!) if (!seen.has(term) && seen.add(term)) score += weightOf(term)
      if (score > best.score) best = { from, to: to + 1, score }
    }
  }
  const part = units.slice(best.from, best.to).join('').trim()
  return `${best.from > 0 ? '… ' : ''}${part}${best.to < units.length ? ' …' : ''}`
}
