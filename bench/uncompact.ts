// What a compaction drops and the agent then needs: how much of it 600 tokens give back, compared
// with the last events before the compaction cut to 600 tokens. The weights are fitted without the
// session that they are measured on.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fitLogistic } from '../scripts/train/logistic.ts'
import { agents } from '../src/agents/registry.ts'
import { createApp } from '../src/app.ts'
import { isRoutine, withoutFilters } from '../src/compaction/commands.ts'
import { droppedFacts } from '../src/compaction/dropped.ts'
import { type FactState, newFactState } from '../src/compaction/fact-state.ts'
import { actionNames, foldFacts, relativePath } from '../src/compaction/facts.ts'
import { expandFolders } from '../src/compaction/folders.ts'
import {
  commandFeatures,
  type FactFeatures,
  type FactWeights,
  fittedWeights,
  nameFeatures,
} from '../src/compaction/likelihood.ts'
import { mentionsName } from '../src/compaction/mentions.ts'
import { namesIn } from '../src/compaction/names.ts'
import { renderDropped } from '../src/compaction/render.ts'
import { factsOfSession } from '../src/compaction/session-facts.ts'
import { factFilesOf, readFactState, removeFactFiles, writeFactState } from '../src/compaction/state-files.ts'
import { summaryAfter } from '../src/compaction/summary.ts'
import { commandOf } from '../src/core/commands.ts'
import { zoneOf } from '../src/core/units.ts'
import type { Ledger } from '../src/store/ledger.ts'
import { readBody, type StoredEvent } from '../src/store/sessions/bodies.ts'
import { type RunningSession, runningSessionNamed } from '../src/store/sessions/running-sessions.ts'
import { sweep } from '../src/sweep.ts'
import { estimateTokens } from '../src/text/tokens.ts'
import { truncateStart } from '../src/text/truncate.ts'
import { transcriptOf } from '../test/transcripts.ts'
import { corpus, filesBelow } from './home.ts'
import { type BenchOptions, median } from './measure.ts'
import { madeUpSessions } from './uncompact-sessions.ts'

const maxTokens = 600
/** Events after a compaction in which something counts as needed. */
const window = 50
/** Earlier there is nothing to drop. */
const minEvents = 8

interface Case {
  session: string
  isReal: boolean
  state: FactState
  keepsPrompts: boolean
  summary: string
  needs: Need[]
  /** The last events before the compaction, cut to the budget. */
  baseline: string
}

interface Need {
  kind: 'command' | 'path' | 'identifier' | 'value'
  text: string
  /** Said by a person or the agent, or acted on; else only printed by a tool. */
  isUsed: boolean
}

export async function uncompact({ file }: BenchOptions = {}): Promise<void> {
  const cases = await readCases()
  const real = cases.filter(({ isReal }) => isReal)
  const made = cases.filter(({ isReal }) => !isReal)
  const parts: [string, Case[]][] = [
    ['public transcripts', real],
    ['made-up sessions', made],
    ['all', cases],
  ]
  const folded = new Map(
    sessionsOf(cases).map((session) => [session, fit(cases.filter((one) => one.session !== session))]),
  )
  for (const [title, some] of parts) {
    if (some.length === 0) continue
    const used = some.map((one) => ({ ...one, needs: one.needs.filter(({ isUsed }) => isUsed) }))
    console.log(`${title}: ${some.length} compactions of ${sessionsOf(some).length} sessions; dropped and needed:`)
    console.log(
      `                               said or used ${String(countNeeds(used)).padStart(3)}   printed too ${countNeeds(some)}`,
    )
    const ways: [string, (one: Case) => string][] = [
      ['compared with the summary', (one) => give(one, folded.get(one.session)!, one.summary)],
      ['before the summary is known', (one) => give(one, folded.get(one.session)!)],
      ['last events (baseline)', ({ baseline }) => baseline],
    ]
    for (const [way, textOf] of ways)
      console.log(`  ${way.padEnd(28)} ${share(used, textOf).padStart(16)} ${share(some, textOf).padStart(15)}`)
  }
  console.log(`weights of all sessions: ${JSON.stringify(fit(cases))}`)
  if (file) writeFileSync(file, cases.map((one) => caseText(one, folded.get(one.session)!)).join('\n'))
}

function countNeeds(cases: readonly Case[]): number {
  return cases.reduce((sum, { needs }) => sum + needs.length, 0)
}

function share(cases: readonly Case[], textOf: (one: Case) => string): string {
  const given = cases.reduce((sum, one) => sum + covered(one.needs, textOf(one)), 0)
  return (given / Math.max(1, countNeeds(cases))).toFixed(2)
}

/** A case to read: what was needed, what of it is given (+), what is printed by tools only (?), and the text. */
function caseText(one: Case, weights: FactWeights): string {
  const text = give(one, weights, one.summary)
  const needs = one.needs.map((need) => {
    const mark = isGiven(need, expandFolders(text)) ? '+' : need.isUsed ? '-' : '?'
    return `${mark} ${need.kind}: ${need.text}\n`
  })
  return `## ${one.session}: ${covered(one.needs, text)} of ${needs.length}, ${estimateTokens(text)} tokens\n${needs.join('')}${text}\n`
}

function give(one: Case, weights: FactWeights, summary?: string): string {
  const facts = droppedFacts(one.state, { summary, keepsPrompts: one.keepsPrompts, maxTokens, weights })
  const purpose = summary === undefined ? 'uncompared' : 'compared'
  return renderDropped(facts, { session: one.session, maxTokens, zone: zoneOf('UTC'), purpose })
}

function covered(needs: readonly Need[], text: string): number {
  const expanded = expandFolders(text)
  return needs.filter((need) => isGiven(need, expanded)).length
}

function isGiven({ kind, text: name }: Need, text: string): boolean {
  return kind === 'command' ? text.includes(name) : mentionsName(text, name, kind)
}

/** Examples are the dropped facts of every case; a fact is positive if it was needed. */
function fit(cases: readonly Case[]): FactWeights {
  const names = Object.keys(fittedWeights)
  const examples = cases.flatMap(({ state, summary, needs }) => {
    const needed = new Set(needs.map(({ text }) => text))
    const facts: [string, FactFeatures][] = [
      ...[...state.names]
        .filter(([text, { kind }]) => !mentionsName(summary, text, kind))
        .map(([text, fact]): [string, FactFeatures] => [text, nameFeatures(fact, state)]),
      ...[...state.commands]
        .filter(([text]) => !summary.includes(text))
        .map(([text, fact]): [string, FactFeatures] => [text, commandFeatures(fact, state)]),
    ]
    return facts.map(([text, features]) => ({
      values: Object.entries(features).map(([name, value]): [number, number] => [names.indexOf(name), value]),
      isPositive: needed.has(text),
      weight: 1,
    }))
  })
  const weights = fitLogistic(
    examples,
    names.map(() => ({ mean: 0, strength: 0.5 })),
  )
  return Object.fromEntries(names.map((name, index) => [name, Math.round(weights[index]! * 100) / 100]))
}

function sessionsOf(cases: readonly Case[]): string[] {
  return [...new Set(cases.map(({ session }) => session))]
}

async function readCases(): Promise<Case[]> {
  const root = mkdtempSync(join(tmpdir(), 'recollect-bench-uncompact-'))
  try {
    const real = layOut(root)
    const app = createApp({ machine: { home: root, env: { RECOLLECT_HOME: join(root, 'store') }, platform: 'linux' } })
    await sweep(app, { part: 'capture' })
    const ledger = app.ledger()
    try {
      const rows = ledger.sql('SELECT uid FROM sessions WHERE body IS NOT NULL ORDER BY uid').all()
      const sessions = rows.map(({ uid }) => runningSessionNamed(ledger, String(uid))!)
      printCost(
        ledger,
        sessions.reduce((a, b) => (b.body.raw > a.body.raw ? b : a)),
      )
      return sessions.flatMap(({ uid, cwd, body }) =>
        casesOf(uid, cwd, [...readBody(ledger.layout.bodies, body.file, body.bytes)], real),
      )
    } finally {
      ledger.close()
    }
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}

/** What the worker pays: for a whole session once, then for each turn of it. */
function printCost(ledger: Ledger, session: RunningSession): void {
  const files = factFilesOf(ledger.layout, session.uid)!
  const prepare = (events: number) => {
    const begun = performance.now()
    const state = factsOfSession(ledger, { ...session, events })
    writeFactState(ledger.layout, files, state)
    droppedFacts(state, { maxTokens })
    return performance.now() - begun
  }
  prepare(session.events)
  removeFactFiles(ledger.layout)
  const whole = prepare(session.events)
  const state = readFactState(files)!
  const turns = Array.from({ length: 20 }, () => {
    writeFactState(ledger.layout, files, { ...state, through: session.events - turnEvents })
    return prepare(session.events)
  })
  const kilobytes = Math.round(statSync(files.state).size / 1000)
  console.log(
    `cost: ${session.events} events (${(session.body.raw / 1e6).toFixed(1)} MB) ${whole.toFixed(0)} ms, a turn of ${turnEvents} events ${median(turns).toFixed(0)} ms, state ${kilobytes} kB`,
  )
}

const turnEvents = 20

/** Public transcripts with a compaction, and the made-up ones. Returns the ids of the public sessions. */
function layOut(home: string): Set<string> {
  const write = (path: string, content: string) => {
    mkdirSync(dirname(join(home, path)), { recursive: true })
    writeFileSync(join(home, path), content, 'latin1')
  }
  for (const story of madeUpSessions()) {
    const { path, lines } = transcriptOf(story)
    write(path, Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join('')).toString('latin1'))
  }
  const real = new Set<string>()
  for (const agent of existsSync(corpus) ? ['claude-code', 'codex'] : []) {
    for (const path of filesBelow(join(corpus, agent)).filter(
      (name) => name.endsWith('.jsonl') && !name.includes('/growth/'),
    )) {
      const text = readFileSync(path, 'latin1')
      if (!/"isCompactSummary":true|"type":"compacted"/.test(text)) continue
      const session = /"(?:sessionId|id)":"([0-9a-f]{8}-[0-9a-f-]{27})"/.exec(text)?.[1]
      if (!session) continue
      real.add(`${agent}:${session}`)
      const name =
        agent === 'codex'
          ? `.codex/sessions/2026/07/01/rollout-2026-07-01T00-00-00-${session}`
          : `.claude/projects/-bench/${session}`
      write(`${name}.jsonl`, text)
    }
  }
  return real
}

function casesOf(session: string, cwd: string | null, events: StoredEvent[], real: ReadonlySet<string>): Case[] {
  const agent = session.slice(0, session.indexOf(':'))
  const keepsPrompts = agents.find(({ id }) => id === agent)?.keepsPrompts === true
  const state = newFactState()
  const cases: Case[] = []
  for (const [index, event] of events.entries()) {
    if (event.kind === 'compaction' && index >= minEvents) {
      const before = events.slice(0, index)
      const { text: summary, next } = summaryAfter(events, index)
      const kept = keepsPrompts ? before.filter(({ kind }) => kind === 'prompt').map(({ text }) => text) : []
      const known = [summary, ...kept].join('\n')
      const needs = needsOf(before, events.slice(next, next + window), known, cwd)
      const copy = structuredClone(state)
      const base = { session, isReal: real.has(session), keepsPrompts, baseline: lastEvents(before) }
      if (needs.length > 0) cases.push({ ...base, state: copy, summary, needs })
    }
    foldFacts(state, event, { agent, cwd })
  }
  return cases
}

/** What the agent acted on and the person spoke of after a compaction, that stood before it and not in the summary. */
function needsOf(before: StoredEvent[], after: StoredEvent[], known: string, cwd: string | null): Need[] {
  const said = before
    .map(({ text, input }) => `${text}\n${input === undefined ? '' : JSON.stringify(input)}`)
    .join('\n')
  const acted = before
    .map(({ kind, text, input }) =>
      kind === 'tool_call' ? JSON.stringify(actionNames(input).map((name) => name.text)) : spoken.has(kind) ? text : '',
    )
    .join('\n')
  const commands = new Set(before.map(({ input }) => withoutFilters(commandOf(input))))
  const needs = new Map<string, Need>()
  for (const event of after) {
    const names =
      event.kind === 'prompt'
        ? namesIn(event.text, 'prose')
        : event.kind === 'tool_call'
          ? actionNames(event.input)
          : []
    for (const { kind, text: name } of names) {
      const text = kind === 'path' ? relativePath(name, cwd) : name
      const isDropped = text.length > 3 && mentionsName(said, text, 'exact') && !mentionsName(known, text, kind)
      if (isDropped && !text.startsWith('/dev/'))
        needs.set(text, { kind, text, isUsed: mentionsName(acted, text, 'exact') })
    }
    const command = withoutFilters(commandOf(event.input))
    if (commands.has(command) && !isRoutine(command) && !known.includes(command))
      needs.set(command, { kind: 'command', text: command, isUsed: true })
  }
  return [...needs.values()]
}

const spoken = new Set(['prompt', 'reply', 'command', 'shell'])

function lastEvents(before: readonly StoredEvent[]): string {
  let text = ''
  for (const { text: said, input } of before.toReversed()) {
    text = `${said}${input === undefined ? '' : JSON.stringify(input)}\n${text}`
    if (estimateTokens(text) > maxTokens) break
  }
  while (estimateTokens(text) > maxTokens) text = truncateStart(text, Math.floor(text.length * 0.95))
  return text
}
