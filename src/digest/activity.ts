import type { DigestState } from './digest-state.ts'

/** What happened in a session. Only `work` is evidence of how work goes. */
export const activityKinds = ['work', 'talk', 'health-check', 'empty'] as const
export type ActivityKind = (typeof activityKinds)[number]

export function activityOf({ kinds, counts, signals, isHealthCheck, goal }: DigestState): ActivityKind {
  if (signals.assistant === null && signals.edit === null) return 'empty'
  if (!kinds.prompt && !kinds.command && !goal) return 'empty'
  const isAllDenied = isHealthCheck && kinds.prompt && counts.denials >= (kinds.tool_call ?? 0)
  if (((kinds.tool_call ?? 0) > 0 && !isAllDenied) || (kinds.edit ?? 0) > 0) return 'work'
  return isHealthCheck && kinds.prompt ? 'health-check' : 'talk'
}
