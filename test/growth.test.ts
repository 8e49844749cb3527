// A transcript is read while it grows. However many sweeps that takes, the ledger must be the same
// as after one.
import { readdirSync, readFileSync, renameSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { agents } from '../src/agents/registry.ts'
import { contentsOf, copyFixture, dumpOf, findCorpus, fixtureEnv, type TestHome, testHome } from './corpus/home.ts'
import { isProof } from './proof.ts'

/** The contract of agents (test/agents) has every reader read a growing log; here a sweep does. */
const agentIds = agents.map(({ id }) => id).filter((_, index) => isProof || index % 7 === 0)

const homes: TestHome[] = []
afterEach(() => {
  for (const home of homes.splice(0)) home.remove()
})

function newHome(env: Record<string, string> = {}): TestHome {
  const home = testHome(env)
  homes.push(home)
  return home
}

/** Contents of the ledger after a sweep at each state of one file. */
async function sweptAt(states: (string | Uint8Array)[], place = log): Promise<TestHome> {
  const home = newHome()
  for (const state of states) {
    home.write(place, state)
    const report = await home.sweep()
    expect(report.failed).toEqual([])
  }
  return home
}

const session = '5e551011-0000-4000-8000-000000000001'
const log = `.claude/projects/-srv-tidepool/${session}.jsonl`

/** A conversation of ten records: two prompts, two calls with results, one answer in two pieces. */
const records = [
  prompt(1, 'why is the tide table off by an hour?'),
  answer(2, 'msg_a', [{ type: 'text', text: 'Looking at the zone.' }], 3),
  answer(3, 'msg_a', [{ type: 'tool_use', id: 'call_1', name: 'Bash', input: { command: 'npm test' } }], 40),
  result(4, 'call_1', 'Exit code 1\nTests: 1 failed, 2 passed', true),
  answer(
    5,
    'msg_b',
    [{ type: 'tool_use', id: 'call_2', name: 'Edit', input: { file_path: '/srv/tidepool/tide.ts' } }],
    50,
  ),
  result(6, 'call_2', 'The file /srv/tidepool/tide.ts has been updated.', false),
  answer(7, 'msg_c', [{ type: 'text', text: 'Fixed: the table was in UTC.' }], 12),
  prompt(8, 'no, keep UTC and convert when showing 🌊'),
  answer(9, 'msg_d', [{ type: 'text', text: 'Converted at display time.' }], 9),
  JSON.stringify({ type: 'custom-title', customTitle: 'Tide table zone', sessionId: session }),
]
const whole = lines(records)

describe('capture of a growing log', () => {
  it('handles appended complete records', async () => {
    const states = records.map((_, index) => lines(records.slice(0, index + 1)))
    expect(contentsOf(await sweptAt(states))).toEqual(contentsOf(await sweptAt([whole])))
  })

  it('handles pieces that end anywhere, even inside a character', async () => {
    const bytes = Buffer.from(whole)
    const wave = bytes.indexOf('🌊')
    const cuts = [17, 700, 1100, 1500, wave + 2, wave + 40, bytes.length - 1, bytes.length]
    const states = cuts.map((cut) => bytes.subarray(0, cut))
    expect(contentsOf(await sweptAt(states))).toEqual(contentsOf(await sweptAt([whole])))
  })

  it('reports a torn tail until the rest is written', async () => {
    const home = newHome()
    home.write(log, whole.slice(0, whole.length - 30))
    expect((await home.sweep()).skipped).toMatchObject([{ reason: 'the last line is not complete yet' }])
    home.write(log, whole)
    expect((await home.sweep()).skipped).toEqual([])
    expect(dumpOf(home).problems).toEqual([])
    expect(home.sessions()[0]!.title).toBe('Tide table zone')
  })
})

describe('capture of a rewritten log', () => {
  it('keeps captured events of a truncated log and adds new ones', async () => {
    const home = await sweptAt([
      whole,
      lines(records.slice(0, 4)),
      lines([...records.slice(0, 4), prompt(20, 'and now?')]),
    ])
    expect(textsOf(home)).toEqual([...textsOf(await sweptAt([whole])), 'and now?'])
  })

  it('captures other content of the same length', async () => {
    const other = whole.replaceAll('00000000000', '00000000009').replaceAll('an hour?', 'a day???')
    expect(other.length).toBe(whole.length)
    const home = await sweptAt([whole, other])
    expect(textsOf(home)).toContain('why is the tide table off by a day???')
    expect(textsOf(home)).toContain('why is the tide table off by an hour?')
  })

  it('handles rotation to a new file with old and new records', async () => {
    const home = await sweptAt([whole])
    const path = join(home.path, log)
    renameSync(path, `${path}.old`)
    home.write(log, `${whole}${prompt(21, 'one more thing')}\n`)
    expect(await home.sweep()).toMatchObject({ ingested: 1, events: 1, failed: [] })
    expect(textsOf(home)).toEqual([...textsOf(await sweptAt([whole])), 'one more thing'])
  })

  it('keeps the session of an emptied log', async () => {
    const home = await sweptAt([whole, ''])
    expect(contentsOf(home)).toEqual(contentsOf(await sweptAt([whole])))
  })

  it('keeps the session of a deleted log', async () => {
    const home = await sweptAt([whole])
    renameSync(join(home.path, log), join(home.path, 'away'))
    expect(await home.sweep()).toMatchObject({ discovered: 0, failed: [] })
    expect(contentsOf(home)).toEqual(contentsOf(await sweptAt([whole])))
  })
})

describe('capture of one session in two files', () => {
  it('merges records by their keys', async () => {
    const home = newHome()
    home.write(log, lines(records.slice(0, 7)))
    home.write(log.replace('-srv-tidepool', '-srv-tidepool-worktree'), lines(records.slice(4)))
    await home.sweep()
    expect(home.sessions()).toMatchObject([{ counts: { events: 10, prompts: 2, toolCalls: 2, toolErrors: 1 } }])
    expect(new Set(textsOf(home))).toEqual(new Set(textsOf(await sweptAt([whole]))))
    expect(contentsOf(home).usage).toEqual(contentsOf(await sweptAt([whole])).usage)
  })
})

describe('sweep without changes', () => {
  it('changes nothing', async () => {
    const home = await sweptAt([whole])
    const before = dumpOf(home)
    expect(await home.sweep()).toMatchObject({ discovered: 1, unchanged: 1, ingested: 0, events: 0, digested: 0 })
    expect(dumpOf(home)).toEqual(before)
  })

  it('changes only the stamp of a touched file', async () => {
    const home = await sweptAt([whole])
    const { cursors: _, ...before } = dumpOf(home)
    utimesSync(join(home.path, log), new Date(), new Date('2027-01-01T00:00:00Z'))
    expect(await home.sweep()).toMatchObject({ unchanged: 0, ingested: 1, events: 0, digested: 0 })
    const { cursors: __, ...after } = dumpOf(home)
    expect(after).toEqual(before)
    expect(await home.sweep()).toMatchObject({ unchanged: 1, ingested: 0 })
  })
})

describe('capture of the logs of every agent, written one after the other', () => {
  it.each(agentIds)('%s', async (id) => {
    const atOnce = newHome(fixtureEnv(id))
    const stepped = newHome(fixtureEnv(id))
    for (const home of [atOnce, stepped]) copyFixture(id, home)
    await atOnce.sweep()
    const logs = stepped.found().filter(({ transcript, agent }) => transcript.shape === 'log' && agent.id === id)
    const contents = logs.map(({ transcript }) => ({ path: transcript.path, bytes: readFileSync(transcript.path) }))
    for (const { path } of contents) writeFileSync(path, '')
    for (const { path, bytes } of contents) {
      for (const part of isProof ? [0.4, 0.75, 1] : [0.6, 1]) {
        writeFileSync(path, bytes.subarray(0, Math.ceil(bytes.length * part)))
        await stepped.sweep()
      }
    }
    await stepped.sweep()
    expect(contentsOf(stepped)).toEqual(contentsOf(atOnce))
  })
})

describe('capture of everything from the start again', () => {
  it.each(agentIds)('changes nothing: %s', async (id) => {
    const home = newHome(fixtureEnv(id))
    copyFixture(id, home)
    await home.sweep()
    const before = contentsOf(home)
    expect(await home.sweep({ isFull: true })).toMatchObject({ unchanged: 0, events: 0, failed: [] })
    expect(contentsOf(home)).toEqual(before)
  })
})

describe('capture of a fork', () => {
  it('does not take over its original session, which continued later', async () => {
    const home = newHome()
    const fork = '5e551011-0000-4000-8000-000000000002'
    const copies = records.slice(0, 9).map((line) => {
      return JSON.stringify({ ...JSON.parse(line), sessionId: fork, forkedFrom: { sessionId: session } })
    })
    home.write(log, whole)
    home.write(log.replace(session, fork), lines([...copies, prompt(31, 'try it here')]))
    await sleep(10)
    home.write(log, lines([...records, prompt(30, 'go on here')]))
    await home.sweep()
    const byId = home.sessions().sort((a, b) => (a.id < b.id ? -1 : 1))
    expect(byId).toMatchObject([
      { lineage: 'main', inherited: 0, forkedFrom: null, counts: { prompts: 3 } },
      { lineage: 'fork', inherited: 10, forkedFrom: `claude-code:${session}`, counts: { prompts: 1 } },
    ])
  })
})

const series = findCorpus() ? growthSeries(join(findCorpus()!, 'claude-code/growth')) : []
if (series.length === 0) console.log('public growth series are skipped: the transcripts are not beside this checkout')

describe.skipIf(series.length === 0)('a public session at successive sizes', () => {
  it.each(series)('$id, $steps.length steps', async ({ id, steps }) => {
    const place = `.claude/projects/-srv-growth/${id}.jsonl`
    const states = steps.map((step) => readFileSync(step))
    const stepped = contentsOf(await sweptAt(states, place))
    const atOnce = contentsOf(await sweptAt(states.slice(-1), place))
    if (onlyGrows(states)) return expect(stepped).toEqual(atOnce)
    // Its tail was overwritten: captured events stay, and nothing is missing or duplicated.
    const uid = `claude-code:${id}`
    const ids = stepped.events[uid]!.map((event) => `${event.id} ${event.kind} ${event.call} ${event.text}`)
    expect(new Set(ids).size).toBe(ids.length)
    for (const { seq: _, ...event } of atOnce.events[uid]!) {
      expect(stepped.events[uid]).toContainEqual(expect.objectContaining(event))
    }
    for (const row of atOnce.usage) expect(stepped.usage).toContainEqual(row)
  })
})

function growthSeries(folder: string): { id: string; steps: string[] }[] {
  return readdirSync(folder).map((id) => ({
    id,
    steps: readdirSync(join(folder, id))
      .sort()
      .map((name) => join(folder, id, name)),
  }))
}

function onlyGrows(states: Buffer[]): boolean {
  return states.every(
    (state, index) => index === 0 || state.subarray(0, states[index - 1]!.length).equals(states[index - 1]!),
  )
}

function textsOf(home: TestHome): string[] {
  return home.sessions().flatMap(({ id }) => home.events(id).map((event) => event.text))
}

function lines(of: string[]): string {
  return of.map((line) => `${line}\n`).join('')
}

function envelope(number: number) {
  return {
    parentUuid: number === 1 ? null : uuid(number - 1),
    uuid: uuid(number),
    sessionId: session,
    timestamp: `2026-09-01T10:00:${String(number).padStart(2, '0')}.000Z`,
    cwd: '/srv/tidepool',
    version: '2.1.219',
    gitBranch: 'main',
  }
}

function uuid(number: number): string {
  return `00000000-0000-4000-8000-00000000000${String(number).padStart(2, '0')}`.slice(0, 38)
}

function prompt(number: number, content: string): string {
  return JSON.stringify({ ...envelope(number), type: 'user', message: { role: 'user', content } })
}

function answer(number: number, id: string, content: object[], output: number): string {
  const usage = {
    input_tokens: 10,
    output_tokens: output,
    cache_creation_input_tokens: 5,
    cache_read_input_tokens: 100,
  }
  const message = { id, role: 'assistant', model: 'claude-opus-4-7', content, stop_reason: null, usage }
  return JSON.stringify({ ...envelope(number), type: 'assistant', requestId: `req_${id}`, message })
}

function result(number: number, call: string, content: string, isError: boolean): string {
  const block = { type: 'tool_result', tool_use_id: call, content, is_error: isError }
  return JSON.stringify({ ...envelope(number), type: 'user', message: { role: 'user', content: [block] } })
}
