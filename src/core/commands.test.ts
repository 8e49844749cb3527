import { describe, expect, it } from 'vitest'
import { commandOf, isTestCommand, testCounts } from './commands.ts'

describe('isTestCommand', () => {
  it.each([
    'npm test',
    'npm run test:unit -- --watch=false',
    'cd app && CI=1 npx vitest run src',
    'python3 -m pytest -q tests',
    'go test ./...',
    'cargo nextest run',
    './gradlew clean test',
    'make check',
    'timeout 60 bun test 2>&1 | tail -5',
    'node --experimental-strip-types --test',
  ])('recognises %s', (command) => expect(isTestCommand(command)).toBe(true))

  it.each([
    'grep -rn "npm test" docs',
    "git commit -m 'npm test passes'",
    'cat test/unit.ts',
    'ls tests',
    'npm run build',
    'cat > notes.md <<EOF\nnpm test\nEOF',
  ])('rejects %s', (command) => expect(isTestCommand(command)).toBe(false))
})

describe('testCounts', () => {
  it.each([
    ['vitest', ' Test Files  1 failed | 2 passed (3)\n      Tests  3 failed | 10 passed (13)', 10, 3],
    ['jest', 'Tests:       1 failed, 2 passed, 3 total', 2, 1],
    ['pytest', '===== 2 failed, 7 passed in 0.12s =====', 7, 2],
    ['pytest without failures', '12 passed in 3.1s', 12, 0],
    ['cargo', 'test result: FAILED. 3 passed; 1 failed; 0 ignored', 3, 1],
    ['node', '# tests 5\n# pass 4\n# fail 1', 4, 1],
    ['mocha', '  10 passing (2s)\n  1 failing', 10, 1],
    ['go', 'ok  \texample.org/a\t0.1s\n--- FAIL: TestX\nFAIL\texample.org/b\t0.2s', 1, 2],
    ['bun', ' 204 pass\n 1 fail\n 500 expect() calls', 204, 1],
    ['jest with its own FAIL lines', 'FAIL src/x.test.ts\nTests: 1 failed, 1 total', 0, 1],
    ['rspec', '5 examples, 1 failure', 4, 1],
    ['surefire', 'Tests run: 9, Failures: 1, Errors: 1, Skipped: 0', 7, 2],
    ['unittest', 'Ran 4 tests in 0.001s\n\nFAILED (failures=1)', 3, 1],
  ])('%s', (_, output, passed, failed) => expect(testCounts(output)).toEqual({ passed, failed }))

  it('is undefined for output of no known runner', () => expect(testCounts('Done in 3s. 0 errors')).toBeUndefined())
})

describe('commandOf', () => {
  it.each([
    [{ command: 'ls' }, 'ls'],
    [{ cmd: 'ls -a' }, 'ls -a'],
    [{ command: ['bash', '-lc', 'npm test'] }, 'npm test'],
    [{ command: ['ls', '-a'] }, 'ls -a'],
    ['text', ''],
  ])('reads %j as %s', (input, line) => expect(commandOf(input)).toBe(line))
})
