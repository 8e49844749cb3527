import type { Clock } from '../core/clock.ts'
import type { Layout } from '../core/paths.ts'

/** What both ways of serving are given. */
export interface Serving {
  version: string
  cwd: string
  layout: Layout
  clock: Clock
}
