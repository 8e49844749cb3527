import type { ReaderOutput } from '../agent.ts'

/** Where a session of Grok Build is read to. */
export interface Place {
  out: ReaderOutput
  session: string
  isSubagent: boolean
}
