import { expect, it } from 'vitest'
import { parsePrompt } from './prompt-payload.ts'

const typed = {
  session_id: 's1',
  transcript_path: '/home/dev/.claude/projects/-home-dev-app/s1.jsonl',
  cwd: '/home/dev/app',
  hook_event_name: 'UserPromptSubmit',
  prompt: ' how do we release? ',
}

it('parsePrompt returns the text, folder and session', () => {
  expect(parsePrompt(JSON.stringify(typed), 'claude-code')).toEqual({
    session: 'claude-code:s1',
    cwd: '/home/dev/app',
    text: 'how do we release?',
  })
})

it('parsePrompt removes the brief that Gemini CLI puts before a first prompt', () => {
  const prompt =
    '<hook_context>&lt;recollect-brief&gt; a\n&lt;/recollect-brief&gt;</hook_context>\n\nhow do we release?'
  expect(parsePrompt(JSON.stringify({ ...typed, prompt }), 'gemini-cli')?.text).toBe('how do we release?')
})

it.each([
  ['sent by a program for a person', { source: 'sdk' }],
  ['with no subagent around it', { agent_id: null }],
  ['that begins with the path of a file', { prompt: '/home/dev/app/main.ts fails to compile' }],
])('parsePrompt accepts a prompt %s', (_, more) => {
  expect(parsePrompt(JSON.stringify({ ...typed, ...more }), 'codex')).toBeDefined()
})

it.each([
  ['a short one', { prompt: 'go on     ' }],
  ['an empty one, as Qwen Code sends after every tool', { prompt: '' }],
  ['one in parts', { prompt: [{ text: 'how do we release?' }] }],
  ['a slash command', { prompt: '/recollect:recall how do we release' }],
  ['the end of a background task', { prompt: '<task-notification>done, all of it</task-notification>' }],
  ['a block of code', { prompt: '```\nnpm run release\n```' }],
  ['data', { prompt: '{"release": "npm run release"}' }],
  ['what wakes an agent up', { source: 'loop_wakeup' }],
  ['one inside of a subagent', { agent_id: 'a1' }],
  ['one of Cursor', { cursor_version: '1.7' }],
  ['one of Grok', { sessionId: 's1' }],
  ['one of VS Code', { transcript_path: '/srv/Code/User/workspaceStorage/w/GitHub.copilot-chat/transcripts/s1.jsonl' }],
  ['one of Continue', { transcript_path: '/home/dev/.continue/sessions/s1.json' }],
  ['one of no session', { session_id: undefined }],
  ['one of no folder', { cwd: null }],
])('parsePrompt ignores %s', (_, more) => {
  expect(parsePrompt(JSON.stringify({ ...typed, ...more }), 'claude-code')).toBeUndefined()
})

it.each(['', '{"session_id":"s1","prompt":"how do we', 'null', '[]', '7'])(
  'parsePrompt ignores the payload %j',
  (payload) => {
    expect(parsePrompt(payload, 'claude-code')).toBeUndefined()
  },
)
