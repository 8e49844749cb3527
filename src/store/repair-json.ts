// Repairs rows whose JSON has another shape than the program writes, after a person or damage has
// changed them. It runs only after a stage has failed: checking every row in every sweep would cost
// too much. What was derived is removed and made again; of a memory only the unreadable field is lost.
import { isoTime, systemClock } from '../core/clock.ts'
import type { Ledger } from './ledger.ts'
import { reportProblem, wholeFileOffset } from './sessions/transcripts.ts'

interface JsonColumn {
  table: string
  column: string
  /** Compressed by `packJson`. */
  isPacked?: boolean
  type: 'array' | 'object'
  /** Type of the elements of an array. */
  elements?: 'text' | 'object'
  /** Members that an object must have. */
  members?: Readonly<Record<string, 'array' | 'object' | 'text'>>
  /** SQL in which `$wrong` is the condition for the rows to repair. */
  repair: readonly string[]
}

const emptyList = (table: string, column: string) => [`UPDATE ${table} SET ${column} = '[]' WHERE $wrong`]

/** Members of the state of a digest. */
export const digestMembers = {
  kinds: 'object',
  tools: 'object',
  files: 'object',
  commands: 'object',
  tests: 'object',
  errors: 'object',
  counts: 'object',
  signals: 'object',
  openCalls: 'object',
  corrections: 'array',
  turningPoints: 'array',
  goal: 'text',
  lastReply: 'text',
} as const

const columns: readonly JsonColumn[] = [
  { table: 'memories', column: 'tags', type: 'array', elements: 'text', repair: emptyList('memories', 'tags') },
  { table: 'memories', column: 'keywords', type: 'array', elements: 'text', repair: emptyList('memories', 'keywords') },
  {
    table: 'memories',
    column: 'evidence',
    type: 'array',
    elements: 'object',
    repair: emptyList('memories', 'evidence'),
  },
  { table: 'briefs', column: 'memories', type: 'array', elements: 'text', repair: emptyList('briefs', 'memories') },
  {
    table: 'digests',
    column: 'state',
    isPacked: true,
    type: 'object',
    members: digestMembers,
    repair: [
      'UPDATE sessions SET digested_through = -1 WHERE id IN (SELECT session FROM digests WHERE $wrong)',
      'DELETE FROM digests WHERE $wrong',
    ],
  },
  ...(['head', 'sections'] as const).map((column) => ({
    table: 'articles',
    column,
    type: 'object' as const,
    repair: [`UPDATE articles SET ${column} = '{}' WHERE $wrong`, "DELETE FROM notes WHERE name = 'wiki compiled'"],
  })),
  ...(['before', 'after'] as const).map((column) => ({
    table: 'memory_versions',
    column,
    type: 'object' as const,
    // Without both versions the change can only be listed, not undone.
    repair: ['DELETE FROM memory_versions WHERE $wrong'],
  })),
]

/** Returns the number of rows repaired. Each kind is reported for `doctor`. */
export function repairStoredJson(ledger: Ledger): number {
  return ledger.transaction(() => columns.reduce((sum, column) => sum + repairColumn(ledger, column), 0))
}

function repairColumn(ledger: Ledger, one: JsonColumn): number {
  const { table, column, repair } = one
  const wrong = `${column} IS NOT NULL AND ${isWrong(one)}`
  const rows = Number(ledger.raw.prepare(`SELECT count(*) AS count FROM ${table} WHERE ${wrong}`).get()!.count)
  if (rows === 0) return 0
  for (const sql of repair) ledger.raw.exec(sql.replaceAll('$wrong', wrong))
  reportWrongShape(ledger, `${table}.${column}`, `${rows} of another shape`)
  return rows
}

function isWrong({ column, isPacked, type, elements, members = {} }: JsonColumn): string {
  const json = isPacked ? `unpack_json(${column})` : column
  const checks = [
    `json_type(${json}) <> '${type}'`,
    ...(elements ? [`EXISTS (SELECT 1 FROM json_each(${json}) e WHERE e.type <> '${elements}')`] : []),
    ...Object.entries(members).map(([name, is]) => `json_type(${json}, '$.${name}') IS NOT '${is}'`),
  ]
  return `CASE WHEN json_valid(${json}) THEN ${checks.join(' OR ')} ELSE 1 END`
}

/** The report is dropped by the next sweep. */
export function reportWrongShape(ledger: Ledger, what: string, reason: string): void {
  const path = `${ledger.layout.ledger}: ${what}`
  const seenAt = isoTime(systemClock.nowMs())
  reportProblem(ledger, { path, offset: wholeFileOffset, reason: `${reason}; left out and made again`, seenAt })
}
