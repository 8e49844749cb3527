// Writes the hints of projects beside their briefs, if the user wants them, and removes them
// otherwise.
import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Clock } from '../core/clock.ts'
import { readTextOrEmpty, writeAtomically } from '../core/files.ts'
import type { Zone } from '../core/units.ts'
import { projectFolder } from '../core/vault/files.ts'
import { ignoresMemoryIn } from '../digest/digest.ts'
import { listFixes, sessionUids } from '../store/fixes/fixes.ts'
import { readValue, writeValue } from '../store/key-values.ts'
import type { Ledger } from '../store/ledger.ts'
import { listMemories } from '../store/memories/memories.ts'
import { allProjects, type ProjectRow, projectsWithStaleBrief } from '../store/sessions/projects.ts'
import { logWorkOnce } from '../store/work-log.ts'
import { type HeldFix, toldFixes } from './find-fixes.ts'
import { fileHints, fixHints, hintLines } from './hints.ts'
import { hintsWritten } from './hints-due.ts'

export interface HintContext {
  ledger: Ledger
  clock: Clock
  zone: Zone
  config: { hooks: { fix: boolean } }
  /** Row ids of sessions that have changed. */
  digested?: ReadonlySet<number>
}

const extensions = ['fixes', 'files'] as const

/** Returns the number of projects whose hints were written. */
export function writeHints(context: HintContext, which: 'due' | 'all' = 'due'): number {
  const { ledger, config } = context
  if (!config.hooks.fix) {
    removeHints(ledger)
    return 0
  }
  const isFirst = readValue(ledger, hintsWritten) !== true
  const projects = isFirst || which === 'all' ? allProjects(ledger) : projectsWithStaleBrief(ledger)
  // The hook itself creates no folders.
  mkdirSync(join(ledger.layout.run, 'told'), { recursive: true, mode: 0o700 })
  mkdirSync(ledger.layout.briefs, { recursive: true, mode: 0o700 })
  for (const project of projects) writeProject(context, project)
  removeOldNotes(context)
  silenceSessions(context)
  writeValue(ledger, hintsWritten, true)
  return projects.length
}

function writeProject({ ledger, zone, clock }: HintContext, { key }: Pick<ProjectRow, 'key'>): void {
  const known = listFixes(ledger, { project: key })
  logHeld(ledger, clock.nowMs(), toldFixes(known).held)
  const fixes = fixHints(known, zone)
  const memories = listMemories(ledger, { project: key, withGlobal: true, state: 'kept', isCurrent: true })
  const contents = { fixes: hintLines(fixes), files: hintLines(fileHints(memories, zone, clock.nowMs())) }
  for (const extension of extensions) {
    const path = join(ledger.layout.briefs, `${projectFolder(key)}.${extension}`)
    if (contents[extension] === '') rmSync(path, { force: true })
    else if (readTextOrEmpty(path) !== contents[extension]) writeAtomically(path, contents[extension])
  }
}

/** Says once what is not told to agents, and why. */
function logHeld(ledger: Ledger, atMs: number, held: readonly HeldFix[]): void {
  for (const { session, failedSeq, reason } of held)
    logWorkOnce(ledger, { atMs, session, what: 'held back', detail: `the fix of the failure #${failedSeq}: ${reason}` })
}

function removeHints(ledger: Ledger): void {
  const { briefs } = ledger.layout
  const names = existsSync(briefs) ? readdirSync(briefs) : []
  for (const name of names.filter((name) => extensions.some((extension) => name.endsWith(`.${extension}`))))
    rmSync(join(briefs, name), { force: true })
  writeValue(ledger, hintsWritten, false)
}

/** A session whose user said to ignore memory is told nothing more. */
function silenceSessions({ ledger, digested = new Set() }: HintContext): void {
  for (const uid of sessionUids(ledger, [...digested]).filter((uid) => ignoresMemoryIn(ledger, uid))) {
    const native = uid.slice(uid.indexOf(':') + 1)
    if (/^[\w-]+$/.test(native)) writeAtomically(join(ledger.layout.run, 'told', `${native}.hints`), `${tellNothing}\n`)
  }
}

/** As an id of a hint: see `hook.sh`. */
const tellNothing = '*'

/** What sessions were told, which matters only while they run. */
function removeOldNotes({ ledger, clock }: HintContext): void {
  const told = join(ledger.layout.run, 'told')
  for (const path of readdirSync(told).map((name) => join(told, name))) {
    const changedMs = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? clock.nowMs()
    if (path.endsWith('.hints') && clock.nowMs() - changedMs > keptMs) rmSync(path, { force: true })
  }
}

const keptMs = 7 * 86_400_000
