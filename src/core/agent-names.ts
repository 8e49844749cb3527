// Finds the agent that a person names: `claude` and `Claude Code` mean claude-code.
import { nearest } from '../text/nearest.ts'
import { UserError } from './errors.ts'
import { importedAgents } from './session.ts'

export interface NamedAgent {
  id: string
  /** Name for display. */
  name: string
  aliases?: readonly string[]
}

/** By id, alias, display name, or the first word of the id if only one agent has it. */
export function findAgent<T extends NamedAgent>(agents: readonly T[], typed: string): T | undefined {
  const wanted = typed.trim().toLowerCase()
  const exact =
    agents.find(({ id }) => id === wanted) ??
    agents.find(({ name, aliases }) => name.toLowerCase() === wanted || aliases?.includes(wanted))
  if (exact) return exact
  const [first, second] = agents.filter(({ id }) => id.startsWith(`${wanted}-`))
  return second ? undefined : first
}

/** The same, with a suggestion if there is none; `others` are names that are accepted besides. */
export function agentNamed<T extends NamedAgent>(
  agents: readonly T[],
  typed: string,
  others: readonly string[] = [],
): T {
  const found = findAgent(agents, typed)
  if (found) return found
  const known = agents.flatMap(({ id, aliases }) => [id, ...(aliases ?? [])])
  const suggestion = nearest(typed.toLowerCase(), [...known, ...known.map((id) => id.split('-')[0]!), ...others])
  throw new UserError(
    `Unknown agent "${typed}"`,
    suggestion ? `Did you mean ${suggestion}?` : `Known agents: ${agents.map(({ id }) => id).join(', ') || 'none yet'}`,
  )
}

/** With the tools whose notes are searched as sessions. */
export function withImported(agents: readonly NamedAgent[]): readonly NamedAgent[] {
  return [...agents, ...importedAgents.map((id) => ({ id, name: id }))]
}
