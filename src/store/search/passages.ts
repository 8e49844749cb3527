// Passages: the units that search finds. Each has postings in the index (terms, no text) and a row
// with ranking features and hashed terms. Neighbouring passages are linked, so that context counts
// without being stored twice.
import type { SqliteDatabase } from '../../core/sqlite.ts'
import { hashTerm, packHashes } from '../../text/term-hash.ts'
import { termsOf } from '../../text/terms.ts'
import { seqSpan } from '../sessions/events.ts'
import { countPackedTerms, packTerms, unpackTerms } from './packed-terms.ts'
import { recordDeletion } from './postings/deletions.ts'
import { compactSegments } from './postings/merge.ts'
import { addPostings, countDeleted, dropPending, flushPending, isPending } from './postings/pending.ts'
import { partsPerSource as maxParts } from './postings/posting-list.ts'
import { splitPassages } from './split-passages.ts'

/**
 * Events and digests encode session and place in the passage id; the digest uses the last place of
 * its session. Standalone sources have negative ids.
 */
export type PassageSource =
  | { kind: 'event'; session: number; seq: number }
  | { kind: 'digest'; session: number }
  | StandaloneSource

export const passageRoles = ['human', 'agent', 'tool', 'note'] as const
export type PassageRole = (typeof passageRoles)[number]

const digestSeq = seqSpan - 1
/** The digest of a session among its sources. */
export const digestSource = digestSeq
const kindSpan = 8
/** The position in this list is part of the stored ids: append new kinds at the end. */
export const standaloneKinds = ['memory', 'commit', 'journal', 'article'] as const
export type StandaloneKind = (typeof standaloneKinds)[number]
export type StandaloneSource = { [Kind in StandaloneKind]: { kind: Kind; number: number } }[StandaloneKind]

export function passageId(source: PassageSource, part: number): number {
  switch (source.kind) {
    case 'event':
      return (source.session * seqSpan + source.seq) * maxParts + part
    case 'digest':
      return (source.session * seqSpan + digestSeq) * maxParts + part
    default:
      return -((source.number * maxParts + part) * kindSpan + standaloneKinds.indexOf(source.kind) + 1)
  }
}

export function passageSource(id: number): PassageSource {
  if (id < 0) {
    const number = Math.floor(-id / (kindSpan * maxParts))
    return { kind: standaloneKinds[(-id % kindSpan) - 1]!, number } as StandaloneSource
  }
  const event = Math.floor(id / maxParts)
  const session = Math.floor(event / seqSpan)
  const seq = event % seqSpan
  return seq === digestSeq ? { kind: 'digest', session } : { kind: 'event', session, seq }
}

/** Group of the passages of a standalone kind in the index; the group of others is their session. */
export function standaloneGroup(kind: StandaloneKind): number {
  return -(standaloneKinds.indexOf(kind) + 1)
}

/** How the index names a passage. */
export interface PassagePlace {
  group: number
  /** Source within the group, times the parts of a source, plus the part. */
  place: number
}

export function passagePlace(id: number): PassagePlace {
  if (id < 0) return { group: -(-id % kindSpan), place: Math.floor(-id / kindSpan) }
  const group = Math.floor(id / (seqSpan * maxParts))
  return { group, place: id - group * seqSpan * maxParts }
}

export function passageAt(group: number, place: number): number {
  return group < 0 ? -(place * kindSpan - group) : group * seqSpan * maxParts + place
}

/** Groups passages: those of one session with its digest, or those of one standalone source. */
export function passageGroup(id: number): number {
  return id >= 0 ? Math.floor(id / (maxParts * seqSpan)) : sourceNumber(id)
}

/** Equal for the passages of one source; no other source has it. */
export function sourceNumber(id: number): number {
  if (id >= 0) return Math.floor(id / maxParts)
  return -(Math.floor(-id / (kindSpan * maxParts)) * kindSpan + (-id % kindSpan))
}

/**
 * Range of a session's passage ids up to a place, without its digest, which stays when the body is
 * evicted.
 */
export function sessionPassageIds(session: number, throughSeq = digestSeq - 1): { from: number; to: number } {
  return {
    from: passageId({ kind: 'event', session, seq: 0 }, 0),
    to: passageId({ kind: 'event', session, seq: throughSeq }, maxParts - 1),
  }
}

export interface PassageInput {
  source: PassageSource
  role: PassageRole
  ts: number | null
  /** Text that was said; split into passages. */
  said: string
  /** Commands, paths and error messages; indexed with the first passage. */
  done?: string
}

/** Long pastes are only found by their beginning. */
const maxDoneTerms = 300

/** Indexes one text behind the passage `after`. Returns the last passage that contains text. */
export function writePassages(ledger: SqliteDatabase, content: PassageInput, after: number | null): number | null {
  if (!ledger.raw.isTransaction) return ledger.transaction(() => writePassages(ledger, content, after))
  let previous = after
  for (const passage of passagesOf(content)) {
    insert(ledger, content, passage, previous)
    if (passage.said.length === 0) continue
    if (previous !== null) ledger.sql('UPDATE passages SET next = ? WHERE id = ?').run(passage.id - previous, previous)
    previous = passage.id
  }
  return previous
}

/**
 * Indexes a standalone text again. Most changes of a memory leave its words as they are; then only
 * its rows are updated, because a deletion makes the index larger until the next merge.
 */
export function replaceStandalone(ledger: SqliteDatabase, content: PassageInput & { source: StandaloneSource }): void {
  if (!ledger.raw.isTransaction) return ledger.transaction(() => replaceStandalone(ledger, content))
  const passages = passagesOf(content)
  if (!hasSameTerms(ledger, content.source, passages)) {
    deleteStandalone(ledger, content.source)
    writePassages(ledger, content, null)
    return
  }
  for (const { id, features } of passages)
    ledger
      .sql('UPDATE passages SET ts = ?, role = ?, asks = ?, has_time = ?, speaker = ? WHERE id = ?')
      .run(content.ts, ...columnsOf(content.role, features), id)
}

function hasSameTerms(ledger: SqliteDatabase, source: StandaloneSource, passages: readonly PassageTerms[]): boolean {
  const ids = Array.from({ length: maxParts }, (_, part) => passageId(source, part))
  const rows = ledger
    .sql('SELECT id, said, terms FROM passages WHERE id IN (SELECT value FROM json_each(?))')
    .all(JSON.stringify(ids))
  const stored = new Map(
    rows.map(({ id, said, terms }) => [Number(id), `${said} ${String(unpackTerms(ledger, terms as Uint8Array))}`]),
  )
  return (
    stored.size === passages.length &&
    passages.every(({ id, said, done }) => {
      const terms = packHashes([...said, ...done].map(hashTerm))
      return stored.get(id) === `${said.length} ${String(terms)}`
    })
  )
}

interface PassageTerms {
  id: number
  said: string[]
  done: string[]
  features: RankingFeatures
}

function passagesOf({ source, said, done }: PassageInput): PassageTerms[] {
  const texts = said.trim() === '' ? [''] : splitPassages(said, maxParts)
  const first = rankingFeatures(texts[0]!)
  return texts.flatMap((text, part) => {
    const terms = {
      said: termsOf(text),
      done: part === 0 && done ? termsOf(done).slice(0, maxDoneTerms) : [],
    }
    if (terms.said.length + terms.done.length === 0) return []
    const features = part === 0 ? first : { ...rankingFeatures(text), speaker: first.speaker }
    return [{ id: passageId(source, part), ...terms, features }]
  })
}

function insert(
  ledger: SqliteDatabase,
  { ts, role }: PassageInput,
  { id, said, done, features }: PassageTerms,
  previous: number | null,
): void {
  const hashes = addPostings(ledger, { ...passagePlace(id), said, done })
  ledger
    .sql(
      `INSERT INTO passages (id, ts, role, asks, has_time, speaker, previous, said, terms)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    )
    .run(
      id,
      ts,
      ...columnsOf(role, features),
      previous === null ? null : id - previous,
      said.length,
      packTerms(ledger, hashes),
    )
}

function columnsOf(
  role: PassageRole,
  { asks, hasTime, speaker }: RankingFeatures,
): [role: number, asks: number, hasTime: number, speaker: number] {
  return [passageRoles.indexOf(role), asks, hasTime ? 1 : 0, speaker]
}

/** Last passage of a session that contains text; the next one is linked to it. */
export function lastPassage(ledger: SqliteDatabase, session: number): number | null {
  const { from, to } = sessionPassageIds(session)
  const row = ledger
    .sql('SELECT id FROM passages WHERE id BETWEEN ? AND ? AND said > 0 ORDER BY id DESC LIMIT 1')
    .get(from, to)
  return row ? Number(row.id) : null
}

/** Deletes whole sources: the range covers all of their parts. */
export function deletePassages(ledger: SqliteDatabase, from: number, to: number): void {
  if (!ledger.raw.isTransaction) return ledger.transaction(() => deletePassages(ledger, from, to))
  const deleted = ledger.sql('DELETE FROM passages WHERE id BETWEEN ? AND ? RETURNING terms').all(from, to)
  if (deleted.length === 0) return
  deletePostings(ledger, from, to)
  countDeleted(ledger, deleted.length, sumOf(deleted))
}

function sumOf(rows: readonly Record<string, unknown>[]): number {
  return rows.reduce((sum, { terms }) => sum + countPackedTerms(terms as Uint8Array), 0)
}

export function deleteStandalone(ledger: SqliteDatabase, source: StandaloneSource): void {
  if (!ledger.raw.isTransaction) return ledger.transaction(() => deleteStandalone(ledger, source))
  let deleted = 0
  for (let part = 0; part < maxParts; part++) {
    const row = ledger.sql('DELETE FROM passages WHERE id = ? RETURNING terms').get(passageId(source, part))
    if (row) countDeleted(ledger, 1, sumOf([row]))
    else if (part > 0) break
    if (row) deleted++
  }
  if (deleted > 0) deletePostings(ledger, passageId(source, 0), passageId(source, maxParts - 1))
}

/** The first and the last passage of whole sources. */
function deletePostings(ledger: SqliteDatabase, from: number, to: number): void {
  const { group, place: first } = passagePlace(from)
  const { place: last } = passagePlace(to)
  if (isPending(ledger, group, first, last)) flushPending(ledger)
  recordDeletion(ledger, { group, first: Math.floor(first / maxParts), last: Math.floor(last / maxParts) })
}

/** Changes the time of a standalone source, whose text is the same. */
export function dateStandalone(ledger: SqliteDatabase, source: StandaloneSource, ts: number): void {
  for (let part = 0; part < maxParts; part++) {
    const { changes } = ledger.sql('UPDATE passages SET ts = ? WHERE id = ?').run(ts, passageId(source, part))
    if (changes === 0 && part > 0) return
  }
}

export function deleteAllPassages(ledger: SqliteDatabase): void {
  dropPending(ledger)
  ledger.raw.exec(`
    DELETE FROM passage_blocks;
    DELETE FROM passage_segments;
    DELETE FROM passage_deletions;
    DELETE FROM passages;
    UPDATE passage_totals SET passages = 0, terms = 0;
  `)
}

/** Deleted passages take space in the index until its segments are merged. */
export function compactIndex(ledger: SqliteDatabase): void {
  if (!ledger.raw.isTransaction) return ledger.transaction(() => compactIndex(ledger))
  flushPending(ledger)
  compactSegments(ledger)
}

/** Returns free pages that index merges leave behind, with a limit per call to bound the time. */
export function releasePages(ledger: SqliteDatabase): void {
  ledger.raw.exec('PRAGMA incremental_vacuum(4000)')
}

/** Features for ranking that are computed from the text itself. */
interface RankingFeatures {
  /** Percentage of its words that are in questions: who asks does not answer. */
  asks: number
  /** Whether it contains an expression of time: "yesterday", "last week", "in 2024". */
  hasTime: boolean
  /**
   * Hash of the first term of a speaker's name before a colon at the start; 0 when there is none.
   */
  speaker: number
}

function rankingFeatures(text: string): RankingFeatures {
  if (text === '') return { asks: 0, hasTime: false, speaker: 0 }
  return { asks: shareOfQuestions(text), hasTime: times.test(text), speaker: speakerOf(text) }
}

function shareOfQuestions(text: string): number {
  if (!text.includes('?')) return 0
  let asked = 0
  let all = 0
  for (const [sentence] of text.matchAll(/[^.!?\n]+[.!?]*/g)) {
    const words = sentence.match(/\S+/g)?.length ?? 0
    all += words
    if (/\?[!?]*$/.test(sentence.trimEnd())) asked += words
  }
  return all === 0 ? 0 : Math.round((100 * asked) / all)
}

const times =
  /\b(?:yesterday|today|tonight|tomorrow|ago|recently|since|(?:last|next|this|past) (?:night|morning|week|weekend|month|year|spring|summer|autumn|fall|winter|\w+day)|(?:days?|weeks?|weekend|months?|years?)|january|february|march|april|june|july|august|september|october|november|december|(?:mon|tues|wednes|thurs|fri|satur|sun)day|\d{4}|\d{1,2}(?:st|nd|rd|th))\b/i

/**
 * Matches `Ann: ...` and `Ann Lee: ...`. It may be a label ("Note: ..."); ranking decides that from
 * neighbouring passages.
 */
function speakerOf(text: string): number {
  const name = /^\s*(\p{Lu}[\p{L}.'-]{1,20})(?: \p{Lu}[\p{L}.'-]{1,20})?: /u.exec(text)?.[1]
  const term = name ? termsOf(name)[0] : undefined
  return term ? hashTerm(term) : 0
}
