// Turns what a judge found into a draft for admission: attribution, project, keywords.

import { keywordsOf } from '../text/statement.ts'
import type { Evidence, Learning, MemoryKind, MemoryReason, MemoryTrust, MemoryType } from './memory.ts'

export interface MemoryDraft extends Omit<Learning, 'quote' | 'scope' | 'score' | 'isRequest'> {
  project: string | null
  type: MemoryType
  apply: string | null
  keywords: string[]
  evidence: Evidence[]
  trust: MemoryTrust
  because: MemoryReason
  score: number | null
  /** When it was said. */
  at: string
  /** When a person confirmed it, if that was later. */
  confirmedAt?: string
  /** Id of the memory it supersedes, or of one that says the same: a judge named it. */
  supersedes?: string
  repeats?: string
  /** The person keeps it beside what it contradicts. */
  keepsBoth?: true
  /** Id of the candidate that it takes the place of; else the id is made of text and source. */
  id?: string
}

export interface DraftOrigin {
  project: string | null
  evidence: Evidence[]
  trust: MemoryTrust
  because: MemoryReason
  at: string
}

export function draftOf(learning: Learning, { project, evidence, trust, because, at }: DraftOrigin): MemoryDraft {
  const { quote: _, isRequest: __, scope, score = null, ...rest } = learning
  return {
    ...rest,
    project: scope === 'user' && mayHoldEverywhere(learning.text, because) ? null : project,
    type: typeOf(learning.kind, scope, learning.text),
    apply: null,
    keywords: keywordsOf(learning.text),
    evidence,
    trust,
    because,
    score,
    at,
  }
}

/** Only a person or a model says that something holds in all projects, unless the statement itself says otherwise. */
function mayHoldEverywhere(text: string, because: MemoryReason): boolean {
  return because !== 'rules' && because !== 'run' && !limitsToProject(text)
}

/** Whether a statement says itself that it holds in this project only: "never use npm here". */
export function limitsToProject(text: string): boolean {
  return thisProject.test(text)
}

const thisProject =
  /\b(?:this|our) (?:repo(?:sitory)?|project|code ?base|mono ?repo|app(?:lication)?|package|workspace|website|site|service)\b|\bin (?:the|this) (?:repo(?:sitory)?|project|code ?base|mono ?repo)\b|\b(?:around |over |in )?here(?=\s*(?:[.,;:!]|$|because\b|since\b|not\b|never\b|as\b))/i

export function typeOf(kind: MemoryKind, scope: Learning['scope'], text: string): MemoryType {
  if (kind === 'correction' || kind === 'preference') return 'feedback'
  if (pointsOutside.test(text)) return 'reference'
  return kind === 'fact' && scope === 'user' ? 'user' : 'project'
}

const pointsOutside =
  /https?:\/\/|\b(?:dashboard|wiki|confluence|notion|jira|linear|slack|grafana|sentry|figma|google doc|runbook) (?:is|at|under|lives|board|channel|page)\b/i
