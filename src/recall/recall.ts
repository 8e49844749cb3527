// Answers "what is known about this?" from the ledger within a token budget, with date and origin: first
// the talk that explains it (compose.ts), then the best single pieces.
import { isAnswered } from '../search/answerable.ts'
import type { Ledger } from '../store/ledger.ts'
import { memoryById } from '../store/memories/memories.ts'
import { hashTerm } from '../text/term-hash.ts'
import { termsOf } from '../text/terms.ts'
import { estimateTokens } from '../text/tokens.ts'
import { composeAnswer } from './compose.ts'
import { rejectedIn } from './confirmation.ts'
import { type FoundPiece, findPieces, type PieceOptions } from './find-pieces.ts'
import { ledgerSources } from './ledger-sources.ts'
import { once } from './once.ts'
import { asksForCause, asksForExplanation, intentOf } from './question.ts'
import { groupOf, lineOf, type PieceGroup } from './render-pieces.ts'
import type { RecallSources } from './sources.ts'

export interface RecallResult {
  text: string
  tokens: number
  items: RecallItem[]
  /** Sessions and commits in the order of their first item. */
  sessions: string[]
  /** False for what is nearest to the question, but hardly an answer. */
  answered: boolean
}

export interface RecallItem {
  kind: PieceGroup['kind']
  /** Session id, commit hash or memory id. */
  id: string
  at: string
  /** The event of a session that it begins with. */
  seq: number | null
  session: string | null
  commit: string | null
  text: string
  /** Stands above it. */
  label?: string
}

export interface RecallOptions extends PieceOptions {
  budget: number
}

export const nearestLabel = 'Nearest, not an answer:'
const alsoLabel = 'Also found:'

export function recall(ledger: Ledger, query: string, { budget, ...options }: RecallOptions): RecallResult {
  const found = findPieces(ledger, query, options)
  const answered = options.vector !== undefined || isAnswered(ledger, found)
  const sources = ledgerSources(ledger, options)
  const intent = intentOf(query)
  const composed =
    answered && asksForExplanation(intent) ? composedItems(ledger, sources, query, budget) : { items: [], tokens: 0 }
  const rejected = once((session: string) => rejectedIn(sources.talk(session)))
  // Of what the agent found, only the composed part knows what held; a reply by itself may be a refuted theory.
  const isCause = asksForCause(intent)
  const isRejected = (session: string, seq: number) => isCause || rejected(session).has(seq)
  const filled = fillWithPieces({ ...found, isRejected }, composed.items, budget - composed.tokens, options.nowMs)
  const items = [...composed.items, ...filled.items]
  const [firstPiece] = filled.items
  if (firstPiece && (!answered || composed.items.length > 0)) firstPiece.label = answered ? alsoLabel : nearestLabel
  return {
    text: items.map(({ label, text }) => (label ? `${label}\n\n${text}` : text)).join('\n\n'),
    tokens: composed.tokens + filled.tokens,
    items,
    sessions: [...new Set(items.flatMap(({ session, commit }) => session ?? commit ?? []))],
    answered: answered && items.length > 0,
  }
}

function composedItems(
  ledger: Ledger,
  sources: RecallSources,
  query: string,
  budget: number,
): { items: RecallItem[]; tokens: number } {
  const { items, tokens } = composeAnswer(sources, query, budget)
  return {
    tokens,
    items: items.map(({ kind, id, at, seq, text }) => ({
      ...{ kind, id, at, seq, text },
      session: kind === 'exchange' ? id : kind === 'memory' ? sessionOfMemory(ledger, id) : null,
      commit: kind === 'commit' ? id : null,
    })),
  }
}

function sessionOfMemory(ledger: Ledger, id: string): string | null {
  return memoryById(ledger, id)?.evidence.find(({ session }) => session !== null)?.session ?? null
}

/** Ranks behind it hardly ever have what the first ones lack. */
const maxPieces = 100
/** A smaller rest has no room for a useful piece. */
const minTokens = 20
/** Share of the score of the best piece below which one is about something else. */
const minShareOfBest = 0.4
/** Share of the terms of a piece that another one has, from which on it says nothing new. */
const maxOverlap = 0.7

/** Whole pieces in the order of their rank, by session. */
function fillWithPieces(
  { pieces, isRejected }: { pieces: readonly FoundPiece[]; isRejected: (session: string, seq: number) => boolean },
  before: readonly RecallItem[],
  budget: number,
  nowMs: number,
): { items: RecallItem[]; tokens: number } {
  const groups = new Map<string, { group: PieceGroup; lines: { seq: number; line: string }[] }>()
  const told: ReadonlySet<number>[] = before.map(({ text }) => new Set(termsOf(text).map(hashTerm)))
  let left = budget
  const least = (pieces[0]?.score ?? 0) * minShareOfBest
  const best = pieces.slice(0, maxPieces)
  const said = best.flatMap((piece) => (piece.kind === 'said' ? [new Set(piece.hashes)] : []))
  for (const piece of best) {
    if (left < minTokens || piece.score < least) break
    // The person's own words, with their reason, say more than an agent that repeats them.
    if (piece.kind === 'replied' && said.some((words) => shareOf(new Set(piece.hashes), words) === 1)) continue
    const hashes = new Set(piece.hashes)
    if (told.some((known) => shareOf(hashes, known) >= maxOverlap)) continue
    const line = lineOf(piece, nowMs)
    if (line === '' || (piece.kind === 'replied' && isRejected(piece.session, piece.seq))) continue
    const group = groupOf(piece)
    const known = groups.get(group.id)
    const tokens = estimateTokens(known ? `${line}\n` : `${group.heading}\n${line}\n\n`)
    if (tokens > left) continue
    left -= tokens
    told.push(hashes)
    const one = known ?? { group, lines: [] }
    groups.set(group.id, one)
    one.lines.push({ seq: group.seq ?? 0, line })
  }
  return { items: [...groups.values()].map(itemOf), tokens: budget - left }
}

function shareOf(hashes: ReadonlySet<number>, known: ReadonlySet<number>): number {
  let shared = 0
  for (const hash of hashes) if (known.has(hash)) shared++
  return hashes.size === 0 ? 1 : shared / hashes.size
}

/** Lines of a session in their order there. */
function itemOf({ group, lines }: { group: PieceGroup; lines: { seq: number; line: string }[] }): RecallItem {
  const { kind, id, at, heading, seq } = group
  const ordered = lines.toSorted((a, b) => a.seq - b.seq).map(({ line }) => line)
  return {
    ...{ kind, id, at, seq },
    text: [heading, ...ordered].filter((line) => line !== '').join('\n'),
    session: kind === 'exchange' ? id : kind === 'memory' ? group.session : null,
    commit: kind === 'commit' ? id : null,
  }
}
