// Measures whether search finds the messages that answer a question: conversations of several
// months as transcripts, swept and queried in one batch, scored by the benchmark's own scorer
// beside the baseline of its README.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { benchmarkFolder } from './labels.ts'

const cli = join(import.meta.dirname, '..', 'dist', 'cli.js')

export function locomo(): void {
  const folder = benchmarkFolder('locomo')
  if (folder === null) return
  const root = mkdtempSync(join(tmpdir(), 'recollect-bench-locomo-'))
  const at = (name: string) => join(root, name)
  const env = { HOME: at('home'), PATH: process.env.PATH, RECOLLECT_HOME: at('store') }
  try {
    run([join(folder, 'make-corpus.mjs'), '--set', 'locomo', '--split', 'dev', '--home', at('home')])
    run([cli, 'sweep', '--json'], env)
    const results = run([cli, 'search', '--batch', at('queries.jsonl'), '--json', '--limit', '50'], env)
    writeFileSync(at('results.jsonl'), results)
    print(scored(folder, at('results.jsonl'), at('gold.json')))
    console.log(baselineIn(readFileSync(join(folder, 'README.md'), 'utf8')))
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}

interface Report {
  queries: number
  missing: number
  ms: { p50: number; p99: number }
  categories: Record<string, Scores>
}

interface Scores {
  n: number
  r10: number
  mrr: number
  s_hit1: number
}

function scored(folder: string, results: string, gold: string): Report {
  return JSON.parse(run([join(folder, 'score.mjs'), results, '--gold', gold, '--json'])) as Report
}

function run(args: string[], env: NodeJS.ProcessEnv = process.env): string {
  const child = spawnSync(process.execPath, args, { encoding: 'utf8', maxBuffer: 1 << 28, env })
  if (child.status !== 0) throw new Error(`${args.join(' ')} ended with ${child.status}: ${child.stderr}`)
  return child.stdout
}

function print({ queries, missing, ms, categories }: Report): void {
  for (const [name, scores] of Object.entries(categories)) console.log(rowOf(name, scores))
  console.log(`goals                        R@10 80.0               session hit@1 78.0`)
  console.log(`${queries} questions, ${missing} without an answer; p50 ${ms.p50} ms, p99 ${ms.p99} ms`)
}

function rowOf(name: string, { n, r10, mrr, s_hit1 }: Scores): string {
  const percent = (share: number) => (share * 100).toFixed(1)
  return `${name.padEnd(14)} ${String(n).padStart(4)} asked   R@10 ${percent(r10)}   MRR ${mrr.toFixed(3)}   session hit@1 ${percent(s_hit1)}`
}

/** The header and the total line of the first table in the README. */
function baselineIn(readme: string): string {
  const lines = readme.split('\n')
  const title = lines.findIndex((line) => /^## Baseline\b/.test(line))
  const head = lines.findIndex((line, index) => index > title && line.startsWith('| category'))
  const all = lines.findIndex((line, index) => index > head && /^\| ALL\b/.test(line))
  return [lines[title]!.replace(/^#+ /, ''), ...lines.slice(head, all + 1)].join('\n')
}
