// Scores the heuristic judge on labelled messages of real sessions, beside the baselines of the
// benchmark.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { judgeExchange } from '../src/learn/heuristic/judge.ts'
import type { PromptInContext } from '../src/learn/heuristic/score-sentences.ts'

export function labels(): void {
  const folder = benchmarkFolder('labels')
  if (folder === null) return
  const root = mkdtempSync(join(tmpdir(), 'recollect-bench-labels-'))
  try {
    const file = join(root, 'predictions.jsonl')
    const messages = readFileSync(join(folder, 'labels.jsonl'), 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Message)
    const begun = performance.now()
    const answers = messages.map(({ id, before, prompt, after }) => ({
      id,
      events: judgeExchange({ before: before ?? '', prompt, after: after ?? '' }),
    }))
    const seconds = (performance.now() - begun) / 1000
    const megabytes = messages.reduce((sum, { prompt }) => sum + prompt.length, 0) / 1e6
    writeFileSync(file, answers.map((answer) => JSON.stringify(answer)).join('\n'))
    print(scored(folder, file))
    console.log(`${(megabytes / seconds).toFixed(2)} MB of prompts a second, the first ones before the program is warm`)
    console.log(baselinesIn(readFileSync(join(folder, 'GUIDE.md'), 'utf8')))
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}

/** External benchmarks are beside the checkout, or in the folder RECOLLECT_BENCHMARKS. */
export function benchmarkFolder(name: string): string | null {
  const root = process.env.RECOLLECT_BENCHMARKS ?? join(import.meta.dirname, '..', '..', 'shared', 'bench')
  const folder = join(root, name)
  if (existsSync(folder)) return folder
  console.log(`Not run: there is no ${folder}. RECOLLECT_BENCHMARKS names the folder that holds "${name}".`)
  return null
}

type Message = Partial<PromptInContext> & { id: string; prompt: string }

interface Scores {
  messages: number
  weighted: { precision: number; recall: number; f1: number }
  text: { kindAccuracy: number; overlap: number }
}

function scored(folder: string, file: string): Scores {
  const child = spawnSync(process.execPath, [join(folder, 'score.mjs'), file, '--json'], { encoding: 'utf8' })
  if (child.status !== 0) throw new Error(`score.mjs ended with ${child.status}: ${child.stderr}`)
  const { all } = JSON.parse(child.stdout) as { all: Scores }
  return all
}

function print({ messages, weighted, text }: Scores): void {
  const percent = (share: number) => (share * 100).toFixed(1)
  console.log(
    `${messages} messages, weighted: precision ${percent(weighted.precision)}, recall ${percent(weighted.recall)}, F1 ${percent(weighted.f1)}; kind ${percent(text.kindAccuracy)}, overlap ${percent(text.overlap)}`,
  )
}

/** The table of baselines in the guide. */
function baselinesIn(guide: string): string {
  const lines = guide.split('\n')
  const head = lines.findIndex((line) => /^\|.*\bprecision\b.*\brecall\b/.test(line))
  const rest = lines.slice(head).findIndex((line) => !line.startsWith('|'))
  return lines.slice(head, rest < 0 ? undefined : head + rest).join('\n')
}
