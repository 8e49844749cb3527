// Verifies memories against the checkouts of their projects. A memory becomes doubtful if a commit
// removed something that it names since it was last confirmed; the doubt is removed when the name
// is there again. If a checkout cannot be read, doubts stay.
import { existsSync } from 'node:fs'
import { isoTime } from '../../core/clock.ts'
import type { Machine } from '../../core/paths.ts'
import { findRepository } from '../../core/project.ts'
import type { Zone } from '../../core/units.ts'
import type { Memory } from '../../memory/memory.ts'
import type { Ledger } from '../../store/ledger.ts'
import { foldersByLastSession } from '../../store/memories/changes.ts'
import { statementTerms } from '../../text/statement.ts'
import type { ConsolidationStep } from './finding.ts'
import { type PastDecisions, reasonsIn, withoutDay } from './past-decisions.ts'
import { findRemovedNames, type RemovedName } from './removed-names.ts'
import type { Checkout } from './working-tree.ts'
import { type CodeName, codeNamesIn, mentionsRemoval } from './working-tree.ts'

export interface VerifyContext {
  ledger: Ledger
  machine: Machine
  zone: Zone
}

export function verifyNames(
  context: VerifyContext,
  memories: readonly Memory[],
  decided: PastDecisions,
): ConsolidationStep {
  const step: ConsolidationStep = { findings: [], memories: [] }
  const untilMs = performance.now() + maxMs
  for (const [project, ofProject] of byProject(memories)) {
    const places = placesOf(context, project, untilMs)
    const doubts = places.length === 0 ? undefined : doubtsAbout(context, places, ofProject)
    if (!doubts) continue
    for (const memory of ofProject) {
      const reasons = doubts.get(memory.id) ?? []
      if (reasons === 'not asked') continue
      const doubt = doubtOf(memory, reasons, decided.deniedDoubts(memory))
      if (doubt === memory.doubt) continue
      step.memories.push({ ...memory, doubt, version: memory.version + 1 })
      const kind = doubt === null ? 'trusted' : 'doubted'
      step.findings.push({ kind, memory: memory.id, other: null, text: memory.text, now: doubt ?? memory.doubt! })
    }
  }
  return step
}

function byProject(memories: readonly Memory[]): Map<string, Memory[]> {
  const projects = new Map<string, Memory[]>()
  for (const memory of memories) {
    if (memory.project === null) continue
    const known = projects.get(memory.project)
    if (known) known.push(memory)
    else projects.set(memory.project, [memory])
  }
  return projects
}

/** For all projects together; the rest keeps its doubts. */
const maxMs = 60_000

/** Further worktrees and clones are not searched. */
const maxPlaces = 4

/** Existing checkouts in which sessions of the project ran, latest first. */
function placesOf({ ledger, machine }: VerifyContext, project: string, untilMs: number): Checkout[] {
  const folders = new Set<string>()
  for (const folder of foldersByLastSession(ledger, project)) {
    const found = existsSync(folder) ? findRepository(folder)?.folder : undefined
    if (found !== undefined) folders.add(found)
    if (folders.size === maxPlaces) break
  }
  return [...folders].map((folder) => ({ folder, env: machine.env, untilMs }))
}

/** Memories with names beyond this limit keep their doubts. */
const maxNames = 500

/** Reasons by memory id; undefined if git fails. */
function doubtsAbout(
  { zone }: VerifyContext,
  places: readonly Checkout[],
  memories: readonly Memory[],
): Map<string, string[] | 'not asked'> | undefined {
  const named = memories.map((memory) => ({ memory, names: namesOf(memory) })).filter(({ names }) => names.length > 0)
  const names = [...new Map(named.flatMap(({ names }) => names).map((name) => [keyOf(name), name])).values()]
  if (names.length === 0) return new Map()
  const sinceMs = Math.min(...named.map(({ memory }) => Date.parse(memory.confirmedAt)))
  const asked = names.slice(0, maxNames)
  const losses = findRemovedNames(places, asked, sinceMs)
  if (!losses) return undefined
  const known = new Set(asked.map(keyOf))
  const lost = new Map(losses.map((loss) => [keyOf(loss.name), loss]))
  return new Map(
    named.map(({ memory, names }): [string, string[] | 'not asked'] => {
      if (!names.every((name) => known.has(keyOf(name)))) return [memory.id, 'not asked']
      const since = names
        .flatMap((name) => lost.get(keyOf(name)) ?? [])
        // Memories confirmed after the commit already take it into account.
        .filter(({ atMs }) => atMs > Date.parse(memory.confirmedAt))
      return [memory.id, since.map((loss) => reasonOf(loss, zone))]
    }),
  )
}

/** A ban, a failed attempt or a removal names things that are expected to be gone. */
function namesOf({ text, apply, status }: Memory): CodeName[] {
  const said = apply ? `${text}\n${apply}` : text
  if (status !== 'settled' || mentionsRemoval(said)) return []
  const names = codeNamesIn(said)
  return statementTerms(said).isNegative ? names.filter(({ kind }) => kind !== 'symbol') : names
}

function keyOf({ kind, text }: CodeName): string {
  return `${kind} ${text}`
}

function reasonOf({ name: { kind, text }, atMs, movedTo, namesake }: RemovedName, zone: Zone): string {
  const since = ` since ${zone.day(isoTime(atMs))}`
  switch (kind) {
    case 'path':
      if (movedTo !== null) return `${text} is ${movedTo}${since}`
      return `${text} is gone${namesake === null ? '' : `, perhaps to ${namesake},`}${since}`
    case 'symbol':
      return `\`${text}\` is gone from the code${since}`
    case 'script':
      return `the script ${text} is gone from package.json${since}`
    case 'target':
      return `the target ${text} is gone from the Makefile${since}`
    default:
      return kind satisfies never
  }
}

function doubtOf({ doubt }: Memory, reasons: readonly string[], denied: ReadonlySet<string>): string | null {
  const left = [...new Set(reasons)].filter((reason) => !denied.has(withoutDay(reason)))
  const known = reasonsIn(doubt).map(withoutDay)
  // A rebase changes the date of a commit: that is not a new reason.
  if (left.length === known.length && left.every((reason) => known.includes(withoutDay(reason)))) return doubt
  return left.length === 0 ? null : left.join('; ')
}
