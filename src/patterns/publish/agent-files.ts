// The agents whose instruction files and skills are known, from the registry.
import type { InstructionFiles, Instructions } from '../../agents/agent.ts'
import { agents } from '../../agents/registry.ts'
import type { Machine } from '../../core/paths.ts'

/** Ids in the order in which agents are served: those that read the files of others come last. */
export function agentsWithInstructions(): string[] {
  const known = agents.filter(({ instructions }) => instructions !== undefined)
  const isLast = ({ instructions }: (typeof known)[number]) => Number(instructions?.readsOthers ?? false)
  return known.toSorted((a, b) => isLast(a) - isLast(b)).map(({ id }) => id)
}

export function filesInProject(agent: string, root: string): InstructionFiles {
  return instructionsOf(agent).inProject(root)
}

/** Undefined if the agent keeps the user's instructions in no file. */
export function filesOfUser(agent: string, machine: Machine): InstructionFiles | undefined {
  return instructionsOf(agent).ofUser?.(machine)
}

function instructionsOf(agent: string): Instructions {
  const instructions = agents.find(({ id }) => id === agent)?.instructions
  if (!instructions) throw new Error(`no instruction files of ${agent} are known`)
  return instructions
}
