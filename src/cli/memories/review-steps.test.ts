import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { sampleMemory } from '../../../test/sample-memory.ts'
import { fixedClock } from '../../core/clock.ts'
import { layoutOf } from '../../core/paths.ts'
import { zoneOf } from '../../core/units.ts'
import { type ChangeContext, proposeDeletion, remember } from '../../learn/change.ts'
import { reviewQueue } from '../../learn/review/review.ts'
import { type Ledger, openLedger } from '../../store/ledger.ts'
import { listChanges } from '../../store/memories/changes.ts'
import { memoryById } from '../../store/memories/memories.ts'
import { writeMemory } from '../../store/memories/rows.ts'
import { reviewLoop } from '../review-loop.ts'
import { memoryReviewSteps, reviewCard } from './review-steps.ts'

const now = '2026-11-01T12:00:00.000Z'
let root: string
let ledger: Ledger
let context: ChangeContext
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'recollect-review-'))
  ledger = openLedger(layoutOf(root))
  context = { ledger, clock: fixedClock(now), origin: 'box' }
})
afterEach(() => {
  ledger.close()
  rmSync(root, { recursive: true })
})

let events = 0
function propose(id: string, text: string, more: Parameters<typeof sampleMemory>[0] = {}): void {
  const evidence = [{ session: 'codex:0a1b2c3d', event: `e${events++}`, quote: `${text}, please` }]
  const candidate = sampleMemory({
    ...{ id, text, evidence, state: 'candidate', because: 'rules', score: 0.5, kind: 'preference' },
    ...more,
  })
  ledger.transaction(() => writeMemory(ledger, candidate))
}

const same = (text: string) => text
const style = { bold: same, dim: same, red: same, green: same, yellow: same, blue: same }

/** A person who presses these keys; `lines` are typed where a text is edited. */
async function press(keys: string, lines: string[] = []) {
  const typed = [...keys]
  const shown: string[] = []
  const print = (text: string) => void shown.push(text)
  const counts = { kept: 0, forgotten: 0, later: 0 }
  const reviewer = {
    context,
    ask: async (question: string) => {
      print(question)
      return typed.shift()
    },
    editLine: async () => lines.shift(),
    clean: (text: string) => text.replace('hunter2', '[secret: password]'),
    say: print,
    display: { style, zone: zoneOf('UTC'), columns: 80 },
  }
  const items = reviewQueue(ledger, { now }).map(reviewCard)
  await reviewLoop(items, memoryReviewSteps(reviewer, counts), { print, say: print, style })
  return { counts, printed: shown.join('\n') }
}

const states = (...ids: string[]) => ids.map((id) => memoryById(ledger, id)?.state)

describe('memoryReviewSteps', () => {
  beforeEach(() => {
    propose('m-one', 'Run the linter before a commit', { score: 0.9, counts: { said: 3, shown: 0, used: 0 } })
    propose('m-two', 'Name branches after the ticket', { score: 0.8 })
    propose('m-three', 'Write release notes by hand', { score: 0.7 })
  })

  it('decides with one key each, and each decision is one change', async () => {
    const { counts, printed } = await press('kfl')
    expect(states('m-one', 'm-two', 'm-three')).toEqual(['kept', 'forgotten', 'candidate'])
    expect(counts).toEqual({ kept: 1, forgotten: 1, later: 1 })
    expect(listChanges(ledger, 9)).toHaveLength(2)
    expect(reviewQueue(ledger, { now })).toEqual([])
    expect(printed).toContain('1 of 3\nCandidate, 90 %, m-one\n  Run the linter before a commit\n')
    expect(printed).toContain(
      '  in app; 2026-09-01, codex 0a1b2c3d, said 3 times\n  > Run the linter before a commit, please',
    )
    expect(printed.split('\n').every((line) => line.length <= 80)).toBe(true)
  })

  it('undoes the last decision exactly and returns to it', async () => {
    const before = memoryById(ledger, 'm-two')
    // Forgets the second, returns to it, postpones it, returns to it again.
    const { counts } = await press('kfuluq')
    expect(memoryById(ledger, 'm-two')).toEqual(before)
    expect(states('m-one', 'm-three')).toEqual(['kept', 'candidate'])
    expect(counts).toEqual({ kept: 1, forgotten: 0, later: 0 })
    expect(reviewQueue(ledger, { now })).toHaveLength(2)
  })

  it('keeps edited words without secrets, everywhere after w', async () => {
    const { printed } = await press('weq', ['Run the linter before each commit; the password of its server is hunter2'])
    expect(memoryById(ledger, 'm-one')).toMatchObject({
      text: 'Run the linter before each commit; the password of its server is [secret: password]',
      project: null,
      state: 'kept',
      because: 'person',
    })
    expect(printed).toContain('everywhere; 2026-09-01')
  })

  it('asks again after help, an unknown key and an error', async () => {
    const { counts, printed } = await press('?zuew', ['ok'])
    expect(counts.kept).toBe(0)
    expect(printed).toContain('k  keep it as a memory')
    expect(printed).toContain('Unknown key.')
    expect(printed).toContain('There is nothing to undo yet.')
    expect(printed).toContain('Not remembered: too short')
  })

  it('skips what a decision has merged', async () => {
    propose('m-four', 'please run the linter before a commit', { score: 0.1 })
    const { counts } = await press('kkk')
    expect(counts.kept).toBe(3)
    expect(memoryById(ledger, 'm-four')).toBeUndefined()
  })
})

describe('memoryReviewSteps of the inbox', () => {
  it('forgets or keeps a memory on request', async () => {
    const { kept } = remember(context, { text: 'Deploy on Tuesdays only', project: null })
    proposeDeletion(context, kept[0]!, { session: null, event: null })
    const { printed } = await press('wf')
    expect(states(kept[0]!.id)).toEqual(['forgotten'])
    expect(printed).toContain(`Forget ${kept[0]!.id}?\n  Deploy on Tuesdays only`)
    expect(printed).toContain('Unknown key.')
  })

  it('shows both sides of a contradiction, and keeps both on request', async () => {
    const { kept } = remember(context, { text: 'Deploy on Tuesdays only', project: '/home/dev/app' })
    propose('m-one', 'Deploy whenever it is ready', { state: 'inbox', contradicts: kept[0]!.id })
    const { printed } = await press('b')
    expect(printed).toContain(`May contradict ${kept[0]!.id}, in app; 2026-11-01:\n  Deploy on Tuesdays only`)
    expect(memoryById(ledger, 'm-one')).toMatchObject({ state: 'kept', because: 'person', contradicts: null })
    expect(memoryById(ledger, kept[0]!.id)).toMatchObject({ state: 'kept', supersededBy: null })
  })
})
