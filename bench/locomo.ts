// Measures whether search finds the messages that answer a question: conversations of several
// months as transcripts, swept and queried in one batch, scored by the benchmark's own scorer
// beside the baseline of its README.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { benchmarkFolder } from './labels.ts'
import { percent, runNode } from './measure.ts'

const cli = join(import.meta.dirname, '..', 'dist', 'cli.js')

export function locomo(): void {
  const folder = benchmarkFolder('locomo')
  if (folder === null) return
  const root = mkdtempSync(join(tmpdir(), 'recollect-bench-locomo-'))
  const at = (name: string) => join(root, name)
  const env = { HOME: at('home'), PATH: process.env.PATH, RECOLLECT_HOME: at('store') }
  try {
    runNode([join(folder, 'make-corpus.mjs'), '--set', 'locomo', '--split', 'dev', '--home', at('home')])
    runNode([cli, 'sweep', '--json'], env)
    const results = runNode([cli, 'search', '--batch', at('queries.jsonl'), '--json', '--limit', '50'], env)
    writeFileSync(at('results.jsonl'), results)
    print(locomoScores(folder, at('results.jsonl'), at('gold.json')))
    console.log(baselineIn(readFileSync(join(folder, 'README.md'), 'utf8')))
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}

export interface LocomoReport {
  queries: number
  missing: number
  ms: { p50: number; p99: number }
  categories: Record<string, LocomoScores>
}

export interface LocomoScores {
  n: number
  r10: number
  mrr: number
  s_hit1: number
}

export function locomoScores(folder: string, results: string, gold: string): LocomoReport {
  return JSON.parse(runNode([join(folder, 'score.mjs'), results, '--gold', gold, '--json'])) as LocomoReport
}

function print({ queries, missing, ms, categories }: LocomoReport): void {
  for (const [name, scores] of Object.entries(categories)) console.log(locomoRow(name, scores))
  console.log(`goals                        R@10 82.0               session hit@1 80.0`)
  console.log(`${queries} questions, ${missing} without an answer; p50 ${ms.p50} ms, p99 ${ms.p99} ms`)
}

export function locomoRow(name: string, { n, r10, mrr, s_hit1 }: LocomoScores): string {
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
