// A sweep with a model that misbehaves, over a real socket: what is kept then, and what comes of it once a model answers.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createApp } from '../src/app.ts'
import { fixedClock } from '../src/core/clock.ts'
import { ask } from '../src/models/ask.ts'
import type { ModelQuestion } from '../src/models/context.ts'
import { modelContext } from '../src/models/context.ts'
import type { Ledger } from '../src/store/ledger.ts'
import { listDeadLetters } from '../src/store/memories/dead-letters.ts'
import { listCandidates, listMemories } from '../src/store/memories/memories.ts'
import { sweep } from '../src/sweep.ts'
import { type Act, type Model, modelOf, says, status } from './models/scripted.ts'
import { claudeSession, lines, sessionName } from './program.ts'
import { sample } from './proof.ts'

const rule = 'No, never use npm here. Always use pnpm for installs.'
const answer = JSON.stringify({
  memories: [
    {
      kind: 'preference',
      text: 'Packages are installed with pnpm.',
      quote: 'Always use pnpm for installs.',
      message: 1,
      why: null,
      apply: null,
      status: 'settled',
      everywhere: false,
      importance: 0.8,
      tags: [],
      keywords: ['pnpm'],
      supersedes: null,
    },
  ],
})

const good: [string, Act[]][] = [
  ['a plain answer', [says(answer)]],
  ['an answer in a fence', [says(`Here you are:\n\`\`\`json\n${answer}\n\`\`\``)]],
  ['an error that passes', [status(500), says(answer)]],
  ['half an answer, then a whole one', [says(answer.slice(0, 60)), says(answer)]],
]

const bad: [string, Act[]][] = [
  ['an error that stays', [status(500)]],
  ['garbage', [{ kind: 'garbage', text: '<html>no</html>' }]],
  ['half an answer', [says(answer.slice(0, 60))]],
  ['values of the wrong type', [says('{"memories":[{"kind":7,"text":["x"],"importance":"high"}]}')]],
  ['no object at all', [says('["a", 1, null]')]],
  ['ten megabytes', [{ kind: 'flood' }]],
  ['a line that is cut', [{ kind: 'cut off' }]],
]

describe.each(sample(['openai', 'ollama'] as const, 1))('a sweep that asks %s', (provider) => {
  let home: string
  let model: Model
  beforeEach(async () => {
    home = mkdtempSync(join(tmpdir(), 'recollect-learn-models-'))
    model = await modelOf(provider)
    const folder = join(home, '.claude/projects/-home-dev-app')
    mkdirSync(folder, { recursive: true })
    const session = claudeSession(sessionName(0), 1, { says: () => rule })
    writeFileSync(join(folder, `${sessionName(0)}.jsonl`), lines(session))
  })
  afterEach(async () => {
    await model.close()
    rmSync(home, { recursive: true })
  })

  async function run(order: string, at = '2026-09-01T12:00:00Z') {
    const store = join(home, 'store')
    mkdirSync(store, { recursive: true })
    writeFileSync(join(store, 'config.toml'), `[models]\norder = ${order}\n${model.config}`)
    const machine = { home, env: { RECOLLECT_HOME: store, PATH: '', ...model.env }, platform: 'linux' as const }
    const app = createApp({ machine, clock: fixedClock(at) })
    const quickly = async (ledger: Ledger, question: ModelQuestion<unknown>) => {
      if (question.purpose !== 'memories') return { kind: 'unavailable' as const, reasons: [] }
      return ask({ ...(await modelContext({ ...app, ledger })), sleep: async () => {} }, question)
    }
    const context = (ledger: Ledger) => ({
      ...app.context(ledger),
      ask: ((question: ModelQuestion<unknown>) => quickly(ledger, question)) as never,
    })
    await sweep({ ...app, context })
    const ledger = app.ledger()
    try {
      return {
        kept: listMemories(ledger, { state: 'kept' }).map(({ text }) => text),
        candidates: listCandidates(ledger).map(({ text }) => text),
        letters: listDeadLetters(ledger).length,
      }
    } finally {
      ledger.close()
    }
  }

  it.each(good)('takes %s', async (_, acts) => {
    model.script(...acts)
    const done = await run(`["${provider}", "heuristic"]`)
    expect(done).toEqual({ kept: ['Packages are installed with pnpm.'], candidates: [], letters: 0 })
  })

  it.each(bad)('keeps the question and the candidates after %s, until a model answers', async (_, acts) => {
    model.script(...acts)
    const failed = await run(`["${provider}", "heuristic"]`)
    expect(failed).toMatchObject({ letters: 1, kept: [] })
    expect(failed.candidates.join(' ')).toContain('Always use pnpm for installs')
    model.script(says(answer))
    const later = await run(`["${provider}", "heuristic"]`, '2026-09-01T19:00:00Z')
    expect(later).toEqual({ kept: ['Packages are installed with pnpm.'], candidates: [], letters: 0 })
  })
})
