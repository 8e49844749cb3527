// Makes a memory of a draft.
import { createHash } from 'node:crypto'
import type { MemoryDraft } from '../../memory/draft.ts'
import type { Memory } from '../../memory/memory.ts'

/** What rules found is a candidate until a model or a person keeps it. */
export function isProposal({ because }: Pick<MemoryDraft, 'because'>): boolean {
  return because === 'rules'
}

/** When it was last said or confirmed. */
export function confirmedAtOf({ at, confirmedAt = at }: Pick<MemoryDraft, 'at' | 'confirmedAt'>): string {
  return confirmedAt > at ? confirmedAt : at
}

export function memoryFrom(context: { origin: string }, draft: MemoryDraft, now: string, against?: Memory): Memory {
  const { at, supersedes: _, keepsBoth: __, repeats: ___, isRetraction: ____, ...rest } = draft
  return {
    ...rest,
    id: draft.id ?? idOf(draft),
    text: draft.text.trim(),
    state: isProposal(draft) ? 'candidate' : 'kept',
    importance: Math.min(1, Math.max(0, draft.importance)),
    learnedAt: now,
    validFrom: at,
    confirmedAt: confirmedAtOf(draft),
    supersededAt: null,
    links: [],
    supersededBy: null,
    contradicts: against?.id ?? null,
    doubt: null,
    counts: { said: 1, shown: 0, used: 0 },
    version: 1,
    origin: context.origin,
    space: null,
    author: null,
  }
}

/**
 * The same text of the same event has the same id on every machine. A copy for a team has another
 * id than the user's own.
 */
export function idOf({ project, text, evidence, at }: MemoryDraft, space = ''): string {
  const source = evidence[0]
  const place = source?.session ? `${source.session} ${source.event}` : (source?.file ?? at)
  const digest = createHash('sha256')
    .update(`${space}${project ?? ''}\n${place}\n${text.trim()}`)
    .digest()
  return `m-${[...digest.subarray(0, 10)].map((byte) => alphabet[byte % 32]).join('')}`
}

const alphabet = 'abcdefghijkmnpqrstuvwxyz23456789'
