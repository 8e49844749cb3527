// Answers "what is known about this?" from the ledger, as text with sources within a token budget.
import type { Ledger } from '../store/ledger.ts'
import { memoryById } from '../store/memories/memories.ts'
import { type AnswerItem, composeAnswer as compose } from './compose.ts'
import { ledgerSources, type SourceOptions } from './ledger-sources.ts'

export interface RecallResult {
  text: string
  tokens: number
  items: RecallItem[]
  /** Sessions and commits in the order of their first item. */
  sessions: string[]
}

export interface RecallItem extends Pick<AnswerItem, 'kind' | 'id' | 'at' | 'seq'> {
  session: string | null
  commit: string | null
  text: string
}

export interface RecallOptions extends SourceOptions {
  budget: number
}

export function recall(ledger: Ledger, query: string, { budget, ...options }: RecallOptions): RecallResult {
  const sources = ledgerSources(ledger, options)
  const { items, tokens } = sources.isAnswered(query) ? compose(sources, query, budget) : { items: [], tokens: 0 }
  const sourced = items.map(({ kind, id, at, seq, text }) => ({
    kind,
    id,
    seq,
    text,
    session: kind === 'exchange' ? id : kind === 'memory' ? sessionOfMemory(ledger, id) : null,
    commit: kind === 'commit' ? id : null,
    at,
  }))
  return {
    text: items.map(({ text }) => text).join('\n\n'),
    tokens,
    items: sourced,
    sessions: [...new Set(sourced.flatMap(({ session, commit }) => session ?? commit ?? []))],
  }
}

function sessionOfMemory(ledger: Ledger, id: string): string | null {
  return memoryById(ledger, id)?.evidence.find(({ session }) => session !== null)?.session ?? null
}
