import { expect, it } from 'vitest'
import { plannedChanges } from './patch.ts'

const patch = '*** Begin Patch\n*** Update File: a.ts\n@@\n-x\n+y\n+z\n*** End Patch'
const updated = [{ path: '/p/a.ts', change: 'update', added: 2, removed: 1 }]

it.each([
  ['a patch as free text', 'apply_patch', { input: patch }, updated],
  ['a patch as an argument', 'apply_patch', { patch }, updated],
  ['a patch in a shell line', 'shell', { command: ['bash', '-lc', `apply_patch <<'EOF'\n${patch}\nEOF`] }, updated],
  ['a command of its own', 'shell', { command: ['apply_patch', patch] }, updated],
  [
    'a patch in another folder',
    'exec_command',
    { cmd: `apply_patch <<EOF\n${patch}\nEOF`, workdir: '/q' },
    [{ ...updated[0], path: '/q/a.ts' }],
  ],
  ['a file that only shows a patch', 'exec_command', { cmd: `cat > notes <<EOF\n${patch}\nEOF` }, []],
  [
    'added, deleted and moved files',
    'apply_patch',
    {
      input:
        '*** Begin Patch\n*** Add File: n.md\n+one\n+two\n*** Delete File: /o.md\n*** Update File: b.ts\n*** Move to: c.ts\n*** End Patch',
    },
    [
      { path: '/p/n.md', change: 'add', added: 2, removed: 0 },
      { path: '/o.md', change: 'delete', added: 0, removed: 0 },
      { path: '/p/c.ts', change: 'move', added: 0, removed: 0 },
    ],
  ],
])('%s', (_, tool, input, expected) => {
  expect(plannedChanges(tool, input, '/p')).toEqual(expected)
})
