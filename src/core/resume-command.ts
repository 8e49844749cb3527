// The command that continues a session in its agent.

interface ResumableAgent {
  id: string
  resume?: string
}

/** Undefined if the agent documents none, or for a part of a session (`parent/agent-1`). */
export function resumeCommand(agents: readonly ResumableAgent[], session: string): string | undefined {
  const at = session.indexOf(':')
  const id = session.slice(at + 1)
  const command = agents.find((agent) => agent.id === session.slice(0, at))?.resume
  return /^[\w-]+$/.test(id) ? command?.replace('<id>', id) : undefined
}
