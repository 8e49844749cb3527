import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Event } from '../core/session.ts'
import { appendBody, bodyFile } from '../store/sessions/bodies.ts'
import { packEvents } from '../store/sessions/body-frames.ts'
import { judgeAhead } from './judge-thread.ts'
import { type JudgeJob, judgeSteps, type LearnStep } from './steps.ts'

let bodies: string
beforeEach(() => {
  bodies = mkdtempSync(join(tmpdir(), 'recollect-ahead-'))
})
afterEach(() => rmSync(bodies, { recursive: true }))

const isMemoryPath = (_: string, path: string) => path.endsWith('/memory/notes.md')

describe('judgeAhead', () => {
  it.each([
    ['in a second thread', 20_000_000, 30],
    ['where there is little to judge, in this one', 2000, 0],
  ])('finds the same in the same order, %s', async (_, raw, inThread) => {
    const jobs = Array.from({ length: 40 }, (_, id) =>
      sessionOf(id, `From now on always run the ${id} tests first.`, raw),
    )
    const judged = await all(jobs)
    expect(judged.map(({ id }) => id)).toEqual(jobs.map((_, id) => id))
    expect(judged.map(({ steps }) => steps)).toEqual(jobs.map((job) => [...judgeSteps(job, isMemoryPath)]))
    expect(judged.filter(({ isAhead }) => isAhead)).toHaveLength(inThread)
    expect(judged[7]!.steps).toMatchObject([
      { kind: 'judged', drafts: [{ text: 'From now on always run the 7 tests first.' }] },
    ])
  })

  it('reports a text that is gone', async () => {
    const jobs = [0, 1, 2].map((id) => sessionOf(id, 'Never push on Fridays.', 20_000_000))
    rmSync(join(bodies, jobs[1]!.range.body.file))
    const judged = await all(jobs)
    expect(judged.map(({ steps }) => steps.map(({ kind }) => kind))).toEqual([['judged'], ['damaged'], ['judged']])
  })

  it('takes what was found before, unless the session has changed', async () => {
    const job = sessionOf(0, 'Never push on Fridays.', 2000)
    const steps: LearnStep[] = [{ kind: 'retracted', ids: ['before'] }]
    const found = async (now: JudgeJob) => {
      for await (const judged of judgeAhead([0], () => now, isMemoryPath, new Map([[0, { job, steps }]])))
        return [...judged.steps]
      return undefined
    }
    expect(await found({ ...job })).toEqual(steps)
    expect(await found({ ...job, isOver: !job.isOver })).not.toEqual(steps)
  })

  it('judges a session again that has grown meanwhile', async () => {
    const before = sessionOf(0, 'Never push on Fridays.', 20_000_000)
    const grown = { ...before, session: { ...before.session, events: 3 }, range: { ...before.range, events: 3 } }
    let asked = 0
    for await (const { job, steps } of judgeAhead([0], () => (asked++ === 0 ? before : grown), isMemoryPath)) {
      expect(job).toBe(grown)
      expect([...steps]).toMatchObject([{ kind: 'judged', toSeq: 3 }])
    }
    expect(asked).toBe(2)
  })

  it('judges a session again that has ended meanwhile', async () => {
    const over = sessionOf(0, 'Never push on Fridays.', 20_000_000)
    let asked = 0
    const toJudge = () => ({ ...over, isOver: asked++ > 0 })
    for await (const { job, steps } of judgeAhead([0], toJudge, isMemoryPath)) {
      expect(job).toMatchObject({ isOver: true })
      expect([...steps]).toMatchObject([{ kind: 'judged', drafts: [{ text: 'Never push on Fridays.' }] }])
    }
  })
})

async function all(jobs: JudgeJob[]) {
  const ids = jobs.map((_, id) => id)
  const judged: { id: number; steps: LearnStep[]; isAhead: boolean }[] = []
  for await (const { id, steps } of judgeAhead(ids, (id) => jobs[id], isMemoryPath)) {
    // What a thread has found is there as a whole; here it is found while it is taken.
    judged.push({ id, steps: [...steps], isAhead: Array.isArray(steps) })
  }
  return judged
}

/**
 * `raw` is what the ledger says of the size of its text: it decides whether a thread is worth it.
 */
function sessionOf(id: number, prompt: string, raw: number): JudgeJob {
  const uid = `claude-code:${id}`
  const events = packEvents([event('prompt', prompt), event('reply', 'Understood, I will do that.')])
  const written = appendBody(bodies, { file: bodyFile(uid, 0), bytes: 0, raw: 0, frames: 0, copyBytes: 0 }, events, 0)
  const body = { ...written, raw }
  return {
    session: {
      id,
      uid,
      agent: 'claude-code',
      isSubagent: false,
      project: 'app',
      cwd: null,
      source: null,
      events: 2,
      learnedThrough: 0,
      judgedThrough: 0,
      prompts: 1,
      isProgram: false,
      activity: 'work',
      turnsSinceDeep: 0,
      endedMs: null,
      lastHookMs: null,
      hasEnded: true,
      contentHash: null,
      body,
    },
    range: { agent: 'claude-code', bodies, body, learnedThrough: 0, events: 2, first: 0, start: 0 },
    isJudged: true,
    isOver: true,
    source: { session: uid, project: 'app', at: '2026-09-01T00:00:00.000Z' },
  }
}

function event(kind: 'prompt' | 'reply', text: string): Event {
  const role = kind === 'prompt' ? ('user' as const) : ('assistant' as const)
  return { id: `${kind} ${text}`, key: '', kind, role, ts: '2026-09-01T00:00:00.000Z', text }
}
