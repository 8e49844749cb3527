// For each agent: whether our hooks are in it, whether it runs them, and whether what they tell keeps up with its transcripts.
import { existsSync } from 'node:fs'
import type { App } from '../app.ts'
import { isoTime } from '../core/clock.ts'
import type { HookProgram } from '../hook/script.ts'
import type { Ledger } from '../store/ledger.ts'
import { lastHookEvents } from '../store/sessions/hook-events.ts'
import { overviewOf } from '../store/sessions/overview.ts'
import { type HookState, hookState } from './hooks.ts'
import { readRecord } from './record.ts'
import { agentTargets } from './targets.ts'

export interface AgentStatus {
  agent: string
  name: string
  /** The agent has been used on this machine. */
  isPresent: boolean
  hooks: HookState
  isTrusted: boolean | null
  /** What the user has to do by hand. */
  afterwards: string
  lastEvent: string | null
  lastTranscript: string | null
  /** How far the last hook event, or else the install, is behind the last session, in milliseconds; null where nothing is known. */
  gapMs: number | null
}

export function hookStatus(app: App, program: HookProgram, ledger: Ledger | undefined): AgentStatus[] {
  const heard = new Map((ledger ? lastHookEvents(ledger) : []).map((one) => [one.agent, one.atMs]))
  const last = new Map((ledger ? overviewOf(ledger).agents : []).map((one) => [one.agent, one.last]))
  const { installed } = readRecord(app.layout.root)
  return agentTargets(app, program).map((target) => {
    const agent = target.agent!
    const lastEventMs = heard.get(agent.id)
    const lastTranscript = last.get(agent.id) ?? null
    return {
      agent: agent.id,
      name: agent.name,
      isPresent: existsSync(agent.hooks.home(app.machine)),
      hooks: hookState(app, target),
      isTrusted: agent.hooks.isTrusted?.(app.machine) ?? null,
      afterwards: target.afterwards ?? '',
      lastEvent: lastEventMs === undefined ? null : isoTime(lastEventMs),
      lastTranscript,
      gapMs: gapOf(lastEventMs ?? timeOf(installed.agents[agent.id]?.at), timeOf(lastTranscript)),
    }
  })
}

function timeOf(iso: string | null | undefined): number | undefined {
  return iso ? Date.parse(iso) : undefined
}

function gapOf(heardMs: number | undefined, happenedMs: number | undefined): number | null {
  return heardMs === undefined || happenedMs === undefined ? null : Math.max(0, happenedMs - heardMs)
}
