// The repositories of projects that people work in, and their commit messages: a third source beside transcripts and hooks.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Clock } from '../core/clock.ts'
import { isoTime } from '../core/clock.ts'
import { messageOf } from '../core/errors.ts'
import { readTextOrEmpty } from '../core/files.ts'
import type { Machine } from '../core/paths.ts'
import { findRepository } from '../core/project.ts'
import type { Ledger } from '../store/ledger.ts'
import { commitCursor } from '../store/sessions/commits.ts'
import { recentFolders } from '../store/sessions/projects.ts'
import { reportProblem, wholeFileOffset } from '../store/sessions/transcripts.ts'
import type { Redact } from './border.ts'
import { captureCommits } from './commits.ts'

export interface RepositoriesContext {
  ledger: Ledger
  clock: Clock
  machine: Machine
  loadTools(): Promise<{ redact: Redact }>
}

/** Nobody has worked elsewhere for so long that its history can wait. */
const recentMs = 60 * 86_400_000
/** One pass over a history of this length takes seconds; what lies further back comes with the next sweeps. */
const maxAtOnce = 20_000

/** Gives back how many commits are new. A repository that cannot be read is told of, and does not stop the others. */
export async function captureRepositories(context: RepositoriesContext): Promise<number> {
  const { ledger, clock, machine } = context
  let added = 0
  const seen = new Set<string>()
  for (const { folder, project } of recentFolders(ledger, recentMs)) {
    const repository = existsSync(folder) ? findRepository(folder) : undefined
    if (!repository || seen.has(repository.root)) continue
    seen.add(repository.root)
    const cursor = commitCursor(ledger, repository.root)
    if (cursor?.isComplete && cursor.head === headIn(repository.gitFolder)) continue
    try {
      const { redact } = await context.loadTools()
      const pass = { ledger, redact, env: machine.env, max: maxAtOnce }
      added += (await captureCommits(pass, repository.root, project)).added
    } catch (error) {
      const seenAt = isoTime(clock.nowMs())
      reportProblem(ledger, { path: repository.gitFolder, offset: wholeFileOffset, reason: messageOf(error), seenAt })
    }
  }
  return added
}

/** Read without starting git: a sweep that finds nothing new starts no program. */
function headIn(gitFolder: string): string | undefined {
  const head = readTextOrEmpty(join(gitFolder, 'HEAD')).trim()
  const name = /^ref: (\S+)$/.exec(head)?.[1]
  if (!name) return head || undefined
  const loose = readTextOrEmpty(join(gitFolder, name)).trim()
  if (loose) return loose
  const packed = readTextOrEmpty(join(gitFolder, 'packed-refs')).split('\n')
  return packed.find((line) => line.endsWith(` ${name}`))?.split(' ')[0]
}
