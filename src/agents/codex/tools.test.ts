import { describe, expect, it } from 'vitest'
import { readOutput } from './output.ts'
import { plannedChanges } from './tools.ts'

describe('readOutput', () => {
  it.each([
    [
      'a command that ended',
      'Chunk ID: 1a\nWall time: 0.1 seconds\nProcess exited with code 0\nOriginal token count: 1\nOutput:\nok\n',
      { text: 'ok\n', exit: 0 },
    ],
    [
      'a command that failed',
      'Chunk ID: 1a\nWall time: 0.1 seconds\nProcess exited with code 2\nOutput:\nno such file\n',
      { text: 'no such file\n', exit: 2, error: 'failed' },
    ],
    [
      'a command that still runs',
      'Chunk ID: 1a\nWall time: 10.0 seconds\nProcess running with session ID 77\nOutput:\n',
      { text: 'Process running with session ID 77', running: '77' },
    ],
    ['the shorter heading', 'Exit code: 0\nWall time: 0 seconds\nOutput:\nSuccess.', { text: 'Success.', exit: 0 }],
    [
      'a heading inside the output is output',
      'Exit code: 0\nWall time: 0 seconds\nOutput:\nExit code: 9\n',
      { text: 'Exit code: 9\n', exit: 0 },
    ],
    [
      'JSON of 2025',
      '{"output":"boom\\n","metadata":{"exit_code":1,"duration_seconds":0.1}}',
      { text: 'boom\n', exit: 1, error: 'failed' },
    ],
    ['a tool of a server', 'Wall time: 1.0 seconds\nOutput:\n{"ok":true}', { text: '{"ok":true}' }],
    ['stopped', 'aborted by user after 29.7s', { text: 'aborted by user after 29.7s', error: 'interrupted' }],
    ['denied', 'exec command rejected by user', { text: 'exec command rejected by user', error: 'denied' }],
    [
      'a patch that does not fit',
      'apply_patch verification failed: no lines',
      { text: 'apply_patch verification failed: no lines', error: 'failed' },
    ],
    ['plain words', 'Plan updated', { text: 'Plan updated' }],
    [
      'parts with an image',
      [
        { type: 'input_text', text: 'shot' },
        { type: 'input_image', image_url: 'data:image/png;base64,AAAA' },
      ],
      { text: 'shot\n[image image/png]' },
    ],
    ['content with a verdict', { content: 'nope', success: false }, { text: 'nope', error: 'failed' }],
    ['nothing', undefined, { text: '' }],
  ])('parses %s', (_, output, expected) => {
    expect(readOutput(output)).toEqual(expected)
  })
})

describe('plannedChanges', () => {
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
  ])('finds the changes of %s', (_, tool, input, expected) => {
    expect(plannedChanges(tool, input, '/p')).toEqual(expected)
  })
})
