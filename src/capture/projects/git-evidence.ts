// Finds out from the output of git in a session which repository its folder belongs to, for folders
// that no longer exist. Only commands that ran in that folder count: a wrong project is worse than
// none.
import { posix, win32 } from 'node:path'
import { commandOf, splitCommands } from '../../core/commands.ts'
import { fromRemote, type ProjectIdentity } from '../../core/project/project.ts'
import { isInside } from '../../core/project/worktree-path.ts'
import type { Event, Json } from '../../core/session.ts'

export interface GitEvidence {
  /** Normalised: `github.com/owner/name`. */
  remote?: string
  /** Main working tree. */
  root?: string
}

/** Commands whose output names a remote or a root, as the digest counts them. */
export const tellingCommands = ['git push', 'git remote', 'git worktree', 'git rev-parse', 'git config'] as const

export function gitEvidence(events: Iterable<EvidenceEvent>, cwd: string): GitEvidence {
  const remotes = new Set<string>()
  const roots = new Set<string>()
  const calls = new Map<string, string[]>()
  // Some agents keep one shell: `cd` also holds for later commands.
  let shell: string | undefined = cwd
  for (const event of events) {
    if (event.kind === 'tool_call' && event.call) {
      const line = commandOf(event.input)
      if (line === '') continue
      const own = workFolder(event.input)
      const begin = own === undefined ? shell : pathsOf(cwd).resolve(cwd, own)
      const end = folderAfter(line, begin, cwd)
      if (own === undefined) shell = end
      // A folder below may be another repository, and one that was left again as well.
      if (end === cwd && !leavesAndReturns(line)) calls.set(event.call, splitCommands(line))
    }
    if (event.kind !== 'tool_result' || !event.call || event.error || event.exit) continue
    const commands = calls.get(event.call) ?? []
    for (const command of commands) {
      const remote = remoteIn(command, event.text)
      if (remote) remotes.add(remote.key)
    }
    const root = commands.length === 1 ? rootIn(commands[0]!, event.text, cwd) : undefined
    if (root) roots.add(root)
    calls.delete(event.call)
  }
  const [remote, otherRemote] = remotes
  const [root, otherRoot] = roots
  return {
    ...(remote && !otherRemote ? { remote } : {}),
    ...(root && !otherRoot ? { root } : {}),
  }
}

export type EvidenceEvent = Pick<Event, 'kind' | 'call' | 'input' | 'text' | 'error' | 'exit'>

/** Undefined if it is unknown. */
function folderAfter(line: string, begin: string | undefined, cwd: string): string | undefined {
  const { isAbsolute, resolve } = pathsOf(cwd)
  let at = begin
  for (const [, target = ''] of line.matchAll(/(?:^|[;&|(\n]\s*)(?:cd|pushd|popd)\b\s*("[^"]*"|'[^']*'|[^\s;&|)]*)/g)) {
    const folder = target.replace(/^["']|["']$/g, '')
    if (isAbsolute(folder)) at = resolve(folder)
    else at = at === undefined || folder === '' || /^[~$-]/.test(folder) ? undefined : resolve(at, folder)
  }
  return at
}

function leavesAndReturns(line: string): boolean {
  return [...line.matchAll(/(?:^|[;&|(\n]\s*)(?:cd|pushd|popd)\b/g)].length > 1
}

function pathsOf(cwd: string): typeof posix {
  return /^[A-Za-z]:/.test(cwd) ? win32 : posix
}

/** The folder of one call, where the agent names it (`workdir` of Codex). */
function workFolder(input: Json | undefined): string | undefined {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return undefined
  const folder = input.workdir ?? input.cwd ?? input.directory ?? input.dir_path
  return typeof folder === 'string' && folder !== '' ? folder : undefined
}

function remoteIn(command: string, output: string): ProjectIdentity | undefined {
  const pushed = /^git\s+push\b(.*)$/.exec(command)?.[1]
  if (pushed !== undefined) {
    const to = pushed.split(/\s+/).filter((word) => word !== '' && !/^(?:-|\d?>)/.test(word))[0]
    // To `origin` or to the remote of the branch; a fork or mirror has another name.
    if (to !== undefined && to !== 'origin') return undefined
    return fromRemote(/^To (\S+)\n(?:remote: .*\n)*\s*[ +*=!-]?\s*\S.* -> /m.exec(output)?.[1])
  }
  if (/^git\s+remote\s+(?:-v|--verbose)\b/.test(command))
    return fromRemote(/^origin\s+(\S+) \((?:fetch|push)\)/m.exec(output)?.[1])
  if (/^git\s+(?:remote\s+get-url\s+origin|config\s+(?:--get\s+|get\s+)?remote\.origin\.url)\b/.test(command))
    return fromRemote(/^\s*(\S+)\s*$/.exec(output)?.[1])
  return undefined
}

/**
 * `git worktree list` begins with the main working tree, `rev-parse` names the one around. Filtered or
 * mixed with the output of other commands, the first line may be another.
 */
function rootIn(command: string, output: string, cwd: string): string | undefined {
  if (/^git\s+worktree\s+list\b/.test(command)) {
    const trees = [...output.matchAll(/^(?:worktree (.+)|(\S.*?)\s+(?:[0-9a-f]{7,40} (?:\[|\()|\(bare\)).*)$/gm)]
    const folders = trees.map(([, plain, listed]) => (plain ?? listed!).trim())
    return folders.some((folder) => pathsOf(cwd).isAbsolute(folder) && isInside(cwd, folder)) ? folders[0] : undefined
  }
  if (!/^git\s+rev-parse\s+--show-toplevel$/.test(command)) return undefined
  const folder = output.trim()
  return pathsOf(cwd).isAbsolute(folder) && isInside(cwd, folder) ? folder : undefined
}
