// Deletes temporary files of processes that were killed: `writeAtomically` names them after the
// process that writes.
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Layout } from './paths.ts'

/** The file that `writeAtomically` writes before it replaces the target. */
export function temporaryPath(target: string): string {
  return `${target}.${process.pid}.tmp`
}

export const temporaryName = /\.(\d+)\.tmp$/

/** Files of running processes stay. Returns how many were deleted. */
export function deleteLeftovers({ root, vault, briefs, backups, run }: Layout): number {
  const found = [
    ...temporaryFilesIn(root, false),
    ...[vault, briefs, backups, run].flatMap((folder) => temporaryFilesIn(folder, true)),
  ]
  for (const path of found) rmSync(path, { force: true, recursive: true })
  return found.length
}

function temporaryFilesIn(folder: string, isRecursive: boolean): string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { recursive: isRecursive, encoding: 'utf8' })
    .filter((name) => {
      const pid = temporaryName.exec(name)?.[1]
      return pid !== undefined && !isRunning(Number(pid))
    })
    .map((name) => join(folder, name))
}

export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
