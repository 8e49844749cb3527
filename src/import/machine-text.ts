// Recognises text with a user's role that a program wrote: commands of the client, output of hooks,
// notices. Other programs record it beside what the person typed.
import type { EventKind, EventRole } from '../core/session.ts'

export function kindOfUserText(text: string): { kind: EventKind; role: EventRole } {
  const isMachine = machineText.test(text)
  if (interruption.test(text)) return { kind: 'interrupt', role: 'user' }
  return isMachine ? { kind: 'context', role: 'system' } : { kind: 'prompt', role: 'user' }
}

/** Claude Code and others wrap their own text in tags with a dash or a known name. */
const machineText =
  /^\s*(?:<\/?(?:[a-z]+(?:[-_][a-z]+)+|system|context|instructions|environment)[\s>]|Caveat: The messages below were generated|This session is being continued from a previous conversation|Base directory for this skill:|\[Image: source: )/i

const interruption = /^\s*\[Request interrupted by user/
