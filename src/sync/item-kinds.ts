// Every kind of thing that travels, by its name. A kind that is not here stays on the server.

import type { SyncedKind } from './item-kind.ts'
import { memoryKind } from './kinds/memories.ts'
import { patternKind } from './kinds/patterns.ts'
import { practiceKind } from './kinds/practices.ts'
import { sessionKind } from './kinds/sessions.ts'
import { shareKind } from './kinds/shares.ts'

/** In this order they are compared: what is shared comes behind the memories. */
export const syncedKinds: readonly SyncedKind[] = [memoryKind, practiceKind, patternKind, shareKind, sessionKind]

export function syncedKind(kind: string): SyncedKind | undefined {
  return syncedKinds.find((traveller) => traveller.kind === kind)
}
