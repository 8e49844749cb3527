// Finds the transcripts of all agents and stamps them, so that unchanged ones can be skipped. Uses
// names and `stat` only, because it runs in every sweep.
import { realpathSync, type Stats } from 'node:fs'
import { join } from 'node:path'
import type { Agent, Transcript } from '../agents/agent.ts'
import type { Config } from '../core/config/config.ts'
import { statOrUndefined } from '../core/files.ts'
import type { Machine } from '../core/paths.ts'
import { expandHome, judgeFolder, layoutOf, matchesGlob, storeRoot } from '../core/paths.ts'

import type { CaptureSources, DiscoveredTranscript } from './context.ts'

/** Oldest first: a session is captured before the sessions that were forked from it. */
export function discover({ agents, machine, config }: CaptureSources): DiscoveredTranscript[] {
  const found = new Map<string, DiscoveredTranscript>()
  const ignored = ignoredFolders(config, machine)
  for (const agent of agents) {
    if (config.capture.skipAgents.includes(agent.id)) continue
    for (const root of rootsOf(agent, machine, config)) {
      for (const transcript of agent.find(root)) {
        if (found.has(transcript.path) || ignored.some((pattern) => matchesGlob(transcript.path, pattern))) continue
        const one = stampTranscript(agent, transcript)
        if (one) found.set(transcript.path, one)
      }
    }
  }
  return [...found.values()].sort((a, b) => a.bornMs - b.bornMs || (a.transcript.path < b.transcript.path ? -1 : 1))
}

/** The transcript of an agent at a path; undefined if it is none or ignored. */
export function discoverAt(
  { agents, machine, config }: CaptureSources,
  id: string,
  path: string,
): DiscoveredTranscript | undefined {
  const agent = agents.find((one) => one.id === id)
  if (!agent || config.capture.skipAgents.includes(id)) return undefined
  if (ignoredFolders(config, machine).some((pattern) => matchesGlob(path, pattern))) return undefined
  for (const root of rootsOf(agent, machine, config)) {
    if (!path.startsWith(root)) continue
    for (const transcript of agent.find(root)) if (transcript.path === path) return stampTranscript(agent, transcript)
  }
  return undefined
}

export function rootsOf(agent: Agent, machine: Machine, config: Config): string[] {
  const configured = (config.sources[agent.id]?.folders ?? []).map((path) => expandHome(path, machine.home))
  return [...new Set([...agent.roots(machine), ...configured])]
}

/** Also the folder in which models run for us: what is said there must not be learned from. */
export function ignoredFolders(config: Config, machine: Machine): string[] {
  const judge = join(layoutOf(storeRoot(machine)).run, judgeFolder)
  return [...config.capture.ignore.map((pattern) => expandHome(pattern, machine.home)), judge, realPath(judge)]
}

function realPath(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}

function stampTranscript(agent: Agent, transcript: Transcript): DiscoveredTranscript | undefined {
  const own = statOrUndefined(transcript.path)
  if (!own?.isFile()) return undefined // also a pipe or a device by the name of a transcript
  let stamp = `${own.dev}:${own.ino}:${own.size}:${own.mtimeMs}`
  for (const path of transcript.also ?? []) {
    const beside = statOrUndefined(path)
    // Reading a database may leave an empty log beside it, which is no change.
    stamp += beside && beside.size > 0 ? `|${beside.size}:${beside.mtimeMs}` : '|'
  }
  return { agent, transcript, stamp, size: own.size, bornMs: bornMs(own) }
}

/** A restored file may be born after its last change; some file systems keep no birth time. */
function bornMs({ birthtimeMs, mtimeMs }: Stats): number {
  return birthtimeMs > 0 ? Math.min(birthtimeMs, mtimeMs) : mtimeMs
}
