// Measures the rules on labelled messages of real sessions: every project by a model that was
// trained on the others. The weights that ship have seen all of these messages, so their own figures
// would say nothing.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { readMessages } from '../scripts/train/messages.ts'
import { printReport } from '../scripts/train/report.ts'
import { judgeExchange } from '../src/learn/heuristic/judge.ts'

export function labels(): void {
  const folder = benchmarkFolder('labels')
  if (folder === null) return
  const messages = readMessages(folder)
  printReport(messages)
  const begun = process.cpuUsage()
  for (const message of messages) judgeExchange(message)
  const seconds = process.cpuUsage(begun).user / 1e6
  const megabytes = messages.reduce((sum, { prompt }) => sum + prompt.length, 0) / 1e6
  console.log(`${(megabytes / seconds).toFixed(2)} MB of prompts per second of the processor`)
}

/** External benchmarks are beside the checkout, or in the folder RECOLLECT_BENCHMARKS. */
export function benchmarkFolder(name: string): string | null {
  const root = process.env.RECOLLECT_BENCHMARKS ?? join(import.meta.dirname, '..', '..', 'shared', 'bench')
  const folder = join(root, name)
  if (existsSync(folder)) return folder
  console.log(`Not run: there is no ${folder}. RECOLLECT_BENCHMARKS names the folder that holds "${name}".`)
  return null
}
