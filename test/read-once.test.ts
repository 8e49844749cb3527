// The search for fixes hands the events of a new session to learning and to the journal. Both must find the
// same in a text that they read themselves.
import { closeSync, cpSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createApp } from '../src/app.ts'
import { fixedClock } from '../src/core/clock.ts'
import { type PipelineContext, pipeline, runStages } from '../src/pipeline.ts'
import type { Ledger } from '../src/store/ledger.ts'
import { bodyParts } from '../src/store/sessions/body-frames.ts'
import { undigestedSessions } from '../src/store/sessions/digests.ts'

let home: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'recollect-read-once-'))
  cpSync(join(import.meta.dirname, '../demo/home'), home, { recursive: true })
})
afterEach(() => rmSync(home, { recursive: true }))

interface Swept {
  /** Sessions and parts that were read by the search for fixes. */
  judgedBefore: number
  readBefore: number
  memories: unknown[]
  cursors: unknown[]
  journal: string[]
}

/** Runs all stages; `change` gets the context after the search for fixes. */
async function swept(store: string, change: (context: PipelineContext, ledger: Ledger) => void): Promise<Swept> {
  const machine = { home, env: { RECOLLECT_HOME: join(home, store) }, platform: process.platform }
  const app = createApp({ machine, clock: fixedClock('2026-11-01T12:00:00Z') })
  const ledger = app.ledger()
  try {
    const context = app.context(ledger)
    const fixes = pipeline.findIndex(({ name }) => name === 'fixes')
    await runStages(pipeline.slice(0, fixes + 1), context)
    expect(undigestedSessions(ledger)).toEqual([])
    const judgedBefore = context.judgedBefore?.size ?? 0
    const readBefore = context.readBefore?.size ?? 0
    change(context, ledger)
    await runStages(pipeline.slice(fixes + 1), context)
    expect(context.failedStages).toEqual([])
    const folder = join(home, store, 'vault/journal')
    return {
      ...{ judgedBefore, readBefore },
      memories: ledger.sql('SELECT * FROM memories ORDER BY id').all(),
      cursors: ledger.sql('SELECT uid, learned_through, journaled_through FROM sessions ORDER BY uid').all(),
      journal: readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8')),
    }
  } finally {
    ledger.close()
  }
}

const forget = (context: PipelineContext) => {
  context.judgedBefore?.clear()
  context.readBefore?.clear()
}

describe('reading a text once', () => {
  it('finds what learning and the journal find by themselves', async () => {
    const once = await swept('once', () => {})
    const again = await swept('again', forget)
    expect(once.judgedBefore).toBeGreaterThan(0)
    expect(once.readBefore).toBeGreaterThan(0)
    expect(once.memories.length).toBeGreaterThan(0)
    expect(once.journal.length).toBeGreaterThan(0)
    expect(again).toEqual(once)
  })

  it('keeps nothing in memory afterwards', async () => {
    let context: PipelineContext | undefined
    await swept('once', (one) => {
      context = one
    })
    expect(context?.judgedBefore?.size).toBe(0)
    expect(context?.readBefore?.size).toBe(0)
  })

  it('leaves a damaged text to the stages, which report it', async () => {
    const machine = { home, env: { RECOLLECT_HOME: join(home, 'store') }, platform: process.platform }
    const app = createApp({ machine, clock: fixedClock('2026-11-01T12:00:00Z') })
    const ledger = app.ledger()
    const context = app.context(ledger)
    const fixes = pipeline.findIndex(({ name }) => name === 'fixes')
    await runStages(pipeline.slice(0, fixes), context)
    const damaged = ledger.sql('SELECT id, body FROM sessions WHERE body IS NOT NULL ORDER BY id LIMIT 1').get()!
    const path = join(ledger.layout.bodies, String(damaged.body))
    const bytes = readFileSync(path)
    const handle = openSync(path, 'r')
    const frame = [...bodyParts(handle, bytes.length)].find(({ kind }) => kind === 'events')!
    closeSync(handle)
    bytes.fill(0, frame.at + Math.floor(frame.size / 2), frame.at + frame.size)
    writeFileSync(path, bytes)
    await runStages(pipeline.slice(fixes, fixes + 1), context)
    expect(context.judgedBefore?.size).toBeGreaterThan(0)
    expect(context.judgedBefore?.has(Number(damaged.id))).toBe(false)
    expect([...context.readBefore!.keys()].some((key) => key.startsWith(`${damaged.body} `))).toBe(false)
    ledger.close()
  })
})
