// A home with sessions of Claude Code, swept in this process with a clock of its own and a scripted model or none.
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type App, createApp } from '../src/app.ts'
import { fixedClock } from '../src/core/clock.ts'
import type { Memory } from '../src/memory/memory.ts'
import { ask } from '../src/models/ask.ts'
import { modelContext } from '../src/models/context.ts'
import type { PipelineContext, SweepReport } from '../src/pipeline.ts'
import type { Ledger } from '../src/store/ledger.ts'
import {
  unjudgedSession,
  unjudgedSessions,
  unlearnedSession,
  unlearnedSessions,
} from '../src/store/memories/learning.ts'
import { listCandidates, listMemories } from '../src/store/memories/memories.ts'
import { saveHookEvent } from '../src/store/sessions/hook-events.ts'
import { sweep } from '../src/sweep.ts'
import type { Model } from './models/scripted.ts'
import { lines } from './program.ts'

export type AgentStep = string | { tool: string; input: object; result?: string }
export type Turn = [person: string, ...agent: AgentStep[]]

export const sampleSession = '0a1b2c3d-1111-4111-8111-111111111111'

/** Turns of a person and an agent, one minute each, from 2026-09-01 10:00 on. */
export function turnRecords(turns: Turn[], from = 0, session = sampleSession): object[] {
  const prefix = session === sampleSession ? '' : `${session.slice(0, 8)}-`
  return turns.flatMap(([person, ...agent], index) => {
    const turn = from + index
    const base = { sessionId: session, cwd: '/home/dev/app', version: '2.1.300', isSidechain: false }
    const at = (step: number) => new Date(Date.UTC(2026, 8, 1, 10, turn, step)).toISOString()
    const message = (content: object, step: number) => ({
      ...base,
      type: 'assistant',
      uuid: `${prefix}a${turn}-${step}`,
      timestamp: at(step),
      message: { id: `${prefix}msg${turn}-${step}`, role: 'assistant', model: 'claude-opus-4-6', content: [content] },
    })
    const user = (content: unknown, step: number, more: object = {}) => ({
      ...base,
      type: 'user',
      uuid: `${prefix}u${turn}-${step}`,
      timestamp: at(step),
      message: { role: 'user', content },
      ...more,
    })
    return [
      user(person, 0),
      ...agent.flatMap((said, place) => {
        const step = 1 + place * 2
        if (typeof said === 'string') return [message({ type: 'text', text: said }, step)]
        const id = `${prefix}call${turn}-${step}`
        const result = { type: 'tool_result', tool_use_id: id, content: said.result ?? 'ok' }
        const path = (said.input as { file_path?: string }).file_path
        const structured = path
          ? { filePath: path, structuredPatch: [], type: 'create', content: 'x' }
          : { stdout: 'ok' }
        return [
          message({ type: 'tool_use', id, name: said.tool, input: said.input }, step),
          user([result], step + 1, { toolUseResult: structured }),
        ]
      }),
    ]
  })
}

export interface LearnHome {
  path: string
  /** What stands in config.toml, and the time of the next sweep. */
  config: string
  now: string
  transcript(session?: string): string
  write(turns: Turn[], session?: string): void
  /** Appends turns; `from` is the number of the first. */
  append(turns: Turn[], from: number, session?: string): void
  /** A hook of a captured session, as of its end. */
  hook(moment: 'turn' | 'compact' | 'end', at: string, session?: string): void
  app(): App
  /** Sweeps; `change` replaces parts of the context of the stages. */
  run(change?: (context: PipelineContext) => Partial<PipelineContext>): Promise<SweepReport>
  look<T>(see: (ledger: Ledger) => T): T
  memories(): Memory[]
  kept(): Memory[]
  candidates(): Memory[]
  /** Cursor and number of events of the sessions that rules have not read, and that no model has judged. */
  unread(): number[][]
  unjudged(): number[][]
  remove(): void
}

export function learnHome(config: string): LearnHome {
  const path = mkdtempSync(join(tmpdir(), 'recollect-learn-'))
  const store = join(path, '.recollect')
  const home: LearnHome = {
    path,
    config,
    now: '2026-09-01T12:00:00Z',
    transcript: (session = sampleSession) => join(path, '.claude/projects/-home-dev-app', `${session}.jsonl`),
    write(turns, session) {
      mkdirSync(dirname(home.transcript(session)), { recursive: true })
      writeFileSync(home.transcript(session), lines(turnRecords(turns, 0, session)))
    },
    append(turns, from, session) {
      mkdirSync(dirname(home.transcript(session)), { recursive: true })
      appendFileSync(home.transcript(session), lines(turnRecords(turns, from, session)))
    },
    hook(moment, at, session = sampleSession) {
      const event = { agent: 'claude-code', session, event: `Test-${moment}`, moment, detail: '', atMs: Date.parse(at) }
      home.look((ledger) => saveHookEvent(ledger, event))
    },
    app() {
      mkdirSync(store, { recursive: true })
      writeFileSync(join(store, 'config.toml'), home.config)
      const machine = { home: path, env: { RECOLLECT_HOME: store, PATH: '' }, platform: 'linux' as const, name: 'box' }
      return createApp({ machine, clock: fixedClock(home.now) })
    },
    async run(change) {
      const app = home.app()
      const context = (ledger: Ledger) => {
        const whole = app.context(ledger)
        return change ? { ...whole, ...change(whole) } : whole
      }
      const swept = await sweep({ ...app, context })
      if (swept.kind !== 'done') throw new Error('busy')
      return swept.report
    },
    look(see) {
      const ledger = home.app().existingLedger()
      try {
        return see(ledger)
      } finally {
        ledger.close()
      }
    },
    memories: () => home.look((ledger) => listMemories(ledger)),
    kept: () => home.look((ledger) => listMemories(ledger, { state: 'kept' }).reverse()),
    candidates: () => home.look((ledger) => listCandidates(ledger)),
    unread: () =>
      home.look((ledger) =>
        unlearnedSessions(ledger)
          .map((id) => unlearnedSession(ledger, id)!)
          .map(({ learnedThrough, events }) => [learnedThrough, events]),
      ),
    unjudged: () =>
      home.look((ledger) =>
        unjudgedSessions(ledger, 0)
          .map((id) => unjudgedSession(ledger, id)!)
          .map(({ judgedThrough, events }) => [judgedThrough, events]),
      ),
    remove: () => rmSync(path, { recursive: true, force: true }),
  }
  return home
}

/** The real way to a scripted model, without pauses between attempts; only memories are asked about. */
export function asksForMemories(home: LearnHome): (context: PipelineContext) => Partial<PipelineContext> {
  return ({ ledger }) => ({
    ask: async (question) => {
      if (question.purpose !== 'memories') return { kind: 'unavailable', reasons: [] }
      return ask({ ...(await modelContext({ ...home.app(), ledger })), sleep: async () => {} }, question)
    },
  })
}

/** The texts of the questions that a model with the protocol of OpenAI was asked. */
export function sentTexts({ asked }: Model): string[] {
  return asked.map((body) => {
    const { messages } = JSON.parse(body) as { messages: { role: string; content: string }[] }
    return messages.find(({ role }) => role === 'user')!.content
  })
}
