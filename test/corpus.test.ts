// The readers against public transcripts of many agents, and against counts that an independent script made of some of
// them. The transcripts are not part of this repository; without them the suite is skipped.
import { join, relative } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { agents } from '../src/agents/registry.ts'
import { usageRows } from '../src/store/sessions/usage.ts'
import { findCorpus, type TestHome, testHome } from './corpus/home.ts'
import { layOut, type Row, rowsOf, table } from './corpus/lay-out.ts'
import { isProof, sample } from './proof.ts'

/** Where the readers and the independent count differ, and why the readers are right. At most one row in a hundred. */
const explained: { path: string; column: string; reason: string }[] = []

const corpus = findCorpus() ?? ''
if (!corpus) console.log('test/corpus.test.ts is skipped: the public transcripts are not beside this checkout')

const homes: TestHome[] = []
afterEach(() => {
  for (const home of homes.splice(0)) home.remove()
})

function newHome(): TestHome {
  const home = testHome()
  homes.push(home)
  return home
}

describe.skipIf(!corpus)('an independent count', () => {
  const counted = corpus ? [...claudeRows(), ...codexRows()] : []

  it.each(sample(counted, 3))('agrees on $path', async ({ path, agent, expected }) => {
    const home = newHome()
    layOut(corpus, { path, agent }, home.path)
    await home.sweep()
    const found = countsOf(home)
    const columns = Object.keys(expected).filter((name) => found[name] !== expected[name])
    expect(columns, JSON.stringify({ found, expected })).toEqual(
      explained.filter((difference) => difference.path === path).map(({ column }) => column),
    )
  })

  it('differs in one row of a hundred at most', () => {
    expect(counted.length).toBeGreaterThan(60)
    expect(new Set(explained.map(({ path }) => path)).size / counted.length).toBeLessThanOrEqual(0.01)
  })
})

interface Counted extends Row {
  expected: Record<string, number>
}

function claudeRows(): Counted[] {
  return table(join(corpus, 'ORACLE-claude.tsv')).map((row) => ({
    path: row.path!,
    agent: 'claude-code',
    expected: {
      prompts: Number(row.human_prompts),
      toolCalls: Number(row.tool_uses),
      toolErrors: Number(row.tool_errors),
      input: Number(row.input_tokens),
      output: Number(row.output_tokens),
      cacheWrite: Number(row.cache_creation),
      cacheRead: Number(row.cache_read),
    },
  }))
}

/** Prompts are recorded twice, as events and as items; old rollouts have only the items. Errors were not counted. */
function codexRows(): Counted[] {
  return table(join(corpus, 'ORACLE-codex.tsv')).map((row) => ({
    path: row.path!,
    agent: 'codex',
    expected: {
      prompts: Number(row.user_message_events) || Number(row.user_items_after_wrapper_filter),
      toolCalls: Number(row.tool_calls),
      input: Number(row.sum_input) - Number(row.sum_cached),
      output: Number(row.sum_output),
      cacheRead: Number(row.sum_cached),
    },
  }))
}

/** Over all sessions of the home: an inline subagent is a session of its own, the independent script counts per file. */
function countsOf(home: TestHome): Record<string, number> {
  const total = (numbers: number[]) => numbers.reduce((sum, number) => sum + number, 0)
  const sessions = home.sessions()
  const usage = home.look((ledger) => [...usageRows(ledger, {})])
  return {
    prompts: total(sessions.map(({ counts }) => counts.prompts)),
    toolCalls: total(sessions.map(({ counts }) => counts.toolCalls)),
    toolErrors: total(sessions.map(({ counts }) => counts.toolErrors)),
    input: total(usage.map((row) => row.input)),
    output: total(usage.map((row) => row.output)),
    cacheWrite: total(usage.map((row) => row.cacheWrite)),
    cacheRead: total(usage.map((row) => row.cacheRead)),
  }
}

describe.runIf(corpus && isProof)('a home with every public transcript', () => {
  it('is read without a failed file, and nothing in it is overlooked', async () => {
    const home = newHome()
    const laidOut = rowsOf(corpus).flatMap((row) => layOut(corpus, row, home.path) ?? [])
    const report = await home.sweep()
    expect(report.failed).toEqual([])
    // Two broken on purpose, three whose escapes were broken when addresses were masked; every other line is read.
    expect(report.skipped).toHaveLength(5)

    const read = home.look((ledger) =>
      ledger
        .sql('SELECT path FROM cursors')
        .all()
        .map((row) => String(row.path)),
    )
    const overlooked = [...new Set(laidOut)].filter((path) => !read.includes(path) && !isBeside(path))
    expect(overlooked.map((path) => relative(home.path, path))).toEqual([])

    const sessions = home.sessions()
    for (const { id } of agents.filter(({ id }) => !unrecorded.has(id))) {
      // Of one agent there is only the session of a subagent, which nobody prompted.
      const counts = sessions.filter(({ agent }) => agent === id).map(({ counts }) => counts.prompts + counts.toolCalls)
      expect(Math.max(...counts), id).toBeGreaterThan(0)
    }
    const again = await home.sweep()
    expect(again).toMatchObject({ discovered: report.discovered, unchanged: report.discovered, ingested: 0, events: 0 })
  })
})

/** Agents of which no transcript is public. */
const unrecorded = new Set([
  ...['crush', 'devin', 'kilo', 'mimo', 'zcode', 'omp', 'prime', 'openclaude', 'open-interpreter', 'zed'],
])

/** Files that are read with the transcript they belong to, or that say nothing of a conversation. */
function isBeside(path: string): boolean {
  return /\/(?:tool-results\/.*|meta\.json|.*\.settings\.json|state\.json|summary\.json|signals\.json|source-v1\.jsonl|\d+_\w+\.json|history_item\.json|api_conversation_history\.json|storage\/(?:message|part|migration).*|workspace\.json|models\.json)$/.test(
    path,
  )
}

describe.skipIf(!corpus)('a transcript that was damaged', () => {
  const whole = ['prompt', 'reply', 'tool_call', 'test_run', 'reply']
  const damaged: [is: string, name: string, kinds: string[] | undefined][] = [
    ['has a result stamped before its call', 'edge-clock-skew', whole],
    ['has a BOM, CRLF line ends and a blank line', 'edge-crlf-bom', whole],
    ['says every record twice', 'edge-duplicates', whole],
    ['has two records on one line', 'edge-glued-records', whole],
    ['holds bytes that are no UTF-8', 'edge-invalid-utf8', whole],
    ['holds half an emoji', 'edge-lone-surrogate', whole],
    ['does not end with a newline', 'edge-no-final-newline', whole],
    ['has a block of NUL bytes in the middle', 'edge-nul-run', whole],
    ["has records that are each other's parent", 'edge-parent-cycle', whole],
    ['ends in the middle of a record', 'edge-partial-last-line', whole],
    ['has __proto__ as a key', 'edge-proto-keys', whole],
    ['ends before the result of a call', 'edge-orphan-tool-use', whole.slice(0, 3)],
    ['is empty', 'edge-empty', undefined],
    ['holds no conversation', 'edge-metadata-only', undefined],
    ['holds one line of 10 MB', 'huge-line-10MB', ['prompt', 'context', 'reply']],
  ]

  it.each(sample(damaged, 5))('is still read when it %s', async (_, name, kinds) => {
    const { home, sessions, failed } = await sweepOne(`_synthetic/claude-code/${name}.jsonl`)
    expect(failed).toEqual([])
    expect(sessions.map(({ id }) => home.events(id).map((event) => event.kind))).toEqual(kinds ? [kinds] : [])
    if (kinds === whole) {
      expect(sessions[0]).toMatchObject({
        counts: { prompts: 1, toolCalls: 1, toolErrors: 1 },
        tokens: { input: 8, output: 107 },
      })
    }
  })

  it('keeps a placeholder for a huge image', async () => {
    const { home, sessions } = await sweepOne('_synthetic/claude-code/huge-line-10MB.jsonl')
    expect(home.events(sessions[0]!.id)[1]).toMatchObject({ kind: 'context', text: '[image image/png, 7324 KB]' })
  })

  it('keeps odd keys of a tool input as plain keys', async () => {
    const { home, sessions } = await sweepOne('_synthetic/claude-code/edge-proto-keys.jsonl')
    const call = home.events(sessions[0]!.id).find((event) => event.kind === 'tool_call')
    expect(Object.keys(call?.input ?? {})).toContain('__proto__')
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
  })
})

describe.skipIf(!corpus)('the newest and the oldest dialects, written from scratch', () => {
  it.each([
    ['claude-code 2.1.28x', '_synthetic/claude-code/projects/', { prompts: 2, toolCalls: 1, toolErrors: 0 }],
    ['cline SDK', '_synthetic/cline/', { prompts: 1, toolCalls: 1, toolErrors: 0 }],
    ['codex 0.16x', '_synthetic/codex/sessions/2026/', { prompts: 1, toolCalls: 1, toolErrors: 1 }],
    ['codex of 2025', '_synthetic/codex/sessions/rollout-2025', { prompts: 1, toolCalls: 1, toolErrors: 0 }],
    ['cursor editor', '_synthetic/cursor/User/', { prompts: 1, toolCalls: 1, toolErrors: 0 }],
    ['cursor command line', '_synthetic/cursor/projects/', { prompts: 1, toolCalls: 1, toolErrors: 0 }],
    ['gemini-cli 0.40', '_synthetic/gemini-cli/', { prompts: 2, toolCalls: 1, toolErrors: 0 }],
    ['goose before its database', '_synthetic/goose/sessions/2025', { prompts: 1, toolCalls: 1, toolErrors: 1 }],
    ['goose', '_synthetic/goose/sessions/sessions.db', { prompts: 1, toolCalls: 1, toolErrors: 1 }],
    ['grok-cli', '_synthetic/grok-cli-superagent/', { prompts: 1, toolCalls: 1, toolErrors: 0 }],
    ['roo-code', '_synthetic/roo-code/', { prompts: 1, toolCalls: 2, toolErrors: 0 }],
  ])('are read: %s', async (_, folder, counts) => {
    const { sessions, failed } = await sweepOne(folder)
    expect(failed).toEqual([])
    expect(sessions.map((session) => session.counts)).toMatchObject([counts])
  })
})

describe.skipIf(!corpus)('agents with few public transcripts', () => {
  const none = { input: 0, output: 0, cacheWrite: 0, cacheRead: 0 }

  // Counted by hand in the files.
  it.each([
    ['openclaw/agent-sessions/small', { prompts: 1, toolCalls: 1, toolErrors: 0, ...none }],
    ['openclaw/agent-sessions/large', { prompts: 1, toolCalls: 2, toolErrors: 0, ...none }],
    ['openclaw/agent-sessions/schema_drift', { prompts: 1, toolCalls: 1, toolErrors: 0, ...none }],
    [
      'amp/git-ai/amp-threads/T-019ca1ce',
      { prompts: 1, toolCalls: 4, toolErrors: 0, input: 5, output: 555, cacheWrite: 7226, cacheRead: 39744 },
    ],
    [
      'amp/git-ai/amp-threads/T-019ca1f6',
      { prompts: 1, toolCalls: 2, toolErrors: 0, input: 5, output: 270, cacheWrite: 17711, cacheRead: 28097 },
    ],
    ['qwenpaw/', { prompts: 4, toolCalls: 1, toolErrors: 0, ...none }],
    ['gptme/', { prompts: 2, toolCalls: 1, toolErrors: 0, input: 320, output: 57, cacheWrite: 0, cacheRead: 200 }],
  ])('are read: %s', async (start, counts) => {
    const { home, failed } = await sweepOne(start)
    expect(failed).toEqual([])
    expect(countsOf(home)).toEqual(counts)
  })
})

/** Every file whose path begins so, alone in a home. */
async function sweepOne(start: string) {
  const home = newHome()
  for (const row of rowsOf(corpus)) if (row.path.startsWith(start)) layOut(corpus, row, home.path)
  const { failed } = await home.sweep()
  return { home, failed, sessions: home.sessions() }
}
