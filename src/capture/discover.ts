// Which transcripts there are, and which of them have changed since the last sweep: names and stat calls only.
import { type Stats, statSync } from 'node:fs'
import type { Agent, Transcript } from '../agents/agent.ts'
import type { Config } from '../core/config.ts'
import type { Machine } from '../core/paths.ts'
import { expandHome, matchesGlob } from '../core/paths.ts'

export interface Found {
  agent: Agent
  transcript: Transcript
  /** Equal to the one in the cursor: nothing has changed. */
  stamp: string
  size: number
  bornMs: number
}

export interface Sources {
  agents: readonly Agent[]
  machine: Machine
  config: Config
}

/** All transcripts, the oldest first: a session is captured before the one that was forked from it. */
export function discover({ agents, machine, config }: Sources): Found[] {
  const found = new Map<string, Found>()
  const ignored = ignoredFolders(config, machine)
  for (const agent of agents) {
    if (config.capture.skipAgents.includes(agent.id)) continue
    for (const root of rootsOf(agent, machine, config)) {
      for (const transcript of agent.find(root)) {
        if (found.has(transcript.path) || ignored.some((pattern) => matchesGlob(transcript.path, pattern))) continue
        const one = look(agent, transcript)
        if (one) found.set(transcript.path, one)
      }
    }
  }
  return [...found.values()].sort((a, b) => a.bornMs - b.bornMs || (a.transcript.path < b.transcript.path ? -1 : 1))
}

export function rootsOf(agent: Agent, machine: Machine, config: Config): string[] {
  const configured = (config.sources[agent.id] ?? []).map((path) => expandHome(path, machine.home))
  return [...new Set([...agent.roots(machine), ...configured])]
}

export function ignoredFolders(config: Config, machine: Machine): string[] {
  return config.capture.ignore.map((pattern) => expandHome(pattern, machine.home))
}

function look(agent: Agent, transcript: Transcript): Found | undefined {
  const own = statSync(transcript.path, { throwIfNoEntry: false })
  if (!own) return undefined
  let stamp = `${own.dev}:${own.ino}:${own.size}:${own.mtimeMs}`
  for (const path of transcript.also ?? []) {
    const beside = statSync(path, { throwIfNoEntry: false })
    stamp += beside ? `|${beside.size}:${beside.mtimeMs}` : '|'
  }
  return { agent, transcript, stamp, size: own.size, bornMs: bornMs(own) }
}

/** A copied or restored file is younger than its content; some file systems do not know when a file was made. */
function bornMs({ birthtimeMs, mtimeMs }: Stats): number {
  return birthtimeMs > 0 ? Math.min(birthtimeMs, mtimeMs) : mtimeMs
}
