// Checks write access to a team before anything is written: the server would refuse it only at the
// next sync.
import { UserError } from '../../core/errors.ts'
import { matchesGlob } from '../../core/paths.ts'
import { spaceText } from '../../memory/attribution.ts'
import type { Memory } from '../../memory/memory.ts'
import type { Ledger } from '../../store/ledger.ts'
import { isSharedByOther, listSpaces, type Space } from '../../store/sync/spaces.ts'

export interface Obstacle {
  reason: string
  hint: string
}

/** Why nothing can be written there; undefined if it can. */
export function writeObstacle(ledger: Ledger, { space, project }: TeamTarget): Obstacle | undefined {
  const joined = listSpaces(ledger)
  const access = joined.find(({ name }) => name === space)
  if (!access) return notJoined(space, joined)
  // Shares carry their own permission per memory, which only the server knows.
  if (space === 'shared') return undefined
  if (access.role === 'reader')
    return {
      reason: `You have no write access to ${spaceText(space)}`,
      hint: 'Ask an admin of the team to make you a writer.',
    }
  if (project === null) return undefined
  if (!isSharedProject(project))
    return {
      reason: `${project} is a folder on this machine, not a shared project`,
      hint: `Name it in config.toml: [projects.aliases] "${project}" = "github.com/you/name". Then run: recollect rebuild`,
    }
  if (access.projects && !access.projects.some((one) => matchesGlob(project, one)))
    return {
      reason: `In ${spaceText(space)} you may write about ${access.projects.join(', ') || 'no project'} only`,
      hint: 'Ask an admin of the team for the project, or leave the project out with --global.',
    }
  return undefined
}

export interface TeamTarget {
  space: string
  project: string | null
}

function notJoined(space: string, joined: readonly Space[]): Obstacle {
  const teams = teamsAmong(joined)
  const reason = `This machine has not joined ${spaceText(space)}`
  if (joined.length === 0) return { reason, hint: 'Join a server first: recollect sync join <url>' }
  return {
    reason,
    hint: teams.length === 0 ? 'You are not a member of any team on this server.' : `Your teams: ${teams.join(', ')}`,
  }
}

/** A path means nothing on another machine. */
export function isSharedProject(project: string): boolean {
  return !/^(?:[\\/~.]|[A-Za-z]:[\\/])/.test(project)
}

/** Teams that this machine has joined. */
export function joinedTeams(ledger: Ledger): string[] {
  return teamsAmong(listSpaces(ledger))
}

function teamsAmong(joined: readonly Space[]): string[] {
  return joined.map(({ name }) => name).filter((name) => name.startsWith('team:'))
}

export function checkMayWrite(ledger: Ledger, place: TeamTarget): void {
  const obstacle = writeObstacle(ledger, place)
  if (obstacle) throw new UserError(obstacle.reason, obstacle.hint, 1)
}

/** Undefined for the user's own memories. */
export function changeObstacle(
  ledger: Ledger,
  { space, project }: Pick<Memory, 'space' | 'project'>,
): Obstacle | undefined {
  return space === null ? undefined : writeObstacle(ledger, { space, project })
}

/** Why it cannot be forgotten; undefined if it can. The server lets only its owner delete a share. */
export function forgetObstacle(ledger: Ledger, memory: Memory): Obstacle | undefined {
  if (!isSharedByOther(ledger, memory)) return changeObstacle(ledger, memory)
  const owner = memory.author ?? 'another user'
  return {
    reason: `${memory.id} belongs to ${owner}, who shares it; only ${owner} can forget it`,
    hint:
      memory.space === 'shared'
        ? 'To stop seeing what is shared with you: recollect share received, then recollect share refuse <id>'
        : `Ask ${owner} to end the share, or an admin of the team.`,
  }
}

/** Names the rules that matched, never the text. */
export function secretReason(counts: Readonly<Record<string, number>>): string | undefined {
  const rules = Object.keys(counts).sort()
  return rules.length === 0 ? undefined : `It contains a secret (${rules.join(', ')})`
}
