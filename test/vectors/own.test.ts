// Vectors that are learned from what the user has said.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { ModelContext } from '../../src/models/model.ts'
import { fitVectors, vectorsDue } from '../../src/search/vectors/fit.ts'
import { vectorState } from '../../src/search/vectors/state.ts'
import { countVectors, vectorBlocks, vectorModel } from '../../src/store/search/vectors.ts'
import { type Place, place } from '../models/scripted.ts'
import { found, furniture, isFurniture, remember, withVectors } from './memories.ts'

let at: Place
let context: ModelContext
beforeEach(async () => {
  at = await place([])
  context = withVectors(at.context, 'own')
  remember(context, { ...furniture(), target: 'the sofa needs new upholstery before the guests arrive' })
})
afterEach(() => at.remove())

const bytes = () => {
  const { ledger } = context
  return Buffer.concat(
    [...vectorBlocks(ledger, vectorModel(ledger)!.id)].map(({ vectors }) => Buffer.from(vectors.buffer)),
  )
}

describe('own vectors', () => {
  it('find what was said in other words, and words alone do not', async () => {
    expect(await found(withVectors(context, 'off'), 'couch')).not.toContain('target')
    await fitVectors(context)
    const results = await found(context, 'couch')
    expect(results).toContain('target')
    expect(results.filter((id) => !isFurniture(id))).toEqual([])
  })

  it('come after what has the word itself', async () => {
    await fitVectors(context)
    const results = await found(context, 'couch')
    const direct = await found(withVectors(context, 'off'), 'couch')
    expect(results.slice(0, direct.length).toSorted()).toEqual(direct.toSorted())
  })

  it('do not bring in what must not be there', async () => {
    await fitVectors(context)
    expect(await found(context, 'couch -upholstery')).not.toContain('target')
    expect(await found(context, '"the couch"')).not.toContain('target')
  })

  it('find nothing for a word that nobody has said', async () => {
    await fitVectors(context)
    expect(await found(context, 'xylophone')).toEqual([])
  })

  it('are the same bytes for the same talk', async () => {
    await fitVectors(context)
    const before = bytes()
    await fitVectors(context, { isAnew: true })
    expect(vectorModel(context.ledger)!.id).toBe(2)
    expect(bytes()).toEqual(before)
  })
})

describe('when they are made', () => {
  it('is due at first, and not again while nothing is new', async () => {
    expect(vectorsDue(context)).toBe(true)
    expect(vectorState(context.ledger, context.config)).toMatchObject({ name: 'own', passages: 0, madeMs: null })
    expect(await fitVectors(context)).toBe(361)
    expect(vectorsDue(context)).toBe(false)
    expect(vectorState(context.ledger, context.config)).toMatchObject({ passages: 361, madeMs: context.clock.nowMs() })
  })

  it('new memories get a vector from the meaning that is there', async () => {
    await fitVectors(context)
    remember(context, { late: 'upholstery of the other sofa', ...some(4) })
    expect(vectorsDue(context)).toBe(true)
    expect(await fitVectors(context)).toBe(5)
    expect(vectorModel(context.ledger)).toMatchObject({ id: 1, passages: 361, seen: 366 })
    expect(await found(context, 'couch')).toContain('late')
  })

  it('meaning is learned anew when there is a fifth more', async () => {
    await fitVectors(context)
    remember(context, some(80))
    await fitVectors(context)
    expect(vectorModel(context.ledger)).toMatchObject({ id: 2, passages: 441, seen: 441 })
    expect(countVectors(context.ledger, 1)).toBe(0)
  })

  it('what says something else by now is not found by what it said', async () => {
    await fitVectors(context)
    expect(await found(context, 'couch')).toContain('target')
    remember(context, { target: 'the harbour needs a new anchor before the ships arrive' })
    expect(await found(context, 'couch')).not.toContain('target')
    remember(context, some(4))
    await fitVectors(context)
    expect(countVectors(context.ledger, 1)).toBe(365)
  })

  it('a talk too short to learn from is no failure', async () => {
    const short = await place([])
    const own = withVectors(short.context, 'own')
    remember(own, { only: 'one sentence about a sofa' })
    expect(await fitVectors(own)).toBe(0)
    expect(await found(own, 'sofa')).toEqual(['only'])
    short.remove()
  })

  it('switched off, they go with the next rebuild', async () => {
    await fitVectors(context)
    const off = withVectors(context, 'off')
    expect(vectorsDue(off)).toBe(false)
    await fitVectors(off)
    expect(vectorModel(context.ledger)).toBeUndefined()
  })
})

function some(count: number): Record<string, string> {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`n-${index}`, `the anchor and mast ${index}`]))
}
