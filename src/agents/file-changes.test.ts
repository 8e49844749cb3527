import { describe, expect, it } from 'vitest'
import {
  absolutePath,
  blockOrDiffCounts,
  diffCounts,
  editBlocks,
  lineCount,
  patchChanges,
  pendingChanges,
} from './file-changes.ts'

describe('lineCount', () => {
  it.each([
    ['nothing', '', 0],
    ['a line without its end', 'a', 1],
    ['a line with its end', 'a\n', 1],
    ['a blank line', '\n', 1],
    ['a blank line at the end', 'a\n\n', 2],
  ])('counts the lines of %s', (_, content, lines) => {
    expect(lineCount(content)).toBe(lines)
  })
})

describe('diffCounts', () => {
  it.each([
    ['nothing', '', { added: 0, removed: 0 }],
    ['a hunk alone', '@@ -1 +1,2 @@\n x\n-y\n+z\n+z', { added: 2, removed: 1 }],
    [
      'headings',
      '--- a.ts\n+++ b.ts\n@@ -1 +1 @@\n-y\n+z\n--- c.ts\n+++ c.ts\n@@ -1 +0,0 @@\n-y',
      { added: 1, removed: 2 },
    ],
    ['headings of Windows', '--- a.ts\r\n+++ b.ts\r\n@@ -1 +1 @@\r\n-y\r\n+z\r\n', { added: 1, removed: 1 }],
    ['lines that look like headings', '@@ -1,2 +1 @@\n--- a comment of SQL\n-y\n+++ i', { added: 1, removed: 2 }],
  ])('counts what a diff changes: %s', (_, diff, counts) => {
    expect(diffCounts(diff)).toEqual(counts)
  })
})

describe('patchChanges', () => {
  it.each([
    [
      'an update',
      '*** Update File: a.ts\n@@\n x\n-y\n+z\n+z',
      [{ path: '/p/a.ts', change: 'update', added: 2, removed: 1 }],
    ],
    ['a new file', '*** Add File: a.ts\n+x\n+y', [{ path: '/p/a.ts', change: 'add', added: 2, removed: 0 }]],
    ['a deleted file', '*** Delete File: /o/a.ts', [{ path: '/o/a.ts', change: 'delete', added: 0, removed: 0 }]],
    [
      'a moved file',
      '*** Update File: a.ts\r\n*** Move to: b.ts\r\n@@\r\n-x\r\n+y',
      [{ path: '/p/b.ts', change: 'move', added: 1, removed: 1 }],
    ],
    [
      'two files',
      '*** Add File: a.ts\n+x\n*** Delete File: b.ts',
      [
        { path: '/p/a.ts', change: 'add', added: 1, removed: 0 },
        { path: '/p/b.ts', change: 'delete', added: 0, removed: 0 },
      ],
    ],
  ])('reads a patch with %s', (_, patch, changes) => {
    expect(patchChanges(`*** Begin Patch\n${patch}\n*** End Patch\n+after`, '/p')).toEqual(changes)
  })
})

describe('absolutePath', () => {
  it.each([
    ['a.ts', '/p', '/p/a.ts'],
    ['./a.ts', '/p/', '/p/a.ts'],
    ['../a.ts', '/p/q', '/p/a.ts'],
    ['a.ts', undefined, 'a.ts'],
    ['/o/a.ts', '/p', '/o/a.ts'],
    ['~/a.ts', '/p', '~/a.ts'],
    ['src/a.ts', 'C:\\p', 'C:\\p\\src\\a.ts'],
    ['C:\\a.ts', '/p', 'C:\\a.ts'],
  ])('%s in %s is %s', (path, cwd, whole) => {
    expect(absolutePath(path, cwd)).toBe(whole)
  })
})

describe('pendingChanges', () => {
  it('keeps changes between sweeps until the result of the call', () => {
    const files = [{ path: 'a.ts', change: 'update' as const, added: 1, removed: 0 }]
    const before = pendingChanges(undefined)
    before.open('1', files)
    before.open('2', []) // changes nothing
    before.open(undefined, files)
    const book = pendingChanges(JSON.parse(JSON.stringify(before.state())))
    expect([book.close('1'), book.close('1'), book.close('2'), book.close(undefined)]).toEqual([files, [], [], []])
  })

  it('drops the changes of the oldest open calls', () => {
    const book = pendingChanges(undefined)
    for (let call = 0; call <= 200; call++) book.open(`call ${call}`, [{ path: 'a.ts', change: 'update' }])
    expect([book.close('call 0').length, book.close('call 1').length]).toEqual([0, 1])
  })
})

describe('blockOrDiffCounts', () => {
  it.each([
    ['Aider', '<<<<<<< SEARCH\na\nb\n=======\na\nc\n>>>>>>> REPLACE', { added: 1, removed: 1 }],
    ['Cline', '------- SEARCH\na\n=======\n+++++++ REPLACE', { added: 0, removed: 1 }],
    ['Roo Code', '<<<<<<< SEARCH\n:start_line:7\n-------\na\n=======\na\nb\n>>>>>>> REPLACE', { added: 1, removed: 0 }],
    [
      'two blocks',
      '<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n<<<<<<< SEARCH\n=======\nc\n>>>>>>> REPLACE',
      { added: 2, removed: 1 },
    ],
    ['a unified diff', '--- a\n+++ b\n@@ -1 +1,2 @@\n-x\n+y\n+z', { added: 2, removed: 1 }],
    ['a block that was cut', '<<<<<<< SEARCH\na', { added: 0, removed: 0 }],
  ])('counts the lines of %s', (_, diff, lines) => {
    expect(blockOrDiffCounts(diff)).toEqual(lines)
  })
})

describe('editBlocks', () => {
  it.each([
    ['above the fence', 'src/a.py\n```python\n'],
    ['in the fence', '```python\nsrc/a.py\n'],
    ['in backticks', '**`src/a.py`:**\n\n```\n'],
  ])('finds the file name %s', (_, before) => {
    expect(editBlocks(`${before}<<<<<<< SEARCH\n=======\nx\n>>>>>>> REPLACE`)).toMatchObject([
      { path: 'src/a.py', isNew: true },
    ])
  })
})
