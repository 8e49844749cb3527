// The reader of Antigravity against recordings of the real program, counted by hand. The recordings are not part of this
// repository; without them the suite is skipped.
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { antigravity } from '../src/agents/antigravity/agent.ts'
import { collect, summarise } from './agents/collect.ts'
import { findCorpus, type TestHome, testHome } from './corpus/home.ts'
import { layOut, rowsOf } from './corpus/lay-out.ts'

const corpus = findCorpus('corpus-more') ?? ''
const rows = corpus ? rowsOf(corpus).filter(({ agent }) => agent === 'antigravity') : []

interface Counts {
  prompts: number
  calls?: number
  failed?: number
  /** Input, cached, output and thinking. */
  tokens?: [number, number, number, number]
}

/** By the beginning of the name. No conversation was compacted, whatever its checkpoints say. */
const counted: [name: string, Counts][] = [
  ['1-1_', { prompts: 1 }],
  ['1-3_', { prompts: 3 }],
  ['1-8_', { prompts: 2, tokens: [11967, 24379, 629, 611] }],
  ['2-11_', { prompts: 1, calls: 1 }],
  ['2-12_', { prompts: 2 }],
  ['2-16_', { prompts: 1 }],
  ['2-21_', { prompts: 1 }],
  ['2-2_', { prompts: 1, calls: 1 }],
  ['2-4_', { prompts: 1, calls: 2, failed: 1 }],
  ['2-5_', { prompts: 2 }],
  ['2-6_', { prompts: 4 }],
  ['3-2_', { prompts: 1, calls: 1 }],
  ['3-4_', { prompts: 1, calls: 1 }],
  ['4-1_', { prompts: 3 }],
  ['4-2_', { prompts: 1 }],
  ['5-1_', { prompts: 3 }],
  ['5-2_', { prompts: 1 }],
  ['5-8_', { prompts: 6 }],
]

describe.skipIf(rows.length === 0)('a recording of Antigravity', () => {
  let home: TestHome
  beforeEach(() => {
    home = testHome()
  })
  afterEach(() => home.remove())

  it.each(counted)('%s is read as it was counted', (name, { prompts, calls = 0, failed, tokens = [0, 0, 0, 0] }) => {
    for (const row of rows.filter(({ path }) => path.startsWith(join('antigravity', name))))
      layOut(corpus, row, home.path)
    const { sessions, bad, unknown } = collect(antigravity, { home: home.path, env: {}, platform: 'linux' })
    const [found] = [...sessions.values()].map(summarise)
    const { tool_call = 0, compaction = 0 } = found!.kinds
    const { input, cacheRead, output, reasoning } = found!.tokens
    expect({ sessions: sessions.size, bad, unknown, compaction }).toEqual({
      sessions: 1,
      bad: [],
      unknown: [],
      compaction: 0,
    })
    expect({ prompts: found!.prompts.length, calls: tool_call, failed: found!.errors.failed }).toEqual({
      prompts,
      calls,
      failed,
    })
    expect([input, cacheRead, output, reasoning]).toEqual(tokens)
  })
})
