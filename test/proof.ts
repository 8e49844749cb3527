// Long tests run twice: small in `npm test`, large in `npm run test:proof`. The code is the same, the numbers differ.
import { inject } from 'vitest'

export const isProof = inject('isProof')

/** A number of rounds, operations or files: the first in `npm test`, the second in `npm run test:proof`. */
export function scaled(small: number, large: number): number {
  return isProof ? large : small
}
