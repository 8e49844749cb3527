import { expect, it } from 'vitest'
import { blockOrDiffCounts, editBlocks } from './search-replace.ts'

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

it.each([
  ['above the fence', 'src/a.py\n```python\n'],
  ['in the fence', '```python\nsrc/a.py\n'],
  ['in backticks', '**`src/a.py`:**\n\n```\n'],
])('finds the file name %s', (_, before) => {
  expect(editBlocks(`${before}<<<<<<< SEARCH\n=======\nx\n>>>>>>> REPLACE`)).toMatchObject([
    { path: 'src/a.py', isNew: true },
  ])
})
