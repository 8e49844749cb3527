// From a session to memories: what is read, who judges, how far it got, what is kept when a judge fails.
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type App, createApp } from '../src/app.ts'
import { fixedClock } from '../src/core/clock.ts'
import type { Memory } from '../src/memory/memory.ts'
import type { ModelQuestion, ModelResponse } from '../src/models/context.ts'
import type { ForkAnswer, ForkQuestion } from '../src/models/fork/ask-fork.ts'
import type { Ledger } from '../src/store/ledger.ts'
import { listDeadLetters } from '../src/store/memories/dead-letters.ts'
import { unlearnedSession, unlearnedSessions } from '../src/store/memories/learning.ts'
import { listMemories } from '../src/store/memories/memories.ts'
import { sweep } from '../src/sweep.ts'
import { lines } from './program.ts'

let home: string
/** What stands in config.toml. */
let config: string
let now: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'recollect-learn-'))
  config = '[models]\norder = ["heuristic"]\n'
  now = '2026-09-01T12:00:00Z'
})
afterEach(() => rmSync(home, { recursive: true }))

const session = '0a1b2c3d-1111-4111-8111-111111111111'
const transcript = () => join(home, '.claude/projects/-home-dev-app', `${session}.jsonl`)

type Said = string | { tool: string; input: object; result?: string }

/** Turns of a person and an agent, one minute each. */
function records(turns: [person: string, ...agent: Said[]][], from = 0): object[] {
  return turns.flatMap(([person, ...agent], index) => {
    const turn = from + index
    const base = { sessionId: session, cwd: '/home/dev/app', version: '2.1.300', isSidechain: false }
    const at = (step: number) => new Date(Date.UTC(2026, 8, 1, 10, turn, step)).toISOString()
    const message = (content: object, step: number) => ({
      ...base,
      type: 'assistant',
      uuid: `a${turn}-${step}`,
      timestamp: at(step),
      message: { id: `msg${turn}-${step}`, role: 'assistant', model: 'claude-opus-4-6', content: [content] },
    })
    const user = (content: unknown, step: number, more: object = {}) => ({
      ...base,
      type: 'user',
      uuid: `u${turn}-${step}`,
      timestamp: at(step),
      message: { role: 'user', content },
      ...more,
    })
    return [
      user(person, 0),
      ...agent.flatMap((said, place) => {
        const step = 1 + place * 2
        if (typeof said === 'string') return [message({ type: 'text', text: said }, step)]
        const id = `call${turn}-${step}`
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

function write(turns: Parameters<typeof records>[0], path = transcript()): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, lines(records(turns)))
}

interface Asked {
  question: ModelQuestion<unknown>
}

/** Answers the questions of a run one after the other; the last answer is given again. */
function scripted(...answers: (object | 'failed' | 'unavailable')[]): {
  asked: Asked[]
  ask(question: ModelQuestion<unknown>): Promise<ModelResponse<never>>
} {
  const asked: Asked[] = []
  return {
    asked,
    async ask(question) {
      if (question.purpose !== 'memories') return { kind: 'unavailable', reasons: [] }
      asked.push({ question })
      const answer = answers.length > 1 ? answers.shift()! : answers[0]!
      if (answer === 'failed') return { kind: 'failed', reasons: [{ provider: 'claude', reason: 'http 500' }] }
      if (answer === 'unavailable') return { kind: 'unavailable', reasons: [] }
      const value = question.schema.parse(answer) as never
      return { kind: 'answered', value, provider: 'claude', model: 'haiku', costUsd: 0.001 }
    },
  }
}

function appWith(script?: ReturnType<typeof scripted>): App {
  const store = join(home, '.recollect')
  mkdirSync(store, { recursive: true })
  writeFileSync(join(store, 'config.toml'), config)
  const machine = { home, env: { RECOLLECT_HOME: store }, platform: 'linux' as const, name: 'box' }
  const app = createApp({ machine, clock: fixedClock(now) })
  if (!script) return app
  return { ...app, context: (ledger) => ({ ...app.context(ledger), ask: script.ask as never }) }
}

async function run(script?: ReturnType<typeof scripted>) {
  const swept = await sweep(appWith(script))
  if (swept.kind !== 'done') throw new Error('busy')
  return swept.report
}

function look<T>(see: (ledger: Ledger) => T): T {
  const ledger = appWith().existingLedger()
  try {
    return see(ledger)
  } finally {
    ledger.close()
  }
}

const memories = (): Memory[] => look((ledger) => listMemories(ledger))
const waiting = () =>
  look((ledger) =>
    unlearnedSessions(ledger)
      .map((id) => unlearnedSession(ledger, id)!)
      .map(({ learnedThrough, events }) => [learnedThrough, events]),
  )

const rule = 'No, never use npm here. Always use pnpm for installs.'

describe('learn without a model', () => {
  it('SPEC B.2: a correction becomes a memory with its source', async () => {
    write([
      ['Install it.', 'I ran npm install.'],
      [rule, 'Understood, pnpm.'],
    ])
    expect(await run()).toMatchObject({ learned: 1 })
    expect(memories()).toMatchObject([
      {
        project: '/home/dev/app',
        trust: 'user said',
        origin: 'box',
        evidence: [{ session: `claude-code:${session}`, event: 'u1-0' }],
        validFrom: '2026-09-01T10:01:00.000Z',
      },
    ])
    expect(memories()[0]!.text).toContain('pnpm')
  })

  it('learns once: another sweep adds nothing, and a grown session only what is new', async () => {
    write([[rule, 'Understood.']])
    await run()
    expect(await run()).toMatchObject({ learned: 0, merged: 0 })
    appendFileSync(transcript(), lines(records([['From now on, write commit messages in the imperative.', 'Yes.']], 1)))
    expect(await run()).toMatchObject({ learned: 1 })
    expect(memories().map(({ counts }) => counts.said)).toEqual([1, 1])
  })

  it('waits for a turn that is still going on, and judges it after a pause', async () => {
    now = '2026-09-01T10:00:30Z'
    write([[rule, { tool: 'Bash', input: { command: 'pnpm install' } }]])
    expect(await run()).toMatchObject({ learned: 0 })
    expect(waiting()).toEqual([[0, 3]])
    now = '2026-09-01T10:30:00Z'
    expect(await run()).toMatchObject({ learned: 1 })
    expect(waiting()).toEqual([])
  })

  it('does not learn from subagents', async () => {
    write([['Look around.', 'Yes.']])
    const task = join(dirname(transcript()), session, 'subagents', 'agent-abc1234.jsonl')
    write([[rule, 'Understood.']], task)
    writeFileSync(
      task,
      readFileSync(task, 'utf8').replaceAll('"isSidechain":false', '"isSidechain":true,"agentId":"abc1234"'),
    )
    expect(await run()).toMatchObject({ learned: 0 })
    expect(waiting()).toEqual([])
  })

  it('does not learn from text that Recollect injected', async () => {
    const brief = `<recollect-brief project="app" prepared="2026-09-01T09:00:00Z">\n- ${rule}\n</recollect-brief>`
    write([[`${brief}\nWhat is open?`, 'Nothing.']])
    expect(await run()).toMatchObject({ learned: 0 })
  })

  it('SPEC C.4: skips an exchange in which the agent wrote its own memory', async () => {
    const file_path = join(home, '.claude/projects/-home-dev-app/memory/pnpm.md')
    write([
      [rule, { tool: 'Write', input: { file_path, content: 'x' } }, 'Noted.'],
      ['From now on, write commit messages in the imperative.', 'Yes.'],
    ])
    await run()
    expect(memories().map(({ text }) => text.includes('imperative'))).toEqual([true])
    expect(waiting()).toEqual([])
  })

  it('forgets memories of rewound prompts, also if they were learned before', async () => {
    write([
      ['Install it.', 'Yes.'],
      [rule, 'Understood.'],
    ])
    await run()
    expect(memories()).toMatchObject([{ state: 'kept' }])
    const again = records([['Use whatever is there.', 'Yes.']], 2).map((row) => ({ ...row, parentUuid: null }))
    // A prompt with the same parent as an earlier one takes its place.
    const [first, ...rest] = readFileSync(transcript(), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { uuid: string })
    writeFileSync(
      transcript(),
      lines([first!, ...rest].map((row) => ({ ...row, parentUuid: row.uuid === 'u1-0' ? 'a0-1' : null }))),
    )
    appendFileSync(transcript(), lines([{ ...again[0], parentUuid: 'a0-1' }, ...again.slice(1)]))
    await run()
    expect(memories()).toMatchObject([{ state: 'forgotten' }])
  })

  it('reads only new events of a rewritten document', async () => {
    const path = join(home, '.gemini/tmp/app/chats/session-2026-09-01T10-00-aaaaaaaa.jsonl')
    mkdirSync(dirname(path), { recursive: true })
    const message = (id: string, type: string, content: string) => ({
      id,
      timestamp: '2026-09-01T10:00:00.000Z',
      type,
      content,
    })
    const header = {
      sessionId: 'aaaaaaaa-1111-4111-8111-111111111111',
      projectHash: 'x',
      startTime: '2026-09-01T10:00:00.000Z',
      kind: 'main',
    }
    writeFileSync(path, lines([header, message('1', 'user', rule), message('2', 'gemini', 'Understood.')]))
    config = '[models]\norder = ["claude", "heuristic"]\n'
    await run(scripted({ memories: [] }))
    appendFileSync(path, lines([message('3', 'user', 'What is next?'), message('4', 'gemini', 'Nothing.')]))
    const script = scripted({ memories: [] })
    await run(script)
    expect(
      script.asked.map(({ question }) => [...question.text.matchAll(/PERSON: (.*)/g)].map((match) => match[1])),
    ).toEqual([['What is next?']])
  })

  it('SPEC B.3: never uses a session id as a path', async () => {
    const odd = '../../../outside'
    write([[rule, 'Understood.']])
    writeFileSync(transcript(), readFileSync(transcript(), 'utf8').replaceAll(session, odd))
    await run()
    expect(memories()).toHaveLength(1)
    expect(readdirSync(home).sort()).toEqual(['.claude', '.recollect'])
    const folders = readdirSync(join(home, '.recollect', 'vault')).filter((name) => name !== '.git')
    expect(folders.sort()).toEqual(['journal', 'memory', 'wiki'])
  })

  it('SPEC B.13: a machine without a store gets one', async () => {
    write([[rule, 'Understood.']])
    expect(existsSync(join(home, '.recollect', 'ledger.db'))).toBe(false)
    expect(await run()).toMatchObject({ learned: 1 })
  })

  it('can be switched off by the configuration', async () => {
    config += '[learn]\non = false\n'
    write([[rule, 'Understood.']])
    expect(await run()).toMatchObject({ learned: 0 })
    config = '[models]\norder = ["heuristic"]\n'
    expect(await run()).toMatchObject({ learned: 1 })
  })

  it('SPEC B.12: does not move the cursor if storing fails', async () => {
    write([[rule, 'Understood.']])
    now = '2026-09-01T10:00:05Z'
    await run()
    const trigger = "CREATE TRIGGER full BEFORE INSERT ON memories BEGIN SELECT RAISE(ABORT, 'disk full'); END"
    look((ledger) => ledger.raw.exec(trigger))
    now = '2026-09-01T12:00:00Z'
    expect(await run()).toMatchObject({ failedStages: [{ stage: 'learn', reason: 'disk full' }] })
    expect(waiting()).toEqual([[0, 2]])
    look((ledger) => ledger.raw.exec('DROP TRIGGER full'))
    expect(await run()).toMatchObject({ learned: 1 })
  })

  it('keeps bodies until they were learned from', async () => {
    config = '[models]\norder = ["claude"]\n[retain]\nsoft = 0\n'
    write([[rule, 'Understood.']])
    expect((await run(scripted('failed'))).retention).toMatchObject({ budget: [], dataLoss: [] })
    config = '[models]\norder = ["heuristic"]\n[retain]\nsoft = 0\n'
    look((ledger) => ledger.sql('DELETE FROM dead_letters').run())
    now = '2026-09-01T14:00:00Z'
    expect((await run()).retention).toMatchObject({ budget: [], hold: { kind: 'announced' } })
    now = '2026-09-02T14:00:00Z'
    expect((await run()).retention.budget).toHaveLength(1)
  })
})

const found = (text: string, quote: string, more: object = {}) => ({
  memories: [
    {
      kind: 'preference',
      text,
      quote,
      message: 1,
      why: null,
      status: 'settled',
      everywhere: false,
      importance: 0.8,
      tags: [],
      keywords: [],
      supersedes: null,
      ...more,
    },
  ],
})

describe('learn with a model', () => {
  beforeEach(() => {
    config = '[models]\norder = ["claude", "heuristic"]\n'
  })

  it('stores memories with the quoted words', async () => {
    write([[rule, 'Understood.']])
    const script = scripted(
      found('In this project packages are installed with pnpm.', 'Always use pnpm for installs.', {
        why: 'one lock file',
      }),
    )
    expect(await run(script)).toMatchObject({ learned: 1 })
    expect(memories()).toMatchObject([
      {
        why: 'one lock file',
        trust: 'user said',
        evidence: [{ event: 'u0-0', quote: 'Always use pnpm for installs.' }],
      },
    ])
    expect(script.asked).toHaveLength(1)
    expect(script.asked[0]!.question.text).toContain(rule)
  })

  it('drops a memory without a real quote, and marks one that quotes the agent', async () => {
    write([[rule, 'The release branch is called stable.']])
    await run(
      scripted({
        memories: [
          found('Bananas are blue.', 'bananas are blue').memories[0],
          found('Releases come from stable.', 'The release branch is called stable.').memories[0],
        ],
      }),
    )
    expect(memories()).toMatchObject([{ text: 'Releases come from stable.', trust: 'agent said' }])
  })

  it('asks about each turn, and every fifth time about the last five', async () => {
    const script = scripted({ memories: [] })
    for (let turn = 0; turn < 6; turn++) {
      const [first, ...rest] = records([[`Question ${turn}?`, 'Yes.']], turn)
      mkdirSync(dirname(transcript()), { recursive: true })
      appendFileSync(transcript(), lines([first!, ...rest]))
      await run(script)
    }
    const numbers = script.asked.map(({ question }) =>
      [...question.text.matchAll(/PERSON: Question (\d)/g)].map((match) => Number(match[1])),
    )
    expect(numbers).toEqual([[0], [1], [2], [3], [0, 1, 2, 3, 4], [5]])
  })

  it('SPEC C.5: asks only every configured number of turns', async () => {
    config += '[learn]\nevery_turns = 3\n'
    now = '2026-09-01T10:10:00Z'
    const script = scripted({ memories: [] })
    mkdirSync(dirname(transcript()), { recursive: true })
    for (let turn = 0; turn < 3; turn++) {
      appendFileSync(transcript(), lines(records([[`Question ${turn}?`, 'Yes.']], turn)))
      await run(script)
    }
    expect(script.asked).toHaveLength(1)
    expect(waiting()).toEqual([])
  })

  it('does not ask about old sessions', async () => {
    now = '2026-10-01T12:00:00Z'
    write([[rule, 'Understood.']])
    const script = scripted({ memories: [] })
    expect(await run(script)).toMatchObject({ learned: 1 })
    expect(script.asked).toEqual([])
  })

  it('shows known memories, which an answer can supersede', async () => {
    write([[rule, 'Understood.']])
    await run(scripted(found('Packages are installed with pnpm.', 'Always use pnpm for installs.')))
    const [old] = memories()
    appendFileSync(transcript(), lines(records([['We now install everything with bun.', 'Yes.']], 1)))
    const script = scripted(
      found('Packages are installed with bun.', 'We now install everything with bun.', { supersedes: old!.id }),
    )
    await run(script)
    expect(script.asked[0]!.question.text).toContain(`${old!.id}: Packages are installed with pnpm.`)
    expect(memories().find(({ id }) => id === old!.id)!.supersededBy).not.toBeNull()
  })

  it('leaves the turn to the rules after a failure, and asks again later', async () => {
    write([[rule, 'Understood.']])
    expect(await run(scripted('failed'))).toMatchObject({ learned: 1 })
    expect(waiting()).toEqual([])
    expect(look(listDeadLetters)).toMatchObject([
      { purpose: 'memories', reason: 'claude: http 500', rounds: 1, isQuarantined: false },
    ])

    now = '2026-09-01T13:00:00Z'
    const tooSoon = scripted({ memories: [] })
    await run(tooSoon)
    expect(tooSoon.asked).toEqual([])

    now = '2026-09-01T19:00:00Z'
    rmSync(transcript())
    expect(
      await run(scripted(found('Releases come from stable, and pnpm installs.', 'Always use pnpm for installs.'))),
    ).toMatchObject({ learned: 1 })
    expect(look(listDeadLetters)).toEqual([])
  })

  it('SPEC A.22: retries a failed question three times, six hours apart, then waits for a person', async () => {
    write([[rule, 'Understood.']])
    for (const at of ['2026-09-01T12:00:00Z', '2026-09-01T19:00:00Z', '2026-09-02T02:00:00Z']) {
      now = at
      await run(scripted('failed'))
    }
    expect(look(listDeadLetters)).toMatchObject([{ rounds: 3, isQuarantined: true }])
    now = '2026-09-05T12:00:00Z'
    const script = scripted({ memories: [] })
    await run(script)
    expect(script.asked).toEqual([])
    expect(memories()).toHaveLength(1)
  })

  it('SPEC C.6: without rules in the order the cursor stays until a model answers', async () => {
    config = '[models]\norder = ["claude"]\n'
    write([[rule, 'Understood.']])
    await run(scripted('failed'))
    expect(waiting()).toEqual([[0, 2]])
    now = '2026-09-01T12:30:00Z'
    await run(scripted('unavailable'))
    expect(waiting()).toEqual([[0, 2]])
    now = '2026-09-01T19:00:00Z'
    expect(
      await run(scripted(found('Packages are installed with pnpm.', 'Always use pnpm for installs.'))),
    ).toMatchObject({ learned: 1 })
    expect(waiting()).toEqual([])
    expect(look(listDeadLetters)).toEqual([])
  })

  it('SPEC B.7: shows beginning and end of a long message, and every message of a long turn', async () => {
    write([[`See this log.\n${'x y z '.repeat(5000)}\nAlways use pnpm for installs.`, 'Understood.']])
    const script = scripted({ memories: [] })
    await run(script)
    expect(script.asked[0]!.question.text).toContain('Always use pnpm for installs.')

    const denied = (turn: number) =>
      `The user doesn't want to proceed with this tool use. To tell you how to proceed, the user said:\nRule ${turn}. ${'more words '.repeat(250)}`
    const rows = records(
      [
        [
          'Go on.',
          ...Array.from({ length: 9 }, (_, turn) => ({ tool: 'Bash', input: { command: 'x' }, result: denied(turn) })),
        ],
      ],
      1,
    )
    const refused = JSON.stringify(rows).replaceAll('"type":"tool_result"', '"type":"tool_result","is_error":true')
    appendFileSync(transcript(), lines(JSON.parse(refused) as object[]))
    const second = scripted({ memories: [] })
    await run(second)
    const seen = second.asked.map(({ question }) => question.text).join('\n')
    expect(Array.from({ length: 9 }, (_, turn) => seen.includes(`Rule ${turn}.`))).toEqual(Array(9).fill(true))
    for (const { question } of second.asked) expect(question.text.length).toBeLessThanOrEqual(15_000)
  })

  it('does not ask again about a judged turn that continues', async () => {
    write([[rule, 'Understood.']])
    await run(scripted({ memories: [] }))
    appendFileSync(
      transcript(),
      lines(
        records([['ignored', 'Still at it.']], 0)
          .slice(1)
          .map((row) => ({ ...row, uuid: 'later' })),
      ),
    )
    const script = scripted({ memories: [] })
    await run(script)
    expect(script.asked).toEqual([])
    expect(waiting()).toEqual([])
  })

  it('does not ask again after an empty answer', async () => {
    config = '[models]\norder = ["claude"]\n'
    write(Array.from({ length: 8 }, (_, turn): [string, string] => [`Question ${turn}?`, 'Yes.']))
    await run(scripted({ memories: [] }, 'failed'))
    now = '2026-09-01T19:00:00Z'
    const script = scripted({ memories: [] })
    await run(script)
    expect(script.asked).toHaveLength(1)
    expect(script.asked[0]!.question.text).not.toContain('Question 0?')
  })

  it('continues with a text that capture moved during the question', async () => {
    const other = join(dirname(transcript()), 'ffffffff-1111-4111-8111-111111111111.jsonl')
    write([['One?', 'Yes.']])
    mkdirSync(dirname(other), { recursive: true })
    const of = (rows: object[]) =>
      lines(
        JSON.parse(
          JSON.stringify(rows)
            .replaceAll(session, 'ffffffff-1111-4111-8111-111111111111')
            .replaceAll(/"u(\d+-)/g, '"v$1')
            .replaceAll(/"a(\d+-)/g, '"b$1'),
        ) as object[],
      )
    writeFileSync(other, of(records([[rule, 'Understood.']], 30)))
    const script = scripted({ memories: [] })
    const { ask } = script
    let isFirst = true
    script.ask = async (question) => {
      if (isFirst) {
        isFirst = false
        for (let turn = 31; turn < 45; turn++) {
          appendFileSync(other, of(records([[`More ${turn}?`, 'Yes.']], turn)))
          await run(scripted('unavailable'))
        }
      }
      return ask(question)
    }
    await run(script)
    expect(script.asked.some(({ question }) => question.text.includes(rule))).toBe(true)
    expect(waiting()).toEqual([])
  })

  it('SPEC C.3: learns events that arrive during the question in one more run of the same process', async () => {
    write([['One?', 'Yes.']])
    const others: number[] = []
    const script = scripted({ memories: [] })
    const { ask } = script
    script.ask = async (question) => {
      if (others.length < 3) {
        appendFileSync(transcript(), lines(records([[`More ${others.length}?`, 'Yes.']], 1 + others.length)))
        const other = scripted({ memories: [] })
        others.push((await run(other)).events)
        expect(other.asked).toEqual([])
      }
      return ask(question)
    }
    await run(script)
    expect(others).toEqual([2, 2, 2])
    expect(waiting()).toEqual([])
    const seen = script.asked.flatMap(({ question }) =>
      [...question.text.matchAll(/PERSON: (\w+)(?: (\d))?/g)].map((match) => match[2] ?? match[1]),
    )
    expect([...new Set(seen)].sort()).toEqual(['0', '1', '2', 'One'])
  })
})

describe('learn with a fork of the session', () => {
  const file =
    '---\nname: Use pnpm\ntype: feedback\nkind: preference\n---\nAlways use pnpm for installs.\nWhy: There is one lock file.\n'
  const forked = (answer: ForkAnswer) => {
    const asked: ForkQuestion[] = []
    const app = appWith(scripted('unavailable'))
    const fork = async (question: ForkQuestion) => {
      asked.push(question)
      return answer
    }
    return { asked, app: { ...app, context: (ledger: Ledger) => ({ ...app.context(ledger), fork }) } }
  }
  beforeEach(() => {
    config = '[models]\norder = ["claude-fork", "heuristic"]\n'
    write([[rule, 'Understood.']])
  })

  it('turns the files of the fork into memories', async () => {
    const { app, asked } = forked({ kind: 'answered', files: [{ path: 'use-pnpm.md', text: file }] })
    await sweep(app)
    expect(memories()).toMatchObject([
      { text: 'Always use pnpm for installs.', type: 'feedback', why: 'There is one lock file.', trust: 'user said' },
    ])
    expect(asked).toMatchObject([
      { native: session, cwd: '/home/dev/app', configDir: join(home, '.claude'), newMessages: 2, manifest: '' },
    ])
    expect(waiting()).toEqual([])
  })

  it.each(['unavailable', 'failed'] as const)(
    'leaves the session to the next judge if the fork is %s',
    async (kind) => {
      await sweep(forked({ kind, reason: 'a test' }).app)
      expect(memories()).toMatchObject([{ tags: expect.arrayContaining(['heuristic']) }])
    },
  )
})
