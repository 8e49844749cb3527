// What becomes of one pushed item, given what is there. Neither versions nor hashes are trusted alone: a database that was restored
// from a backup counts the same versions again, and a request that arrives twice must not undo what came between.

import { deletedHash } from '../../sync/identity.ts'
import type { Base } from '../../sync/protocol.ts'

/** What the space has under an id. */
export interface Present {
  version: number
  hash: string
}

/** What somebody wants to be there. */
export interface Wish {
  base: Base | null
  hash: string
}

export type Decision =
  /** It is there already. */
  | { kind: 'same'; version: number }
  | { kind: 'write'; version: number }
  /** Another one says it. */
  | { kind: 'duplicate' }
  | { kind: 'conflict' }

/** `hasTwin`: another live memory of the space says the same. */
export function decide(present: Present | undefined, wish: Wish, hasTwin: boolean): Decision {
  const { base, hash } = wish
  if (!present) {
    const known = base?.version ?? 0
    // Nothing is left of what never was here: a tombstone of it would only be kept for ever.
    if (hash === deletedHash) return { kind: 'same', version: known }
    return base === null && hasTwin ? { kind: 'duplicate' } : { kind: 'write', version: known + 1 }
  }
  if (present.hash === hash) return { kind: 'same', version: present.version }
  if (base?.version === present.version && base.hash === present.hash) {
    return { kind: 'write', version: present.version + 1 }
  }
  return { kind: 'conflict' }
}
