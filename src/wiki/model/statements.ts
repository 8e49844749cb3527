// What a draft says, statement by statement, with the sessions that it comes from. What has none is left out.

import { excluded } from '../../memory/exclusions.ts'
import type { MemoryTrust } from '../../memory/memory.ts'
import { truncate } from '../../text/truncate.ts'
import type { Draft, DraftStatement } from './answer.ts'
import { prose } from './prose.ts'
import type { Source, Sources } from './references.ts'

export interface Statement {
  text: string
  sources: Source[]
}

export interface Statements {
  keyPoints: Statement[]
  details: Statement[]
  evidence: Statement[]
}

export const maxOfParagraph = 1300

export function statementsOf(draft: Draft, citable: Sources): Statements {
  const article = sourcesNamed(draft.sources, citable)
  const cited = (statements: readonly DraftStatement[], max: number) =>
    statements
      .map(withoutCitation)
      .filter(({ text }) => refusedText(text, 'agent said') === undefined)
      .flatMap(({ text, sessions }) => {
        // Where it names none, the one session of the article is meant; one that is not there is made up.
        const sources = sessions.length === 0 && article.length === 1 ? article : sourcesNamed(sessions, citable)
        return sources.length > 0 ? { text, sources } : []
      })
      .slice(0, max)
  return { keyPoints: cited(draft.keyPoints, 5), details: cited(draft.details, 6), evidence: cited(draft.evidence, 8) }
}

/** A model that writes an article anew copies what stands behind its statements. */
function withoutCitation({ text, sessions }: DraftStatement): DraftStatement {
  const [citation] = /\s*\(\[\[journal\/[^()]*\)\s*$/.exec(text) ?? ['']
  const cited = [...citation.matchAll(/`([^`]+)`/g)].map((match) => match[1]!)
  return { text: text.slice(0, text.length - citation.length), sessions: sessions.length > 0 ? sessions : cited }
}

/** Every source that a draft names anywhere. */
export function sourcesUsed({ keyPoints, details, evidence, sources }: Draft, known: Sources): Source[] {
  return sourcesNamed(
    [...[...keyPoints, ...details, ...evidence].flatMap(({ sessions }) => sessions), ...sources],
    known,
  )
}

/** Why a text is not taken: what admission would not take as a memory is not told in an article either. */
export function refusedText(text: string, trust: MemoryTrust): string | undefined {
  const said = prose(text, maxOfParagraph, () => undefined)
  if (said === '') return 'it is empty'
  // As it will be read, without secrets; and as it came, before anything was escaped.
  return excluded({ text: said, trust }) ?? excluded({ text: truncate(text, maxOfParagraph), trust })
}

function sourcesNamed(called: readonly string[], known: Sources): Source[] {
  return [...new Set(called.flatMap((one) => known.get(one.trim().replace(/^\[?(?:session )?|\]$/g, '')) ?? []))]
}
