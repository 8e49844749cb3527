// What an attacker can make a program print, or an agent run and write, does not reach another agent:
// from the transcripts of sessions to everything that agents are told.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { createApp } from '../src/app.ts'
import { lastDropped } from '../src/compaction/give-back.ts'
import { findFixes } from '../src/fixes/find-fixes.ts'
import { howProgram } from '../src/fixes/how-program.ts'
import { unknownSource } from '../src/mcp/call-source.ts'
import type { ToolCall } from '../src/mcp/tool-result.ts'
import { fixTool } from '../src/mcp/tools/fix.ts'
import { memoryGet } from '../src/mcp/tools/memory-read.ts'
import { recall } from '../src/recall/recall.ts'
import type { Ledger } from '../src/store/ledger.ts'
import { listMemories } from '../src/store/memories/memories.ts'
import { runningSessionNamed } from '../src/store/sessions/running-sessions.ts'
import { listSessions } from '../src/store/sessions/sessions.ts'
import { readRuns } from '../src/store/work-log.ts'
import { type TestHome, testHome } from './corpus/home.ts'
import { type HostileText, hostileDiffs, hostileErrors, hostileRemedies } from './gate-cases.ts'
import { lines } from './program.ts'
import { sample } from './proof.ts'
import { type Step, transcriptOf } from './transcripts.ts'

let home: TestHome | undefined
afterEach(() => {
  home?.remove()
  home = undefined
})

async function swept(...stories: Step[][]): Promise<TestHome> {
  home = testHome()
  home.write('.recollect/config.toml', '[hooks]\nfix = true\n')
  for (const [index, steps] of stories.entries()) {
    const startedMs = Date.UTC(2026, 8, 1, 10) + index * 3_600_000
    const story = { agent: 'claude-code' as const, number: index + 1, project: 'app', startedMs, steps }
    const { path, lines: all } = transcriptOf(story)
    home.write(path, lines(all))
  }
  await home.sweep()
  return home
}

const passed = 'Tests  12 passed (12)'

/** A command fails, another flag is added, and it passes: what is kept as confirmed by a run. */
const failsOnce = (error: string, number: number): Step[] => [
  { do: 'say', text: 'Run the tests.' },
  { do: 'run', command: `npm run check:${number}`, output: error, exit: 1 },
  { do: 'run', command: `npm run check:${number} --silent`, output: passed },
  { do: 'reply', text: 'It passes.' },
]

const mendedBy = (remedy: string, number: number): Step[] => [
  { do: 'say', text: 'Run the tests.' },
  { do: 'run', command: `make test-${number}`, output: `Error: cannot find module 'm${number}'`, exit: 1 },
  { do: 'run', command: remedy, output: 'done' },
  { do: 'run', command: `make test-${number}`, output: passed },
  { do: 'reply', text: 'It passes.' },
]

function editedBy({ text: diff, file = 'a.go' }: HostileText, number: number): Step[] {
  const path = editedPath(file, number)
  const side = (sign: string) =>
    diff
      .split('\n')
      .filter((line) => line.startsWith(sign))
      .map((line) => line.slice(2))
      .join('\n')
  const source = side('-')
  const error = `${path}:9:2: Error return value of \`call${number}\` is not checked (errcheck)\n\t${source}\n\t^`
  return [
    { do: 'say', text: 'Run the linter.' },
    { do: 'run', command: 'make lint', output: error, exit: 1 },
    { do: 'edit', path: `/home/dev/app/${path}`, from: source, to: side('+') },
    { do: 'run', command: 'make lint', output: '0 issues.' },
    { do: 'reply', text: 'It passes.' },
  ]
}

const editedPath = (file: string, number: number) => `part${number}/${file}`

/** Everything that agents are told, with or without asking. */
function toldTo(ledger: Ledger, from: TestHome, questions: readonly string[]): string {
  const app = createApp({ machine: from.machine })
  const call: ToolCall = {
    ...{ app, ledger, source: unknownSource },
    clientProject: { kind: 'folder', folder: '/home/dev/app' },
  }
  const { briefs } = ledger.layout
  const files = readdirSync(briefs, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => ({ name: entry.name, text: readFileSync(join(entry.parentPath, entry.name), 'utf8') }))
    // The hook searches the other fields of a line and prints the last one.
    .map(({ name, text }) => (/\.(?:fixes|files)$/.test(name) ? text.replace(/^.*\t/gm, '') : text))
  const sessions = listSessions(ledger)
  const dropped = sessions.flatMap(({ id }) => runningSessionNamed(ledger, id) ?? [])
  const memories = listMemories(ledger, { state: 'kept' })
  return [
    ...files,
    ...questions.flatMap((text) => [
      JSON.stringify(
        findFixes(ledger, { text, limit: 5 }).fixes.map((fix) => ({ ...fix, shape: '', details: [], asked: '' })),
      ),
      fixTool(call, { error: text }),
      recall(ledger, text, { project: null, budget: 800, nowMs: app.clock.nowMs() }).text,
    ]),
    ...['npm', 'make', 'git', 'curl', 'node', 'claude'].map((program) => {
      const { commands, traps } = howProgram(ledger, program, { project: null, limit: 50 })
      return JSON.stringify([commands, traps.map((fix) => ({ ...fix, shape: '', details: [], asked: '' }))])
    }),
    ...dropped.map((session) => lastDropped({ ...app, ledger }, session).text),
    ...memories.map(({ text, apply }) => `${text}\n${apply}`),
    ...(memories.length > 0 ? [memoryGet(call, { ids: memories.slice(0, 20).map(({ id }) => id) })] : []),
  ].join('\n')
}

/** What must never be told of a hostile text: runs of its words that say it, and its names. */
function sharedWords({ text: hostile, never }: HostileText, told: string): string[] {
  const wordsOf = (text: string) => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
  const words = wordsOf(hostile)
  const output = ` ${wordsOf(told).join(' ')} `
  const runs = words.flatMap((_, at) => (at + 4 <= words.length ? [words.slice(at, at + 4).join(' ')] : []))
  const names = words.filter((word) => /evil|hunter2|exfiltrat|no.verify|id_rsa|eviltool|assistant/.test(word))
  return [...runs, ...names].filter((run) => never.test(run) && output.includes(` ${run} `))
}

const errors = sample(hostileErrors, 30)
const remedies = sample(hostileRemedies, 30)
const diffs = sample(hostileDiffs, 30)

describe('what agents are told', () => {
  it('is nothing that a program wanted to tell them', async () => {
    const from = await swept(...errors.map(({ text }, number) => failsOnce(text, number)))
    from.look((ledger) => {
      const told = toldTo(
        ledger,
        from,
        errors.map(({ text }) => text),
      )
      // The commands themselves are told, so that something is there to look at.
      expect(told.match(/npm run check:\d+ --silent/g)!.length).toBeGreaterThan(errors.length)
      for (const one of errors) expect(sharedWords(one, told), one.text).toEqual([])
    })
  })

  it('is no command that may harm', async () => {
    const from = await swept(...remedies.map(mendedBy))
    from.look((ledger) => {
      const questions = remedies.map((_, number) => `Error: cannot find module 'm${number}'`)
      const told = toldTo(ledger, from, questions)
      for (const remedy of remedies) expect(told).not.toContain(remedy)
      const held = readRuns(ledger).flatMap(({ entries }) => entries.filter(({ what }) => what === 'held back'))
      expect(held.length).toBeGreaterThan(10)
      expect(held.map(({ detail }) => detail)).toContainEqual(expect.stringContaining('the fix of the failure #'))
    })
  })

  it('is no code and no comment that an attacker chose', async () => {
    const from = await swept(...diffs.map(editedBy))
    from.look((ledger) => {
      const questions = diffs.map(
        ({ file = '' }, number) =>
          `${editedPath(file, number)}:9:2: Error return value of \`call${number}\` is not checked (errcheck)`,
      )
      const told = toldTo(ledger, from, questions)
      for (const { text, never } of diffs)
        expect(sharedWords({ text: text.replace(/^- .*$/gm, ''), never }, told), text).toEqual([])
    })
  })

  it('is a remedy that harms nobody, with the form of the message', async () => {
    const from = await swept([
      { do: 'say', text: 'Run the tests.' },
      { do: 'run', command: 'npm test', output: 'Error: connect ECONNREFUSED 127.0.0.1:5432', exit: 1 },
      { do: 'run', command: 'docker compose up -d db', output: 'Started' },
      { do: 'run', command: 'npm test', output: passed },
      { do: 'reply', text: 'It passes.' },
    ])
    from.look((ledger) => {
      const told = toldTo(ledger, from, ['Error: connect ECONNREFUSED 127.0.0.1:5432'])
      expect(told).toContain('It works after `docker compose up -d db`.')
      expect(told).toContain('`npm test` failed with `Error: connect ECONNREFUSED 127.0.0.1:5432`')
    })
  })
})
