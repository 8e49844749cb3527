// Counts a repeated statement in the memory that says it, with its source and the clearer wording.
import type { MemoryDraft } from '../../memory/draft.ts'
import type { Evidence, Memory } from '../../memory/memory.ts'
import { isClearer } from '../../memory/wording.ts'
import { oneLine } from '../../text/truncate.ts'
import { confirmedAtOf, isProposal } from './memory-from-draft.ts'

/** Undefined if the same evidence was counted before: a deep pass reads windows again. */
export function mergeInto(memory: Memory, draft: MemoryDraft): Memory | undefined {
  const fresh = draft.evidence.filter(
    ({ session, event, file, quote }) =>
      // Each time a user enters it by hand counts.
      (session === null && file === undefined && quote !== '') ||
      !memory.evidence.some((known) => isSameEvidence(known, { session, event, quote, ...(file ? { file } : {}) })),
  )
  if (fresh.length === 0) return undefined
  const isRepeated = fresh.some((one) => !isRetry(memory, one, draft.at))
  const confirmedAt = confirmedAtOf(draft)
  const said = {
    ...memory,
    evidence: [...memory.evidence, ...fresh].slice(-maxEvidence),
    confirmedAt: confirmedAt > memory.confirmedAt ? confirmedAt : memory.confirmedAt,
    counts: { ...memory.counts, said: memory.counts.said + (isRepeated ? 1 : 0) },
    version: memory.version + 1,
  }
  if (isProposal(draft)) {
    // Two independent hints are a stronger one.
    const score = 1 - (1 - (memory.score ?? 0)) * (1 - (draft.score ?? 0))
    return memory.state === 'candidate' && isRepeated ? { ...said, score } : said
  }
  const isUsers = draft.trust === 'user said' && memory.trust !== 'user said'
  return {
    ...said,
    // What an agent saved on its own waits for the person, who has said it by now.
    state: isSavedByAgent(memory) && draft.trust === 'user said' && draft.because !== 'rules' ? 'kept' : memory.state,
    because: draft.because === 'person' ? 'person' : memory.because,
    ...(isUsers ? { trust: draft.trust } : {}),
    ...(mayReword(draft, memory) && (isUsers || isClearer(draft.text, memory.text)) ? { text: draft.text.trim() } : {}),
    why: memory.why ?? draft.why,
    apply: memory.apply ?? draft.apply,
    importance: Math.min(1, Math.round((Math.max(memory.importance, draft.importance) + 0.02) * 100) / 100),
    tags: [...new Set([...memory.tags, ...draft.tags])].slice(0, 12),
    keywords: [...new Set([...memory.keywords, ...draft.keywords])].slice(0, 20),
  }
}

/** The same prompt again in its session, or within the hour in another one: it was sent, not said, twice. */
function isRetry(memory: Memory, { session, quote }: Evidence, at: string): boolean {
  if (session === null || quote === '' || memory.because === 'run') return false
  const isNear = [memory.validFrom, memory.confirmedAt].some(
    (time) => Math.abs(Date.parse(at) - Date.parse(time)) < retryMs,
  )
  return memory.evidence.some(
    (known) => oneLine(known.quote) === oneLine(quote) && (known.session === session || isNear),
  )
}

const retryMs = 3_600_000

export function supersededBy({ id }: Memory, old: Memory, at: string): Memory {
  return { ...old, supersededBy: id, supersededAt: at, version: old.version + 1 }
}

const maxEvidence = 10

/** `candidates` may contain the one that the memory was made of. */
export function withEvidenceOf(memory: Memory, candidates: readonly Memory[]): Memory {
  const source = candidates.find(({ id }) => id === memory.id)
  const all = [...memory.evidence]
  let said = Math.max(memory.counts.said, source?.counts.said ?? 0)
  for (const candidate of candidates.filter((one) => one !== source)) {
    const fresh = candidate.evidence.filter((one) => !all.some((known) => isSameEvidence(known, one)))
    if (fresh.some((one) => !isRetry(memory, one, candidate.confirmedAt))) said += candidate.counts.said
    all.push(...fresh)
  }
  return { ...memory, evidence: all.slice(0, maxEvidence), counts: { ...memory.counts, said } }
}

/** Evidence that was read back from a memory file has no event. */
function isSameEvidence(known: Evidence, { session, event, file, quote }: Evidence): boolean {
  if (known.session !== session || known.file !== file) return false
  return known.event === event || (session !== null && known.event === null && known.quote === quote.trim())
}

/** A person's wording is only replaced by a person's; words of one project do not hold everywhere. */
function mayReword(draft: MemoryDraft, memory: Memory): boolean {
  if (memory.project !== draft.project || !mayOverrule(draft, memory)) return false
  return memory.because !== 'person' || draft.because === 'person'
}

/** Only what the user said is said instead of what the user said. */
export function mayOverrule(draft: MemoryDraft, memory: Memory): boolean {
  return draft.trust === 'user said' || memory.trust !== 'user said'
}

function isSavedByAgent({ state, because, trust, contradicts }: Memory): boolean {
  return state === 'inbox' && because === 'agent' && trust === 'agent said' && contradicts === null
}
