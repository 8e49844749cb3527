// Finds the agent that a person names: `claude` and `Claude Code` mean claude-code.
import { nearest } from '../text/nearest.ts'
import { UserError } from './errors.ts'

export interface NamedAgent {
  id: string
  /** Name for display. */
  name: string
  aliases?: readonly string[]
}

/**
 * By id, alias, display name, or the first word of the id if only one agent has it. `others` are
 * names that are accepted besides, for the suggestion.
 */
export function agentNamed<T extends NamedAgent>(
  agents: readonly T[],
  typed: string,
  others: readonly string[] = [],
): T {
  const wanted = typed.trim().toLowerCase()
  const exact =
    agents.find(({ id }) => id === wanted) ??
    agents.find(({ name, aliases }) => name.toLowerCase() === wanted || aliases?.includes(wanted))
  if (exact) return exact
  const [first, second] = agents.filter(({ id }) => id.startsWith(`${wanted}-`))
  if (first && !second) return first
  const known = agents.flatMap(({ id, aliases }) => [id, ...(aliases ?? [])])
  const suggestion = nearest(wanted, [...known, ...known.map((id) => id.split('-')[0]!), ...others])
  throw new UserError(
    `Unknown agent "${typed}"`,
    suggestion ? `Did you mean ${suggestion}?` : `Known agents: ${agents.map(({ id }) => id).join(', ') || 'none yet'}`,
  )
}
