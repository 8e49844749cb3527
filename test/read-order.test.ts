// A sweep that is large enough for several threads reads the newest transcripts first. What it stores
// is the same as if they had been read in the order in which they were written.
import { rmSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type TestHome, testHome } from './corpus/home.ts'
import { claudeSession, lines, sessionName } from './program.ts'

let home: TestHome
beforeEach(() => {
  home = testHome()
})
afterEach(() => home.remove())

/** Writes a transcript that was last changed on this day of October. */
function write(name: string, records: object[], day: number, folder = '-home-dev-app'): void {
  const path = home.write(`.claude/projects/${folder}/${name}.jsonl`, lines(records))
  const time = Date.UTC(2026, 9, day) / 1000
  utimesSync(path, time, time)
}

/** Sessions between the others, and threads although there is little to read. */
function sweepInThreads() {
  for (let index = 0; index < 8; index++)
    write(sessionName(100 + index), claudeSession(sessionName(100 + index), 3), 10 + index)
  return home.sweep({ threadLimits: { minBytes: 1, cores: 2 } })
}

const session = (index: number) => home.sessions().find(({ id }) => id === `claude-code:${sessionName(index)}`)

describe('a large first sweep', () => {
  it('leaves events that forks repeat with the session that they came from', async () => {
    const original = claudeSession(sessionName(1), 4)
    const asFork = (records: object[], index: number) =>
      records.map((record) => ({ ...record, sessionId: sessionName(index) }))
    const first = [...asFork(original, 2), ...claudeSession(sessionName(2), 5).slice(16)]
    const second = [...asFork(first, 3), ...claudeSession(sessionName(3), 6).slice(20)]
    write(sessionName(1), original, 1)
    write(sessionName(2), first, 2)
    write(sessionName(3), second, 20)
    const { events, failed } = await sweepInThreads()
    expect(failed).toEqual([])
    expect(session(1)).toMatchObject({ forkedFrom: null, inherited: 0, counts: { events: 16, prompts: 4 } })
    const origin = `claude-code:${sessionName(1)}`
    expect(session(2)).toMatchObject({ forkedFrom: origin, inherited: 16, counts: { events: 4, prompts: 1 } })
    expect(session(3)).toMatchObject({ forkedFrom: origin, inherited: 20, counts: { events: 4, prompts: 1 } })
    expect(home.events(`claude-code:${sessionName(1)}`).map(({ seq }) => seq)).toEqual([...Array(16).keys()])
    const total = home.sessions().reduce((sum, { counts }) => sum + counts.events, 0)
    expect(home.look((ledger) => ledger.sql('SELECT count(*) AS count FROM events').get())?.count).toBe(total)
    expect(events).toBeGreaterThanOrEqual(total)
    expect(await home.sweep()).toMatchObject({ ingested: 0, events: 0 })
  })

  it('keeps the order of a session that is in two transcripts', async () => {
    const records = claudeSession(sessionName(1), 6)
    write(sessionName(1), records.slice(0, 12), 1)
    write(sessionName(1), records.slice(12), 20, '-home-dev-app-src')
    await sweepInThreads()
    const stored = home.events(`claude-code:${sessionName(1)}`)
    expect(stored.map(({ ts }) => ts)).toEqual(stored.map(({ ts }) => ts).toSorted())
    expect(stored).toHaveLength(24)
  })

  it('keeps a fork whose transcript is deleted before it is read again', async () => {
    const original = claudeSession(sessionName(1), 4)
    const copied = original.map((record) => ({ ...record, sessionId: sessionName(2) }))
    write(sessionName(1), original, 1)
    write(sessionName(2), [...copied, ...claudeSession(sessionName(2), 6).slice(16)], 20)
    // One batch for each: the fork is written first.
    const threadLimits = { minBytes: 1, cores: 1, partSize: 20_000 }
    const onWritten = () =>
      rmSync(join(home.path, `.claude/projects/-home-dev-app/${sessionName(2)}.jsonl`), { force: true })
    await home.sweep({ threadLimits, onWritten })
    expect(session(1)).toMatchObject({ counts: { events: 16 } })
    expect(session(2)).toMatchObject({ inherited: 16, counts: { events: 8, prompts: 2 }, cwd: '/home/dev/app' })
    expect(session(2)!.tokens.output).toBe(24 + 25)
    expect(home.events(`claude-code:${sessionName(2)}`).map(({ text }) => text)).toContain('answer 5: it works')
  })
})

describe('a large sweep that reads everything again', () => {
  it('keeps what earlier sweeps captured from a transcript that is gone', async () => {
    const records = claudeSession(sessionName(1), 6)
    write(sessionName(1), records.slice(0, 8), 1)
    write(sessionName(1), records.slice(8, 16), 20, '-home-dev-app-src')
    write(sessionName(1), records.slice(16), 5, '-home-dev-app-test')
    await home.sweep()
    const before = { session: session(1), events: home.events(`claude-code:${sessionName(1)}`) }
    expect(before.events).toHaveLength(24)
    rmSync(join(home.path, `.claude/projects/-home-dev-app/${sessionName(1)}.jsonl`))
    // Newest first, and each transcript in a batch of its own.
    await home.sweep({ isFull: true, threadLimits: { minBytes: 1, cores: 1, partSize: 100 } })
    expect(home.events(`claude-code:${sessionName(1)}`)).toEqual(before.events)
    expect(session(1)).toMatchObject({
      counts: before.session!.counts,
      tokens: before.session!.tokens,
      costUsd: before.session!.costUsd,
    })
  })
})
