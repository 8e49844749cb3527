import { expect, it } from 'vitest'
import { readOutput } from './results.ts'

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
])('%s', (_, output, expected) => {
  expect(readOutput(output)).toEqual(expected)
})
