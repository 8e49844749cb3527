// Measures how many facts of past decisions a recall contains, without a model. Chats of several
// months are written as transcripts of Claude Code and Codex and swept; each bug report is a
// question to `recollect recall`, and the benchmark's own scorer reads the answers. Commits are left
// out: the question is what was said in sessions.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { RecallResult } from '../src/recall/recall.ts'
import { benchmarkFolder } from './labels.ts'
import { runNode } from './measure.ts'

const cli = join(import.meta.dirname, '..', 'dist', 'cli.js')
const worlds = ['conversation', 'amended']
const budgets = [1500, 500]

export async function decisions(): Promise<void> {
  const folder = benchmarkFolder('decisions')
  if (folder === null) return
  const { loadTasks, tasksOfWorld } = (await import(pathToFileURL(join(folder, 'lib.mjs')).href)) as Library
  const root = mkdtempSync(join(tmpdir(), 'recollect-bench-decisions-'))
  try {
    for (const variant of ['plain', 'no-recap']) {
      const flags = variant === 'plain' ? [] : ['--no-recap']
      const swept = worlds.map((world) => {
        const home = join(root, `${variant}-${world}`)
        runNode([join(folder, 'make-corpus.mjs'), '--home', home, '--world', world, '--agents', ...flags])
        runNode([cli, 'sweep', '--json'], environmentIn(home))
        return { home, tasks: tasksOfWorld(world, loadTasks({ noRecap: flags.length > 0 })) }
      })
      for (const budget of budgets) {
        const file = join(root, `${variant}-${budget}.jsonl`)
        const answers = swept.flatMap(({ home, tasks }) => answersIn(home, tasks, budget))
        writeFileSync(file, answers.map((answer) => JSON.stringify(answer)).join('\n'))
        print(variant, budget, scored(folder, [file, '--budget', String(budget), ...flags]))
      }
    }
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}

interface Library {
  loadTasks(options: { noRecap: boolean }): Task[]
  tasksOfWorld(world: string, tasks: Task[]): Task[]
}

interface Task {
  id: string
  query: string
}

function environmentIn(home: string): NodeJS.ProcessEnv {
  return { HOME: home, PATH: process.env.PATH, RECOLLECT_HOME: join(home, 'recollect') }
}

function answersIn(home: string, tasks: Task[], budget: number): object[] {
  const file = join(home, 'questions.jsonl')
  writeFileSync(file, tasks.map(({ id, query }) => JSON.stringify({ id, query, budget })).join('\n'))
  const lines = runNode([cli, 'recall', '--all', '--batch', file], environmentIn(home)).trim().split('\n')
  return lines.map((line) => {
    const { id, text, sessions } = JSON.parse(line) as RecallResult & { id: string }
    return { task_id: id, text, ranked_sessions: sessions.map((session) => session.split(':')[1] ?? '') }
  })
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
  const answer = JSON.parse(runNode([join(folder, 'score.mjs'), ...args, '--json'])) as { all: { all: Scores } }
  return answer.all.all
}

function print(variant: string, budget: number, { n, coverage, full, stale_errors, misled, r1 }: Scores): void {
  console.log(
    `${variant} at ${budget} tokens: coverage ${coverage.toFixed(3)} of ${n} tasks, all facts in ${full}, stale errors ${stale_errors}, misled ${misled}, deciding session first ${r1.toFixed(2)}`,
  )
}
