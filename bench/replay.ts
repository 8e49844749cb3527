// Measures what the next session is given of what it needs again: sessions of three projects are
// replayed with only their earlier sessions in the store (the README of the benchmark). Beside it the
// benchmark's reference, plain BM25 over paragraphs, with about the same number of tokens.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { benchmarkFolder } from './labels.ts'
import { runNode } from './measure.ts'

const cli = join(import.meta.dirname, '..', 'dist', 'cli.js')

export function replay(): void {
  const folder = benchmarkFolder('replay')
  if (folder === null) return
  const root = mkdtempSync(join(tmpdir(), 'recollect-bench-replay-'))
  try {
    const results = join(root, 'results.jsonl')
    runNode([join(folder, 'replay.mjs'), '--work', join(root, 'work'), '--out', results, '--', process.execPath, cli])
    console.log(runNode([join(folder, 'score.mjs'), results]))
    const reference = join(root, 'reference.jsonl')
    const lines = readFileSync(results, 'utf8').trim().split('\n')
    const answers = lines.flatMap((line) =>
      Object.values((JSON.parse(line) as { asked: Record<string, string> }).asked),
    )
    const asked = Math.round(answers.reduce((sum, text) => sum + text.length / 4, 0) / Math.max(1, answers.length))
    console.log(`Answers have ${asked} tokens on average. Plain BM25 with briefs and answers of that size:\n`)
    const brief = Math.round(
      lines.reduce((sum, line) => sum + (JSON.parse(line) as { hook: string }).hook.length / 4, 0) / lines.length,
    )
    runNode([join(folder, 'bm25.mjs'), '--out', reference, '--brief', String(brief), '--asked', String(asked)])
    console.log(runNode([join(folder, 'score.mjs'), reference]))
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}
