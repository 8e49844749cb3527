import { describe, expect, it } from 'vitest'
import { contentOf, createBuffer, pushBytes } from './bytes.ts'
import { appendRun, forEachRun, occurrenceByte, occurrenceScores, type PostingRun } from './posting-list.ts'

const run = (group: number, ...postings: [place: number, occurrence: number][]): PostingRun => ({
  group,
  count: postings.length,
  places: postings.map(([place]) => place),
  occurrences: postings.map(([, occurrence]) => occurrence),
})

function bytesOf(...runs: PostingRun[]): Uint8Array {
  const list = createBuffer()
  for (const each of runs) appendRun(list, each)
  return contentOf(list)
}

function runsIn(list: Uint8Array): PostingRun[] {
  const found: PostingRun[] = []
  forEachRun(list, ({ group, count, places, occurrences }) =>
    found.push({ group, count, places: places.slice(0, count), occurrences: occurrences.slice(0, count) }),
  )
  return found
}

describe('posting lists', () => {
  it.each([
    ['the first part of the first source', [run(0, [0, 0])]],
    ['a standalone kind', [run(-4, [32_000_000 * 32, 255])]],
    ['parts of one source', [run(7, [64, 1], [65, 2], [95, 3], [96, 4])]],
    ['the last source of a session', [run(3_000_000, [(2 ** 24 - 1) * 32 + 31, 9])]],
    ['several groups', [run(-1, [32, 1], [3200, 2]), run(5, [0, 3]), run(6, [1, 4], [32_000, 5])]],
  ])('keep %s', (_, runs) => expect(runsIn(bytesOf(...runs))).toEqual(runs))

  it('are joined by appending one to the other', () => {
    const list = createBuffer()
    const [first, second] = [run(9, [320, 1], [352, 2]), run(9, [32, 3])]
    pushBytes(list, bytesOf(first))
    pushBytes(list, bytesOf(second))
    expect(runsIn(contentOf(list))).toEqual([first, second])
  })
})

describe('occurrenceScores', () => {
  const scores = occurrenceScores(20)
  const score = (halves: number, length: number) => scores[occurrenceByte(halves, length)]!

  it('is higher for more occurrences and for shorter passages', () => {
    expect(score(4, 20)).toBeGreaterThan(score(2, 20))
    expect(score(2, 20)).toBeGreaterThan(score(1, 20))
    expect(score(2, 10)).toBeGreaterThan(score(2, 20))
    expect(score(2, 20)).toBeGreaterThan(score(2, 400))
  })

  it.each([
    [2, 1],
    [2, 20],
    [4, 7],
    [1, 300],
    [8, 50],
  ])('differs from BM25 by less than a tenth (%i halves, %i terms)', (halves, length) => {
    const frequency = halves / 2
    const exact = (frequency * 2.2) / (frequency + 1.2 * (0.25 + (0.75 * length) / 20))
    expect(Math.abs(score(halves, length) / exact - 1)).toBeLessThan(0.1)
  })
})
