// Keeps the heaps of a large sweep near what they hold. By default V8 collects garbage when a heap has
// grown to four times that, and lets the young generation grow to 128 MB. Its flags can be changed
// while it runs; limits of the sizes themselves can only be given at the start.

/** The young generation of the main thread stops growing at this size, or at the next call after it. */
const youngBytes = 16_000_000

/**
 * Growth stops in all threads, so those that start later begin with the size that they need. It is
 * that of one half: the other is empty until garbage is collected.
 */
const threadHalfMb = 8

/** To be called again while much is allocated, because the young generation is small in the beginning. */
export function limitHeap(): void {
  const { getHeapSpaceStatistics, setFlagsFromString } = process.getBuiltinModule('node:v8')
  setFlagsFromString('--heap-growing-percent=50')
  setFlagsFromString(`--min-semi-space-size=${threadHalfMb}`)
  const young = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')
  if (young && young.space_size >= youngBytes) setFlagsFromString('--semi-space-growth-factor=1')
}
