// Recorded scenarios of Kiro, Mistral Vibe and Hermes against counts that a person made by reading the files. The
// recordings are not part of this repository; without them the suite is skipped.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { listDrift } from '../src/store/sessions/transcripts.ts'
import { findCorpus, type TestHome, testHome } from './corpus/home.ts'
import { layOut, rowsOf } from './corpus/lay-out.ts'
import { sample } from './proof.ts'

const collection = join(findCorpus() ?? '', '..', 'corpus-more')
const rows = findCorpus() && existsSync(join(collection, 'INDEX.tsv')) ? rowsOf(collection) : []
if (rows.length === 0) console.log('test/corpus-kiro-vibe-hermes.test.ts is skipped: there are no recorded scenarios')

const homes: TestHome[] = []
afterEach(() => {
  for (const home of homes.splice(0)) home.remove()
})

/** The beginning of the path, then prompts, tool calls and tool errors. */
const counted: [path: string, prompts: number, toolCalls: number, toolErrors: number][] = [
  ['kiro/1-2_session-end', 2, 0, 0],
  ['kiro/1-6_checkpoint-rewind', 3, 0, 0],
  ['kiro/2-10_mid-turn-message-queued', 2, 1, 0],
  ['kiro/2-11_auto-classified-permission', 1, 1, 0],
  ['kiro/2-16_oversized-transcript-line', 1, 2, 0],
  ['kiro/2-19_tool-gate-permission-prompt', 1, 1, 0],
  ['kiro/2-3_task-list', 1, 5, 0],
  ['kiro/2-4_self-correction-iteration', 1, 2, 1],
  ['kiro/2-6_long-agentic-session-stress', 1, 10, 0],
  ['kiro/2-7_autonomous-loop', 1, 3, 0],
  ['kiro/4-1_multiple-sessions-same-cwd', 3, 0, 0],
  ['vibe/1-6_checkpoint-rewind', 3, 0, 0],
  ['vibe/2-10_mid-turn-message-queued_2026-07-07', 2, 1, 0],
  ['vibe/2-11_auto-classified-permission', 1, 1, 0],
  ['vibe/2-15_shell-escape-command', 1, 0, 0],
  ['vibe/2-3_task-list', 1, 7, 0],
  ['vibe/2-6_long-agentic-session-stress', 4, 4, 0],
  ['vibe/3-1_foreground-subagent', 1, 1, 0],
  ['vibe/5-1_token-accounting', 3, 0, 0],
  ['vibe/5-8_task-estimate-marker', 5, 0, 0],
  ['hermes/1-3_long-idle-live-session', 2, 0, 0],
  ['hermes/2-11_auto-classified-permission', 1, 4, 2],
  ['hermes/2-18_user-blocking-plan-mode-approval', 0, 0, 0],
  ['hermes/2-2_auto-executed-tool-call', 1, 1, 0],
  ['hermes/2-4_self-correction-iteration', 1, 3, 1],
  ['hermes/2-6_long-agentic-session-stress', 4, 0, 0],
  ['hermes/2-7_autonomous-loop', 1, 0, 0],
  ['hermes/3-2_background-subagent', 1, 1, 0],
  ['hermes/3-5_workflow-fanout', 1, 1, 0],
  ['hermes/5-1_token-accounting', 3, 0, 0],
]

describe.skipIf(rows.length === 0)('a recorded scenario', () => {
  it.each(sample(counted, 3))(
    'has the counts of a reader by hand: %s',
    async (path, prompts, toolCalls, toolErrors) => {
      const { sessions, skipped } = await sweep((row) => row.startsWith(path))
      expect(skipped).toEqual([])
      expect(sessions.map(({ counts }) => counts)).toMatchObject([{ prompts, toolCalls, toolErrors }])
    },
  )

  it.each(['kiro', 'vibe', 'hermes'])('of %s contains no record that is unknown', async (agent) => {
    const { sessions, skipped, failed, unknown } = await sweep((row) => row.startsWith(`${agent}/`))
    expect({ skipped, failed, unknown }).toEqual({ skipped: [], failed: [], unknown: [] })
    expect(sessions).toHaveLength(rows.filter((row) => row.agent === agent).length)
  })
})

async function sweep(isWanted: (path: string) => boolean) {
  const home = testHome()
  homes.push(home)
  for (const row of rows) if (isWanted(row.path)) layOut(collection, row, home.path)
  const { skipped, failed } = await home.sweep()
  const unknown = home.look((ledger) => listDrift(ledger))
  return { sessions: home.sessions(), skipped, failed, unknown }
}
