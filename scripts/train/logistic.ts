// Logistic regression with a Gaussian prior per weight, solved by L-BFGS. Everything is computed in
// a fixed order, so the same input gives the same weights.

export interface Example {
  /** Index of the feature and its value. */
  values: [feature: number, value: number][]
  isPositive: boolean
  weight: number
}

/** The expected weight of a feature, and how strongly it is kept there. */
export interface WeightPrior {
  mean: number
  strength: number
}

const maxIterations = 80
const memory = 8

export function fitLogistic(examples: Example[], priors: WeightPrior[]): Float64Array {
  let weights = Float64Array.from(priors, ({ mean }) => mean)
  let { loss, gradient } = lossAt(weights, examples, priors)
  const steps: Float64Array[] = []
  const changes: Float64Array[] = []
  for (let iteration = 0; iteration < maxIterations; iteration++) {
    const direction = descent(gradient, steps, changes)
    const slope = dot(gradient, direction)
    let size = 1
    let next = moved(weights, direction, -size)
    let reached = lossAt(next, examples, priors)
    while (reached.loss > loss - 1e-4 * size * slope && size > 1e-6) {
      size /= 2
      next = moved(weights, direction, -size)
      reached = lossAt(next, examples, priors)
    }
    const step = moved(next, weights, -1)
    const change = moved(reached.gradient, gradient, -1)
    if (dot(step, change) > 1e-10) {
      steps.push(step)
      changes.push(change)
      if (steps.length > memory) {
        steps.shift()
        changes.shift()
      }
    }
    const gain = loss - reached.loss
    weights = next
    ;({ loss, gradient } = reached)
    if (gain < 1e-6 * Math.abs(loss)) break
  }
  return weights
}

function lossAt(weights: Float64Array, examples: Example[], priors: WeightPrior[]) {
  const gradient = new Float64Array(weights.length)
  let loss = 0
  for (const { values, isPositive, weight } of examples) {
    let logit = 0
    for (const [feature, value] of values) logit += weights[feature]! * value
    // log(1 + e^x) without overflow.
    const margin = isPositive ? -logit : logit
    loss += weight * (margin > 0 ? margin + Math.log1p(Math.exp(-margin)) : Math.log1p(Math.exp(margin)))
    const error = weight * (1 / (1 + Math.exp(-logit)) - (isPositive ? 1 : 0))
    for (const [feature, value] of values) gradient[feature]! += error * value
  }
  for (const [feature, { mean, strength }] of priors.entries()) {
    const distance = weights[feature]! - mean
    loss += 0.5 * strength * distance * distance
    gradient[feature]! += strength * distance
  }
  return { loss, gradient }
}

/** The gradient, corrected by the curvature along the last steps. */
function descent(gradient: Float64Array, steps: Float64Array[], changes: Float64Array[]): Float64Array {
  let direction = Float64Array.from(gradient)
  const shares: number[] = []
  for (let index = steps.length - 1; index >= 0; index--) {
    const share = dot(steps[index]!, direction) / dot(steps[index]!, changes[index]!)
    shares[index] = share
    direction = moved(direction, changes[index]!, -share)
  }
  const [step, change] = [steps.at(-1), changes.at(-1)]
  const scale =
    step && change ? dot(step, change) / dot(change, change) : 1 / Math.max(1, Math.sqrt(dot(gradient, gradient)))
  direction = direction.map((value) => value * scale)
  for (const [index, stepAt] of steps.entries()) {
    const share = dot(changes[index]!, direction) / dot(stepAt, changes[index]!)
    direction = moved(direction, stepAt, shares[index]! - share)
  }
  return direction
}

function moved(from: Float64Array, direction: Float64Array, size: number): Float64Array<ArrayBuffer> {
  return Float64Array.from(from, (value, index) => value + size * direction[index]!)
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0
  for (let index = 0; index < a.length; index++) sum += a[index]! * b[index]!
  return sum
}
