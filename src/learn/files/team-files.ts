// Files in the folder of a team. Others read them, so they are only applied with write access.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { writeAtomically } from '../../core/files.ts'
import { spaceText } from '../../memory/attribution.ts'
import type { Memory } from '../../memory/memory.ts'
import { deleteMemoryFile, type MemoryFile, requeueFile, saveMemoryFile } from '../../store/memories/files.ts'
import { joinedTeams, type Obstacle, writeObstacle } from '../admission/team-access.ts'
import type { VaultScan } from './context.ts'
import { nameOf } from './folders.ts'
import type { MemoryFileFields } from './parse.ts'
import { hashOf } from './render.ts'

/** Restores the file and keeps the person's version in the backups folder, outside of the vault. */
export function refuseEdit(
  { context: { ledger }, report }: VaultScan,
  file: MemoryFile,
  content: string,
  { memory, obstacle }: { memory: Memory; obstacle: Obstacle },
): void {
  const kept = `${nameOf(file.path).replace(/\.md$/, '')}-${hashOf(content).slice(0, 8)}.md`
  mkdirSync(ledger.layout.backups, { recursive: true, mode: 0o700 })
  writeAtomically(join(ledger.layout.backups, kept), content)
  ledger.transaction(() => {
    saveMemoryFile(ledger, { ...file, hash: hashOf(content) })
    requeueFile(ledger, memory)
  })
  const reason = `${obstacle.reason}: the file was restored, and your version is saved as backups/${kept}`
  report.problems.push({ path: file.path, line: 1, reason })
}

/** Without write access a deletion has no effect for others: the file was restored. */
export function refuseDeletion(
  { context: { ledger }, report }: VaultScan,
  file: MemoryFile,
  { memory, obstacle }: { memory: Memory; obstacle: Obstacle },
): void {
  deleteMemoryFile(ledger, file.path)
  requeueFile(ledger, memory)
  report.problems.push({ path: file.path, line: 1, reason: `${obstacle.reason}: the file was restored` })
}

/** The team of a new file in a team folder, or the reason why there is none. */
export function teamForNewFile(
  { context: { ledger } }: VaultScan,
  said: MemoryFileFields,
  project: string | null,
): { space: string } | { reason: string } {
  const teams = joinedTeams(ledger)
  if (said.space === undefined && teams.length !== 1)
    return {
      reason:
        teams.length === 0
          ? 'You are not a member of any team'
          : `There are ${teams.length} teams: add a line such as "space: ${teams[0]}" to the frontmatter`,
    }
  const space = said.space ?? teams[0]!
  if (!/^team:/.test(space)) return { reason: `"${space}" is not a team: write it like "space: team:core"` }
  if (said.type === 'user' || said.tags?.includes('private'))
    return { reason: `Private memories and memories about a person cannot be given to ${spaceText(space)}` }
  const obstacle = writeObstacle(ledger, { space, project })
  return obstacle ? { reason: `${obstacle.reason}. ${obstacle.hint}` } : { space }
}

/**
 * A file that was moved between the user's own folder and a team's: the memory does not change its
 * owner.
 */
export function reasonToStay(memory: Memory): string {
  if (memory.space === null)
    return `This is your own ${memory.id}. To give it to a team: recollect share ${memory.id} --with team:<name>; delete its id line to make it a new memory of the team`
  return `This is ${memory.id} of ${spaceText(memory.space)}: delete its id line to make it a memory of your own`
}
