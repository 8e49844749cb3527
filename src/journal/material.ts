// Everything that is known of a session when its entry is made.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Zone } from '../core/units.ts'
import { projectFolder } from '../core/vault.ts'
import { type Digest, digestOf } from '../digest/digest.ts'
import type { DigestState } from '../digest/digest-state.ts'
import type { Ledger } from '../store/ledger.ts'
import { readDigestState } from '../store/sessions/digests.ts'
import type { JournalMemory, JournalSession } from '../store/wiki/journal.ts'
import { type Exchange, exchangesOf } from './conversation.ts'
import type { JournalContext } from './journal.ts'

export interface Material {
  session: JournalSession
  digest: Digest
  learned: readonly JournalMemory[]
  /** What was said, where it is at hand. */
  exchanges: readonly Exchange[]
  /** The page of the project's memories in the vault, where there is one. */
  memoryIndex: string | undefined
  zone: Zone
}

/** What lies further back is told from digests alone: its bodies would take longer to read than anybody reads of them. */
const closeDays = 30

/** Everything that is known of a session; undefined while it is being read anew. */
export function materialOf(
  context: JournalContext,
  session: JournalSession,
  learned: JournalMemory[] = [],
): Material | undefined {
  const { ledger, clock, zone } = context
  const state = readDigestState<DigestState>(ledger, session.id)
  if (!state) return undefined
  const isClose = Date.parse(session.ended ?? session.capturedAt) > clock.nowMs() - closeDays * 86_400_000
  return {
    session,
    digest: digestOf(state),
    learned,
    exchanges: isClose ? exchangesOf(ledger, session.uid) : [],
    memoryIndex: memoryIndexOf(ledger, session),
    zone,
  }
}

function memoryIndexOf({ layout }: Ledger, { project }: JournalSession): string | undefined {
  if (project === null) return undefined
  const page = `memory/${projectFolder(project)}/MEMORY`
  return existsSync(join(layout.vault, `${page}.md`)) ? page : undefined
}
