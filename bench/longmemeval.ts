// Measures search on LongMemEval (Wu et al., arXiv 2410.10813), whose file is not part of this
// repository: the sessions of each question become transcripts in a ledger of its own, and the question
// is a search. Questions without an answer (`_abs`) are counted apart.
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createApp } from '../src/app.ts'
import { parseQuery } from '../src/search/query.ts'
import { search } from '../src/search/search.ts'
import type { Ledger } from '../src/store/ledger.ts'
import { type BenchOptions, percent } from './measure.ts'
import { captureAndDigest } from './pile.ts'

export interface LongMemQuestion {
  question_id: string
  question_type: string
  question: string
  question_date: string
  haystack_session_ids: string[]
  haystack_dates: string[]
  haystack_sessions: { role: 'user' | 'assistant'; content: string }[][]
  answer_session_ids: string[]
}

export async function longmemeval({ file, limit }: BenchOptions): Promise<void> {
  if (file === undefined) return console.log('Not run: --file names longmemeval_s.json')
  const questions = JSON.parse(readFileSync(file, 'utf8')) as LongMemQuestion[]
  console.log((await askAll(questions.slice(0, limit === undefined ? undefined : Number(limit)))).join('\n'))
}

/** The lines of the report. */
export async function askAll(questions: readonly LongMemQuestion[]): Promise<string[]> {
  const found: FoundSessions[] = []
  for (const question of questions) found.push(await ask(question))
  return reportOf(found)
}

interface FoundSessions {
  type: string
  isAbstention: boolean
  answered: boolean
  /** Sessions in the order of their first hit. */
  ranked: string[]
  wanted: string[]
}

async function ask(question: LongMemQuestion): Promise<FoundSessions> {
  const root = mkdtempSync(join(tmpdir(), 'recollect-bench-longmemeval-'))
  try {
    const transcripts = transcriptsOf(question, '/home/dev/app')
    const folder = join(root, 'home/.claude/projects/-home-dev-app')
    mkdirSync(folder, { recursive: true })
    for (const { id, lines } of transcripts) writeFileSync(join(folder, `${id}.jsonl`), lines)
    const env = { RECOLLECT_HOME: join(root, 'store') }
    const app = createApp({ machine: { home: join(root, 'home'), env, platform: process.platform } })
    const ledger = await captureAndDigest(app)
    const names = new Map(transcripts.map(({ id, name }) => [`claude-code:${id}`, name]))
    const answer = searchSessions(ledger, question, names)
    ledger.close()
    return answer
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}

function searchSessions(
  ledger: Ledger,
  { question_id, question_type, question, question_date, answer_session_ids }: LongMemQuestion,
  names: ReadonlyMap<string, string>,
): FoundSessions {
  const query = { ...parseQuery(''), text: question }
  const { results, answered } = search(ledger, query, { nowMs: timeOf(question_date), limit: 100 })
  const ranked = new Set(results.flatMap(({ session }) => (session && names.get(session)) || []))
  const isAbstention = question_id.endsWith('_abs')
  return { type: question_type, isAbstention, answered, ranked: [...ranked], wanted: answer_session_ids }
}

export interface MadeTranscript {
  id: string
  /** The id in the benchmark. */
  name: string
  /** JSON lines as Claude Code 2.1 writes them. */
  lines: string
}

export function transcriptsOf(question: LongMemQuestion, cwd: string): MadeTranscript[] {
  const { question_id, haystack_session_ids, haystack_dates, haystack_sessions } = question
  return haystack_sessions.map((turns, index) => {
    const name = haystack_session_ids[index]!
    const id = uuidOf(`${question_id}/${name}/${index}`)
    const begunMs = timeOf(haystack_dates[index]!)
    const records = turns.map(({ role, content }, turn) => ({
      type: role,
      uuid: uuidOf(`${id}/${turn}`),
      sessionId: id,
      cwd,
      version: '2.1.219',
      timestamp: new Date(begunMs + turn * 60_000).toISOString(),
      message:
        role === 'user'
          ? { role, content }
          : { id: `msg_${id}_${turn}`, role, model: 'claude-opus-4-6', content: [{ type: 'text', text: content }] },
    }))
    return { id, name, lines: `${records.map((record) => JSON.stringify(record)).join('\n')}\n` }
  })
}

/** Dates are written like `2023/05/20 (Sat) 02:21`. */
export function timeOf(date: string): number {
  const [, year, month, day, hour = '0', minute = '0'] =
    /^(\d{4})\/(\d\d?)\/(\d\d?)(?: \(\w+\))?(?: (\d\d?):(\d\d))?/.exec(date) ?? []
  if (year === undefined) throw new Error(`Not a date of LongMemEval: ${date}`)
  return Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute))
}

function uuidOf(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

export interface SessionScores {
  asked: number
  hit1: number
  recall5: number
  recall10: number
  mrr: number
}

export function sessionScores(found: readonly Pick<FoundSessions, 'ranked' | 'wanted'>[]): SessionScores {
  const mean = (of: (one: Pick<FoundSessions, 'ranked' | 'wanted'>) => number) =>
    found.reduce((sum, one) => sum + of(one), 0) / Math.max(1, found.length)
  const recall = (max: number) =>
    mean(({ ranked, wanted }) => wanted.filter((id) => ranked.slice(0, max).includes(id)).length / wanted.length)
  return {
    asked: found.length,
    hit1: mean(({ ranked, wanted }) => (wanted.includes(ranked[0]!) ? 1 : 0)),
    recall5: recall(5),
    recall10: recall(10),
    mrr: mean(({ ranked, wanted }) => {
      const place = ranked.findIndex((id) => wanted.includes(id))
      return place < 0 ? 0 : 1 / (place + 1)
    }),
  }
}

function reportOf(found: readonly FoundSessions[]): string[] {
  const asked = found.filter(({ isAbstention }) => !isAbstention)
  const groups = [...Map.groupBy(asked, ({ type }) => type), ['all', asked] as const]
  const rows = groups.map(([type, group]) => {
    const { asked: count, hit1, recall5, recall10, mrr } = sessionScores(group)
    const figures = `hit@1 ${percent(hit1)}   R@5 ${percent(recall5)}   R@10 ${percent(recall10)}   MRR ${mrr.toFixed(3)}`
    return `${type.padEnd(28)} ${String(count).padStart(4)} asked   ${figures}`
  })
  const share = (group: readonly FoundSessions[]) =>
    percent(group.filter(({ answered }) => answered).length / Math.max(1, group.length))
  const without = found.filter(({ isAbstention }) => isAbstention)
  const last = `answered: ${share(asked)} % of these, ${share(without)} % of ${without.length} questions without an answer`
  return [...rows, last]
}
