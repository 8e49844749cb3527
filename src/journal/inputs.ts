// Loads what is needed to write the entry of a session.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Zone } from '../core/units.ts'
import { projectFolder } from '../core/vault/files.ts'
import { type Digest, digestOf } from '../digest/digest.ts'
import type { DigestState } from '../digest/digest-state.ts'
import type { Ledger } from '../store/ledger.ts'
import { readDigestState } from '../store/sessions/digests.ts'
import type { JournalMemory, JournalSession } from '../store/wiki/journal.ts'
import type { JournalContext } from './context.ts'
import { exchangesOf, type JournalExchange } from './conversation.ts'

export interface EntryInputs {
  session: JournalSession
  digest: Digest
  learned: readonly JournalMemory[]
  /** The conversation; empty if it is not available. */
  exchanges: readonly JournalExchange[]
  /** The page of the project's memories in the vault, if it exists. */
  memoryIndex: string | undefined
  zone: Zone
}

/** Entries of older sessions use the digest alone: reading their bodies takes too long. */
const recentDays = 30

/** Undefined while the session is being captured again. */
export function loadEntryInputs(
  context: JournalContext,
  session: JournalSession,
  learned: JournalMemory[] = [],
): EntryInputs | undefined {
  const { ledger, clock, zone } = context
  const state = readDigestState<DigestState>(ledger, session.id)
  if (!state) return undefined
  const isRecent = Date.parse(session.ended ?? session.capturedAt) > clock.nowMs() - recentDays * 86_400_000
  return {
    session,
    digest: digestOf(state),
    learned,
    exchanges: isRecent ? exchangesOf(ledger, session.uid) : [],
    memoryIndex: memoryIndexOf(ledger, session),
    zone,
  }
}

function memoryIndexOf({ layout }: Ledger, { project }: JournalSession): string | undefined {
  if (project === null) return undefined
  const page = `memory/${projectFolder(project)}/MEMORY`
  return existsSync(join(layout.vault, `${page}.md`)) ? page : undefined
}
