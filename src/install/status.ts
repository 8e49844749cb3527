// Reports for each agent whether our hooks are installed, whether the agent trusts them, whether hook
// events keep up with its transcripts, and whether the MCP server is registered.
import { existsSync, statSync } from 'node:fs'
import type { App } from '../app.ts'
import { isoTime } from '../core/clock.ts'
import { hookPath } from '../core/hook-command.ts'
import type { HookProgram } from '../hook/script.ts'
import type { Ledger } from '../store/ledger.ts'
import { lastHookEvents } from '../store/sessions/hook-events.ts'
import { lastSessionEnds } from '../store/sessions/overview.ts'
import { type HookState, hookProblem, hookState, type McpState, mcpState } from './hooks.ts'
import { readRecord } from './record.ts'
import { agentTargets, type InstallTarget, mcpTargets } from './targets.ts'

export interface AgentStatus {
  agent: string
  name: string
  /** The agent has been used on this machine. */
  isPresent: boolean
  hooks: HookState
  /** Why the hooks cannot be installed or have no effect. */
  problem: { message: string; hint: string } | null
  isTrusted: boolean | null
  /** Manual steps that the user still has to do. */
  afterwards: string
  lastEvent: string | null
  lastTranscript: string | null
  /**
   * Milliseconds from the last hook event (or the install, if there is none) to the last session;
   * null if one of them is unknown.
   */
  gapMs: number | null
  /** Null if it is not known where the agent keeps its MCP servers. */
  mcp: McpState | null
}

export function hookStatus(app: App, program: HookProgram, ledger: Ledger | undefined): AgentStatus[] {
  const lastEvents = new Map((ledger ? lastHookEvents(ledger) : []).map((one) => [one.agent, one.atMs]))
  const last = ledger ? lastSessionEnds(ledger) : new Map<string, string>()
  const { installed } = readRecord(app.layout.root)
  const servers = mcpTargets(app, program)
  // Of a plugin it is not known since when it is enabled, but its MCP server writes the hook that it runs.
  const hookMs = statSync(hookPath(program), { throwIfNoEntry: false })?.mtimeMs
  return agentTargets(app, program).map((target) => {
    const agent = target.agent!
    const lastEventMs = lastEvents.get(agent.id)
    const lastTranscript = last.get(agent.id) ?? null
    const server = servers.find(({ serves }) => serves === agent)
    return {
      agent: agent.id,
      name: agent.name,
      isPresent: existsSync(agent.hooks.home(app.machine)),
      hooks: hookState(app, target),
      problem: problemOf(app, target),
      isTrusted: agent.hooks.isTrusted?.(app.machine) ?? null,
      afterwards: target.afterwards ?? '',
      lastEvent: lastEventMs === undefined ? null : isoTime(lastEventMs),
      lastTranscript,
      gapMs: gapOf(lastEventMs ?? timeOf(installed.agents[agent.id]?.at) ?? hookMs, timeOf(lastTranscript)),
      mcp: server ? mcpState(app, server) : null,
    }
  })
}

function problemOf(app: App, target: InstallTarget): AgentStatus['problem'] {
  const problem = hookProblem(app, target)
  return problem ? { message: problem.message, hint: problem.hint ?? '' } : null
}

function timeOf(iso: string | null | undefined): number | undefined {
  return iso ? Date.parse(iso) : undefined
}

function gapOf(eventMs: number | undefined, transcriptMs: number | undefined): number | null {
  return eventMs === undefined || transcriptMs === undefined ? null : Math.max(0, transcriptMs - eventMs)
}
