// The section of a brief with candidates: words of the user that rules found and nobody reviewed.
// They are quoted whole, few, and only where no model judges, because there most statements of the
// user would never be told at all.
import type { Clock } from '../core/clock.ts'
import type { Zone } from '../core/units.ts'
import { tellWords } from '../gate/gate.ts'
import { compare } from '../memory/compare.ts'
import { excluded } from '../memory/exclusions.ts'
import { candidateDays, type Memory } from '../memory/memory.ts'
import type { Ledger } from '../store/ledger.ts'
import { listCandidates } from '../store/memories/memories.ts'
import { isAngry } from '../text/anger.ts'
import { estimateTokens } from '../text/tokens.ts'
import { type BriefItem, type BriefSection, sectionHead } from './budget.ts'
import { shortLine } from './short-line.ts'

/** Of the whole section. */
export const maxCandidateTokens = 200
/** Below it most candidates are tasks or remarks. */
const minCandidateScore = 0.3
/** Read at most: some are excluded by their words. */
const maxRead = 30

const frame = {
  title: 'Said earlier, not reviewed',
  note: 'Words of the user that nobody has confirmed: not rules. When the user confirms or rejects one, call memory_review.',
  share: 0.17,
}

interface CandidatesContext {
  ledger: Ledger
  clock: Clock
  zone: Zone
  /** How many may be quoted. */
  maxQuotes: number
}

export function candidateSection(context: CandidatesContext, project: string): BriefSection {
  const { ledger, zone, maxQuotes } = context
  const items: BriefItem[] = []
  const candidates = maxQuotes > 0 ? listCandidates(ledger, { project, limit: maxRead }) : []
  let left = maxCandidateTokens - estimateTokens(`${sectionHead(frame)}\n`)
  for (const candidate of newestOf(candidates.filter((one) => isQuotable(one, context)))) {
    if (items.length === maxQuotes) break
    const text = `- ${zone.day(candidate.confirmedAt)}: "${quoteOf(candidate)}" [${candidate.id}]`
    const tokens = estimateTokens(`${text}\n`)
    // A long one is left out whole: half a sentence may say something else.
    if (tokens > left) continue
    left -= tokens
    items.push({ text, memory: candidate.id })
  }
  return { ...frame, items }
}

/** Without those that a later one may contradict. */
function newestOf(candidates: readonly Memory[]): Memory[] {
  return candidates.filter(
    (one) =>
      !candidates.some(
        (later) => later.confirmedAt > one.confirmedAt && compare(later.text, one.text).kind === 'conflict',
      ),
  )
}

function quoteOf({ evidence, text }: Memory): string {
  const quote = evidence.at(-1)?.quote || text
  return shortLine(quote, quote.length).replaceAll('"', "'")
}

function isQuotable(candidate: Memory, { clock }: CandidatesContext): boolean {
  const { trust, score, contradicts, confirmedAt, text } = candidate
  if (trust !== 'user said' || (score ?? 0) < minCandidateScore || contradicts !== null) return false
  if (clock.nowMs() - Date.parse(confirmedAt) > candidateDays * 86_400_000) return false
  return [text, quoteOf(candidate)].every(isQuotableText)
}

/** Words of the person that nobody reviewed may be quoted if they neither rage nor speak to an agent. */
export function isQuotableText(said: string): boolean {
  return (
    !isAngry(said) &&
    !excluded({ text: said, trust: 'user said' }) &&
    !directsReader.test(said) &&
    'told' in tellWords(said, 'person')
  )
}

/** Prompts of harnesses and pasted instructions that speak to whoever reads them. */
const directsReader =
  /\byou are (?:an?|the) |\byour (?:task|job|role|goal) is\b|\b(?:system|developer) (?:prompt|message)\b|\b(?:follow|obey|execute|carry out) (?:the |these |all |my |any )*(?:instructions?|steps|commands?)\b|\bdo not (?:tell|inform|mention (?:it|this) to) the user\b/i
