import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { describeEdit, renderDiff } from './diff.ts'

const path = '/home/dev/settings.json'
const ten = Array.from({ length: 10 }, (_, index) => `${index}\n`)

describe('renderDiff', () => {
  it.each<[string, string | undefined, string | undefined, string]>([
    [
      'a new file',
      undefined,
      'a\nb\n',
      `--- /dev/null
+++ ${path}
@@ -0,0 +1,2 @@
+a
+b
`,
    ],
    [
      'a file that goes',
      'a\n',
      undefined,
      `--- ${path}
+++ /dev/null
@@ -1,1 +0,0 @@
-a
`,
    ],
    [
      'an insertion with the lines around it',
      ten.join(''),
      ten.toSpliced(5, 0, 'new\n').join(''),
      `--- ${path}
+++ ${path}
@@ -3,6 +3,7 @@
 2
 3
 4
+new
 5
 6
 7
`,
    ],
    [
      'two changes far apart',
      ten.join(''),
      ten.with(0, 'first\n').with(9, 'last').join(''),
      `--- ${path}
+++ ${path}
@@ -1,4 +1,4 @@
-0
+first
 1
 2
 3
@@ -7,4 +7,4 @@
 6
 7
 8
-9
+last
\\ No newline at end of file
`,
    ],
    ['no change', 'a\n', 'a\n', `--- ${path}\n+++ ${path}\n`],
  ])('shows %s', (_, before, after, expected) => {
    expect(renderDiff([{ path, before, after }])).toBe(expected)
  })

  it('is accepted by git apply', () => {
    const folder = mkdtempSync(join(tmpdir(), 'recollect-diff-'))
    const file = join(folder, 'file')
    const text = fc
      .array(fc.constantFrom('a\n', 'b\n', 'c\n', '\n'), { minLength: 1, maxLength: 30 })
      .map((lines) => lines.join(''))
    fc.assert(
      fc.property(text, text, fc.boolean(), (before, changed, isCut) => {
        const after = isCut ? `${changed}cut` : changed
        fc.pre(before !== after)
        writeFileSync(file, before)
        execFileSync('git', ['apply', '--whitespace=nowarn', '-p0', '-'], {
          cwd: folder,
          input: renderDiff([{ path: 'file', before, after }]),
        })
        expect(readFileSync(file, 'utf8')).toBe(after)
      }),
      { numRuns: 25 },
    )
    rmSync(folder, { recursive: true })
  })
})

describe('describeEdit', () => {
  it.each([
    ['a new file', undefined, 'a\nb\n', 'new file, 2 lines'],
    ['added lines', 'a\n', 'a\nb\nc\n', '+2 lines'],
    ['one removed line', 'a\nb\n', 'a\n', '-1 line'],
    ['both', 'a\nb\n', 'c\nd\nb\n', '+2 -1 lines'],
    ['a file that is deleted', 'a\n', undefined, 'deleted'],
  ])('%s', (_, before, after, expected) => expect(describeEdit({ before, after })).toBe(expected))
})
