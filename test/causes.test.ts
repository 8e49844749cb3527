// Causes with fixes, from a transcript to memories: kept without a judge, counted when they come back.
import { afterEach, describe, expect, it } from 'vitest'
import { originText } from '../src/memory/attribution.ts'
import { listMemories } from '../src/store/memories/memories.ts'
import { type TestHome, testHome } from './corpus/home.ts'
import { lines } from './program.ts'

let home: TestHome
afterEach(() => home.remove())

const refused = 'Exit code 1\nError: connect ECONNREFUSED 127.0.0.1:5432'
const explanation =
  'The tests fail because the database container is not running. Let me start the container with docker compose.'

/** One turn in which the tests fail, are explained, and pass. */
function turn(session: string, minute: number, isSubagent = false): object[] {
  const base = { sessionId: session, cwd: '/home/dev/app', version: '2.1.300', isSidechain: isSubagent }
  const rows: [type: string, content: unknown][] = [
    ['user', 'Run the tests.'],
    ['assistant', [{ type: 'tool_use', id: `a${minute}`, name: 'Bash', input: { command: 'npm test' } }]],
    ['user', [{ type: 'tool_result', tool_use_id: `a${minute}`, content: refused, is_error: true }]],
    ['assistant', [{ type: 'text', text: explanation }]],
    ['assistant', [{ type: 'tool_use', id: `b${minute}`, name: 'Bash', input: { command: 'docker compose up -d' } }]],
    ['user', [{ type: 'tool_result', tool_use_id: `b${minute}`, content: 'Started' }]],
    ['assistant', [{ type: 'tool_use', id: `c${minute}`, name: 'Bash', input: { command: 'npm test' } }]],
    ['user', [{ type: 'tool_result', tool_use_id: `c${minute}`, content: '3 passed' }]],
    ['assistant', [{ type: 'text', text: 'They pass.' }]],
  ]
  return rows.map(([type, content], step) => ({
    ...base,
    ...(isSubagent ? { agentId: 'abc1234' } : {}),
    type,
    uuid: `${session}-${minute}-${step}`,
    timestamp: new Date(Date.UTC(2026, 8, 1, 10, minute, step)).toISOString(),
    message: {
      id: `m${minute}-${step}`,
      role: type,
      ...(type === 'user' ? {} : { model: 'claude-opus-4-6' }),
      content,
    },
  }))
}

const one = '0a1b2c3d-1111-4111-8111-111111111111'
const other = '0a1b2c3d-2222-4222-8222-222222222222'
const memories = () => home.look((ledger) => listMemories(ledger))

describe('causes with fixes', () => {
  it('are memories once a passing run confirms them, and are counted when they come back', async () => {
    home = testHome()
    home.write(`.claude/projects/-home-dev-app/${one}.jsonl`, lines(turn(one, 0)))
    expect(await home.sweep()).toMatchObject({ learned: 1 })
    const [cause] = memories()
    expect(cause).toMatchObject({
      ...{ state: 'kept', because: 'run', kind: 'debugging', trust: 'agent said', project: '/home/dev/app' },
      text: '`npm test` failed with `Error: connect ECONNREFUSED 127.0.0.1:5432`: the tests fail because the database container is not running. Fix: start the container with docker compose.',
      apply: 'It works after `docker compose up -d`.',
      evidence: [{ session: `claude-code:${one}`, event: `${one}-0-7` }],
    })
    expect(originText(cause!)).toBe('agent found, confirmed by a passing run')
    expect(await home.sweep()).toMatchObject({ learned: 0, merged: 0 })
    home.write(`.claude/projects/-home-dev-app/${other}.jsonl`, lines(turn(other, 5)))
    expect(await home.sweep()).toMatchObject({ learned: 0, merged: 1 })
    expect(memories().map(({ counts }) => counts.said)).toEqual([2])
  })

  it('are not learned from subagents', async () => {
    home = testHome()
    const folder = `.claude/projects/-home-dev-app/${one}/subagents`
    home.write(`${folder}/agent-abc1234.jsonl`, lines(turn(one, 0, true)))
    await home.sweep()
    expect(home.sessions()).toHaveLength(1)
    expect(memories()).toEqual([])
  })
})
