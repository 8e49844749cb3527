// The strongest directions of a large symmetric matrix that is mostly empty, by a few rounds of multiplication from a seeded
// start: the same matrix gives the same bytes.

/** Rows one after the other: the columns and values of row i lie between starts[i] and starts[i + 1]. */
export interface Sparse {
  starts: Uint32Array
  columns: Uint16Array
  values: Float32Array
}

/** More columns than are wanted make the wanted ones exact sooner. */
const spare = 10
const rounds = 4

/** Row by row, each direction weighed by the root of its strength; those that only cancel others are left out. */
export function strongestDirections(matrix: Sparse, wanted: number): { vectors: Float32Array; dimensions: number } {
  const size = matrix.starts.length - 1
  const width = Math.min(size, wanted + spare)
  let basis = randomBasis(size, width)
  orthonormalise(basis, width)
  for (let round = 0; round < rounds; round++) {
    basis = multiply(matrix, basis, width)
    orthonormalise(basis, width)
  }
  const { values, vectors } = eigen(within(basis, multiply(matrix, basis, width), width), width)
  const kept = values
    .map((value, index) => ({ value, index }))
    .filter(({ value }) => value > 1e-9)
    .sort((a, b) => b.value - a.value || a.index - b.index)
    .slice(0, wanted)
  return { vectors: turned(basis, width, vectors, kept), dimensions: kept.length }
}

function randomBasis(size: number, width: number): Float64Array {
  let state = 0x2545f491
  const basis = new Float64Array(size * width)
  for (let index = 0; index < basis.length; index++) {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    basis[index] = state / 0x80000000
  }
  return basis
}

function multiply({ starts, columns, values }: Sparse, basis: Float64Array, width: number): Float64Array {
  const product = new Float64Array(basis.length)
  for (let row = 0; row < starts.length - 1; row++) {
    const to = row * width
    for (let at = starts[row]!; at < starts[row + 1]!; at++) {
      const value = values[at]!
      const from = columns[at]! * width
      for (let index = 0; index < width; index++) product[to + index]! += value * basis[from + index]!
    }
  }
  return product
}

/** Gram-Schmidt, column by column, twice: once is not exact enough where columns are nearly the same. */
function orthonormalise(basis: Float64Array, width: number): void {
  for (let column = 0; column < width; column++) {
    for (let pass = 0; pass < 2; pass++) {
      const shares = new Float64Array(column)
      for (let at = 0; at < basis.length; at += width)
        for (let other = 0; other < column; other++) shares[other]! += basis[at + column]! * basis[at + other]!
      for (let at = 0; at < basis.length; at += width) {
        let sum = 0
        for (let other = 0; other < column; other++) sum += shares[other]! * basis[at + other]!
        basis[at + column]! -= sum
      }
    }
    let square = 0
    for (let at = column; at < basis.length; at += width) square += basis[at]! ** 2
    const scale = square > 1e-20 ? 1 / Math.sqrt(square) : 0
    for (let at = column; at < basis.length; at += width) basis[at]! *= scale
  }
}

/** The matrix as seen from the basis. */
function within(basis: Float64Array, product: Float64Array, width: number): Float64Array {
  const small = new Float64Array(width * width)
  for (let at = 0; at < basis.length; at += width)
    for (let row = 0; row < width; row++)
      for (let column = 0; column < width; column++)
        small[row * width + column]! += basis[at + row]! * product[at + column]!
  return small
}

/** Jacobi's rotations: slow for large matrices, exact for small ones. Column i of the vectors belongs to value i. */
function eigen(matrix: Float64Array, width: number): { values: number[]; vectors: Float64Array } {
  const vectors = new Float64Array(width * width)
  for (let index = 0; index < width; index++) vectors[index * width + index] = 1
  for (let sweep = 0; sweep < 30 && offDiagonal(matrix, width) > 1e-18; sweep++)
    for (let p = 0; p < width; p++) for (let q = p + 1; q < width; q++) rotate(matrix, vectors, width, p, q)
  return { values: Array.from({ length: width }, (_, index) => matrix[index * width + index]!), vectors }
}

/** The share of it that is not on the diagonal. */
function offDiagonal(matrix: Float64Array, width: number): number {
  let off = 0
  let all = 1e-300
  for (let index = 0; index < matrix.length; index++) {
    const square = matrix[index]! ** 2
    all += square
    if (index % (width + 1) !== 0) off += square
  }
  return off / all
}

function rotate(matrix: Float64Array, vectors: Float64Array, width: number, p: number, q: number): void {
  const between = (matrix[p * width + q]! + matrix[q * width + p]!) / 2
  if (between === 0) return
  const theta = (matrix[q * width + q]! - matrix[p * width + p]!) / (2 * between)
  const tangent = (theta < 0 ? -1 : 1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1))
  const cosine = 1 / Math.sqrt(tangent * tangent + 1)
  const sine = tangent * cosine
  const turn = (values: Float64Array, first: number, second: number) => {
    const a = values[first]!
    const b = values[second]!
    values[first] = cosine * a - sine * b
    values[second] = sine * a + cosine * b
  }
  for (let index = 0; index < width; index++) turn(matrix, index * width + p, index * width + q)
  for (let index = 0; index < width; index++) turn(matrix, p * width + index, q * width + index)
  for (let index = 0; index < width; index++) turn(vectors, index * width + p, index * width + q)
}

function turned(
  basis: Float64Array,
  width: number,
  rotation: Float64Array,
  kept: readonly { value: number; index: number }[],
): Float32Array {
  const size = basis.length / width
  const turnedVectors = new Float32Array(size * kept.length)
  for (const [to, { value, index }] of kept.entries()) {
    const strength = Math.sqrt(value)
    for (let row = 0; row < size; row++) {
      let sum = 0
      for (let column = 0; column < width; column++)
        sum += basis[row * width + column]! * rotation[column * width + index]!
      turnedVectors[row * kept.length + to] = sum * strength
    }
  }
  return turnedVectors
}
