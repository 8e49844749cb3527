// Closes a run with the ten slowest files and one plain line, so that any CI can count: "640 passed, 0 failed, 2 skipped".
import type { Reporter, TestModule, Vitest } from 'vitest/node'

const maxSlowest = 10

export default class ClosingLine implements Reporter {
  private vitest: Vitest | undefined

  onInit(vitest: Vitest): void {
    this.vitest = vitest
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const counts = { passed: 0, failed: 0, skipped: 0 }
    for (const module of modules) {
      for (const test of module.children.allTests()) {
        const { state } = test.result()
        if (state === 'passed' || state === 'failed' || state === 'skipped') counts[state]++
      }
    }
    if (modules.length > 1) printSlowest(modules)
    const { seed } = this.vitest?.getRootProject().getProvidedContext() ?? {}
    if (counts.failed > 0) console.log(`Random tests repeat with RECOLLECT_TEST_SEED=${seed}`)
    console.log(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`)
  }
}

function printSlowest(modules: readonly TestModule[]): void {
  console.log('Slowest test files, in seconds:')
  const timed = modules.map((module) => ({ path: module.relativeModuleId, ms: durationOf(module) }))
  for (const { path, ms } of timed.toSorted((a, b) => b.ms - a.ms).slice(0, maxSlowest))
    console.log(`${(ms / 1000).toFixed(1).padStart(7)}  ${path}`)
}

function durationOf(module: TestModule): number {
  const { collectDuration, setupDuration, duration } = module.diagnostic()
  return collectDuration + setupDuration + duration
}
