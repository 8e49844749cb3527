// The registry of item kinds. Items of other kinds stay on the server and are not touched.

import type { SyncedKind } from './item-kind.ts'
import { memoryKind } from './kinds/memories.ts'
import { patternKind } from './kinds/patterns.ts'
import { practiceKind } from './kinds/practices.ts'
import { sessionKind } from './kinds/sessions.ts'
import { shareKind } from './kinds/shares.ts'

/** In the order in which they are compared: shares follow the memories that they refer to. */
export const syncedKinds: readonly SyncedKind[] = [memoryKind, practiceKind, patternKind, shareKind, sessionKind]

export function syncedKind(kind: string): SyncedKind | undefined {
  return syncedKinds.find((synced) => synced.kind === kind)
}
