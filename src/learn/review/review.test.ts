import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { sampleMemory } from '../../../test/sample-memory.ts'
import { fixedClock } from '../../core/clock.ts'
import { layoutOf } from '../../core/paths.ts'
import { draftOf } from '../../memory/draft.ts'
import type { Memory } from '../../memory/memory.ts'
import { type Ledger, openLedger } from '../../store/ledger.ts'
import { memoryById } from '../../store/memories/memories.ts'
import { writeMemory } from '../../store/memories/rows.ts'
import { admit } from '../admission/admit.ts'
import { type ChangeContext, decide, proposeDeletion, remember, undo } from '../change.ts'
import { dismissCandidate, keepCandidate, postponeReview, resumeReview, reviewQueue } from './review.ts'

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
function propose(id: string, text: string, more: Parameters<typeof sampleMemory>[0] = {}): string {
  const evidence = [{ session: 'codex:s1', event: `e${events++}`, quote: text }]
  const candidate = sampleMemory({
    ...{ id, text, evidence, state: 'candidate', because: 'rules', score: 0.5, kind: 'preference' },
    ...more,
  })
  ledger.transaction(() => writeMemory(ledger, candidate))
  return id
}

function remembered(text: string): Memory {
  return remember({ ...context, clock: fixedClock('2026-10-01T10:00:00Z') }, { text, project: '/home/dev/app' })
    .kept[0]!
}

const queued = (filter: Partial<Parameters<typeof reviewQueue>[1]> = {}) =>
  reviewQueue(ledger, { now, ...filter }).map(({ kind, memory }) => `${kind} ${memory.text}`)

describe('reviewQueue', () => {
  it('lists the inbox, then candidates by score, within project, time and limit', () => {
    propose('m-low', 'Name branches after the ticket', { score: 0.2 })
    propose('m-high', 'Run the linter before a commit', { score: 0.9 })
    propose('m-old', 'Write release notes by hand', { score: 0.8, at: '2026-06-01T10:00:00.000Z' })
    propose('m-else', 'Build images on the server', { score: 0.7, project: '/home/dev/other' })
    const memory = remembered('Deploy on Tuesdays only')
    proposeDeletion(context, memory, { session: null, event: null })
    const request = 'deletion An agent asks to forget: Deploy on Tuesdays only'
    expect(queued({ project: '/home/dev/app', since: '2026-08-01' })).toEqual([
      request,
      'candidate Run the linter before a commit',
      'candidate Name branches after the ticket',
    ])
    expect(queued({ limit: 2 })).toEqual([request, 'candidate Run the linter before a commit'])
    expect(reviewQueue(ledger, { now, limit: 1 })[0]!.against!.id).toBe(memory.id)
  })

  it('leaves an item out for a week after it was postponed', () => {
    propose('m-one', 'Run the linter before a commit')
    postponeReview(context, 'm-one')
    expect(queued()).toEqual([])
    expect(queued({ now: '2026-11-08T12:00:01.000Z' })).toHaveLength(1)
    resumeReview(ledger, 'm-one')
    expect(queued()).toHaveLength(1)
  })
})

describe('keepCandidate', () => {
  it('makes a candidate a memory of the person, and undo a candidate again', () => {
    propose('m-one', 'Run the linter before a commit')
    const before = memoryById(ledger, 'm-one')
    expect(keepCandidate(context, 'm-one').kept).toMatchObject([{ id: 'm-one', state: 'kept', because: 'person' }])
    undo(context)
    expect(memoryById(ledger, 'm-one')).toEqual(before)
  })

  it('keeps the id and the evidence when the words or the project change', () => {
    propose('m-one', 'no, the other linter', { trust: 'agent said' })
    keepCandidate(context, 'm-one', { text: ' Check style with Biome, not with ESLint ', project: null })
    expect(memoryById(ledger, 'm-one')).toMatchObject({
      text: 'Check style with Biome, not with ESLint',
      project: null,
      trust: 'user said',
      ...{ validFrom: '2026-09-01T10:00:00.000Z', confirmedAt: now },
      evidence: [{ session: 'codex:s1', quote: 'no, the other linter' }],
    })
    expect(queued()).toEqual([])
  })

  it.each([
    ['kept as it is', 'hypothetical', {}, 'settled'],
    ['kept as a failure', 'tried-and-failed', {}, 'tried-and-failed'],
    ['reworded', 'tried-and-failed', { text: 'Check style with Biome, not with ESLint' }, 'settled'],
    ['kept as a thought', 'hypothetical', { status: 'hypothetical' }, 'hypothetical'],
  ] as const)('replaces the status that rules guessed: %s', (_, status, edits, expected) => {
    propose('m-one', 'maybe we check style with Biome', { status })
    expect(keepCandidate(context, 'm-one', edits).kept).toMatchObject([{ status: expected }])
  })

  it('counts as said when the words were said, and as confirmed now', () => {
    const said = { validFrom: '2026-08-01T10:00:00.000Z', confirmedAt: '2026-08-01T10:00:00.000Z' }
    propose('m-old', 'Always use npm for installs', said)
    propose('m-new', 'Never use npm for installs', { at: '2026-09-01T10:00:00.000Z' })
    keepCandidate(context, 'm-new')
    // What the person decides last holds, also if it was said first.
    expect(keepCandidate(context, 'm-old').superseded).toMatchObject([{ id: 'm-new', supersededAt: now }])
    expect(memoryById(ledger, 'm-old')).toMatchObject({ supersededBy: null, validFrom: now, confirmedAt: now })
  })

  it('is not reversed by what was said before the decision and is learned later', () => {
    propose('m-one', 'Always use npm for installs', { at: '2026-08-01T10:00:00.000Z' })
    keepCandidate(context, 'm-one')
    const opposite = draftOf(
      {
        ...{ kind: 'preference', text: 'Never use npm for installs', quote: 'never use npm', why: null },
        ...{ status: 'settled', scope: 'project', importance: 0.7, tags: [] },
      },
      {
        ...{ project: '/home/dev/app', trust: 'user said', because: 'model', at: '2026-09-01T10:00:00.000Z' },
        evidence: [{ session: 'codex:s2', event: 'e1', quote: 'never use npm' }],
      },
    )
    const change = { at: now, kind: 'learned' as const, about: 'a test' }
    const { superseded } = ledger.transaction(() => admit(context, [opposite], change))
    expect(superseded).toMatchObject([{ text: 'Never use npm for installs', supersededBy: 'm-one', supersededAt: now }])
  })

  it('merges a repetition into the memory that says it, in one change', () => {
    const known = remembered('Always use pnpm for installs')
    propose('m-one', 'use pnpm for installs')
    expect(keepCandidate(context, 'm-one').merged).toMatchObject([{ id: known.id, counts: { said: 2 } }])
    expect(memoryById(ledger, 'm-one')).toBeUndefined()
    undo(context)
    expect(memoryById(ledger, 'm-one')!.state).toBe('candidate')
    expect(memoryById(ledger, known.id)!.counts.said).toBe(1)
  })

  it('lets a plain opposite replace or ask, never stand beside', () => {
    const old = remembered('Always use npm for installs')
    propose('m-one', 'Never use npm for installs')
    const { superseded, inbox } = keepCandidate(context, 'm-one')
    expect([...superseded.map(({ id }) => id), ...inbox.map(({ contradicts }) => contradicts)]).toEqual([old.id])
  })

  it('says why it refuses, and changes nothing', () => {
    propose('m-one', 'Run the linter before a commit')
    expect(() => keepCandidate(context, 'm-one', { text: 'yes' })).toThrow('too short')
    expect(memoryById(ledger, 'm-one')!.state).toBe('candidate')
    const { id } = remembered('Deploy on Tuesdays only')
    expect(() => keepCandidate(context, id)).toThrow(`${id} is not a candidate`)
  })
})

describe('dismissCandidate', () => {
  it('leaves a tombstone, which undo removes', () => {
    propose('m-one', 'Run the linter before a commit')
    dismissCandidate(context, 'm-one', 'said about another repository')
    expect(memoryById(ledger, 'm-one')!.state).toBe('forgotten')
    expect(undo(context).change.about).toBe('Run the linter before a commit (said about another repository)')
    expect(queued()).toHaveLength(1)
  })

  it('is not for the inbox', () => {
    const request = proposeDeletion(context, remembered('Deploy on Tuesdays only'), { session: null, event: null })
    expect(() => dismissCandidate(context, request.id)).toThrow('is not a candidate')
    expect(decide(context, request.id, 'refuse')).toMatchObject([{ id: request.id, state: 'forgotten' }])
  })
})
