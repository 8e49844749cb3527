import { setTimeout as sleep } from 'node:timers/promises'

/** Resolves as soon as the condition holds. The limit is for tests that hang; a busy machine may take long. */
export async function waitFor(holds: () => boolean | Promise<boolean>, limitMs = 110_000): Promise<void> {
  const begun = performance.now()
  while (!(await holds())) {
    if (performance.now() - begun > limitMs) throw new Error(`after ${limitMs} ms still not so: ${holds}`)
    await sleep(10)
  }
}
