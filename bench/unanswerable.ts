// Measures how often a question that nothing answers is answered all the same, and how often a
// question that something answers is rejected, in stores of different size and content. The model
// of src/search/answerable.ts is fitted again without the measured world; half of the unanswerable
// questions are never fitted to.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fitLogistic } from '../scripts/train/logistic.ts'
import { createApp } from '../src/app.ts'
import {
  type AnswerEvidence,
  type AnswerModel,
  answerModel,
  answerScore,
  evidenceOf,
  minScore,
} from '../src/search/answerable.ts'
import { findCandidates } from '../src/search/candidates.ts'
import { parseQuery } from '../src/search/query.ts'
import type { Ledger } from '../src/store/ledger.ts'
import { sweep } from '../src/sweep.ts'
import { makeHome } from './home.ts'
import { benchmarkFolder } from './labels.ts'
import { type BenchOptions, readJsonLines, runNode } from './measure.ts'
import { makePile } from './pile.ts'
import { reportsIn, wordsFrom } from './unanswerable-questions.ts'

export async function unanswerable({ sessions }: BenchOptions): Promise<void> {
  const root = mkdtempSync(join(tmpdir(), 'recollect-bench-unanswerable-'))
  try {
    const judged = await judgeWorlds(root, sessions === undefined ? 0 : Number(sessions))
    const worlds = [...new Set(judged.map(({ world }) => world))]
    console.log('share of questions, in %; refitted without the world / as shipped')
    for (const world of worlds) {
      const others = judged.filter((one) => one.world !== world && !isHeldOut(one))
      const refitted = fitModel(others)
      for (const [name, own] of Map.groupBy(
        judged.filter((one) => one.world === world),
        nameOf,
      ))
        console.log(rowOf(`${world}: ${name}`, own, refitted))
    }
    console.log('fitted to all but the held-out half:', roundedModel(fitModel(judged.filter((one) => !isHeldOut(one)))))
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}

interface Question {
  query: string
  isAnswerable: boolean
  set: string
}

interface JudgedQuestion extends Question {
  world: string
  /** Position in its set. */
  index: number
  min: number
  evidence: AnswerEvidence[]
}

const ownSet = 'unanswerable'

/** Every second one of the unanswerable questions. */
function isHeldOut({ set, index }: JudgedQuestion): boolean {
  return set === ownSet && index % 2 === 1
}

function nameOf(one: JudgedQuestion): string {
  if (one.set === ownSet) return isHeldOut(one) ? 'unanswerable, held out' : 'unanswerable, other half'
  return one.set
}

async function judgeWorlds(root: string, pileSessions: number): Promise<JudgedQuestion[]> {
  const none = questionsIn('unanswerable.jsonl', false, ownSet)
  const demo = join(import.meta.dirname, '..', 'demo', 'home')
  const judged: JudgedQuestion[] = []
  const judge = (world: string, ledger: Ledger, questions: readonly Question[], project?: string) => {
    for (const set of Map.groupBy(questions, (one) => one.set).values())
      judged.push(...set.map((one, index) => ({ ...one, world, index, ...evidenceFor(ledger, one.query, project) })))
  }
  const small = await sweptLedger(demo, join(root, 'demo'))
  judge('demo', small, [...none, ...questionsIn('answerable.jsonl', true, 'written by hand'), ...wordsFrom(small, 200)])
  small.close()
  const { home, remove } = makeHome(1)
  const large = await sweptLedger(home, join(root, 'corpus'))
  remove()
  const reports = reportsIn(benchmarkFolder('decisions'))
  judge('public-transcripts', large, [...none, ...reports(false), ...wordsFrom(large, 200)])
  large.close()
  const folder = benchmarkFolder('locomo')
  if (folder === null) return judged
  runNode([
    join(folder, 'make-corpus.mjs'),
    '--set',
    'locomo',
    '--split',
    'dev',
    '--home',
    join(root, 'conversations/home'),
  ])
  const asked = readJsonLines<{ query: string; project: string }>(join(root, 'conversations/queries.jsonl'))
  const people = await sweptLedger(join(root, 'conversations/home'), join(root, 'conversations/store'))
  for (const [project, own] of Map.groupBy(asked, (one) => one.project)) {
    const questions = own.map(({ query }) => ({ query, isAnswerable: true, set: 'about the conversation' }))
    judge(`locomo ${project.slice(-7)}`, people, [...none, ...questions, ...reports(false)], project)
  }
  people.close()
  const chats = join(root, 'decisions/home')
  runNode([
    join(benchmarkFolder('decisions')!, 'make-corpus.mjs'),
    '--home',
    chats,
    '--world',
    'conversation',
    '--agents',
  ])
  const decisions = await sweptLedger(chats, join(root, 'decisions/store'))
  judge('decisions', decisions, [...none, ...reports(true), ...wordsFrom(decisions, 200)])
  decisions.close()
  if (pileSessions === 0) return judged
  const pile = await makePile(join(root, 'pile'), pileSessions)
  const questions = asked.map(({ query }) => ({ query, isAnswerable: true, set: 'about a conversation' }))
  judge('pile', pile, [...none, ...questions, ...reports(true), ...wordsFrom(pile, 200)])
  pile.close()
  return judged
}

function questionsIn(file: string, isAnswerable: boolean, set: string): Question[] {
  return readJsonLines<{ query: string }>(join(import.meta.dirname, file)).map(({ query }) => ({
    query,
    isAnswerable,
    set,
  }))
}

async function sweptLedger(home: string, store: string): Promise<Ledger> {
  const app = createApp({ machine: { home, env: { RECOLLECT_HOME: store }, platform: process.platform } })
  await sweep(app)
  return app.existingLedger()
}

function evidenceFor(ledger: Ledger, text: string, project?: string): Pick<JudgedQuestion, 'evidence' | 'min'> {
  const kinds = ['event', 'digest', 'memory', 'commit'] as const
  const where = project === undefined ? {} : { project }
  const candidates = findCandidates(ledger, { ...parseQuery(''), text }, { ...where, kinds, nowMs: Date.now() })
  return { evidence: evidenceOf(ledger, candidates), min: minScore(candidates.plan) }
}

const features = ['coverage', 'unknown', 'surprise', 'namesSpeaker'] as const
const nothing: AnswerEvidence = { coverage: 0, unknown: 1, surprise: -10, namesSpeaker: 0 }

/** Each set of questions has the same weight, and so have both answers. */
function fitModel(judged: readonly JudgedQuestion[]): AnswerModel {
  const sets = Map.groupBy(judged, ({ world, set, isAnswerable }) => `${world}/${set}/${isAnswerable}`)
  const counts = Object.groupBy([...sets.values()], ([one]) => (one!.isAnswerable ? 'yes' : 'no'))
  const examples = [...sets.values()].flatMap((set) =>
    set.map(({ evidence, isAnswerable }) => {
      const best = evidence.reduce((a, b) => (b.coverage > a.coverage ? b : a), evidence[0] ?? nothing)
      const values = features.map((name, index): [number, number] => [index + 1, best[name]])
      const weight = 1000 / set.length / counts[isAnswerable ? 'yes' : 'no']!.length
      return { values: [[0, 1] as [number, number], ...values], isPositive: isAnswerable, weight }
    }),
  )
  const [bias, coverage, unknown, surprise, namesSpeaker] = fitLogistic(
    examples,
    [0, ...features].map(() => ({ mean: 0, strength: 1 })),
  )
  return {
    bias: bias! - caution,
    coverage: coverage!,
    unknown: unknown!,
    surprise: surprise!,
    namesSpeaker: namesSpeaker!,
  }
}

/** Chosen by the other half of the unanswerable questions, in the largest store. */
const caution = 0.5

function rowOf(name: string, own: readonly JudgedQuestion[], refitted: AnswerModel): string {
  const share = (model: AnswerModel) =>
    own.filter(({ evidence, min }) => evidence.some((one) => answerScore(one, model) > min)).length / own.length
  const isWrong = own[0]!.isAnswerable ? (value: number) => 1 - value : (value: number) => value
  const rates = [refitted, answerModel].map((model) => (100 * isWrong(share(model))).toFixed(1).padStart(5))
  return `${name.padEnd(48)} ${String(own.length).padStart(4)} ${own[0]!.isAnswerable ? 'rejected' : 'answered'} ${rates.join(' / ')}`
}

function roundedModel(model: AnswerModel): object {
  return Object.fromEntries(Object.entries(model).map(([name, value]) => [name, Number(value.toFixed(3))]))
}
