import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Place, place, sessionName } from '../../test/program.ts'
import { createApp } from '../app.ts'
import { fixedClock } from '../core/clock.ts'
import { readDigest } from '../digest/digest.ts'
import type { Ledger } from '../store/ledger.ts'
import { sweep } from '../sweep.ts'
import { parseQuery } from './query.ts'
import { type SearchOptions, search } from './search.ts'

/**
 * A session as Claude Code 2.1.219 writes it: what the person and the agent said in turn; `$ ` is a
 * command that fails.
 */
function conversation(name: string, day: string, said: string[], cwd = '/home/dev/app'): object[] {
  return said.map((text, index) => {
    const base = { sessionId: name, cwd, timestamp: `${day}T10:0${index}:00.000Z`, version: '2.1.219' }
    const record = { ...base, uuid: `${name.slice(0, 8)}-${index}` }
    const answer = (block: object) => ({
      ...record,
      type: 'assistant',
      message: { id: record.uuid, role: 'assistant', model: 'claude-opus-4-6', content: [block] },
    })
    if (text.startsWith('$ '))
      return answer({ type: 'tool_use', id: `${name}-call`, name: 'Bash', input: { command: text.slice(2) } })
    if (text.startsWith('✗ ')) {
      const block = { type: 'tool_result', tool_use_id: `${name}-call`, content: text.slice(2), is_error: true }
      return { ...record, type: 'user', message: { role: 'user', content: [block] } }
    }
    return text.startsWith('> ')
      ? answer({ type: 'text', text: text.slice(2) })
      : { ...record, type: 'user', message: { role: 'user', content: text } }
  })
}

const [first, second, old] = [sessionName(1), sessionName(2), sessionName(3)]
const sessions: Record<string, object[]> = {
  [first]: conversation(first, '2026-09-01', [
    'why does the lighthouse blink at night',
    '> Because the capacitor of the lighthouse leaks.',
    '$ make beacon',
    '✗ ReferenceError: beacon is not defined',
    'then paint the harbour',
    '> The harbour is green now; the lighthouse stays white.',
  ]),
  [second]: conversation(second, '2026-09-20', ['the lighthouse is out', '> I replaced its lamp.'], '/home/dev/island'),
  [old]: conversation(old, '2026-03-01', [
    'teach the pelican to dive\nfrom the northern cliff',
    '> It dives past the lighthouse.',
  ]),
}

let at: Place
let ledger: Ledger
beforeAll(async () => {
  at = place(
    Object.fromEntries(
      Object.entries(sessions).map(([name, records]) => [`.claude/projects/-a/${name}.jsonl`, records]),
    ),
  )
  const machine = { home: at.home, env: { RECOLLECT_HOME: at.store }, platform: 'linux' as const }
  await sweep(createApp({ machine, clock: fixedClock('2026-09-21T00:00:00Z') }))
  ledger = createApp({ machine }).ledger()
})
afterAll(() => {
  ledger.close()
  at.remove()
})

function find(typed: string, options: Partial<SearchOptions> = {}) {
  const nowMs = Date.parse('2026-09-21T00:00:00Z')
  return search(ledger, parseQuery(typed), { limit: 10, nowMs, isDistinct: true, ...options }).results
}

const ids = (typed: string, options?: Partial<SearchOptions>) => find(typed, options).map(({ id }) => id)

describe('search', () => {
  it('returns the event, its exchange, the speaker and a snippet', () =>
    expect(find('who replaced the lamp')).toEqual([
      {
        kind: 'exchange',
        id: `claude-code:${second}#0`,
        session: `claude-code:${second}`,
        event: '00000002-1',
        seq: 1,
        commit: null,
        role: 'assistant',
        project: '/home/dev/island',
        title: 'the lighthouse is out',
        score: expect.any(Number),
        ts: '2026-09-20T10:01:00.000Z',
        snippet: 'I replaced its lamp.',
        why: ['replaced', 'lamp'],
      },
    ]))

  it('returns an exchange once, prompts of the user first', () => {
    const found = find('lighthouse capacitor blink')
    expect(found[0]).toMatchObject({ id: `claude-code:${first}#0`, role: 'user' })
    expect(found.filter(({ id }) => id === `claude-code:${first}#0`)).toHaveLength(1)
    expect(found.map(({ id }) => id)).toContain(`claude-code:${first}#4`)
    expect(found.map(({ score }) => score)).toEqual(found.map(({ score }) => score).sort((a, b) => b - a))
  })

  it.each([
    ['a phrase', '"lighthouse stays white"', [`claude-code:${first}#4`]],
    ['without a word', 'lamp harbour -green', [`claude-code:${first}#4`, `claude-code:${second}#0`]],
    ['a command and its error', '"beacon"', [`claude-code:${first}#0`]],
    ['nothing', 'zeppelin', []],
  ])('understands %s', (_, typed, expected) => expect(ids(typed).sort()).toEqual(expected))

  it('returns no role for tool output', () =>
    expect(find('"beacon is not defined"')[0]).toMatchObject({ role: 'tool', event: '00000001-3' }))

  it.each<[string, Partial<SearchOptions>, string[]]>([
    ['a project', { project: '/home/dev/island' }, [`claude-code:${second}#0`]],
    ['a time', { sinceMs: Date.parse('2026-09-10') }, [`claude-code:${second}#0`]],
    ['an agent', { agent: 'codex' }, []],
  ])('can be limited to %s', (_, options, expected) => expect(ids('lighthouse', options)).toEqual(expected))

  it('can be limited to a number', () => expect(ids('lighthouse', { limit: 1 })).toHaveLength(1))

  it.each([
    '"',
    'AND',
    'a OR',
    'NEAR(a b',
    'prompt:',
    '*',
    '^',
    '{a}:',
    'a\u0000b',
    "';--",
    '\ud800',
    '-',
    '\u{1e5d0}',
  ])('accepts %j', (typed) => expect(() => find(typed)).not.toThrow())

  it('never throws, whatever is typed', () =>
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (typed) => {
        expect(Array.isArray(find(typed))).toBe(true)
      }),
      { numRuns: 300 },
    ))
})

describe('search with a damaged body', () => {
  it('falls back to the digest', () => {
    rmSync(join(at.store, 'bodies'), { recursive: true })
    expect(find('capacitor')[0]).toEqual(
      expect.objectContaining({
        kind: 'exchange',
        id: `claude-code:${first}#0`,
        event: null,
        role: null,
        ts: '2026-09-01T10:01:00.000Z',
        snippet: 'why does the lighthouse blink at night',
      }),
    )
  })
})

describe('search after the text was deleted', () => {
  beforeAll(async () => {
    const machine = { home: at.home, env: { RECOLLECT_HOME: at.store }, platform: 'linux' as const }
    rmSync(at.home, { recursive: true })
    writeFileSync(join(at.store, 'config.toml'), '[retain]\nmax_age_days = 45\n')
    await sweep(createApp({ machine, clock: fixedClock('2027-01-01T00:00:00Z') }), { isEviction: true })
  })

  it('finds a session by its digest', () => {
    expect(readDigest(ledger, `claude-code:${old}`)?.goal).toContain('cliff')
    expect(find('how did the pelican leave the cliff')).toEqual([
      expect.objectContaining({
        kind: 'digest',
        id: `claude-code:${old}`,
        event: null,
        ts: '2026-03-01T10:01:00.000Z',
        snippet: 'teach the pelican to dive from the northern cliff',
      }),
    ])
  })

  it('ranks the session with more of the words first', () =>
    expect(ids('lighthouse night').slice(0, 2)).toEqual([`claude-code:${first}`, `claude-code:${second}`]))
})
