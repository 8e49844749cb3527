import { describe, expect, it } from 'vitest'
import { errorLineOf, errorLinesIn } from './error-lines.ts'

describe('errorLinesIn', () => {
  it.each([
    [
      'a linter with the line of source, behind the name of a task',
      '[lint:go] a/b.go:51:14: Error return value of `f.Close` is not checked (errcheck)\n[lint:go] \tf.Close()\n[lint:go] \t^',
      ['a/b.go', 'Error return value of `f.Close` is not checked (errcheck)', 'f.Close()'],
    ],
    [
      'the TypeScript compiler',
      "src/a.ts(3,5): error TS2305: Module 'b' has no exported member 'c'.",
      ['src/a.ts', "error TS2305: Module 'b' has no exported member 'c'.", ''],
    ],
    [
      'ESLint, which names the file above',
      '/home/dev/app/src/a.ts\n  3:7  error  Unexpected any. Specify a type  no-explicit-any\n',
      ['/home/dev/app/src/a.ts', 'Unexpected any. Specify a type (no-explicit-any)', ''],
    ],
    ['mypy, which has no column', 'a.py:3: error: Name "x" is not defined', ['a.py', 'Name "x" is not defined', '']],
    ['a shell', 'zsh:1: command not found: jq', [null, 'zsh:1: command not found: jq', '']],
    ['colours', '\u001b[31merror: the lock is held\u001b[0m', [null, 'error: the lock is held', '']],
  ])('reads the output of %s', (_, output, expected) => {
    expect(errorLinesIn(output).map(({ file, message, source }) => [file, message, source])).toEqual([expected])
  })

  it.each([
    ['what a test prints', '    phase_test.go:35: Phase 1: Start the session'],
    ['assertions', 'AssertionError: expected 2 to be 3\n    Error Trace:\t/a/b_test.go:4'],
    ['frames of a stack', '    at run (src/a.ts:3:5)'],
    ['success', 'ok  \tapp/a\t0.2s\n3 passed'],
  ])('finds nothing in %s', (_, output) => expect(errorLinesIn(output)).toEqual([]))

  it('has each error once, and a bounded number', () => {
    const same = errorLinesIn('a.go:1:2: undefined: x\na.go:9:2: undefined: x\n')
    expect(same).toHaveLength(1)
    const many = Array.from({ length: 100 }, (_, index) => `error: part${'x'.repeat(index)} is missing`).join('\n')
    expect(errorLinesIn(many)).toHaveLength(12)
  })
})

describe('errorLineOf', () => {
  it('has the same form for other paths, numbers and branches', () => {
    const shape = (text: string) => errorLineOf(text).shape
    expect(shape("Error: ENOENT: no such file '/a/b.ts' at 12")).toBe(shape("Error: ENOENT: no such file '/c' at 9"))
    expect(shape(' ! [rejected]   main -> main (fetch first)')).toBe(
      shape('! [rejected] HEAD -> topic/a (non-fast-forward)'),
    )
  })

  it('keeps the names that the message quotes', () => {
    expect(errorLineOf('Unknown JSON field: "frob"').details).toEqual(['frob'])
  })
})
