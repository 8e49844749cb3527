// The answer to "what do we know about this?" within a number of tokens, as a text with its sources.
import type { Ledger } from '../store/ledger.ts'
import { memoryById } from '../store/memories/memories.ts'
import { recall as compose, type Item } from './compose.ts'
import { type FinderOptions, finderOf } from './sources.ts'

export interface Recalled {
  text: string
  tokens: number
  items: { kind: Item['kind']; id: string; session: string | null; commit: string | null; at: string }[]
  /** Sessions and commits in the order in which they come up. */
  sessions: string[]
}

export interface RecallOptions extends FinderOptions {
  budget: number
}

export function recall(ledger: Ledger, query: string, { budget, ...options }: RecallOptions): Recalled {
  const { items, tokens } = compose(finderOf(ledger, options), query, budget)
  const told = items.map(({ kind, id, at }) => ({
    kind,
    id,
    session: kind === 'exchange' ? id : kind === 'memory' ? sessionOfMemory(ledger, id) : null,
    commit: kind === 'commit' ? id : null,
    at,
  }))
  return {
    text: items.map(({ text }) => text).join('\n\n'),
    tokens,
    items: told,
    sessions: [...new Set(told.flatMap(({ session, commit }) => session ?? commit ?? []))],
  }
}

function sessionOfMemory(ledger: Ledger, id: string): string | null {
  return memoryById(ledger, id)?.evidence.find(({ session }) => session !== null)?.session ?? null
}
