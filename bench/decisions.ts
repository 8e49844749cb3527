// Measures how many facts of past decisions the memories contain, without a model. Chats of several
// months are written as transcripts of Claude Code and Codex and swept. Each bug report is answered
// from memories alone: the best by BM25, cut to a budget, go to the benchmark's own scorer. Commits
// are left out, because memories come from sessions.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Memory } from '../src/memory/memory.ts'
import { benchmarkFolder } from './labels.ts'

const cli = join(import.meta.dirname, '..', 'dist', 'cli.js')
const worlds = ['conversation', 'amended']
const budgets = [1500, 500]
const charactersPerToken = 4

export async function decisions(): Promise<void> {
  const folder = benchmarkFolder('decisions')
  if (folder === null) return
  const { BM25, loadTasks, tasksOfWorld } = (await import(pathToFileURL(join(folder, 'lib.mjs')).href)) as Library
  const root = mkdtempSync(join(tmpdir(), 'recollect-bench-decisions-'))
  try {
    for (const variant of ['plain', 'no-recap']) {
      const flags = variant === 'plain' ? [] : ['--no-recap']
      const answers = worlds.flatMap((world) => {
        const home = join(root, `${variant}-${world}`)
        run([join(folder, 'make-corpus.mjs'), '--home', home, '--world', world, '--agents', ...flags])
        const memories = memoriesOf(home)
        const index = new BM25(memories.map(({ text }) => text))
        return tasksOfWorld(world, loadTasks({ noRecap: flags.length > 0 })).map((task) =>
          answerOf(
            task,
            index.rank(task.query).map(([place]) => memories[place]!),
          ),
        )
      })
      const file = join(root, `${variant}.jsonl`)
      writeFileSync(file, answers.map((answer) => JSON.stringify(answer)).join('\n'))
      for (const budget of budgets) print(variant, budget, scored(folder, [file, '--budget', String(budget), ...flags]))
    }
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}

interface Library {
  BM25: new (texts: string[]) => { rank(query: string): [place: number, score: number][] }
  loadTasks(options: { noRecap: boolean }): Task[]
  tasksOfWorld(world: string, tasks: Task[]): Task[]
}

interface Task {
  id: string
  query: string
}

function memoriesOf(home: string): Memory[] {
  const env = { HOME: home, PATH: process.env.PATH, RECOLLECT_HOME: join(home, 'recollect') }
  run([cli, 'sweep', '--json'], env)
  const memories = JSON.parse(run([cli, 'memories', '--json'], env)) as Memory[]
  const length = memories.reduce((sum, { text }) => sum + text.length, 0) / memories.length
  console.log(`${memories.length} memories of ${Math.round(length)} characters on average`)
  return memories
}

function answerOf(task: Task, ranked: Memory[]): object {
  const sessions = ranked.flatMap(({ evidence }) => evidence.map(({ session }) => session?.split(':')[1] ?? ''))
  const text = ranked.map(({ text }) => text).join('\n\n')
  return {
    task_id: task.id,
    text: text.slice(0, Math.max(...budgets) * charactersPerToken),
    ranked_sessions: [...new Set(sessions)].slice(0, 50),
  }
}

function run(args: string[], env: NodeJS.ProcessEnv = process.env): string {
  const child = spawnSync(process.execPath, args, { encoding: 'utf8', maxBuffer: 1 << 28, env })
  if (child.status !== 0) throw new Error(`${args.join(' ')} ended with ${child.status}: ${child.stderr}`)
  return child.stdout
}

interface Scores {
  n: number
  coverage: number
  full: number
  stale_errors: number
  misled: number
  r1: number
}

function scored(folder: string, args: string[]): Scores {
  const answer = JSON.parse(run([join(folder, 'score.mjs'), ...args, '--json'])) as { all: { all: Scores } }
  return answer.all.all
}

function print(variant: string, budget: number, { n, coverage, full, stale_errors, misled, r1 }: Scores): void {
  console.log(
    `${variant} at ${budget} tokens: coverage ${coverage.toFixed(3)} of ${n} tasks, all facts in ${full}, stale errors ${stale_errors}, misled ${misled}, deciding session first ${r1.toFixed(2)}`,
  )
}
