// Long tests run twice: small in `npm test`, large in `npm run test:proof`. The code is the same, the numbers differ.
import { inject } from 'vitest'

export const isProof = inject('isProof')

/** A number of rounds, operations or files: the first in `npm test`, the second in `npm run test:proof`. */
export function scaled(small: number, large: number): number {
  return isProof ? large : small
}

/** Cases of a table: this many in `npm test`, spread over all of them, and every one in `npm run test:proof`. */
export function sample<Case>(cases: readonly Case[], count: number): readonly Case[] {
  if (isProof || cases.length <= count) return cases
  return Array.from({ length: count }, (_, index) => cases[Math.floor((index * cases.length) / count)]!)
}
