// Retrieves the sources for a question: confirmed statements, then passages of sessions and commits,
// each with its article, day and session; and articles by people or a model. Sources that do not
// answer the question are not `isNear`.
import type { Zone } from '../../core/units.ts'
import { tellLines, tellMemory } from '../../gate/gate.ts'
import { composeAnswer as compose } from '../../recall/compose.ts'
import { type LedgerSources, ledgerSources } from '../../recall/ledger-sources.ts'
import { isAnswered } from '../../search/answerable.ts'
import { findCandidates } from '../../search/candidates.ts'
import type { Query } from '../../search/query.ts'
import { termCoverage } from '../../search/snippet.ts'
import type { Ledger } from '../../store/ledger.ts'
import { passageGroup, passageSource } from '../../store/search/passages.ts'
import { documentFrequency } from '../../store/search/postings/lookup.ts'
import { articleAt, articlesByNumber, type IndexedPage } from '../../store/wiki/articles.ts'
import { sourceSessions } from '../../store/wiki/compile-inputs.ts'
import { termsOf } from '../../text/terms.ts'
import { ellipsize, oneLine, truncate } from '../../text/truncate.ts'
import type { AskSource } from './citations.ts'
import { type ArticleFinder, articleFinder } from './cited-article.ts'
import { plainTerms, type QuestionSubject, subjectOf, wordsAskedAbout } from './question-subject.ts'
import { journalDayAt, messageOf, statementsAbout } from './statements.ts'

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

interface AskedQuestion {
  query: Query
  subject: QuestionSubject
  finder: LedgerSources
  articles: ArticleFinder
  zone: Zone
}

const budget = 1500
const maxArticles = 5
/** A statement that mentions less of the subject is not the answer: conversations precede it. */
const minStatementShare = 0.4
const maxMentions = 2

export function retrieve(ledger: Ledger, question: string, options: RetrieveOptions): Retrieval {
  const asked: AskedQuestion = {
    query: { text: question.slice(0, 4000), phrases: [], without: [], filters: {} },
    subject: subjectOf(ledger, question),
    finder: ledgerSources(ledger, options),
    articles: articleFinder(ledger),
    zone: options.zone,
  }
  const statements = statementSources(ledger, asked)
  const told = new Set(statements.flatMap(({ session }) => session ?? []))
  // A conversation only repeats the statements that were learned from it.
  const said = passagesOf(ledger, asked).filter(({ consulted: { kind, id } }) => kind !== 'exchange' || !told.has(id))
  const passages = said.map(({ consulted }) => consulted)
  const isAbout = statements.some(({ share }) => share >= minStatementShare)
  const sources = isAbout ? [...statements, ...passages] : [...passages, ...statements.slice(0, maxMentions)]
  const sessions = sources.flatMap(({ isNear, session }) => (isNear && session ? session : []))
  const pages = articlesAbout(ledger, asked.query, options)
    .filter(({ page }) => !isAnswerTo(ledger, page.path, question))
    // A page that cites the same sessions or has the same statements only repeats them; a model may still read it.
    .map(({ page, answers }) => {
      const repeats =
        asked.articles.cites(page.path, sessions) || statements.some(({ article }) => article?.path === page.path)
      return articleSource(page, answers && !repeats)
    })
  const found = [...sources, ...pages]
  const texts = [
    ...statements.filter(({ isNear }) => isNear).map(({ text }) => text),
    ...said.filter(({ consulted }) => consulted.isNear).map(({ about }) => about),
    ...pages.filter(({ isNear }) => isNear).map(({ text }) => text),
    ...found.flatMap(({ isNear, article }) => (isNear && article ? article.title : [])),
  ]
  return { found, unmentioned: unmentionedWords(ledger, question, texts) }
}

/** In a longer question, unmentioned words mean nothing. */
const maxWords = 12

/** If there is nothing to mention them, the words that occur nowhere. */
function unmentionedWords(ledger: Ledger, question: string, texts: readonly string[]): string[] {
  if (new Set(plainTerms(question)).size > maxWords) return []
  const mentioned = new Set(termsOf(texts.join('\n')))
  const isMentioned = (term: string) => (texts.length > 0 ? mentioned.has(term) : documentFrequency(ledger, term) > 0)
  return wordsAskedAbout(question).filter((word) => !plainTerms(word).some(isMentioned))
}

function statementSources(ledger: Ledger, { query, subject, finder, articles, zone }: AskedQuestion): AskSource[] {
  const isAnswered = finder.isAnswered(query.text)
  const told = statementsAbout(ledger, finder, query.text, subject).filter(({ memory }) => 'told' in tellMemory(memory))
  const placed = told.map((statement) => ({
    statement,
    message: messageOf(ledger, statement.memory),
  }))
  const sessions = sourceSessions(
    ledger,
    placed.flatMap(({ message }) => message?.session ?? []),
  )
  return placed.map(({ statement: { memory, text, isCertain }, message }) => {
    const day = message && journalDayAt(sessions.get(message.session)?.days ?? [], message.at, zone)
    return {
      kind: 'memory',
      id: memory.id,
      text,
      share: subject.shareIn(text),
      session: message?.session ?? null,
      seq: message?.seq ?? null,
      journal: day === undefined ? null : `journal/${day}`,
      day: day ?? zone.day(message?.at ?? memory.validFrom),
      at: memory.confirmedAt,
      article: articles.ofStatement(memory),
      isNear: isAnswered || isCertain,
    }
  })
}

interface WeighedSource {
  consulted: AskSource
  /** The whole text, not only the quote. */
  about: string
}

/** Without memories, which are told as statements. */
function passagesOf(ledger: Ledger, asked: AskedQuestion): WeighedSource[] {
  const { query, finder, articles, subject, zone } = asked
  const question = query.text
  const items = compose(finder, question, budget).items.filter(({ kind }) => kind !== 'memory')
  const sessions = sourceSessions(
    ledger,
    items.flatMap(({ kind, id }) => (kind === 'exchange' ? id : [])),
  )
  const weighed = items.map((item) => {
    const { kind, id, at, seq } = item
    const session = kind === 'exchange' ? id : null
    const said = session === null ? undefined : finder.talk(session).find((one) => one.seq === seq)
    const day = session === null ? undefined : journalDayAt(sessions.get(session)?.days ?? [], said?.at ?? at, zone)
    const journal = day === undefined ? null : `journal/${day}`
    const isAbout = (line: string) => termCoverage(line, query) >= minQuoteCoverage
    const about = `${item.text}\n${session === null ? '' : aroundHits(finder, session, question)}`
    const text = kind !== 'exchange' || isAbout(item.text) ? item.text : withBestHit(finder, id, item.text, question)
    const consulted: AskSource = {
      ...{ kind, id, text, share: subject.shareIn(text) },
      ...{ session, seq: session === null ? null : seq, journal },
      ...{ day: day ?? zone.day(at), at },
      article: session === null ? null : articles.ofSession(session, journal, isAbout),
      isNear: finder.isAnswered(question, kind === 'exchange' ? id : undefined),
    }
    return { about, consulted }
  })
  // A later statement precedes the earlier one and may not repeat the words of the question.
  const last = weighed.findLastIndex(({ consulted }) => consulted.isNear)
  return weighed.map(({ about, consulted }, at) => ({ about, consulted: { ...consulted, isNear: at <= last } }))
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
    const words = oneLine(tellLines(said, role === 'user' ? 'person' : 'agent'))
    const short = ellipsize(words, maxHitLength)
    return text.includes(words) ? [] : [`${role === 'user' ? 'person' : 'agent'}: ${short}`]
  })
  const [heading = '', ...rest] = text.split('\n')
  return [heading, ...lines, ...rest].join('\n')
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

function articleSource({ path, title, said, updated }: IndexedPage, isNear: boolean): AskSource {
  const article = { path, title }
  return {
    kind: 'article',
    id: path,
    text: tellLines(wordsOf(said) || title, 'agent'),
    share: 0,
    session: null,
    seq: null,
    journal: null,
    day: updated,
    at: updated,
    article,
    isNear,
  }
}
