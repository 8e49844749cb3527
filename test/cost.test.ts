// The command `cost` as people run it: groups, periods, formats, subagents, blocks and limits.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { lines, type Place, place, recollect } from './program.ts'
import { rolloutWithLimits } from './rollout-with-limits.ts'

const parent = '0a1b2c3d-0000-4000-8000-000000000001'
const other = '0a1b2c3d-0000-4000-8000-000000000002'
const folder = '.claude/projects/-srv-app'
/** Opus 4.6 costs 25 USD per million tokens of output: every response costs 0.25. */
const tokens = 10_000

let at: Place
beforeAll(() => {
  at = place({
    [`${folder}/${parent}.jsonl`]: lines([
      prompt(parent, '2026-08-31T21:30:00.000Z'),
      response(parent, 'm1', '2026-08-31T21:45:00.000Z', 'claude-opus-4-6'),
      response(parent, 'm2', '2026-08-31T22:15:00.000Z', 'claude-opus-4-6-20260205'),
    ]),
    [`${folder}/${parent}/subagents/agent-a1.jsonl`]: lines([
      response(parent, 'm3', '2026-09-01T08:00:00.000Z', 'anthropic/claude-opus-4.6', {
        isSidechain: true,
        agentId: 'a1',
      }),
      // The record of the parent repeats nothing of a subagent, but a copy of it counts once.
      response(parent, 'm3', '2026-09-01T08:00:00.000Z', 'anthropic/claude-opus-4.6', {
        isSidechain: true,
        agentId: 'a1',
      }),
    ]),
    [`${folder}/${other}.jsonl`]: lines([
      prompt(other, '2026-09-08T10:00:00.000Z'),
      response(other, 'm4', '2026-09-08T10:01:00.000Z', 'a-model-without-price'),
    ]),
    ...rolloutWithLimits('2026-09-02', 1, 61),
  })
  at.env.TZ = 'Europe/Berlin'
  expect(recollect(at, 'sweep').status).toBe(0)
})
afterAll(() => at.remove())

describe('cost', () => {
  it.each([
    [
      'day',
      [
        ['2026-08-31', 0.25],
        ['2026-09-01', 0.5],
        ['2026-09-02', 0.0225],
        ['2026-09-08', 0],
      ],
    ],
    [
      'week',
      [
        ['2026-08-31', 0.7725],
        ['2026-09-07', 0],
      ],
    ],
    [
      'month',
      [
        ['2026-08', 0.25],
        ['2026-09', 0.5225],
      ],
    ],
    [
      'model',
      [
        ['claude-opus-4-6', 0.75],
        ['gpt-5.5', 0.0225],
        ['a-model-without-price', 0],
      ],
    ],
    [
      'agent',
      [
        ['claude-code', 0.75],
        ['codex', 0.0225],
      ],
    ],
    ['project', [['/srv/app', 0.7725]]],
  ])('groups by %s, in the time zone of the user', (by, expected) => {
    const { rows, total } = recollect(at, 'cost', '--by', by, '--json').json()
    expect(rows.map(({ name, costUsd }: Row) => [name, Number(costUsd.toFixed(4))])).toEqual(expected)
    expect(total.costUsd).toBeCloseTo(0.7725, 6)
  })

  it.each([
    ['a first day', ['--since', '2026-09-01'], 0.5225],
    ['a last day, which is included', ['--until', '2026-09-01'], 0.75],
    ['one day', ['--since', '2026-09-01', '--until', '2026-09-01'], 0.5],
    ['dates without dashes', ['--since', '20260901', '--until', '20260901'], 0.5],
    ['an agent', ['--agent', 'codex'], 0.0225],
  ])('takes %s', (_, args, expected) => {
    expect(recollect(at, 'cost', ...args, '--json').json().total.costUsd).toBeCloseTo(expected, 6)
  })

  it('says with status 1 that there is nothing', () => {
    expect(recollect(at, 'cost', '--since', '2027-01-01')).toMatchObject({ status: 1, err: 'No usage recorded.\n' })
  })

  it('includes subagents in the session that started them, and shows them apart', () => {
    const { rows } = recollect(at, 'cost', '--by', 'session', '--json').json()
    expect(rows[0]).toMatchObject({ name: `claude-code:${parent}`, agent: 'claude-code', sessions: 2, subagents: 1 })
    expect([rows[0].costUsd, rows[0].ownCostUsd]).toEqual([0.75, 0.5])
    const { out } = recollect(at, 'cost', '--by', 'session', '--since', '2026-08-31')
    expect(out).toMatch(/^the task +.* 1 +\$0\.50 +\$0\.75 +0a1b2c3d/m)
  })

  it('marks a cost of which a part is not known, and says why', () => {
    const { out, err } = recollect(at, 'cost', '--by', 'agent')
    expect(out).toMatch(/^claude-code .* ≥ \$0\.75$/m)
    expect(err).toBe('≥: 1 response without a known price (a-model-without-price) not included.\n')
  })

  it('prints CSV', () => {
    const { out } = recollect(at, 'cost', '--by', 'session', '--csv')
    const [head, first] = out.split('\n')
    expect(head).toMatch(/^session,sessions,responses,input,.*,cost_usd,.*,own_cost_usd,subagents,title,agent,project$/)
    expect(first).toMatch(new RegExp(`^claude-code:${parent},2,3,.*,0\\.5,1,the task,claude-code,/srv/app$`))
  })

  it('lists five-hour blocks of each agent', () => {
    const { rows, limits } = recollect(at, 'cost', '--by', 'block', '--json').json()
    expect(rows.map(({ agent, start, costUsd }: Block) => [agent, start, Number(costUsd.toFixed(4))])).toEqual([
      ['claude-code', '2026-08-31T21:00:00.000Z', 0.5],
      ['claude-code', '2026-09-01T08:00:00.000Z', 0.25],
      ['codex', '2026-09-02T08:00:00.000Z', 0.0225],
      ['claude-code', '2026-09-08T10:00:00.000Z', 0],
    ])
    expect(rows[1]).toMatchObject({ isActive: false, burn: null, idleBeforeMs: 9.75 * 3_600_000 })
    expect(limits).toMatchObject([{ agent: 'codex', limit: 'codex', minutes: 300, usedPercent: 61, isOver: true }])
    expect(recollect(at, 'cost', '--by', 'block', '--since', '2026-09-02', '--json').json().rows).toHaveLength(2)
  })
})

it('sessions and show include subagents in the cost', () => {
  const [first] = recollect(at, 'sessions', '--json')
    .json()
    .filter(({ id }: Listed) => id.endsWith(parent))
  expect(first).toMatchObject({ costUsd: 0.5, totalCostUsd: 0.75 })
  expect(recollect({ ...at, env: { COLUMNS: '120' } }, 'sessions').out).toMatch(/the task .* \$0\.75 +0a1b2c3d/)
  expect(recollect(at, 'show', parent).out).toContain('$0.50, with subagents $0.75')
})

it('sessions and show give the known part of a cost', () => {
  const mixed = '0a1b2c3d-0000-4000-8000-000000000003'
  const here = place({
    [`${folder}/${mixed}.jsonl`]: lines([
      prompt(mixed, '2026-09-08T10:00:00.000Z'),
      response(mixed, 'm1', '2026-09-08T10:01:00.000Z', 'claude-opus-4-6'),
      response(mixed, 'm2', '2026-09-08T10:02:00.000Z', 'a-model-without-price'),
    ]),
    [`${folder}/${other}.jsonl`]: lines([
      prompt(other, '2026-09-08T09:00:00.000Z'),
      response(other, 'm4', '2026-09-08T09:01:00.000Z', 'a-model-without-price'),
    ]),
  })
  recollect(here, 'sweep')
  expect(recollect(here, 'sessions', '--json').json()).toMatchObject([
    { costUsd: 0.25, isCostLowerBound: true, totalCostUsd: 0.25, isTotalCostLowerBound: true },
    { costUsd: null, isCostLowerBound: true },
  ])
  expect(recollect(here, 'show', mixed).out).toMatch(/^cost +≥ \$0\.25$/m)
  expect(recollect(here, 'show', other).out).toMatch(/^cost +unknown$/m)
  here.remove()
})

describe('the block that is not over', () => {
  let now: Place
  beforeAll(() => {
    const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()
    now = place({
      [`${folder}/${parent}.jsonl`]: lines([
        prompt(parent, ago(2)),
        response(parent, 'm1', ago(2), 'claude-opus-4-6'),
        response(parent, 'm2', ago(1), 'claude-opus-4-6'),
      ]),
    })
    expect(recollect(now, 'sweep').status).toBe(0)
  })
  afterAll(() => now.remove())

  it('has a burn rate and a projection', () => {
    const { out } = recollect(now, 'cost', '--by', 'block')
    expect(out).toMatch(/Active block of claude-code until \d\d:\d\d: [\d a-z]+ left\n {2}so far +\$0\.\d\d, /)
    expect(out).toMatch(/burn rate +\$\d+\.00 an hour, [\dk,]+ tokens a minute\n {2}at its end +\$\d/)
  })
})

interface Row {
  name: string
  costUsd: number
}
interface Block extends Row {
  agent: string
  start: string
}
interface Listed {
  id: string
}

function prompt(sessionId: string, timestamp: string): object {
  return {
    type: 'user',
    uuid: `${sessionId}-prompt`,
    parentUuid: null,
    sessionId,
    timestamp,
    cwd: '/srv/app',
    version: '2.1.325',
    message: { role: 'user', content: 'the task' },
  }
}

function response(sessionId: string, id: string, timestamp: string, model: string, more: object = {}): object {
  return {
    type: 'assistant',
    uuid: `${sessionId}-${id}`,
    parentUuid: `${sessionId}-prompt`,
    requestId: `r-${id}`,
    sessionId,
    timestamp,
    cwd: '/srv/app',
    version: '2.1.325',
    message: {
      id,
      model,
      role: 'assistant',
      content: [{ type: 'text', text: 'done' }],
      stop_reason: 'end_turn',
      usage: { input_tokens: 0, output_tokens: tokens },
    },
    ...more,
  }
}
