// Whether a change came with the practice, or was on its way: agents and models get better by themselves. What a step at the
// publication explains of the values is held against what a steady trend over the same sessions explains.
import type { Sample } from './strata.ts'
import { mean, sum } from './strata.ts'

/** Values of a stratum are in order of time. */
export function isStep(samples: readonly Sample[]): boolean {
  const step = samples.map(({ before, after }) => [...before.map(() => 0), ...after.map(() => 1)])
  const steady = step.map((places) => places.map((_, index) => index / places.length))
  const values = samples.map(({ before, after }) => [...before, ...after])
  return explained(values, step) > explained(values, steady)
}

/** The part of the squares that a line over `places` takes away, with a level of its own for each stratum. */
function explained(values: readonly number[][], places: readonly number[][]): number {
  const ys = values.map(centred)
  const xs = places.map(centred)
  const together = sum(xs.flatMap((x, stratum) => x.map((value, index) => value * ys[stratum]![index]!)))
  const spread = sum(xs.flatMap((x) => x.map((value) => value ** 2)))
  return spread === 0 ? 0 : together ** 2 / spread
}

function centred(values: readonly number[]): number[] {
  const middle = mean(values)
  return values.map((value) => value - middle)
}
