// Retrieves the sources for a question: passages of sessions, best first, each with its article,
// day and session; and articles by people or a model. Sources that do not answer the question are
// not `isNear`.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Zone } from '../../core/units.ts'
import { attributionText } from '../../memory/attribution.ts'
import { excluded } from '../../memory/exclusions.ts'
import type { Memory } from '../../memory/memory.ts'
import { type AnswerItem, composeAnswer as compose } from '../../recall/compose.ts'
import { type LedgerSources, ledgerSources } from '../../recall/ledger-sources.ts'
import { isAnswered } from '../../search/answerable.ts'
import { findCandidates } from '../../search/candidates.ts'
import type { Query } from '../../search/query.ts'
import { termCoverage } from '../../search/snippet.ts'
import type { Ledger } from '../../store/ledger.ts'
import { memoriesOfSession, memoryById } from '../../store/memories/memories.ts'
import { documentFrequency } from '../../store/search/passage-search.ts'
import { passageGroup, passageSource } from '../../store/search/passages.ts'
import { articleAt, articlesByNumber, articlesCiting, type IndexedPage } from '../../store/wiki/articles.ts'
import { sourceSessions } from '../../store/wiki/compile-inputs.ts'
import { termsOf } from '../../text/terms.ts'
import { ellipsize, oneLine, truncate } from '../../text/truncate.ts'
import { type AskSource, sessionMark } from './citations.ts'

export interface Retrieval {
  found: AskSource[]
  /** Words of the question that no near source mentions; empty for a long question. */
  unmentioned: string[]
}

interface RetrieveOptions {
  project: string | null
  nowMs: number
  zone: Zone
}

const budget = 1500
const maxArticles = 5

export function retrieve(ledger: Ledger, question: string, options: RetrieveOptions): Retrieval {
  const finder = ledgerSources(ledger, options)
  const query = { text: question.slice(0, 4000), phrases: [], without: [], filters: {} }
  const said = passagesOf(ledger, finder, query, options.zone)
  const marks = said.flatMap(({ consulted: { isNear, session } }) => (isNear && session ? sessionMark(session) : []))
  const told = articlesAbout(ledger, query, options)
    .filter(({ page }) => !isAnswerTo(ledger, page.path, question))
    // A page that cites the same sessions only repeats them; a model may still read it.
    .map(({ page, answers }) => articleSource(page, answers && !citesAny(ledger, page.path, marks)))
  const found = [...said.map(({ consulted }) => consulted), ...told]
  const near = [...said.filter(({ consulted }) => consulted.isNear).map(({ about }) => about)]
  for (const { isNear, text } of told) if (isNear) near.push(text)
  const titles = found.flatMap(({ isNear, article }) => (isNear && article ? article.title : []))
  const mentioned = new Set(termsOf([...near, ...titles].join('\n')))
  const isMentioned = (term: string) => (near.length > 0 ? mentioned.has(term) : documentFrequency(ledger, term) > 0)
  return { found, unmentioned: unmentionedWords(question, isMentioned) }
}

/** In a longer question, unmentioned words mean nothing. */
const maxWords = 12

function unmentionedWords(question: string, isMentioned: (term: string) => boolean): string[] {
  const asked = (word: string) => termsOf(word).filter((term) => !term.startsWith('~'))
  if (new Set(asked(question)).size > maxWords) return []
  const isMissing = (word: string) => asked(word).length > 0 && !asked(word).some(isMentioned)
  return [...new Set((question.match(/[\p{L}\p{N}_]+/gu) ?? []).filter(isMissing))]
}

interface WeighedSource {
  consulted: AskSource
  /** The whole text, not only the quote. */
  about: string
}

function passagesOf(ledger: Ledger, finder: LedgerSources, query: Query, zone: Zone): WeighedSource[] {
  const question = query.text
  const { items } = compose(finder, question, budget)
  const placed = items.map((item) => ({ item, session: sessionOf(ledger, item) }))
  const sessions = placed.flatMap(({ session }) => session ?? [])
  const days = new Map(
    [...sourceSessions(ledger, sessions)].flatMap(([uid, { days }]) => (days[0] ? [[uid, days[0]]] : [])),
  )
  const articleFor = articleFinder(ledger, [...new Set(days.values())], question)
  const weighed = placed.map(({ item: { kind, id, at, text }, session }) => {
    const journal = session === null ? undefined : days.get(session)
    const about = `${text}\n${session === null ? '' : aroundHits(finder, session, question)}`
    const isQuoted = kind !== 'exchange' || termCoverage(text, query) >= minQuoteCoverage
    const shown = isQuoted ? text : withBestHit(finder, id, text, question)
    return {
      about,
      consulted: {
        kind,
        id,
        text: shown,
        session,
        journal: journal === undefined ? null : `journal/${journal}`,
        day: journal ?? zone.day(at),
        at,
        article: session && journal ? articleFor(session, journal) : null,
        isNear: finder.isAnswered(question, kind === 'exchange' ? id : undefined),
      },
    }
  })
  // A later statement precedes the earlier one and may not repeat the words of the question.
  const last = weighed.findLastIndex(({ consulted }) => consulted.isNear)
  const near = weighed.map(({ about, consulted }, at) => ({ about, consulted: { ...consulted, isNear: at <= last } }))
  return asStatements(ledger, near, (text) => termCoverage(text, query) >= minQuoteCoverage)
}

/**
 * Replaces a conversation by the statements that were learned from it, if they answer the question:
 * they can be read alone. A statement of several conversations is told once.
 */
function asStatements(
  ledger: Ledger,
  found: readonly WeighedSource[],
  isRelevantText: (text: string) => boolean,
): WeighedSource[] {
  const told = new Set<string>()
  return found.flatMap((one) => {
    const { kind, id, session } = one.consulted
    const known = kind === 'memory' ? memoryById(ledger, id) : undefined
    const learned = kind === 'exchange' && session !== null ? memoriesOfSession(ledger, session) : known ? [known] : []
    const statements = learned.filter(
      ({ state, text, trust }) =>
        state === 'kept' && excluded({ text, trust }) === undefined && (kind === 'memory' || isRelevantText(text)),
    )
    if (statements.length === 0) return [one]
    const fresh = statements.filter((memory) => !told.has(memory.id))
    for (const memory of fresh) told.add(memory.id)
    return fresh.map((memory) => ({
      about: one.about,
      consulted: { ...one.consulted, kind: 'memory' as const, id: memory.id, text: memoryWords(memory) },
    }))
  })
}

function memoryWords(memory: Memory): string {
  const { text, why, apply, trust, space, doubt, supersededAt } = memory
  if (supersededAt !== null) return `Until ${supersededAt.slice(0, 10)}: ${oneLine(text)}`
  const isUsers = trust === 'user said' && space === null
  return [
    `${oneLine(text)}${isUsers ? '' : ` (${attributionText(memory)})`}${doubt === null ? '' : ` (doubtful: ${oneLine(doubt)})`}`,
    ...(why === null || text.includes(why) ? [] : [`Why: ${oneLine(why)}`]),
    ...(apply === null || text.includes(apply) ? [] : [`How to apply: ${oneLine(apply)}`]),
  ].join('\n')
}

/** A quote with less coverage may be a decision without the words of the question. */
const minQuoteCoverage = 0.4
const maxHitLength = 400

/** Adds the best matching message and its reply. */
function withBestHit(finder: LedgerSources, session: string, text: string, question: string): string {
  const hit = finder.candidates(question).find((one) => one.session === session)
  const talk = finder.talk(session)
  const at = talk.findIndex(({ seq }) => seq === hit?.seq)
  const [asked, reply] = [talk[at], talk[at + 1]]
  const exchange = asked?.role === 'user' && reply?.role === 'assistant' ? [asked, reply] : asked ? [asked] : []
  const lines = exchange.flatMap(({ role, text: said }) => {
    const words = oneLine(said)
    const short = ellipsize(words, maxHitLength)
    return text.includes(words) ? [] : [`${role === 'user' ? 'person' : 'agent'}: ${short}`]
  })
  const [heading = '', ...rest] = text.split('\n')
  return [heading, ...lines, ...rest].join('\n')
}

function sessionOf(ledger: Ledger, { kind, id }: AnswerItem): string | null {
  if (kind === 'exchange') return id
  if (kind === 'commit') return null
  return memoryById(ledger, id)?.evidence.find(({ session }) => session !== null)?.session ?? null
}

/** Only the neighbourhood of hits: a whole long session would mention everything. */
function aroundHits(finder: LedgerSources, session: string, question: string): string {
  const talk = finder.talk(session)
  const hits = finder.candidates(question).filter((hit) => hit.session === session)
  const places = hits.slice(0, 5).map(({ seq }) => talk.findIndex((said) => said.seq === seq))
  const read =
    talk.length <= wholeTalk
      ? talk
      : talk.filter((_, at) => places.some((place) => place >= 0 && Math.abs(place - at) <= nearby))
  return read.map(({ text }) => text).join('\n')
}

const wholeTalk = 24
const nearby = 2

/**
 * Finds the article of a session whose name is most like the question, or that cites the session
 * most often.
 */
function articleFinder(ledger: Ledger, days: readonly string[], question: string) {
  const asked = new Set(termsOf(question))
  const articles = articlesCiting(
    ledger,
    days.map((day) => `journal/${day}`),
  ).filter(({ path }) => !path.startsWith('wiki/answers/'))
  const texts = new Map<string, string>()
  const textOf = (path: string) => {
    if (!texts.has(path)) texts.set(path, textAt(join(ledger.layout.vault, `${path}.md`)))
    return texts.get(path)!
  }
  return (session: string, day: string): AskSource['article'] => {
    const mark = `\`${sessionMark(session)}\``
    const counted = articles
      .filter(({ sources }) => sources.includes(`journal/${day}`))
      .map(({ path, title, aliases }) => ({
        path,
        title,
        named: new Set(termsOf([title, ...aliases].join(' ')).filter((term) => asked.has(term))).size,
        times: textOf(path).split(mark).length - 1,
      }))
      .filter(({ times }) => times > 0)
      .sort((a, b) => b.named - a.named || b.times - a.times)
    return counted[0] ? { path: counted[0].path, title: counted[0].title } : null
  }
}

function textAt(path: string): string {
  return existsSync(path) ? readFileSync(path, 'utf8') : ''
}

interface FoundPage {
  page: IndexedPage
  answers: boolean
}

function articlesAbout(ledger: Ledger, query: Query, { project, nowMs }: RetrieveOptions): FoundPage[] {
  const where = project === null ? {} : { project }
  const { plan, ranked } = findCandidates(ledger, query, { ...where, kinds: ['article'], nowMs })
  const byArticle = Map.groupBy(ranked, ({ passage }) => passageGroup(passage.id))
  const best = [...byArticle.values()].slice(0, maxArticles).flatMap((own) => {
    const source = passageSource(own[0]!.passage.id)
    return source.kind === 'article' ? [{ number: source.number, own }] : []
  })
  const pages = articlesByNumber(
    ledger,
    best.map(({ number }) => number),
  )
  return best.flatMap(({ number, own }) => {
    const page = pages.get(number)
    return page ? [{ page, answers: isAnswered(ledger, { plan, ranked: own }) }] : []
  })
}

/** An earlier filed answer to the same question is not evidence. */
function isAnswerTo(ledger: Ledger, path: string, question: string): boolean {
  return articleAt(ledger, path)?.head.question === oneLine(question)
}

const maxArticle = 1600

/** The sentences of a page, without names, headings and link targets. */
function wordsOf(said: string): string {
  const lines = said
    .split('\n')
    .slice(1)
    .filter((line) => line.trim() !== '' && !/^\s*#{1,6} /.test(line))
    .map((line) => line.replace(/\[\[(?:[^[\]|]*\|)?([^[\]|]*)\]\]/g, '$1'))
  return truncate(lines.join('\n'), maxArticle)
}

function citesAny({ layout }: Ledger, path: string, marks: readonly string[]): boolean {
  const text = textAt(join(layout.vault, `${path}.md`))
  return marks.some((mark) => text.includes(`\`${mark}\``))
}

function articleSource({ path, title, said, updated }: IndexedPage, isNear: boolean): AskSource {
  const article = { path, title }
  return {
    kind: 'article',
    id: path,
    text: wordsOf(said) || title,
    session: null,
    journal: null,
    day: updated,
    at: updated,
    article,
    isNear,
  }
}
