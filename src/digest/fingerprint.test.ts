import { describe, expect, it } from 'vitest'
import { fingerprintError } from './fingerprint.ts'

const print = (text: string) => fingerprintError(text).fingerprint

describe('fingerprintError', () => {
  it.each([
    [
      'another path and line',
      "Error: ENOENT: no such file '/home/a/x.ts' at line 12",
      "Error: ENOENT: no such file '/srv/b/y.ts' at line 99",
    ],
    [
      'another id and address',
      'panic: task 3f2b8c1e-0000-4000-8000-0123456789ab at 0xc000a1',
      'panic: task aaaaaaaa-1111-4222-8333-bbbbbbbbbbbb at 0xdeadbeef',
    ],
    [
      'another trace above',
      'Traceback (most recent call last):\n  File "a.py", line 3\nValueError: bad date',
      'Traceback (most recent call last):\n  File "z.py", line 70, in main\n    run()\nValueError: bad date',
    ],
    [
      'the parts that Gemini CLI names',
      'Command: npm run deploy\nDirectory: (root)\nOutput: Error: the lock is held\nError: (none)\nExit Code: 1',
      'Exit code 1\nError: the lock is held',
    ],
  ])('is the same with %s', (_, one, other) => expect(print(one)).toBe(print(other)))

  it('differs for another message', () =>
    expect(print('TypeError: x is not a function')).not.toBe(print('TypeError: x is undefined')))

  it('differs for another command when the output is empty', () => {
    const silent = (what: string) => fingerprintError('Exit code 1', what).fingerprint
    expect(silent('npm run lint')).not.toBe(silent('npm run build'))
    expect(silent('npm run lint')).toBe(silent('npm run lint'))
  })

  it.each([
    ['Exit code 1\nTypeError: x is not a function\n    at a.ts:1', 'TypeError: x is not a function'],
    ['Traceback (most recent call last):\n  File "a.py", line 1\nKeyError: 3', 'KeyError: 3'],
    [
      'To https://example.com/a.git\n ! [rejected]        main -> main (fetch first)\nerror: failed to push some refs',
      '! [rejected]        main -> main (fetch first)',
    ],
    ['Auto-merging a.ts\nCONFLICT (content): Merge conflict in a.ts', 'CONFLICT (content): Merge conflict in a.ts'],
    ['Exit code 2\nmake: nothing to do', 'make: nothing to do'],
  ])('finds the message in %j', (text, message) => expect(fingerprintError(text).message).toBe(message))
})
