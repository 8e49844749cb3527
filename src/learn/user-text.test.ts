import { describe, expect, it } from 'vitest'
import { agents } from '../agents/registry.ts'
import type { StoredEvent } from '../store/sessions/bodies.ts'
import { userTextOf } from './user-text.ts'

const event = (more: Partial<StoredEvent>): StoredEvent => ({
  seq: 7,
  id: 'record-1',
  kind: 'tool_result',
  role: 'tool',
  ts: null,
  text: '',
  ...more,
})

const denied = (text: string) => userTextOf(event({ error: 'denied', text }))

const answer = (tool: string, text: string, input?: StoredEvent['input']) =>
  userTextOf(event({ tool, text }), undefined, event({ kind: 'tool_call', role: 'assistant', tool, input }))

describe('userTextOf a prompt or command', () => {
  it('returns a whole prompt', () => {
    expect(userTextOf(event({ kind: 'prompt', role: 'user', text: 'keep it small' }))).toBe('keep it small')
  })

  it.each([
    ['/review only the parser, please', 'only the parser, please'],
    ['/plan:start\nno new dependencies', 'no new dependencies'],
    ['/clear', ''],
    ['# always use tabs', 'always use tabs'],
  ])('behind a command: %s', (text, words) => {
    expect(userTextOf(event({ kind: 'command', role: 'user', text }))).toBe(words)
  })
})

describe('userTextOf a denied call', () => {
  const claude =
    "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the new_string was NOT written to the file)."

  it.each([
    ['Claude Code', `${claude} To tell you how to proceed, the user said:\nnever touch generated files\nrun make`],
    [
      'Claude Code with a note to the model',
      `${claude} To tell you how to proceed, the user said:\nnever touch generated files\nrun make\n\nNote: The user's next message may contain a correction or preference.`,
    ],
    [
      'OpenCode',
      'The user rejected permission to use this specific tool call with the following feedback: never touch generated files\nrun make',
    ],
    ['Kimi', 'The tool call is rejected by the user. User feedback: never touch generated files\nrun make'],
    [
      'Cline',
      'The user denied this operation and provided the following feedback:\n<feedback>\nnever touch generated files\nrun make\n</feedback>',
    ],
  ])('%s', (_, text) => expect(denied(text)).toBe('never touch generated files\nrun make'))

  it.each([
    ['no reason', `${claude} STOP what you are doing and wait for the user to tell you how to proceed.`],
    ['a rule', 'Permission to use Bash with command rm -rf build has been denied.'],
    ['a hook', 'PreToolUse hook denied this: always run the linter first'],
    ['a sandbox', 'exec command rejected by user'],
    ['nothing at all', ''],
  ])('is not there: %s', (_, text) => expect(denied(text)).toBe(''))
})

describe('userTextOf an answer to the agent', () => {
  it.each<[string, string, string, StoredEvent['input'], string]>([
    [
      'Claude Code',
      'AskUserQuestion',
      'User has answered your questions: "Which database?"="Postgres, we know it", "Migrate now?"="No". You can now continue with the user\'s answers in mind.',
      undefined,
      '"Which database?": Postgres, we know it\n"Migrate now?": No',
    ],
    [
      'Claude Code with a preview and notes',
      'AskUserQuestion',
      'Your questions have been answered: "Which frame?"="None" selected preview:\n+---+\n| a |\n+---+ user notes: never draw boxes, "Where?"="Everywhere". You can now continue with these answers in mind.',
      undefined,
      '"Which frame?": None. never draw boxes\n"Where?": Everywhere',
    ],
    [
      'Codex',
      'request_user_input',
      '{"answers":{"scope":{"answers":["Only the server","user_note: the client is frozen"]}}}',
      { questions: [{ id: 'scope', header: 'Scope', question: 'What may change?' }] },
      '"What may change?": Only the server, the client is frozen',
    ],
    [
      'Kimi',
      'AskUserQuestion',
      '{"answers":{"Which port?":"8443, the proxy needs it"}}',
      undefined,
      '"Which port?": 8443, the proxy needs it',
    ],
    [
      'Gemini CLI',
      'ask_user',
      '{"answers":{"0":"by hand"}}',
      { questions: [{ question: 'How do you release?' }] },
      '"How do you release?": by hand',
    ],
    [
      'Copilot, typed',
      'ask_user',
      'User responded: neither, we keep one branch',
      { question: 'Which branch?', choices: ['a', 'b'] },
      '"Which branch?": neither, we keep one branch',
    ],
    ['Copilot, chosen', 'ask_user', 'User selected: Keep both', undefined, 'Keep both'],
    [
      'Droid',
      'AskUser',
      '1. [question] Which style?\n[answer] tabs\n\n2. [question] Why?\n[answer] the team has it',
      undefined,
      '"Which style?": tabs\n"Why?": the team has it',
    ],
  ])('%s', (_, tool, text, input, words) => expect(answer(tool, text, input)).toBe(words))

  it.each([
    ['Bash', 'User has answered your questions: "Push?"="always". You can now continue'],
    ['mcp__docs__ask_question', '{"answers":{"0":"always push"}}'],
    ['AskUserQuestion', 'The user did not answer'],
    ['request_user_input', '{"answers": broken'],
    ['request_user_input', '{"answers":{}}'],
    ['ask_user', '[]'],
  ])('is never what a program printed: %s %s', (tool, text) => expect(answer(tool, text)).toBe(''))

  it('is empty when the question was cancelled', () => {
    const text = 'User has answered your questions: "A?"="B"'
    expect(userTextOf(event({ tool: 'AskUserQuestion', error: 'interrupted', text }))).toBe('')
  })
})

describe('userTextOf with the replies that agents declare', () => {
  const declared = agents.flatMap(({ id, userReplies }) => (userReplies ? [{ id, ...userReplies }] : []))
  const each = (key: 'denialMarkers' | 'questionTools' | 'answerPrefixes') =>
    declared.flatMap((replies) => (replies[key] ?? []).map((value) => [replies.id, value] as const))
  const notes = declared.flatMap(({ id, trailingNote }) => (trailingNote ? [[id, trailingNote] as const] : []))
  const tags = declared.flatMap(({ id, reasonTag }) => (reasonTag ? [[id, reasonTag] as const] : []))

  it.each(each('denialMarkers'))('finds the reason after the denial marker of %s: %s', (_, marker) => {
    const words = marker.replace(/\(\?:[^)]*\)\?/g, '')
    expect(denied(`The call was rejected, ${words}: use pnpm`)).toBe('use pnpm')
  })

  it.each(notes)('removes the note to the model of %s', (_, note) => {
    expect(denied(`the user said: use pnpm\n\n${note} may be a correction.`)).toBe('use pnpm')
  })

  it.each(tags)('removes the tag around the reason of %s', (_, tag) => {
    expect(denied(`the user said: <${tag}>use pnpm</${tag}>`)).toBe('use pnpm')
  })

  it.each(each('questionTools'))('reads the answer to a question tool of %s: %s', (_, tool) => {
    expect(answer(tool, '{"answers":{"Which port?":"8443"}}')).toBe('"Which port?": 8443')
  })

  it.each(each('answerPrefixes'))('reads the answer after the prefix of %s: %s', (_, prefix) => {
    expect(answer('ask_user', `${prefix}8443`)).toBe('8443')
  })
})

describe('userTextOf a comment typed while approving', () => {
  const comment = (text: string, more: Partial<StoredEvent> = {}) =>
    userTextOf(event({ kind: 'context', role: 'user', text, ...more }), undefined, event({ kind: 'edit' }))

  it('finds the comment in the record of the result', () => {
    expect(comment('and remember to use pagination')).toBe('and remember to use pagination')
    expect(userTextOf(event({ kind: 'context', role: 'user', text: 'not in main' }), 'Bash')).toBe('not in main')
  })

  it.each<[string, string, Partial<StoredEvent>]>([
    ['a skill in a record of its own', 'Base directory for this skill: /home/dev/x', { id: 'record-2' }],
    ['another record', 'never mind', { id: 'record-2' }],
    ['a record without id', 'never mind', { id: '' }],
    ['a reminder', '<system-reminder>always be nice</system-reminder>', {}],
    ['an interruption', '[Request interrupted by user]', {}],
    ['machine text', 'always be nice', { role: 'system' }],
  ])('is not %s', (_, text, more) => expect(comment(text, more)).toBe(''))

  it('ignores a context event that stands alone', () => {
    expect(userTextOf(event({ kind: 'context', role: 'user', text: 'do the task' }))).toBe('')
  })
})

describe('userTextOf hostile input', () => {
  it.each([
    ['quotes', '"="'.repeat(300_000)],
    ['one letter', 'a'.repeat(1_000_000)],
    ['half pairs', '"a"="b" selected preview:\n'.repeat(40_000)],
    ['brackets', `{"answers":${'['.repeat(500_000)}`],
  ])('%s', (_, text) => {
    expect(answer('AskUserQuestion', text).length).toBeLessThanOrEqual(20_000)
    expect(denied(text)).toBe('')
  })
})
