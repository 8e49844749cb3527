import { describe, expect, it } from 'vitest'
import { readUserText } from './user-text.ts'

describe('readUserText', () => {
  it.each([
    ['typed text', 'fix the mast', '', 'prompt', 'fix the mast'],
    ['typed during a turn', 'faster', 'steer', 'prompt', 'faster'],
    ['after a note', '[Note: model was just switched to luna.]\n\nfix it', '', 'prompt', 'fix it'],
    ['a row of its own', 'Continue.', 'auto_continue', 'context', 'Continue.'],
    ['only a note', '[System note: restarted.]', '', 'context', '[System note: restarted.]'],
    ['a goal', '[Continuing toward your standing goal]\nGoal: x', '', 'context', undefined],
    ['a subagent', '[ASYNC DELEGATION COMPLETE — deleg_1]\nDone.', '', 'context', undefined],
    ['a process', '[IMPORTANT: Background process 7 exited with code 1]', '', 'context', undefined],
    ['its review', 'Review the conversation above and consider saving to memory', '', 'context', undefined],
    [
      'a reminder after no answer',
      'You just executed tool calls but returned an empty response. Please process the tool results',
      '',
      'context',
      undefined,
    ],
    ['a summary', '[CONTEXT SUMMARY]: so far', '', 'compaction', undefined],
    ['a skill alone', '[SYSTEM: The user has invoked the "plan" skill, indicating]\n\n# Plan', '', 'command', '/plan'],
    [
      'a skill with a task',
      '[IMPORTANT: The user has invoked the "plan" skill, indicating]\n\n# Plan\n\nThe user has provided the following instruction alongside the skill invocation: sail\n\n[Runtime note: x]',
      '',
      'command',
      '/plan sail',
    ],
    [
      'a bundle of skills',
      '[IMPORTANT: The user has invoked the "deck" skill bundle, loading 2]\nUser instruction: scrub\n\n[Loaded as part of the "deck" bundle]\n# Scrub',
      '',
      'command',
      '/deck scrub',
    ],
  ])('recognises %s', (_, content, displayKind, kind, text = content) => {
    expect(readUserText(content, displayKind)).toMatchObject({ kind, text })
  })
})
