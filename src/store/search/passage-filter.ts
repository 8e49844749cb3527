// Which passages a search may return, decided by their ids. Kind, session and number follow from
// the id; only a time needs the row.
import type { SqliteDatabase } from '../../core/sqlite.ts'
import {
  digestSource,
  type PassageSource,
  passagePlace,
  type StandaloneKind,
  standaloneGroup,
  standaloneKinds,
} from './passages.ts'
import type { PlaceTest } from './postings/lookup.ts'
import { partsPerSource } from './postings/posting-list.ts'
import { segmentSpaces } from './postings/segments.ts'

export interface PassageFilter {
  agent?: string
  project?: string
  sinceMs?: number
  kinds?: readonly PassageSource['kind'][]
}

export function passageTest(ledger: SqliteDatabase, filter: PassageFilter): PlaceTest {
  const { agent, project, kinds } = filter
  const isWanted = (kind: PassageSource['kind']) => !kinds || kinds.includes(kind)
  const standalone = agent === undefined ? standaloneKinds.filter(isWanted) : []
  const tests = new Map(standalone.map((kind) => [standaloneGroup(kind), standaloneTest(ledger, kind, project)]))
  const inSession = sessionTest(isWanted('event'), isWanted('digest'))
  const sessions = inSession === false ? undefined : sessionsIn(ledger, filter)
  return {
    spaces: segmentSpaces.filter((space) => (space === 'sessions' ? inSession !== false : standalone.length > 0)),
    inGroup: (group) =>
      group < 0 ? (tests.get(group) ?? false) : sessions && !sessions.has(group) ? false : inSession,
  }
}

type GroupTest = ReturnType<PlaceTest['inGroup']>

function sessionTest(hasEvents: boolean, hasDigests: boolean): GroupTest {
  if (hasEvents === hasDigests) return hasEvents
  const digest = digestSource * partsPerSource
  return (place) => place >= digest === hasDigests
}

/** Undefined if all are wanted. */
function sessionsIn(ledger: SqliteDatabase, { agent, project }: PassageFilter): Set<number> | undefined {
  if (agent === undefined && project === undefined) return undefined
  const conditions = [agent === undefined ? [] : 's.agent = $agent', project === undefined ? [] : 'p.key = $project']
  return numbersFrom(
    ledger,
    `SELECT s.id AS number FROM sessions s LEFT JOIN projects p ON p.id = s.project WHERE ${conditions.flat().join(' AND ')}`,
    { ...(agent === undefined ? {} : { agent }), ...(project === undefined ? {} : { project }) },
  )
}

/** Row numbers that belong to a project or to none. */
const numbersIn: Record<StandaloneKind, string> = {
  memory: `SELECT number FROM memories WHERE project = $project
    UNION ALL SELECT number FROM memories WHERE project IS NULL`,
  commit: 'SELECT c.number FROM commits c JOIN repositories r ON r.id = c.repository WHERE r.project = $project',
  journal: `SELECT d.number FROM wiki_days d JOIN journal_entries e ON e.day = d.day JOIN sessions s ON s.id = e.session
    JOIN projects p ON p.id = s.project WHERE p.key = $project`,
  article: 'SELECT number FROM articles WHERE project = $project OR project IS NULL',
}

function standaloneTest(ledger: SqliteDatabase, kind: StandaloneKind, project: string | undefined): GroupTest {
  if (project === undefined) return true
  let numbers: Set<number> | undefined
  return (place) => {
    numbers ??= numbersOfProject(ledger, kind, project)
    return numbers.has(Math.floor(place / partsPerSource))
  }
}

interface KnownNumbers {
  /** The state of the ledger that they are of. */
  version: string
  project: string
  numbers: Map<StandaloneKind, Set<number>>
}

/** Of the last project of each ledger: a project may have tens of thousands of memories. */
const knownNumbers = new WeakMap<SqliteDatabase['raw'], KnownNumbers>()

function numbersOfProject(ledger: SqliteDatabase, kind: StandaloneKind, project: string): Set<number> {
  const version = versionOf(ledger)
  let known = knownNumbers.get(ledger.raw)
  if (known?.version !== version || known.project !== project) known = { version, project, numbers: new Map() }
  knownNumbers.set(ledger.raw, known)
  const numbers = known.numbers.get(kind) ?? numbersFrom(ledger, numbersIn[kind], { project })
  known.numbers.set(kind, numbers)
  return numbers
}

/** Changes with every write, by another connection or by this one. */
function versionOf(ledger: SqliteDatabase): string {
  const { version, changes } = ledger
    .sql('SELECT data_version AS version, total_changes() AS changes FROM pragma_data_version')
    .get()!
  return `${version} ${changes}`
}

/** As one value, because a row for each of thousands of numbers takes ten times as long. */
function numbersFrom(ledger: SqliteDatabase, select: string, values: Record<string, string>): Set<number> {
  const row = ledger.sql(`SELECT json_group_array(number) AS numbers FROM (${select})`).get(values)
  return new Set(JSON.parse(String(row!.numbers)) as number[])
}

/** Of these ids, those that match the filter but for its time. */
export function filterIds(ledger: SqliteDatabase, ids: readonly number[], filter: PassageFilter): number[] {
  const { inGroup } = passageTest(ledger, filter)
  return ids.filter((id) => {
    const { group, place } = passagePlace(id)
    const isWanted = inGroup(group)
    return typeof isWanted === 'boolean' ? isWanted : isWanted(place)
  })
}
