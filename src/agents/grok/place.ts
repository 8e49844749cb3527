import type { Out } from '../agent.ts'

/** Where a session of Grok Build is read to. */
export interface Place {
  out: Out
  session: string
  isSubagent: boolean
}
