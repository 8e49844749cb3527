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
])('%s', (_, tool, input, expected) => {
  expect(plannedChanges(tool, input, '/p')).toEqual(expected)
})
