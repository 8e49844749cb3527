// Measures search: whether a session is found by its own words, the time of a query, an answer and
// a brief among many memories, the whole command compared with a bare start of Node, and the cost
// of the index.
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createApp } from '../src/app.ts'
import { composeBrief } from '../src/brief/brief.ts'
import { fixedClock, isoTime } from '../src/core/clock.ts'
import { layoutOf } from '../src/core/paths.ts'
import { openDatabase, type SqliteDatabase } from '../src/core/sqlite.ts'
import { zoneOf } from '../src/core/units.ts'
import { type Memory, memoryKinds, memoryTrusts } from '../src/memory/memory.ts'
import { recall as answer } from '../src/recall/recall.ts'
import { parseQuery } from '../src/search/query.ts'
import { search } from '../src/search/search.ts'
import { type Ledger, openLedger, openLedgerToRead } from '../src/store/ledger.ts'
import { changeMemories } from '../src/store/memories/changes.ts'
import { bestPassages } from '../src/store/search/passage-search.ts'
import { type PassageSource, passageGroup, writePassages } from '../src/store/search/passages.ts'
import { documentFrequency, indexSize } from '../src/store/search/postings/lookup.ts'
import { readBody } from '../src/store/sessions/bodies.ts'
import { upsertProject } from '../src/store/sessions/projects.ts'
import { bodyOfSession } from '../src/store/sessions/session-bodies.ts'
import { listSessions, sessionUid } from '../src/store/sessions/sessions.ts'
import { sweep } from '../src/sweep.ts'
import { stopWords } from '../src/text/stop-words.ts'
import { termsOf } from '../src/text/terms.ts'
import { sampleMemory } from '../test/sample-memory.ts'
import { makeHome } from './home.ts'
import { measure, median, randomFrom } from './measure.ts'

const cli = join(import.meta.dirname, '..', 'dist', 'cli.js')
const clock = fixedClock('2026-11-01T12:00:00.000Z')

export async function recall(): Promise<void> {
  await inTemporaryFolder(knownItems)
  await inTemporaryFolder(measureIndexing)
  await inTemporaryFolder((root) => {
    const questions = measureAmong(root, 100_000, 3)
    measureCommand(
      root,
      questions.map(({ text }) => text),
    )
  })
  if (process.env.RECOLLECT_BENCH_SMALL) console.log('1,000,000 memories: left out (RECOLLECT_BENCH_SMALL)')
  else await inTemporaryFolder((root) => void measureAmong(root, 1_000_000, 12))
}

async function inTemporaryFolder(work: (root: string) => void | Promise<void>): Promise<void> {
  const root = mkdtempSync(join(tmpdir(), 'recollect-bench-recall-'))
  try {
    await work(root)
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}

function row(name: string, figure: string, note = ''): void {
  console.log(`${name.padEnd(36)} ${figure.padStart(18)}  ${note}`)
}

async function knownItems(root: string): Promise<void> {
  const { home, source, remove } = makeHome(1)
  const machine = { home, env: { RECOLLECT_HOME: root }, platform: process.platform }
  try {
    const app = createApp({ machine, clock })
    await sweep(app)
    const ledger = app.existingLedger()
    const sessions = listSessions(ledger, { isConversation: true })
    console.log(`${sessions.length} sessions, ${indexSize(ledger).passages} passages (${source})`)
    const titles = sessions.map(({ id, title }) => ({ id, asked: title ?? '' }))
    const prompts = sessions.map(({ id }) => ({ id, asked: plainSentence(ledger, firstPrompt(ledger, id)) }))
    for (const [name, items] of Object.entries({ title: titles, 'common words of the first prompt': prompts }))
      printHitRates(ledger, name, items)
    const questions = prompts.map(({ asked }) => asked).filter((asked) => asked !== '')
    row('question, p50 / p95 / p99', spread(questions.map((asked) => timeOf(() => sessionsFor(ledger, asked, 10)))))
    row('answer of 800 tokens', spread(questions.map((asked) => timeOf(() => answerQuestion(ledger, asked, null)))))
    ledger.close()
    measureCommand(root, questions)
  } finally {
    remove()
  }
}

interface Item {
  id: string
  asked: string
}

/** Sessions with equal words are one item: any of them counts as a hit. */
function printHitRates(ledger: Ledger, name: string, items: Item[]): void {
  const byWords = Map.groupBy(
    items.filter(({ asked }) => asked.trim() !== ''),
    ({ asked }) => asked,
  )
  const ways = { search: sessionsFor, 'the index alone': sessionsByIndex }
  for (const [way, sessionsOf] of Object.entries(ways)) {
    const places = [...byWords].map(([asked, same]) => {
      const ids = new Set(same.map(({ id }) => id))
      return sessionsOf(ledger, asked).findIndex((id) => ids.has(id)) + 1
    })
    const mean = (of: (place: number) => number) => places.reduce((sum, place) => sum + of(place), 0) / places.length
    const mrr = mean((place) => (place > 0 ? 1 / place : 0)).toFixed(3)
    const within = mean((place) => (place > 0 && place <= 5 ? 1 : 0)).toFixed(3)
    row(name, `MRR ${mrr}`, `recall@5 ${within}, ${places.length} asked, ${way}`)
  }
}

function sessionsFor(ledger: Ledger, asked: string, limit = 50): string[] {
  const query = { ...parseQuery(''), text: asked }
  const kinds = ['exchange', 'digest'] as const
  const { results } = search(ledger, query, { kinds, nowMs: clock.nowMs(), limit })
  return [...new Set(results.map(({ session }) => session!))]
}

/** Baseline: BM25 over any word, without reranking. */
function sessionsByIndex(ledger: Ledger, asked: string): string[] {
  const ids = bestPassages(ledger, { any: termsOf(asked) }, { kinds: ['event', 'digest'] }, 200)
  return [...new Set(ids.map(passageGroup))].map((session) => sessionUid(ledger, session))
}

function firstPrompt(ledger: Ledger, session: string): string {
  const body = bodyOfSession(ledger, session)
  if (!body) return ''
  for (const { kind, text } of readBody(ledger.layout.bodies, body.file, body.bytes)) if (kind === 'prompt') return text
  return ''
}

const leastWords = 4

/**
 * The first sentence that is still meaningful without words that are in fewer than 1 % of passages.
 */
function plainSentence(ledger: Ledger, prompt: string): string {
  const least = indexSize(ledger).passages / 100
  const isCommon = (word: string) => termsOf(word).every((term) => documentFrequency(ledger, term) >= least)
  for (const sentence of prompt.split(/[.!?]\s|\n/)) {
    const words = sentence.split(/\s+/).filter((word) => word !== '' && isCommon(word))
    if (words.filter((word) => termsOf(word).length > 0).length >= leastWords) return words.join(' ')
  }
  return ''
}

/** Indexes the same text with our index and with a plain FTS5 table with the Porter stemmer. */
function measureIndexing(root: string): void {
  const words = madeUpWords(1)
  const texts = Array.from({ length: 100_000 }, () => words(30))
  const bytes = texts.reduce((sum, text) => sum + text.length, 0)
  const plain = openDatabase(join(root, 'plain.db'), { pragmas: ['journal_mode = WAL', 'page_size = 16384'] })
  plain.raw.exec("CREATE VIRTUAL TABLE texts USING fts5(text, content = '', tokenize = 'porter unicode61')")
  const floor = seconds(plain, () => {
    for (const [index, text] of texts.entries())
      plain.sql('INSERT INTO texts (rowid, text) VALUES (?, ?)').run(index + 1, text)
  })
  const size = sizeOf(plain, join(root, 'plain.db'))
  row('a plain FTS5 table', `${(bytes / 1e6 / floor).toFixed(1)} MB/s`, `${(size / bytes).toFixed(2)} MB for a MB`)
  const ways: Record<string, (number: number) => PassageSource> = {
    'index of what is said in sessions': (number) => ({ kind: 'event', session: 1, seq: number }),
    'index of memories': (number) => ({ kind: 'memory', number }),
  }
  for (const [name, sourceAt] of Object.entries(ways)) {
    const layout = layoutOf(join(root, name.replaceAll(' ', '-')))
    const ledger = openLedger(layout)
    const before = sizeOf(ledger, layout.ledger)
    const taken = seconds(ledger, () => {
      for (const [index, said] of texts.entries())
        writePassages(ledger, { source: sourceAt(index + 1), role: 'human', ts: clock.nowMs(), said }, null)
    })
    const own = sizeOf(ledger, layout.ledger) - before
    const note = `${(own / bytes).toFixed(2)} MB for a MB, ${(taken / floor).toFixed(2)} times the plain table`
    row(name, `${(bytes / 1e6 / taken).toFixed(1)} MB/s`, note)
    ledger.close()
  }
  plain.close()
}

function seconds(database: SqliteDatabase, work: () => void): number {
  const begun = performance.now()
  database.transaction(work)
  return (performance.now() - begun) / 1000
}

function sizeOf(database: SqliteDatabase, path: string): number {
  database.raw.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  return statSync(path).size
}

const projects = Array.from({ length: 20 }, (_, index) => `/home/dev/app${index}`)

/** Questions before those that are measured: a server answers many. The first one of all is in the time of the command. */
const warmUp = 40

function measureAmong(root: string, count: number, goalMs: number): Question[] {
  const filled = openLedger(layoutOf(root))
  const begun = performance.now()
  const all = writeMemories(filled, count)
  const questions = all.slice(warmUp)
  const size = sizeOf(filled, filled.layout.ledger)
  filled.close()
  // As commands and the MCP server open it.
  const ledger = openLedgerToRead(layoutOf(root))
  console.log(
    `${count.toLocaleString('en')} memories, made in ${((performance.now() - begun) / 1000).toFixed(0)} s, ${(size / 1e6).toFixed(0)} MB`,
  )
  const options = { nowMs: clock.nowMs(), limit: 10, isDistinct: true }
  for (const { text } of all.slice(0, warmUp)) search(ledger, parseQuery(text), options)
  row(
    'natural question, p50 / p95 / p99',
    spread(questions.map(({ text }) => timeOf(() => search(ledger, parseQuery(text), options)))),
    `p50 at most ${goalMs} ms, p95 twice that`,
  )
  row(
    'natural question in its project',
    spread(
      questions.map(({ text, project }) => timeOf(() => search(ledger, parseQuery(text), { ...options, project }))),
    ),
  )
  row('answer of 800 tokens', spread(questions.map(({ text }) => timeOf(() => answerQuestion(ledger, text, null)))))
  row(
    'answer of 800 tokens in its project',
    spread(questions.map(({ text, project }) => timeOf(() => answerQuestion(ledger, text, project)))),
  )
  const context = { ledger, clock, zone: zoneOf('UTC'), maxQuotes: 3 }
  row('brief', spread(projects.map((project) => timeOf(() => composeBrief(context, project)))))
  ledger.close()
  return questions
}

function answerQuestion(ledger: Ledger, asked: string, project: string | null): void {
  answer(ledger, asked, { project, budget: 800, nowMs: clock.nowMs() })
}

function measureCommand(root: string, questions: string[]): void {
  const env = { HOME: root, RECOLLECT_HOME: root }
  const [bare, ...asked] = measure(
    [
      { name: 'bare', args: ['-e', '0'] },
      ...questions
        .slice(0, 3)
        .map((text) => ({ name: text, args: [cli, 'search', '--json', text.replace(/["-]/g, ' ')], env })),
    ],
    15,
  )
  const ms = median(asked.map((each) => each.ms))
  row('node -e 0', `${bare!.ms.toFixed(0)} ms`)
  row('recollect search', `${ms.toFixed(0)} ms`, `${(ms / bare!.ms).toFixed(2)} times the bare start (at most 3.0)`)
}

function timeOf(work: () => unknown): number {
  const begun = performance.now()
  work()
  return performance.now() - begun
}

function spread(times: number[]): string {
  const sorted = times.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]!.toFixed(1)
  return `${at(0.5)} / ${at(0.95)} / ${at(0.99)} ms`
}

interface Question {
  text: string
  project: string
}

const asked = 200
const changeSize = 10_000

/** Writes memories of twenty projects and returns questions in the words of some of them. */
function writeMemories(ledger: Ledger, count: number): Question[] {
  const random = randomFrom(count)
  const words = madeUpWords(count)
  const questions: Question[] = []
  for (const key of projects) upsertProject(ledger, { key, kind: 'folder', domain: null })
  for (let first = 0; first < count; first += changeSize) {
    const memories = Array.from({ length: Math.min(changeSize, count - first) }, (_, index) =>
      madeUpMemory(first + index, words(12 + Math.floor(random() * 28)), random),
    )
    const change = { at: isoTime(clock.nowMs()), kind: 'imported' as const, about: 'made up' }
    ledger.transaction(() => changeMemories(ledger, change, memories))
    const every = Math.floor(count / asked)
    questions.push(
      ...memories.filter((_, index) => (first + index) % every === 0).map((one) => questionOf(one, random)),
    )
  }
  return questions
}

const dayMs = 86_400_000

function madeUpMemory(number: number, text: string, random: () => number): Memory {
  const at = isoTime(clock.nowMs() - Math.floor(random() * 700 * dayMs))
  const pick = <T>(from: readonly T[]) => from[Math.floor(random() * from.length)]!
  return sampleMemory({
    id: `mem_${number.toString(36).padStart(8, '0')}`,
    project: pick(projects),
    kind: pick(memoryKinds),
    text,
    importance: Math.round(random() * 10) / 10,
    evidence: [{ session: `claude-code:${number >> 2}`, event: String(number), quote: text.slice(0, 80) }],
    trust: pick(memoryTrusts),
    at,
  })
}

/** Six to ten consecutive words, half of which are stop words, as in real questions. */
function questionOf({ text, project }: Memory, random: () => number): Question {
  const words = text.split(' ')
  const length = 6 + Math.floor(random() * 5)
  const from = Math.floor(random() * (words.length - length + 1))
  return { text: `${words.slice(from, from + length).join(' ')}?`, project: project! }
}

const vocabulary = 200_000
const consonants = 'bcdfghjklmnprstvwz'
const endings = ['', '', '', 's', 'ing', 'er']

/** Texts with a Zipf distribution of words. */
function madeUpWords(seed: number): (count: number) => string {
  const random = randomFrom(seed)
  const frequent = [...stopWords].filter((word) => word.length > 1).slice(0, 60)
  const word = () => {
    const rank = Math.floor(vocabulary ** random())
    return frequent[rank - 1] ?? wordOfRank(rank) + endings[Math.floor(random() * endings.length)]
  }
  return (count) => Array.from({ length: count }, word).join(' ')
}

/** Three syllables; the factor is prime, so that neighbouring ranks have different beginnings. */
function wordOfRank(rank: number): string {
  const syllables = consonants.length * 5
  const number = (rank * 7919) % syllables ** 3
  const syllable = (value: number) => consonants[Math.floor(value / 5) % consonants.length]! + 'aeiou'[value % 5]
  return [number, number / syllables, number / syllables ** 2].map((value) => syllable(Math.floor(value))).join('')
}
