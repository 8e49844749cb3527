// Finds the agent that a person names: `claude` and `Claude Code` mean claude-code.
import { nearest } from '../text/nearest.ts'
import { UserError } from './errors.ts'

export interface NamedAgent {
  id: string
  /** Name for display. */
  name: string
  aliases?: readonly string[]
}

/** By id, alias, display name, or the first word of the id if only one agent has it. */
export function agentNamed<T extends NamedAgent>(agents: readonly T[], typed: string): T {
  const wanted = typed.trim().toLowerCase()
  const exact =
    agents.find(({ id }) => id === wanted) ??
    agents.find(({ name, aliases }) => name.toLowerCase() === wanted || aliases?.includes(wanted))
  if (exact) return exact
  const [first, ...others] = agents.filter(({ id }) => id.startsWith(`${wanted}-`))
  if (first && others.length === 0) return first
  const known = agents.flatMap(({ id, aliases }) => [id, ...(aliases ?? [])])
  const suggestion = nearest(wanted, [...known, ...known.map((id) => id.split('-')[0]!)])
  throw new UserError(
    `Unknown agent "${typed}"`,
    suggestion ? `Did you mean ${suggestion}?` : `Known agents: ${agents.map(({ id }) => id).join(', ') || 'none yet'}`,
  )
}
