// Vectors from a model elsewhere: sent once, kept, and never waited for.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Clock, fixedClock } from '../../src/core/clock.ts'
import type { ModelContext } from '../../src/models/context.ts'
import { updateVectors } from '../../src/search/vectors/embed-passages.ts'
import { readPause, vectorState, vectorsDue } from '../../src/search/vectors/state.ts'
import { countVectors, vectorModel } from '../../src/store/search/vectors.ts'
import { type Place, place } from '../models/scripted.ts'
import { type Endpoint, endpoint } from './endpoint.ts'
import { found, furniture, remember, withVectors } from './memories.ts'

let server: Endpoint
let at: Place
let context: ModelContext
beforeEach(async () => {
  server = await endpoint()
  at = await place([], { env: { OLLAMA_HOST: server.url } })
  context = withVectors(at.context, 'ollama:scripted', `openai_url = "${server.url}/v1"\n`)
  remember(context, { ...furniture(), target: 'a settee for the waiting room' })
})
afterEach(async () => {
  at.remove()
  await server.close()
})

const fresh = { a: 'a buoy', b: 'a lighthouse', c: 'a pier', d: 'a raft', e: 'a tug' }
const later = (): ModelContext => ({ ...context, clock: after(context.clock) })

describe.each(['ollama:scripted', 'openai:scripted'])('%s', (vectors) => {
  beforeEach(() => {
    context = { ...context, config: withVectors(at.context, vectors, `openai_url = "${server.url}/v1"\n`).config }
  })

  it('finds synonyms that a search by words does not', async () => {
    expect(await found(withVectors(context, 'off'), 'couch')).not.toContain('target')
    expect(await updateVectors(context)).toBe(361)
    expect(await found(context, 'couch')).toContain('target')
    expect(vectorsDue(context)).toBe(false)
  })

  it('ranks passages with the word itself first', async () => {
    await updateVectors(context)
    const direct = await found(withVectors(context, 'off'), 'couch')
    const results = await found(context, 'couch')
    expect(results.slice(0, direct.length).toSorted()).toEqual(direct.toSorted())
  })

  it('does not find passages that an excluded word or a phrase rules out', async () => {
    await updateVectors(context)
    expect(await found(context, 'couch -waiting')).not.toContain('target')
    expect(await found(context, '"the couch"')).not.toContain('target')
  })

  it('sends each text once', async () => {
    await updateVectors(context)
    const before = server.asked.length
    remember(context, fresh)
    expect(await updateVectors(context)).toBe(5)
    expect(
      server.asked
        .slice(before)
        .flatMap(({ input }) => input)
        .toSorted(),
    ).toEqual(Object.values(fresh))
  })
})

describe('vectorsDue', () => {
  it('is due at first, and not again while nothing is new', async () => {
    expect(vectorsDue(context)).toBe(true)
    expect(vectorState(context.ledger, context.config)).toMatchObject({ passages: 0, madeMs: null })
    await updateVectors(context)
    expect(vectorsDue(context)).toBe(false)
    expect(vectorState(context.ledger, context.config)).toMatchObject({ passages: 361, madeMs: context.clock.nowMs() })
  })

  it('is due again when there are new memories', async () => {
    await updateVectors(context)
    remember(context, { ...fresh, late: 'a settee in the hall' })
    expect(vectorsDue(context)).toBe(true)
    expect(await updateVectors(context)).toBe(6)
    expect(vectorModel(context.ledger)).toMatchObject({ id: 1, seen: 367 })
    expect(await found(context, 'couch')).toContain('late')
  })

  it('a changed memory is no longer found by its earlier text', async () => {
    await updateVectors(context)
    expect(await found(context, 'couch')).toContain('target')
    remember(context, { target: 'the harbour needs a new anchor before the ships arrive' })
    expect(await found(context, 'couch')).not.toContain('target')
    remember(context, fresh)
    await updateVectors(context)
    expect(countVectors(context.ledger, 1)).toBe(366)
  })

  it('switched off, a rebuild deletes them', async () => {
    await updateVectors(context)
    const off = withVectors(context, 'off')
    expect(vectorsDue(off)).toBe(false)
    await updateVectors(off)
    expect(vectorModel(context.ledger)).toBeUndefined()
  })

  it('the removed value "own" counts as off', () => {
    expect(withVectors(context, 'own').config.recall.vectors).toBe('off')
  })
})

describe('updateVectors with a failing provider', () => {
  it.each([
    ['is away', async () => server.close(), /no connection/],
    ['is busy', async () => server.script({ kind: 'status', status: 429 }), /http 429/],
    ['talks nonsense', async () => server.script({ kind: 'garbage', text: '{"embeddings":[[1,' }), /no answer in it/],
  ])('%s: the sweep continues and retries later', async (_, happens, reason) => {
    await happens()
    expect(await updateVectors(context)).toBe(0)
    expect(vectorState(context.ledger, context.config)).toMatchObject({
      name: 'ollama:scripted',
      passages: 0,
      waiting: { reason: expect.stringMatching(reason) },
    })
    expect(vectorsDue(context)).toBe(false)
    expect(vectorsDue(later())).toBe(true)
  })

  it('falls back to a search by words', async () => {
    await updateVectors(context)
    server.script({ kind: 'silence' })
    expect(await found(context, 'couch')).toEqual(await found(withVectors(context, 'off'), 'couch'))
  })

  it('keeps the vectors received before a failure', async () => {
    remember(context, Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`x-${index}`, `lantern ${index}`])))
    await updateVectors(context)
    const { id } = vectorModel(context.ledger)!
    remember(context, fresh)
    server.script({ kind: 'status', status: 500 })
    expect(await updateVectors(context)).toBe(0)
    expect(countVectors(context.ledger, id)).toBe(401)
    server.script({ kind: 'embeds' })
    expect(await updateVectors(later())).toBe(5)
    expect(countVectors(context.ledger, id)).toBe(406)
  })
})

describe('updateVectors with another model', () => {
  it('starts over under another name', async () => {
    await updateVectors(context)
    context = withVectors(context, 'ollama:other')
    expect(vectorsDue(context)).toBe(true)
    expect(await found(context, 'couch')).not.toContain('target')
    expect(await updateVectors(context)).toBe(361)
    expect(vectorModel(context.ledger)).toMatchObject({ name: 'ollama:other', dimensions: 512 })
  })

  it('starts over under the same name, with vectors of another length', async () => {
    await updateVectors(context)
    server.script({ kind: 'embeds', dimensions: 48 })
    expect(await found(context, 'couch')).not.toContain('target')
    remember(context, fresh)
    expect(await updateVectors(context)).toBe(0)
    expect(readPause(context.ledger)?.reason).toBe('ollama:scripted answers with 48 numbers instead of 512')
    expect(await updateVectors(later())).toBe(366)
    expect(vectorModel(context.ledger)).toMatchObject({ dimensions: 48 })
  })
})

it('updateVectors never sends forgotten memories', async () => {
  const { memoryById } = await import('../../src/store/memories/memories.ts')
  const { changeMemories } = await import('../../src/store/memories/changes.ts')
  const { ledger } = context
  const memory = { ...memoryById(ledger, 'target')!, state: 'forgotten' as const }
  const change = { at: '2026-09-01T12:00:00.000Z', kind: 'forgotten' as const, about: 'target' }
  ledger.transaction(() => changeMemories(ledger, change, [memory]))
  await updateVectors(context)
  expect(server.asked.flatMap(({ input }) => input)).not.toContain('a settee for the waiting room')
})

it('updateVectors skips thousands of deleted texts without delay', async () => {
  const { memoryById } = await import('../../src/store/memories/memories.ts')
  const { changeMemories } = await import('../../src/store/memories/changes.ts')
  const { ledger } = context
  const names = Array.from({ length: 2001 }, (_, index) => `gone-${index}`)
  remember(context, Object.fromEntries(names.map((name, index) => [name, `lantern ${index}`])))
  const forgotten = names.map((name) => ({ ...memoryById(ledger, name)!, state: 'forgotten' as const }))
  const change = { at: '2026-09-01T12:00:00.000Z', kind: 'forgotten' as const, about: 'lanterns' }
  ledger.transaction(() => changeMemories(ledger, change, forgotten))
  expect(await updateVectors(context)).toBe(361)
  expect(vectorsDue(context)).toBe(false)
})

function after(clock: Clock): Clock {
  return fixedClock(new Date(clock.nowMs() + 11 * 60_000).toISOString())
}
