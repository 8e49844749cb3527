// Measures search in one large ledger: the conversations of the other benchmarks among thousands of
// sessions that are recombined from exchanges of public transcripts. Questions are asked without a
// project, and again within their own for comparison.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type App, createApp } from '../src/app.ts'
import { pipeline, runStages } from '../src/pipeline.ts'
import { parseQuery } from '../src/search/query.ts'
import { search } from '../src/search/search.ts'
import type { Ledger } from '../src/store/ledger.ts'
import { indexSize } from '../src/store/search/postings/lookup.ts'
import { readBody } from '../src/store/sessions/bodies.ts'
import { bodyOfSession } from '../src/store/sessions/session-bodies.ts'
import { listSessions } from '../src/store/sessions/sessions.ts'
import { makeHome } from './home.ts'
import { benchmarkFolder } from './labels.ts'
import { locomoRow, locomoScores } from './locomo.ts'
import { type BenchOptions, percent, randomFrom, readJsonLines, runNode } from './measure.ts'

const defaultSessions = 5000

export async function pile({ sessions }: BenchOptions): Promise<void> {
  const folder = benchmarkFolder('locomo')
  const reports = benchmarkFolder('decisions')
  if (folder === null || reports === null) return
  const root = mkdtempSync(join(tmpdir(), 'recollect-bench-pile-'))
  try {
    const ledger = await makePile(root, Number(sessions ?? defaultSessions))
    console.log(`${listSessions(ledger, {}).length} sessions, ${indexSize(ledger).passages} passages`)
    const questions = readJsonLines<PileQuestion>(join(root, 'queries.jsonl'))
    for (const [name, isFiltered] of [
      ['within the conversation', true],
      ['in the whole ledger', false],
    ] as const) {
      const answers = questions.map((question) => answerOf(ledger, question, isFiltered))
      const file = join(root, 'results.jsonl')
      writeFileSync(file, answers.map((answer) => JSON.stringify(answer)).join('\n'))
      const { ms, categories } = locomoScores(folder, file, join(root, 'gold.json'))
      console.log(`${name}: p50 ${ms.p50} ms, p99 ${ms.p99} ms`)
      console.log(locomoRow('ALL', categories.ALL!))
    }
    printReports(ledger, root, reports)
    ledger.close()
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}

interface PileQuestion {
  id: string
  query: string
  project: string
}

/** Only captured and digested: memories and pages are not asked for. */
export async function makePile(root: string, sessions: number): Promise<Ledger> {
  const home = join(root, 'home')
  const make = (name: string, ...args: string[]) =>
    runNode([join(benchmarkFolder(name)!, 'make-corpus.mjs'), '--home', home, ...args])
  make('locomo', '--set', 'locomo', '--split', 'dev')
  make('decisions', '--world', 'conversation', '--agents')
  writeDistractors(home, await publicExchanges(), sessions)
  const env = { RECOLLECT_HOME: join(root, 'store') }
  return captureAndDigest(createApp({ machine: { home, env, platform: process.platform } }))
}

export async function captureAndDigest(app: App): Promise<Ledger> {
  const ledger = app.ledger()
  const stages = pipeline.filter(({ name }) => name === 'capture' || name === 'digest')
  await runStages(stages, app.context(ledger))
  return ledger
}

function answerOf(ledger: Ledger, { id, query, project }: PileQuestion, isFiltered: boolean): object {
  const begun = performance.now()
  const { results } = search(ledger, parseQuery(query), {
    nowMs: Date.now(),
    limit: 50,
    ...(isFiltered ? { project } : {}),
  })
  return { id, results, ms: Math.round((performance.now() - begun) * 10) / 10 }
}

interface DecisionManifest {
  tasks: Record<string, { deciding: string[] }>
}

/** How often the session that decides a bug report is first, and among the first five. */
function printReports(ledger: Ledger, root: string, folder: string): void {
  const manifest = JSON.parse(readFileSync(join(root, 'home.manifest.json'), 'utf8')) as DecisionManifest
  const { tasks } = JSON.parse(readFileSync(join(folder, 'tasks.json'), 'utf8')) as {
    tasks: { id: string; query: string }[]
  }
  const places = tasks.flatMap(({ id, query }) => {
    const deciding = manifest.tasks[id]?.deciding
    if (!deciding) return []
    const { results } = search(ledger, { ...parseQuery(''), text: query }, { nowMs: Date.now(), limit: 50 })
    const sessions = [...new Set(results.map(({ session }) => session?.split(':')[1] ?? ''))]
    return sessions.findIndex((session) => deciding.includes(session))
  })
  const within = (max: number) => percent(places.filter((place) => place >= 0 && place < max).length / places.length)
  console.log(`bug reports    ${places.length} asked   deciding session first ${within(1)}   within five ${within(5)}`)
}

export interface Exchange {
  prompt: string
  reply: string
}

/** Longer prompts and replies are cut: most are pasted files and plans. */
const maxText = 3000

/** Every reply of the public transcripts with its prompt, and the labelled messages with theirs. */
export async function publicExchanges(): Promise<Exchange[]> {
  const { home, remove } = makeHome(1)
  const store = mkdtempSync(join(tmpdir(), 'recollect-bench-exchanges-'))
  try {
    const app = createApp({ machine: { home, env: { RECOLLECT_HOME: store }, platform: process.platform } })
    const ledger = await captureAndDigest(app)
    const found = listSessions(ledger, { isConversation: true }).flatMap(({ id }) => {
      const body = bodyOfSession(ledger, id)
      return body ? exchangesIn(readBody(ledger.layout.bodies, body.file, body.bytes)) : []
    })
    ledger.close()
    return [...found, ...labelledExchanges()].filter(({ prompt, reply }) => prompt.trim() !== '' && reply.trim() !== '')
  } finally {
    remove()
    rmSync(store, { recursive: true, force: true })
  }
}

function exchangesIn(events: Iterable<{ kind: string; text: string }>): Exchange[] {
  const found: Exchange[] = []
  let prompt = ''
  for (const { kind, text } of events) {
    if (kind === 'prompt') prompt = text.slice(0, maxText)
    else if (kind === 'reply') found.push({ prompt, reply: text.slice(0, maxText) })
  }
  return found
}

/** The message before a labelled one takes the place of the reply. */
function labelledExchanges(): Exchange[] {
  const folder = benchmarkFolder('labels')
  if (folder === null) return []
  return ['labels.jsonl', 'train.jsonl'].flatMap((name) =>
    readJsonLines<{ prompt: string; before: string }>(join(folder, name)).map(({ prompt, before }) => ({
      prompt: prompt.slice(0, maxText),
      reply: before.slice(0, maxText),
    })),
  )
}

const distractorProjects = 300

/** Sessions of three to eight exchanges in random order, in many projects over four years. */
export function writeDistractors(home: string, exchanges: readonly Exchange[], count: number): void {
  const random = randomFrom(count)
  const pick = () => {
    const { prompt, reply } = exchanges[Math.floor(random() * exchanges.length)]!
    return { prompt, reply: partOf(reply, random) }
  }
  for (let number = 0; number < count; number++) {
    const session = `${number.toString(16).padStart(8, '0')}-d157-4ac7-8000-000000000000`
    const project = Math.floor(random() * distractorProjects)
    const cwd = join(home, 'pile', `project${project}`)
    const folder = join(home, '.claude/projects', cwd.replace(/[^a-zA-Z0-9]/g, '-'))
    const begun = Date.UTC(2022, 0, 1) + Math.floor(random() * 1700) * 86_400_000
    const said = Array.from({ length: 3 + Math.floor(random() * 6) }, pick)
    const records = said.flatMap(({ prompt, reply }, turn) =>
      [prompt, reply].map((text, side) => ({
        type: side === 0 ? 'user' : 'assistant',
        uuid: `${session.slice(0, 24)}${(turn * 2 + side).toString(16).padStart(12, '0')}`,
        timestamp: new Date(begun + (turn * 2 + side) * 60_000).toISOString(),
        sessionId: session,
        cwd,
        version: '2.1.219',
        message:
          side === 0
            ? { role: 'user', content: text }
            : {
                id: `msg_${number}_${turn}`,
                role: 'assistant',
                model: 'claude-opus-4-6',
                usage: {
                  input_tokens: 900,
                  output_tokens: Math.ceil(text.length / 4),
                  cache_read_input_tokens: 20_000,
                },
                content: [{ type: 'text', text }],
              },
      })),
    )
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, `${session}.jsonl`), `${records.map((one) => JSON.stringify(one)).join('\n')}\n`)
  }
}

/** Some of the sentences in a row, so that few sessions are equal. */
function partOf(text: string, random: () => number): string {
  const sentences = text.split(/(?<=[.!?]\s|\n)/)
  const length = Math.ceil(sentences.length * (0.3 + 0.7 * random()))
  const from = Math.floor(random() * (sentences.length - length + 1))
  return (
    sentences
      .slice(from, from + length)
      .join('')
      .trim() || text
  )
}
