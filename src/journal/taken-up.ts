// Whether a session that ended without an answer was taken up by the next one: then nothing is left open.
import type { Digest } from '../digest/digest.ts'
import type { DigestState } from '../digest/digest-state.ts'
import type { Ledger } from '../store/ledger.ts'
import { readDigestState } from '../store/sessions/digests.ts'
import { type JournalSession, sessionsAfter } from '../store/wiki/journal.ts'
import { jaccard } from '../text/similarity.ts'
import { statementTermSet } from '../text/statement.ts'

const unfinished: ReadonlySet<string> = new Set(['open', 'fail', 'abandoned'])

export function isTakenUpLater(ledger: Ledger, session: JournalSession, { outcome, thread }: Digest): boolean {
  const request = thread.at(-1)?.text ?? ''
  if (!unfinished.has(outcome) || request === '') return false
  return sessionsAfter(ledger, session.id).some((id) => {
    const { prompts = [] } = readDigestState<DigestState>(ledger, id) ?? {}
    return prompts.some(({ text }) => isSameRequest(text, request))
  })
}

function isSameRequest(one: string, other: string): boolean {
  return one === other || jaccard(statementTermSet(one), statementTermSet(other)) >= minSimilarity
}

const minSimilarity = 0.6
