import { expect, it } from 'vitest'
import { type Example, fitLogistic } from './logistic.ts'

const example = (isPositive: boolean, ...values: [number, number][]): Example => ({ values, isPositive, weight: 1 })
const weak = { mean: 0, strength: 1e-6 }

it('finds the log odds of a single feature', () => {
  const examples = [true, true, true, false].map((isPositive) => example(isPositive, [0, 1]))
  expect(fitLogistic(examples, [weak])[0]).toBeCloseTo(Math.log(3), 3)
})

it('separates the features that matter from those that do not', () => {
  const examples = Array.from({ length: 40 }, (_, index) =>
    example(index % 2 === 0, [0, 1], [index % 2 === 0 ? 1 : 2, 1], [3 + (index % 4 < 2 ? 0 : 1), 1]),
  )
  const [, positive, negative, one, other] = fitLogistic(
    examples,
    Array.from({ length: 5 }, () => ({ mean: 0, strength: 1 })),
  )
  expect(positive).toBeGreaterThan(1)
  expect(negative).toBeLessThan(-1)
  expect(Math.abs(one! - other!)).toBeLessThan(0.01)
})

it('keeps a weight without evidence where it was expected', () => {
  const weights = fitLogistic([example(true, [0, 1]), example(false, [0, 1])], [weak, { mean: 0.7, strength: 3 }])
  expect(weights[1]).toBeCloseTo(0.7, 6)
})

it('gives the same bytes again', () => {
  const examples = Array.from({ length: 50 }, (_, index) => example(index % 3 === 0, [index % 7, 1], [7, index / 50]))
  const priors = Array.from({ length: 8 }, () => ({ mean: 0, strength: 1 }))
  expect(fitLogistic(examples, priors)).toEqual(fitLogistic(examples, priors))
})
