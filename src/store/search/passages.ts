// Passages: the units that search finds. Each has a row in the full-text index (terms, no text) and
// a row with ranking features and hashed terms. Neighbouring passages are linked, so that context
// counts without being stored twice.
import type { SqliteDatabase } from '../../core/sqlite.ts'
import { hashTerm, packTerms } from '../../text/term-hash.ts'
import { termsOf } from '../../text/terms.ts'
import { seqSpan } from '../sessions/events.ts'
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

const maxParts = 32
const digestSeq = seqSpan - 1
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

/**
 * How SQL conditions read a standalone id: `-id % span` is the kind (`rest`), `-id / all` the row
 * number.
 */
export function standaloneIdLayout(kind: StandaloneKind): { rest: number; span: number; all: number } {
  return { rest: standaloneKinds.indexOf(kind) + 1, span: kindSpan, all: kindSpan * maxParts }
}

/** Groups passages: those of one session with its digest, or those of one standalone source. */
export function passageGroup(id: number): number {
  if (id >= 0) return Math.floor(id / (maxParts * seqSpan))
  return passageId(passageSource(id), 0)
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
  const texts = content.said.trim() === '' ? [''] : splitPassages(content.said, maxParts)
  const first = rankingFeatures(texts[0]!)
  let previous = after
  for (const [part, text] of texts.entries()) {
    const said = termsOf(text)
    const done = part === 0 && content.done ? termsOf(content.done).slice(0, maxDoneTerms) : []
    if (said.length + done.length === 0) continue
    const id = passageId(content.source, part)
    const traits = part === 0 ? first : { ...rankingFeatures(text), speaker: first.speaker }
    insert(ledger, { ...content, id, previous, terms: { said, done }, features: traits })
    if (said.length === 0) continue
    if (previous !== null) ledger.sql('UPDATE passages SET next = ? WHERE id = ?').run(id, previous)
    previous = id
  }
  return previous
}

interface NewPassage {
  id: number
  ts: number | null
  role: PassageRole
  previous: number | null
  terms: { said: string[]; done: string[] }
  features: ReturnType<typeof rankingFeatures>
}

function insert(ledger: SqliteDatabase, { id, ts, role, previous, terms, features: traits }: NewPassage): void {
  ledger
    .sql('INSERT INTO passage_terms (rowid, said, done) VALUES (?, ?, ?)')
    .run(id, terms.said.join(' ') || null, terms.done.join(' ') || null)
  ledger
    .sql(
      `INSERT INTO passages (id, ts, role, asks, has_time, speaker, previous, said, terms)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    )
    .run(
      id,
      ts,
      passageRoles.indexOf(role),
      traits.asks,
      traits.hasTime ? 1 : 0,
      traits.speaker,
      previous,
      terms.said.length,
      packTerms([...terms.said, ...terms.done]),
    )
}

/** Last passage of a session that contains text; the next one is linked to it. */
export function lastPassage(ledger: SqliteDatabase, session: number): number | null {
  const { from, to } = sessionPassageIds(session)
  const row = ledger
    .sql('SELECT id FROM passages WHERE id BETWEEN ? AND ? AND said > 0 ORDER BY id DESC LIMIT 1')
    .get(from, to)
  return row ? Number(row.id) : null
}

export function deletePassages(ledger: SqliteDatabase, from: number, to: number): void {
  ledger
    .sql('DELETE FROM passage_terms WHERE rowid IN (SELECT id FROM passages WHERE id BETWEEN ? AND ?)')
    .run(from, to)
  ledger.sql('DELETE FROM passages WHERE id BETWEEN ? AND ?').run(from, to)
}

export function deleteStandalone(ledger: SqliteDatabase, source: StandaloneSource): void {
  for (let part = 0; part < maxParts; part++) {
    const id = passageId(source, part)
    const { changes } = ledger.sql('DELETE FROM passages WHERE id = ?').run(id)
    if (changes === 0 && part > 0) return
    if (changes > 0) ledger.sql('DELETE FROM passage_terms WHERE rowid = ?').run(id)
  }
}

export function deleteAllPassages(ledger: SqliteDatabase): void {
  ledger.raw.exec("INSERT INTO passage_terms (passage_terms) VALUES ('delete-all'); DELETE FROM passages")
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
