// What measuring knows of one session, and what it looks at.

export interface Observation {
  agent: string
  project: string | null
  startedMs: number
  endedMs: number
  calls: number
  errors: number
  retries: number
  corrections: number
  /** Calls that failed because a tool was given what it does not take. */
  schemaErrors: number
  /** Calls that served the agent and not the work. */
  overheadCalls: number
  /** Read, cached and written; null where the agent does not tell. */
  tokens: number | null
  /** Null where nobody can tell how it ended. */
  isSuccess: boolean | null
  /** Its digest has everything that patterns are found by; an older one would look as if nothing had happened. */
  isWhole: boolean
  /** Of the patterns that were asked for, those that occurred. */
  patterns: readonly string[]
}

/** Sessions of one project with one agent, in order of time: only like is compared with like. */
export interface Stratum {
  before: Observation[]
  after: Observation[]
}

export interface Metric {
  name: string
  /** A share of sessions, a mean of sessions, or a mean of logarithms, which is told as a ratio. */
  kind: 'share' | 'mean' | 'ratio'
  isLowerBetter: boolean
  /** Null where a session does not tell. */
  of(observation: Observation): number | null
}

/** What is told beside the frequency of a practice's own pattern. */
export const metrics: readonly Metric[] = [
  { name: 'error rate', kind: 'mean', isLowerBetter: true, of: ({ errors, calls }) => perCall(errors, calls) },
  { name: 'retries', kind: 'mean', isLowerBetter: true, of: ({ retries }) => retries },
  { name: 'corrections', kind: 'mean', isLowerBetter: true, of: ({ corrections }) => corrections },
  { name: 'schema thrash', kind: 'mean', isLowerBetter: true, of: ({ schemaErrors }) => schemaErrors },
  {
    name: 'overhead',
    kind: 'mean',
    isLowerBetter: true,
    of: ({ overheadCalls, calls }) => perCall(overheadCalls, calls),
  },
  { name: 'tokens', kind: 'ratio', isLowerBetter: true, of: ({ tokens }) => (tokens ? Math.log(tokens) : null) },
  {
    name: 'success',
    kind: 'share',
    isLowerBetter: false,
    of: ({ isSuccess }) => (isSuccess === null ? null : Number(isSuccess)),
  },
]

function perCall(count: number, calls: number): number | null {
  return calls === 0 ? null : count / calls
}
