// npm run bench -- [name ...] [options]: each benchmark measures the program and a lower bound in the same run
// and prints ratios. Times depend on the machine and its load; docs/benchmarks.md records ratios.
import { parseArgs } from 'node:util'
import { cost } from './cost.ts'
import { decisions } from './decisions.ts'
import { firstAnswer } from './first-answer.ts'
import { fix } from './fix.ts'
import { growth } from './growth.ts'
import { hook } from './hook.ts'
import { ingest } from './ingest.ts'
import { judge } from './judge.ts'
import { labels } from './labels.ts'
import { locomo } from './locomo.ts'
import { longmemeval } from './longmemeval.ts'
import type { BenchOptions } from './measure.ts'
import { memory } from './memory.ts'
import { page } from './page.ts'
import { patterns } from './patterns.ts'
import { pile } from './pile.ts'
import { recall } from './recall.ts'
import { redact } from './redact.ts'
import { replay } from './replay.ts'
import { restore } from './restore.ts'
import { server } from './server.ts'
import { unanswerable } from './unanswerable.ts'
import { uncompact } from './uncompact.ts'
import { wiki } from './wiki.ts'

const benchmarks: Record<string, (options: BenchOptions) => Promise<void> | void> = {
  hook,
  ingest,
  'first-answer': firstAnswer,
  memory,
  cost,
  judge,
  labels,
  decisions,
  replay,
  fix,
  recall,
  locomo,
  unanswerable,
  pile,
  longmemeval,
  page,
  growth,
  restore,
  wiki,
  patterns,
  server,
  redact,
  uncompact,
}

const { values: options, positionals: names } = parseArgs({
  allowPositionals: true,
  options: {
    file: { type: 'string' },
    limit: { type: 'string' },
    sessions: { type: 'string' },
    busy: { type: 'boolean' },
  },
})

const unknown = names.filter((name) => !(name in benchmarks))
if (unknown.length > 0) {
  console.error(`Unknown benchmark ${unknown.join(', ')}. Known: ${Object.keys(benchmarks).join(', ')}`)
  process.exit(2)
}
for (const name of names.length > 0 ? names : Object.keys(benchmarks)) {
  console.log(`\n== ${name}`)
  await benchmarks[name]!(options)
}
