/** The same numbers every time: what is measured twice is told in the same bytes. Xorshift of 32 bits, after Marsaglia. */
export function seededIndex(seed: number): (below: number) => number {
  let state = seed >>> 0 || 1
  return (below) => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    state >>>= 0
    return Math.floor((state / 0x1_0000_0000) * below)
  }
}
