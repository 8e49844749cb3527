import { describe, expect, it } from 'vitest'
import { endsInFailure, runOutcome } from './run-outcome.ts'

describe('the outcome of a run', () => {
  it.each<[string, string, Parameters<typeof runOutcome>[1], ReturnType<typeof runOutcome>]>([
    ['an exit code', 'npm test', { text: 'boom', exit: 2 }, 'failed'],
    ['no exit code, and a message at the end', 'npm test', { text: 'a\nError: no tide\n' }, 'failed'],
    ['failed tests', 'npm test', { text: 'x', tests: { passed: 3, failed: 1 } }, 'failed'],
    ['a plain end', 'npm test', { text: 'ok', exit: 0 }, 'passed'],
    ['an output whose end is cut off', 'npm run lint | head -3', { text: 'ok', exit: 0 }, 'unclear'],
    ['an output whose end is seen', 'npm run lint | tail -3', { text: 'ok', exit: 0 }, 'passed'],
    ['counted tests behind a pipe', 'npm test | tail', { text: 'ok', tests: { passed: 3, failed: 0 } }, 'passed'],
    ['`or` is no pipe', 'npm test || npm run x', { text: 'ok', exit: 0 }, 'passed'],
    ['a call that the person denied', 'npm test', { text: 'no', error: 'denied' }, undefined],
  ])('%s', (_, command, result, outcome) => {
    expect(runOutcome(command, result)).toBe(outcome)
  })

  it('reads only the end of an output, with or without carriage returns', () => {
    expect(endsInFailure(`Error: first\n${'fine\n'.repeat(3000)}`)).toBe(false)
    expect(endsInFailure(`${'fine\r\n'.repeat(3000)}sh: tide: command not found\r\n`)).toBe(true)
    expect(endsInFailure(`${'\n'.repeat(64_000)}Error: last`)).toBe(true)
  })
})
