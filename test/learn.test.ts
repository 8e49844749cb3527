// From a session to candidates and memories: what is read, who judges, how far it got, what is kept when a judge fails.
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { ModelQuestion, ModelResponse } from '../src/models/context.ts'
import type { ForkAnswer, ForkQuestion } from '../src/models/fork/ask-fork.ts'
import { listDeadLetters } from '../src/store/memories/dead-letters.ts'
import { type LearnHome, learnHome, sampleSession as session, turnRecords } from './learn-home.ts'
import { lines } from './program.ts'

let home: LearnHome
beforeEach(() => {
  home = learnHome('[models]\norder = ["heuristic"]\n')
})
afterEach(() => home.remove())

interface Script {
  asked: ModelQuestion<unknown>[]
  ask(question: ModelQuestion<unknown>): Promise<ModelResponse<never>>
}

/** Answers the questions of a run one after the other; the last answer is given again. */
function scripted(...answers: (object | 'failed' | 'unavailable')[]): Script {
  const asked: ModelQuestion<unknown>[] = []
  return {
    asked,
    async ask(question) {
      if (question.purpose !== 'memories') return { kind: 'unavailable', reasons: [] }
      asked.push(question)
      const answer = answers.length > 1 ? answers.shift()! : answers[0]!
      if (answer === 'failed') return { kind: 'failed', reasons: [{ provider: 'claude', reason: 'http 500' }] }
      if (answer === 'unavailable') return { kind: 'unavailable', reasons: [] }
      const value = question.schema.parse(answer) as never
      return { kind: 'answered', value, provider: 'claude', model: 'haiku', costUsd: 0.001 }
    },
  }
}

const run = (script?: Script) =>
  home.run(script && (() => ({ ask: (question) => script.ask(question), isModelAllowed: () => true })))

/** What the person said in each question. */
const prompts = ({ asked }: Script) =>
  asked.map(({ text }) => [...text.matchAll(/PERSON: (.*)/g)].map((match) => match[1]))

const rule = 'No, never use npm here. Always use pnpm for installs.'

describe('learn without a model', () => {
  it('SPEC B.2: a correction becomes a candidate with its source', async () => {
    home.write([
      ['Install it.', 'I ran npm install.'],
      [rule, 'Understood, pnpm.'],
    ])
    expect(await run()).toMatchObject({ proposed: 1 })
    expect(home.memories()).toMatchObject([
      {
        state: 'candidate',
        because: 'rules',
        project: '/home/dev/app',
        trust: 'user said',
        origin: 'box',
        evidence: [{ session: `claude-code:${session}`, event: 'u1-0' }],
        validFrom: '2026-09-01T10:01:00.000Z',
      },
    ])
    expect(home.memories()[0]!.text).toContain('pnpm')
  })

  it('learns once: another sweep adds nothing, and a grown session only what is new', async () => {
    home.write([[rule, 'Understood.']])
    await run()
    expect(await run()).toMatchObject({ learned: 0, proposed: 0, merged: 0 })
    appendFileSync(
      home.transcript(),
      lines(turnRecords([['From now on, write commit messages in the imperative.', 'Yes.']], 1)),
    )
    expect(await run()).toMatchObject({ proposed: 1 })
    expect(home.memories().map(({ counts }) => counts.said)).toEqual([1, 1])
  })

  it('waits for a turn that is still going on, and judges it after a pause', async () => {
    home.now = '2026-09-01T10:00:30Z'
    home.write([[rule, { tool: 'Bash', input: { command: 'pnpm install' } }]])
    expect(await run()).toMatchObject({ learned: 0, proposed: 0 })
    expect(home.unread()).toEqual([[0, 3]])
    home.now = '2026-09-01T10:30:00Z'
    expect(await run()).toMatchObject({ proposed: 1 })
    expect(home.unread()).toEqual([])
  })

  it('does not learn from subagents', async () => {
    home.write([['Look around.', 'Yes.']])
    const task = join(dirname(home.transcript()), session, 'subagents', 'agent-abc1234.jsonl')
    mkdirSync(dirname(task), { recursive: true })
    writeFileSync(task, lines(turnRecords([[rule, 'Understood.']])))
    writeFileSync(
      task,
      readFileSync(task, 'utf8').replaceAll('"isSidechain":false', '"isSidechain":true,"agentId":"abc1234"'),
    )
    expect(await run()).toMatchObject({ learned: 0, proposed: 0 })
    expect(home.unread()).toEqual([])
  })

  it('does not learn from text that Recollect injected', async () => {
    const brief = `<recollect-brief project="app" prepared="2026-09-01T09:00:00Z">\n- ${rule}\n</recollect-brief>`
    home.write([[`${brief}\nWhat is open?`, 'Nothing.']])
    expect(await run()).toMatchObject({ learned: 0, proposed: 0 })
  })

  it('SPEC C.4: skips an exchange in which the agent wrote its own memory', async () => {
    const file_path = join(home.path, '.claude/projects/-home-dev-app/memory/pnpm.md')
    home.write([
      [rule, { tool: 'Write', input: { file_path, content: 'x' } }, 'Noted.'],
      ['From now on, write commit messages in the imperative.', 'Yes.'],
    ])
    await run()
    expect(home.memories().map(({ text }) => text.includes('imperative'))).toEqual([true])
    expect(home.unread()).toEqual([])
  })

  it('forgets candidates of rewound prompts, also if they were learned before', async () => {
    home.write([
      ['Install it.', 'Yes.'],
      [rule, 'Understood.'],
    ])
    await run()
    expect(home.memories()).toMatchObject([{ state: 'candidate' }])
    const again = turnRecords([['Use whatever is there.', 'Yes.']], 2).map((row) => ({ ...row, parentUuid: null }))
    // A prompt with the same parent as an earlier one takes its place.
    const [first, ...rest] = readFileSync(home.transcript(), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { uuid: string })
    writeFileSync(
      home.transcript(),
      lines([first!, ...rest].map((row) => ({ ...row, parentUuid: row.uuid === 'u1-0' ? 'a0-1' : null }))),
    )
    appendFileSync(home.transcript(), lines([{ ...again[0], parentUuid: 'a0-1' }, ...again.slice(1)]))
    await run()
    expect(home.memories()).toMatchObject([{ state: 'forgotten' }])
  })

  it('keeps both cursors if a document is rewritten', async () => {
    const path = join(home.path, '.gemini/tmp/app/chats/session-2026-09-01T10-00-aaaaaaaa.jsonl')
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
    home.config = '[models]\norder = ["claude", "heuristic"]\n'
    const first = scripted({ memories: [] })
    expect(await run(first)).toMatchObject({ proposed: 1 })
    expect(home.candidates(), 'the verdict removes it').toEqual([])
    appendFileSync(path, lines([message('3', 'user', 'What is next?'), message('4', 'gemini', 'Nothing.')]))
    const script = scripted({ memories: [] })
    expect(await run(script)).toMatchObject({ proposed: 0 })
    expect([...prompts(first), ...prompts(script)]).toEqual([[rule], ['What is next?']])
    expect([home.unread(), home.unjudged()]).toEqual([[], []])
  })

  it('SPEC B.3: never uses a session id as a path', async () => {
    const odd = '../../../outside'
    home.write([[rule, 'Understood.']])
    writeFileSync(home.transcript(), readFileSync(home.transcript(), 'utf8').replaceAll(session, odd))
    await run()
    expect(home.memories()).toHaveLength(1)
    expect(readdirSync(home.path).sort()).toEqual(['.claude', '.recollect'])
    const folders = readdirSync(join(home.path, '.recollect', 'vault')).filter((name) => name !== '.git')
    expect(folders.sort()).toEqual(['journal', 'wiki'])
  })

  it('SPEC B.13: a machine without a store gets one', async () => {
    home.write([[rule, 'Understood.']])
    expect(existsSync(join(home.path, '.recollect', 'ledger.db'))).toBe(false)
    expect(await run()).toMatchObject({ proposed: 1 })
  })

  it('can be switched off by the configuration', async () => {
    home.config += '[learn]\non = false\n'
    home.write([[rule, 'Understood.']])
    expect(await run()).toMatchObject({ learned: 0, proposed: 0 })
    home.config = '[models]\norder = ["heuristic"]\n'
    expect(await run()).toMatchObject({ proposed: 1 })
  })

  it('SPEC B.12: does not move the cursor if storing fails', async () => {
    home.write([[rule, 'Understood.']])
    home.now = '2026-09-01T10:00:05Z'
    await run()
    const trigger = "CREATE TRIGGER full BEFORE INSERT ON memories BEGIN SELECT RAISE(ABORT, 'disk full'); END"
    home.look((ledger) => ledger.raw.exec(trigger))
    home.now = '2026-09-01T12:00:00Z'
    expect(await run()).toMatchObject({ failedStages: [{ stage: 'learn', reason: 'disk full' }] })
    expect(home.unread()).toEqual([[0, 2]])
    home.look((ledger) => ledger.raw.exec('DROP TRIGGER full'))
    expect(await run()).toMatchObject({ proposed: 1 })
  })

  it('keeps bodies until rules have read and an allowed model has judged them', async () => {
    const retention = async (at: string, script?: Script) => {
      home.now = at
      return (await run(script)).retention
    }
    home.config = '[models]\norder = ["claude", "heuristic"]\n[retain]\nsoft = 0\n'
    home.write([[rule, { tool: 'Bash', input: { command: 'pnpm install' } }]])
    expect(await retention('2026-09-01T10:00:30Z')).toMatchObject({ budget: [], hold: null })
    const silent = scripted('unavailable')
    expect(await retention('2026-09-01T12:00:00Z', silent)).toMatchObject({ budget: [], hold: null })
    expect(await retention('2026-09-01T14:00:00Z')).toMatchObject({ budget: [], hold: { kind: 'announced' } })
    expect(await retention('2026-09-02T14:00:00Z', silent)).toMatchObject({ budget: [], hold: null })
    expect((await retention('2026-09-02T16:00:00Z', scripted({ memories: [] }))).budget).toHaveLength(1)
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
    home.config = '[models]\norder = ["claude", "heuristic"]\n'
  })

  it('SPEC C.5: asks only every configured number of turns', async () => {
    home.config += '[learn]\nwhen = "turn"\nevery_turns = 3\n'
    home.now = '2026-09-01T10:10:00Z'
    const script = scripted({ memories: [] })
    mkdirSync(dirname(home.transcript()), { recursive: true })
    for (let turn = 0; turn < 3; turn++) {
      appendFileSync(home.transcript(), lines(turnRecords([[`Question ${turn}?`, 'Yes.']], turn)))
      await run(script)
    }
    expect(prompts(script)).toEqual([['Question 0?', 'Question 1?', 'Question 2?']])
    expect(home.unjudged()).toEqual([])
  })

  it.each([
    'Open pull requests on GitHub as drafts',
    'Prefer TypeScript over JavaScript',
    'Name branches like fix_login',
  ])('keeps for all projects what the model says holds in all: %s', async (text) => {
    home.write([[`${text}. Then fix the parser.`, 'Fixed.']])
    await run(scripted(found(text, text, { everywhere: true })))
    expect(home.kept()).toMatchObject([{ text, project: null }])
  })

  it('does not ask about old sessions', async () => {
    home.now = '2026-10-01T12:00:00Z'
    home.write([[rule, 'Understood.']])
    const script = scripted({ memories: [] })
    expect(await run(script)).toMatchObject({ proposed: 1 })
    expect(script.asked).toEqual([])
  })

  it('keeps candidates and the question after a failure, and replaces them by a later verdict', async () => {
    home.write([[rule, 'Understood.']])
    expect(await run(scripted('failed'))).toMatchObject({ proposed: 1, learned: 0, missed: 1 })
    expect([home.unread(), home.unjudged()]).toEqual([[], []])
    expect(home.candidates()).toHaveLength(1)
    expect(home.look(listDeadLetters)).toMatchObject([
      { purpose: 'memories', reason: 'claude: http 500', rounds: 1, isQuarantined: false },
    ])

    home.now = '2026-09-01T13:00:00Z'
    const tooSoon = scripted({ memories: [] })
    await run(tooSoon)
    expect(tooSoon.asked).toEqual([])

    home.now = '2026-09-01T19:00:00Z'
    rmSync(home.transcript())
    expect(
      await run(scripted(found('Releases come from stable, and pnpm installs.', 'Always use pnpm for installs.'))),
    ).toMatchObject({ learned: 1 })
    expect(home.look(listDeadLetters)).toEqual([])
    expect(home.memories()).toMatchObject([{ state: 'kept', because: 'model' }])
  })

  it('SPEC B.7: shows beginning and end of a long message, and every message of a long turn', async () => {
    home.write([[`See this log.\n${'x y z '.repeat(5000)}\nAlways use pnpm for installs.`, 'Understood.']])
    const script = scripted({ memories: [] })
    await run(script)
    expect(script.asked[0]!.text).toContain('Always use pnpm for installs.')

    const denied = (turn: number) =>
      `The user doesn't want to proceed with this tool use. To tell you how to proceed, the user said:\nRule ${turn}. ${'more words '.repeat(250)}`
    const rows = turnRecords(
      [
        [
          'Go on.',
          ...Array.from({ length: 9 }, (_, turn) => ({ tool: 'Bash', input: { command: 'x' }, result: denied(turn) })),
        ],
      ],
      1,
    )
    const refused = JSON.stringify(rows).replaceAll('"type":"tool_result"', '"type":"tool_result","is_error":true')
    appendFileSync(home.transcript(), lines(JSON.parse(refused) as object[]))
    const second = scripted({ memories: [] })
    await run(second)
    const seen = second.asked.map(({ text }) => text).join('\n')
    expect(Array.from({ length: 9 }, (_, turn) => seen.includes(`Rule ${turn}.`))).toEqual(Array(9).fill(true))
    for (const { text } of second.asked) expect(text.length).toBeLessThanOrEqual(64_000)
  })

  it('does not ask again about a judged turn that continues', async () => {
    home.write([[rule, 'Understood.']])
    await run(scripted({ memories: [] }))
    appendFileSync(
      home.transcript(),
      lines(
        turnRecords([['ignored', 'Still at it.']], 0)
          .slice(1)
          .map((row) => ({ ...row, uuid: 'later' })),
      ),
    )
    const script = scripted({ memories: [] })
    await run(script)
    expect(script.asked).toEqual([])
    expect(home.unjudged()).toEqual([])
  })

  it('continues with a text that capture moved during the question', async () => {
    const other = join(dirname(home.transcript()), 'ffffffff-1111-4111-8111-111111111111.jsonl')
    home.write([['One?', 'Yes.']])
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
    writeFileSync(other, of(turnRecords([[rule, 'Understood.']], 30)))
    const script = scripted({ memories: [] })
    const { ask } = script
    let isFirst = true
    script.ask = async (question) => {
      if (isFirst) {
        isFirst = false
        for (let turn = 31; turn < 45; turn++) {
          appendFileSync(other, of(turnRecords([[`More ${turn}?`, 'Yes.']], turn)))
          await run(scripted('unavailable'))
        }
      }
      return ask(question)
    }
    await run(script)
    expect(script.asked.some(({ text }) => text.includes(rule))).toBe(true)
    expect(home.unjudged()).toEqual([])
  })

  it('SPEC C.3: learns events that arrive during the question in one more run of the same process', async () => {
    home.write([
      ['One?', 'Yes.'],
      ['Two?', 'Yes.'],
    ])
    const others: number[] = []
    const script = scripted({ memories: [] })
    const { ask } = script
    script.ask = async (question) => {
      if (question.purpose === 'memories' && others.length < 3) {
        appendFileSync(home.transcript(), lines(turnRecords([[`More ${others.length}?`, 'Yes.']], 2 + others.length)))
        const other = scripted({ memories: [] })
        others.push((await run(other)).events)
        expect(other.asked).toEqual([])
      }
      return ask(question)
    }
    await run(script)
    expect(others).toEqual([2, 2, 2])
    expect(home.unjudged()).toEqual([])
    expect(prompts(script).flat().sort()).toEqual(['More 0?', 'More 1?', 'More 2?', 'One?', 'Two?'])
  })
})

describe('learn with a fork of the session', () => {
  const file =
    '---\nname: Use pnpm\ntype: feedback\nkind: preference\n---\nAlways use pnpm for installs.\nWhy: There is one lock file.\n'
  const forked = (answer: ForkAnswer) => {
    const asked: ForkQuestion[] = []
    const fork = async (question: ForkQuestion) => {
      asked.push(question)
      return answer
    }
    const { ask } = scripted('unavailable')
    return { asked, run: () => home.run(() => ({ ask, fork, isModelAllowed: () => true })) }
  }
  beforeEach(() => {
    home.config = '[models]\norder = ["claude-fork", "heuristic"]\n'
    home.write([[rule, 'Understood.']])
  })

  it('turns the files of the fork into memories', async () => {
    const { run, asked } = forked({ kind: 'answered', files: [{ path: 'use-pnpm.md', text: file }] })
    await run()
    expect(home.memories()).toMatchObject([
      { text: 'Always use pnpm for installs.', type: 'feedback', why: 'There is one lock file.', trust: 'user said' },
    ])
    expect(asked).toMatchObject([
      { native: session, cwd: '/home/dev/app', configDir: join(home.path, '.claude'), newMessages: 2, manifest: '' },
    ])
    expect(home.unjudged()).toEqual([])
  })

  it.each(['unavailable', 'failed'] as const)(
    'leaves the session to the next judge if the fork is %s',
    async (kind) => {
      await forked({ kind, reason: 'a test' }).run()
      expect(home.memories()).toMatchObject([{ because: 'rules' }])
    },
  )
})
