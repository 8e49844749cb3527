import { describe, expect, it } from 'vitest'
import { outliersIn } from './nearest.ts'

describe('outliersIn', () => {
  const noise = Float32Array.from({ length: 1000 }, (_, index) => Math.sin(index * 12.9898) * 0.1)

  it('compares with all passages, whatever a cosine of the model means', () => {
    const one = outliersIn([noise, Float32Array.from([0.5])])
    const shifted = outliersIn([noise.map((value) => value * 3 + 7), Float32Array.from([0.5 * 3 + 7])])
    expect(one).toEqual([{ block: 1, at: 0, value: expect.closeTo(0.82, 1) }])
    expect(shifted[0]).toMatchObject({ block: 1, at: 0, value: expect.closeTo(one[0]!.value, 3) })
  })

  it('gives at most 1', () => {
    expect(outliersIn([noise, Float32Array.from([9])]).map(({ value }) => value)).toEqual([1])
  })

  it.each([
    ['noise', [noise]],
    ['all the same', [new Float32Array(10).fill(0.9)]],
    ['no passage', []],
  ])('finds nothing in %s', (_, cosines) => expect(outliersIn(cosines)).toEqual([]))
})
