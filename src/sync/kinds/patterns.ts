// Syncs decisions about patterns in the user's own space: approvals and their withdrawal. The text
// of the practice is synced as its file.
import { isoTime } from '../../core/clock.ts'
import {
  addReview,
  listReviews,
  type Review,
  type ReviewedEvidence,
  reviewsByPattern,
  undoReview,
} from '../../store/patterns/practices.ts'
import { ownSpace } from '../../store/sync/outbox.ts'
import { patternDocument } from '../documents.ts'
import { deletedHash, hashOfDocument } from '../item-hash.ts'
import type { DesiredState, MergeResult, ServerState, SyncContext, SyncedKind } from '../item-kind.ts'
import { secretRules } from '../privacy.ts'
import type { ItemDocument, SyncItem } from '../protocol.ts'

export const patternKind: SyncedKind = {
  kind: 'pattern',
  *idsIn({ ledger }, space) {
    if (space !== ownSpace) return
    const approved = listReviews(ledger).filter(({ verdict }) => verdict === 'approved')
    for (const pattern of new Set(approved.map((review) => review.pattern))) yield `${prefix}${pattern}`
  },
  desiredState,
  statementHash: (document) => (document === null ? deletedHash : hashOfDocument(document)),
  mergeRemote,
}

const prefix = 'pattern:'

function desiredState(context: SyncContext, space: string, item: string): DesiredState {
  const review = space === ownSpace ? approvalOf(context, item) : undefined
  if (!review) return { kind: 'absent' }
  const document = documentOf(review)
  if (!patternDocument.safeParse(document).success)
    return { kind: 'refused', refusal: { reason: 'invalid', message: 'Its note is larger than a server accepts.' } }
  const rules = secretRules(context, document)
  if (rules.length === 0) return { kind: 'document', document }
  const message = `Its review contains what looks like a secret: ${rules.join(', ')}.`
  return { kind: 'refused', refusal: { reason: 'secret', message, rules } }
}

/** The last valid approval. */
function approvalOf({ ledger }: SyncContext, item: string): Review | undefined {
  return reviewsByPattern(ledger)
    .get(item.slice(prefix.length))
    ?.find(({ verdict }) => verdict === 'approved')
}

function documentOf({ pattern, verdict, title, evidence, note, atMs }: Review): ItemDocument {
  return { pattern, verdict, title, evidence: { ...evidence }, note, at: isoTime(atMs) } as ItemDocument
}

/** A changed side wins over an unchanged one; if both changed, the local decision wins. */
function mergeRemote(context: SyncContext, space: string, item: SyncItem, base: ServerState | undefined): MergeResult {
  const { ledger, clock } = context
  const parsed = item.document === null ? null : patternDocument.safeParse(item.document)
  if (space !== ownSpace || !item.id.startsWith(prefix) || parsed?.success === false) return 'unsupported'
  const mine = approvalOf(context, item.id)
  const hash = mine ? hashOfDocument(documentOf(mine)) : deletedHash
  if (hash === item.hash) return 'unchanged'
  const hasGoneBack = base !== undefined && item.version <= base.version
  const isNew = base === undefined && !mine
  if (!isNew && (hasGoneBack || base?.hash !== hash)) return 'merged'
  if (parsed && `${prefix}${parsed.data.pattern}` !== item.id) return 'unsupported'
  if (mine) undoReview(ledger, mine.id, clock.nowMs())
  if (parsed) {
    const { pattern, title, note, at, evidence } = parsed.data
    addReview(ledger, {
      pattern,
      verdict: 'approved',
      title,
      note,
      atMs: Date.parse(at),
      evidence: evidenceFrom(evidence),
    })
  }
  return 'applied'
}

function evidenceFrom(value: unknown): ReviewedEvidence {
  const { evidence, frequency, agents, projects, file } = (value ?? {}) as Partial<Record<string, unknown>>
  return {
    evidence: typeof evidence === 'string' ? evidence : '',
    frequency: typeof frequency === 'number' ? frequency : 0,
    agents: Array.isArray(agents) ? agents.map(String) : [],
    projects: typeof projects === 'number' ? projects : null,
    ...(typeof file === 'string' ? { file } : {}),
  }
}
