// What routes and tools are given: made once at the start, the same on every instance.
import type { Clock } from '../core/clock.ts'
import type { ServerDatabase } from './database/database.ts'
import type { Embed } from './search/embedder.ts'

export interface Services {
  database: ServerDatabase
  clock: Clock
  version: string
  /** Texts as vectors for the optional search by meaning; undefined where none is set up. */
  embed?: Embed
}
