// Verifies memories against the checkouts of their projects. A memory becomes doubtful if a commit
// removed something that it names since it was last confirmed; the doubt is removed when the name
// is there again. If a checkout cannot be read, doubts stay.
import { existsSync } from 'node:fs'
import { isoTime } from '../../core/clock.ts'
import type { Machine } from '../../core/paths.ts'
import { findRepository } from '../../core/project/project.ts'
import type { Zone } from '../../core/units.ts'
import type { Memory } from '../../memory/memory.ts'
import { isCommonName } from '../../memory/named-files.ts'
import type { Ledger } from '../../store/ledger.ts'
import { foldersByLastSession } from '../../store/memories/changes.ts'
import { projectOfSession } from '../../store/memories/learning.ts'
import { projectNames } from '../../store/sessions/projects.ts'
import { statementTerms } from '../../text/statement.ts'
import type { ConsolidationStep } from './finding.ts'
import { type PastDecisions, reasonsIn, withoutDay } from './past-decisions.ts'
import {
  type Checkout,
  type CodeName,
  codeNamesIn,
  definedSymbols,
  definesSymbol,
  escapeRegex,
  filesOf,
  findMissingNames,
  isOnDisk,
  mentionsRemoval,
  runGit,
  scriptFiles,
  targetFiles,
} from './working-tree.ts'

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
    if (doubts) addDoubts(step, ofProject, doubts, decided)
  }
  for (const [project, judged] of judgedEverywhere(context.ledger, memories)) {
    const places = placesOf(context, project, untilMs)
    const doubts = places.length === 0 ? undefined : doubtsOfScope(context, places, project, judged)
    if (doubts) addDoubts(step, judged, doubts, decided)
  }
  return step
}

type Doubts = ReadonlyMap<string, readonly string[] | 'not asked'>

function addDoubts(step: ConsolidationStep, memories: readonly Memory[], doubts: Doubts, decided: PastDecisions): void {
  for (const memory of memories) {
    const reasons = doubts.get(memory.id) ?? []
    if (reasons === 'not asked') continue
    const doubt = doubtOf(memory, reasons, decided.deniedDoubts(memory))
    if (doubt === memory.doubt) continue
    step.memories.push({ ...memory, doubt, version: memory.version + 1 })
    const kind = doubt === null ? 'trusted' : 'doubted'
    step.findings.push({ kind, memory: memory.id, other: null, text: memory.text, now: doubt ?? memory.doubt! })
  }
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
): Doubts | undefined {
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

/** Other reasons stay as they are: what is gone from one project does not matter to a memory for all. */
function doubtsOfScope(
  { ledger }: VerifyContext,
  places: readonly Checkout[],
  project: string,
  memories: readonly Memory[],
): Doubts | undefined {
  const names = ownNames(places, memories)
  if (!names) return undefined
  const projectName = projectNames(ledger).get(project) ?? project
  return new Map(
    memories.map(({ id, doubt }) => [
      id,
      [
        ...reasonsIn(doubt).filter((reason) => !isReasonOfScope(reason)),
        ...(names.get(id) ?? []).map((name) => reasonOfScope(name, projectName)),
      ],
    ]),
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

// Finds names that a commit removed from a checkout. Names that were never there, are on another
// branch or are not committed do not count.

interface RemovedName {
  name: CodeName
  /** Time of the commit that removed it. */
  atMs: number
  /** Where the commit moved the file; or the only other file of that name. */
  movedTo: string | null
  namesake: string | null
}

/**
 * Undefined if git fails. Ignores commits before `sinceMs`; uses the history of the first checkout.
 */
function findRemovedNames(
  places: readonly Checkout[],
  names: readonly CodeName[],
  sinceMs: number,
): RemovedName[] | undefined {
  const missing = findMissingNames(places, names)
  if (!missing) return undefined
  const place = places[0]!
  const since = `--since=${isoTime(sinceMs)}`
  const losses: RemovedName[] = []
  for (const kind of ['path', 'symbol', 'script', 'target'] as const) {
    const names = missing.names.filter((name) => name.kind === kind)
    if (names.length === 0) continue
    const lost =
      kind === 'path' ? lostFiles(places, names, missing.paths, since) : lostLines(place, names, linesOf[kind], since)
    if (!lost) return undefined
    losses.push(...lost)
  }
  return losses
}

/** Files that were deleted and not added again, with the new path if the commit moved them. */
function lostFiles(
  places: readonly Checkout[],
  names: CodeName[],
  paths: ReadonlySet<string>,
  since: string,
): RemovedName[] | undefined {
  const place = places[0]!
  const files = names.map(({ text }) => `:(glob)**/${text}`)
  const form = ['--no-renames', '--diff-filter=D', '--name-only', '-z', '--format=%x01%H %ct']
  const out = runGit(place, ['log', ...form, since, 'HEAD', '--', ...files])
  if (out === undefined) return undefined
  const lost = new Map<CodeName, { path: string; hash: string; atMs: number }>()
  for (const record of out.split('\x01').slice(1)) {
    const [head, ...deleted] = record.split('\0').map((part) => part.replace(/^\n/, ''))
    const [hash, seconds] = head!.split(' ')
    for (const path of deleted) {
      // Newest commit first.
      for (const name of names.filter(({ text }) => path === text || path.endsWith(`/${text}`)))
        if (!lost.has(name)) lost.set(name, { path, hash: hash!, atMs: Number.parseInt(seconds!, 10) * 1000 })
    }
  }
  const left = leftOnPurpose(
    places,
    [...lost.values()].map(({ path }) => path),
    paths,
  )
  const gone = [...lost].filter(([, { path }]) => !left.has(path))
  const moved = movesIn(place, new Set(gone.map(([, { hash }]) => hash)))
  return gone.map(([name, { path, atMs }]) => {
    const to = moved.get(path)
    return {
      name,
      atMs,
      movedTo: to !== undefined && paths.has(to) ? plain(to) : null,
      namesake: namesake(path, paths),
    }
  })
}

/** Files that are merely no longer committed: generated, still on disk, or in a submodule now. */
function leftOnPurpose(places: readonly Checkout[], lost: string[], paths: ReadonlySet<string>): Set<string> {
  const asked = lost.map((path) => `${path}\0`).join('')
  const ignored = lost.length === 0 ? '' : runGit(places[0]!, ['check-ignore', '-z', '--stdin'], asked, [1])
  const isElsewhere = (path: string) => foldersAbove(path).some((folder) => paths.has(folder)) || isOnDisk(places, path)
  return new Set([...(ignored ?? '').split('\0'), ...lost.filter(isElsewhere)])
}

function foldersAbove(path: string): string[] {
  const parts = path.split('/')
  return parts.slice(1).map((_, at) => parts.slice(0, at + 1).join('/'))
}

function movesIn(place: Checkout, hashes: ReadonlySet<string>): Map<string, string> {
  const form = ['--stdin', '-r', '-M', '--no-commit-id', '--diff-filter=R', '--name-status', '-z']
  const out = hashes.size === 0 ? '' : (runGit(place, ['diff-tree', ...form], `${[...hashes].join('\n')}\n`) ?? '')
  const parts = out.split('\0')
  const moves = new Map<string, string>()
  for (let at = 0; at + 2 < parts.length; at += 3) moves.set(parts[at + 1]!, parts[at + 2]!)
  return moves
}

function namesake(path: string, paths: ReadonlySet<string>): string | null {
  const name = path.slice(path.lastIndexOf('/') + 1)
  const found = [...paths].filter((other) => other === name || other.endsWith(`/${name}`))
  return found.length === 1 ? plain(found[0]!) : null
}

/** Agents read doubts, so an unusual file name, which could carry instructions, is left out. */
function plain(path: string): string | null {
  return /^[\w@.+/-]{1,200}$/.test(path) ? path : null
}

interface Lines {
  files: string[]
  defines(name: string): RegExp
}

/** Names that are gone everywhere and whose definition a commit removed. */
function lostLines(
  place: Checkout,
  names: CodeName[],
  { files, defines }: Lines,
  since: string,
): RemovedName[] | undefined {
  const any = names.map(({ text }) => escapeRegex(text)).join('|')
  const form = ['-p', '-U0', '--no-color', '--no-ext-diff', '--no-textconv', '--no-renames', '--format=%x01%ct']
  const out = runGit(place, ['log', ...form, since, '--extended-regexp', `-G(${any})`, 'HEAD', '--', ...files])
  if (out === undefined) return undefined
  const definitions = names.map((name) => ({ name, defined: defines(escapeRegex(name.text)) }))
  const lost = new Map<CodeName, number>()
  let atMs = 0
  for (const line of out.split('\n')) {
    if (line.startsWith('\x01')) atMs = Number.parseInt(line.slice(1), 10) * 1000
    if (!line.startsWith('-') || line.startsWith('--- ')) continue
    for (const { name, defined } of definitions)
      if (!lost.has(name) && line.includes(name.text) && defined.test(line.slice(1))) lost.set(name, atMs)
  }
  return [...lost].map(([name, atMs]) => ({ name, atMs, movedTo: null, namesake: null }))
}

const linesOf = {
  symbol: {
    files: [],
    // The removed line must define the symbol: a removed use of a foreign symbol does not count.
    defines: definesSymbol,
  },
  script: { files: scriptFiles, defines: (name) => new RegExp(`"${name}"\\s*:`) },
  target: { files: targetFiles, defines: (name) => new RegExp(`^${name}\\s*:`) },
} satisfies Record<string, Lines>

// Memories that a model judged to hold in all projects although they name a file or a symbol of the project
// in which they were said. Their scope stays as it was judged: the doubt tells the person.

/** By the only project in which they were said. What a person decided is not questioned. */
function judgedEverywhere(ledger: Ledger, memories: readonly Memory[]): Map<string, Memory[]> {
  const judged = memories.filter(({ project, because }) => project === null && because === 'model')
  const homes = judged.flatMap((memory) => {
    const projects = new Set(memory.evidence.map(({ session }) => session && projectOfSession(ledger, session)))
    const [home] = projects
    return projects.size === 1 && home ? [{ home, memory }] : []
  })
  return new Map(
    [...Map.groupBy(homes, ({ home }) => home)].map(([home, own]) => [home, own.map(({ memory }) => memory)]),
  )
}

/** For each memory what it names of the project; undefined if git fails. */
function ownNames(places: readonly Checkout[], memories: readonly Memory[]): Map<string, string[]> | undefined {
  const named = memories.map(({ id, text }) => ({ id, names: codeNamesIn(text) }))
  const symbols = named.flatMap(({ names }) => names.filter(({ kind }) => kind === 'symbol').map(({ text }) => text))
  const files = filesOf(places)
  const defined = definedSymbols(places, [...new Set(symbols)])
  if (!files || !defined) return undefined
  return new Map(
    named.map(({ id, names }) => [
      id,
      names.flatMap(({ kind, text }) => {
        if (kind === 'path') return isOfOneProject(text) && files.has(text) ? [text] : []
        return kind === 'symbol' && defined.has(text) ? [`\`${text}\``] : []
      }),
    ]),
  )
}

/** Every project may have a README.md or a src/index.ts. */
function isOfOneProject(path: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1)
  return name !== path && !isCommonName(name)
}

function reasonOfScope(name: string, project: string): string {
  return `it is for all projects but names ${name} of ${project}`
}

function isReasonOfScope(reason: string): boolean {
  return reason.startsWith('it is for all projects but names ')
}
