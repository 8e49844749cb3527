import { describe, expect, it } from 'vitest'
import { changedFiles, toolOutcome, userKind, userTurn } from './content.ts'

describe('userTurn and userKind', () => {
  it.each([
    ['fix the door', 'prompt'],
    ['/home/mira/lantern does not build', 'prompt'],
    ['is <session_context> sent every time?', 'prompt'],
    ['? why is it dark', 'prompt'],
    ['?', 'command'],
    ['/compress', 'command'],
    ['/git:commit all of it', 'command'],
    ['I ran the following shell command:\n```sh\nls\n```\n\nThis produced the following result:\n```\na\n```', 'shell'],
    ['<state_snapshot>the door is open</state_snapshot>', 'compaction'],
    ['<scratchpad>\nwhich door?\n</scratchpad>\n\n<state_snapshot>the door is open</state_snapshot>', 'compaction'],
    ['<scratchpad> is what the model writes first', 'prompt'],
    ['System: Please continue.', 'context'],
    ["Here is the user's editor context as a JSON object:", 'context'],
  ])('%j is a %s', (said, kind) => {
    expect(userKind(said)).toBe(kind)
  })

  it.each([
    ['a hook before', ['<hook_context>green</hook_context>\n\ngo on'], 'go on', ['<hook_context>green</hook_context>']],
    ['a hook after', ['go on', '<hook_context>green</hook_context>'], 'go on', ['<hook_context>green</hook_context>']],
    ['a hook that never ends', ['<hook_context>green'], '', ['<hook_context>green']],
    ['words of a person', ['what is <hook_context> for?'], 'what is <hook_context> for?', []],
  ])('separates %s', (_, texts, said, added) => {
    expect(userTurn(texts.map((text) => ({ text })))).toEqual({ said, added })
  })
})

describe('toolOutcome and changedFiles', () => {
  it.each([
    ['success', { output: 'fine' }, undefined, undefined],
    ['success', { output: 'Output: no\nExit Code: 2\nSignal: 0' }, 'failed', 2],
    ['success', { output: 'Output: Exit Code: 2\nExit Code: 0' }, undefined, 0],
    ['success', { error: 'no such file' }, 'failed', undefined],
    ['error', { error: 'Tool execution denied by policy.' }, 'denied', undefined],
    ['cancelled', { error: '[Operation Cancelled] Reason: User did not allow tool call' }, 'denied', undefined],
    ['cancelled', { error: '[Operation Cancelled] Reason: User cancelled tool execution.' }, 'interrupted', undefined],
    ['cancelled', { error: 'Another call of this turn failed.' }, 'cancelled', undefined],
  ])('%s with %j', (status, response, error, exit) => {
    const result = [{ functionResponse: { id: 'c', response } }]
    expect(toolOutcome({ call: 'c', tool: 'run_shell_command', result, status })).toMatchObject({ error, exit })
  })

  it('finds the result of the call where the results of a turn are stored together', () => {
    const result = ['a', 'b'].map((id) => ({ functionResponse: { id, response: { output: `of ${id}` } } }))
    expect(toolOutcome({ call: 'b', tool: 'read_file', result, status: 'success' }).text).toBe('of b')
  })

  it('counts changed lines, but not the diff headings', () => {
    const fileDiff = '--- a\n+++ a\n@@ -1,2 +1,2 @@\n-one\n+two\n+three\n four\n'
    expect(
      changedFiles('edit', { file_path: '/w/a' }, { fileDiff, fileName: 'a', originalContent: 'one\nfour' }, ''),
    ).toEqual([{ path: '/w/a', change: 'update', added: 2, removed: 1 }])
  })
})
