// Finds the transcripts of all agents and stamps them, so that unchanged ones can be skipped. Uses
// names and `stat` only, because it runs in every sweep.
import { existsSync, realpathSync, type Stats } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Agent, Transcript } from '../agents/agent.ts'
import type { Config } from '../core/config/config.ts'
import { statOrUndefined } from '../core/files.ts'
import type { Machine } from '../core/paths.ts'
import { expandHome, globPattern, judgeFolder, layoutOf, matchesGlob, storeRoot } from '../core/paths.ts'

import type { CaptureSources, DiscoveredTranscript } from './context.ts'

/** All transcripts, in the order of agents and folders. */
export function discover(sources: CaptureSources): DiscoveredTranscript[] {
  return discoverChanged(sources, new Map()).changed
}

/**
 * The paths of all transcripts, and those whose stamp is not the known one. Nothing else is kept of
 * the others: most sweeps find thousands of them and no change.
 */
export function discoverChanged(
  { agents, machine, config }: CaptureSources,
  known: ReadonlyMap<string, string>,
): { paths: Set<string>; changed: DiscoveredTranscript[] } {
  const paths = new Set<string>()
  const changed: DiscoveredTranscript[] = []
  const ignored = [...new Set(ignoredFolders(config, machine))].map(globPattern)
  const exists = existenceCheck()
  for (const agent of agents) {
    if (config.capture.skipAgents.includes(agent.id)) continue
    for (const root of rootsOf(agent, machine, config)) {
      if (!exists(root)) continue
      for (const transcript of agent.find(root)) {
        const { path } = transcript
        if (paths.has(path) || ignored.some((pattern) => pattern.test(path))) continue
        const one = stampTranscript(agent, transcript)
        if (!one) continue
        paths.add(path)
        if (known.get(path) !== one.stamp) changed.push(one)
      }
    }
  }
  return { paths, changed }
}

/** A session is captured before the sessions that were forked from it. */
export function oldestFirst(found: DiscoveredTranscript[]): DiscoveredTranscript[] {
  return found.sort((a, b) => a.bornMs - b.bornMs || (a.transcript.path < b.transcript.path ? -1 : 1))
}

/**
 * Whether a folder is there, by its parents first: most agents are not installed, and the folders of
 * a dozen editors are below a few that are missing.
 */
function existenceCheck(): (path: string) => boolean {
  const known = new Map<string, boolean>()
  const exists = (path: string): boolean => {
    const parent = dirname(path)
    const answer = known.get(path) ?? (parent === path || (exists(parent) && existsSync(path)))
    known.set(path, answer)
    return answer
  }
  return exists
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
  return { agent, transcript, stamp, size: own.size, bornMs: bornMs(own), changedMs: own.mtimeMs }
}

/** A restored file may be born after its last change; some file systems keep no birth time. */
function bornMs({ birthtimeMs, mtimeMs }: Stats): number {
  return birthtimeMs > 0 ? Math.min(birthtimeMs, mtimeMs) : mtimeMs
}
