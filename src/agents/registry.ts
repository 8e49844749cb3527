// Every agent that Recollect reads. To add one: a file beside this one, a line here, fixtures in test/agents.
import type { Agent } from './agent.ts'
import { claudeCode } from './claude-code.ts'

export const agents: readonly Agent[] = [claudeCode]
