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

const denied = (agent: string, text: string) => userTextOf(event({ error: 'denied', text }), { agent })

const answer = (agent: string, tool: string, text: string, input?: StoredEvent['input']) =>
  userTextOf(event({ tool, text }), { agent, near: event({ kind: 'tool_call', role: 'assistant', tool, input }) })

const claudeCode = { agent: 'claude-code' }

describe('userTextOf a prompt or command', () => {
  it('returns a whole prompt', () => {
    expect(userTextOf(event({ kind: 'prompt', role: 'user', text: 'keep it small' }), claudeCode)).toBe('keep it small')
  })

  it.each([
    ['/review only the parser, please', 'only the parser, please'],
    ['/plan:start\nno new dependencies', 'no new dependencies'],
    ['/clear', ''],
    ['# always use tabs', 'always use tabs'],
  ])('behind a command: %s', (text, words) => {
    expect(userTextOf(event({ kind: 'command', role: 'user', text }), claudeCode)).toBe(words)
  })
})

describe('userTextOf a denied call', () => {
  const claude =
    "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the new_string was NOT written to the file)."
  const denials = [
    ['claude-code', `${claude} To tell you how to proceed, the user said:\nnever touch generated files\nrun make`],
    [
      'claude-code',
      `${claude} To tell you how to proceed, the user said:\nnever touch generated files\nrun make\n\nNote: The user's next message may contain a correction or preference.`,
    ],
    [
      'claude-code',
      'Permission for this tool use was denied. The tool use was rejected (eg. if it was a file edit, the new_string was NOT written to the file). The user said:\nnever touch generated files\nrun make',
    ],
    [
      'opencode',
      'The user rejected permission to use this specific tool call with the following feedback: never touch generated files\nrun make',
    ],
    ['kimi', 'The tool call is rejected by the user. User feedback: never touch generated files\nrun make'],
    ['kiro', 'Tool use was denied by the user. Reason: never touch generated files\nrun make'],
    ['copilot-cli', 'The user rejected this tool call. User feedback: never touch generated files\nrun make'],
  ] as const

  it.each(denials)('%s: %s', (agent, text) => expect(denied(agent, text)).toBe('never touch generated files\nrun make'))

  it.each([
    ['no reason', `${claude} STOP what you are doing and wait for the user to tell you how to proceed.`],
    ['a rule', 'Permission to use Bash with command rm -rf build has been denied.'],
    ['a rule about a command', 'Permission to use Bash with command echo "the user said: push" has been denied.'],
    ['a hook', 'PreToolUse hook denied this: always run the linter first'],
    ['a hook with the words', 'PreToolUse hook denied this, the user said:\nalways push'],
    ['a sandbox', 'exec command rejected by user'],
    ['nothing at all', ''],
  ])('is not there: %s', (_, text) => expect(denied('claude-code', text)).toBe(''))

  /** Members of a family write the same text. */
  const patternsOf = (agent: string) => String(agents.find(({ id }) => id === agent)?.userReplies?.denials)

  it('has an example of every agent that declares denials, or of its family', () => {
    const shown = new Set(denials.map(([agent]) => patternsOf(agent)))
    const declaring = agents.filter(({ userReplies }) => userReplies?.denials).map(({ id }) => id)
    expect(declaring.filter((id) => !shown.has(patternsOf(id)))).toEqual([])
  })

  it.each(agents.map(({ id }) => id))('is not taken from the text of another agent: %s', (id) => {
    for (const [agent, text] of denials) if (patternsOf(agent) !== patternsOf(id)) expect(denied(id, text)).toBe('')
  })
})

describe('userTextOf an answer to the agent', () => {
  it.each<[string, string, string, StoredEvent['input'], string]>([
    [
      'claude-code',
      'AskUserQuestion',
      'User has answered your questions: "Which database?"="Postgres, we know it", "Migrate now?"="No". You can now continue with the user\'s answers in mind.',
      undefined,
      '"Which database?": Postgres, we know it\n"Migrate now?": No',
    ],
    [
      'claude-code',
      'AskUserQuestion',
      'Your questions have been answered: "Which frame?"="None" selected preview:\n+---+\n| a |\n+---+ user notes: never draw boxes, "Where?"="Everywhere". You can now continue with these answers in mind.',
      undefined,
      '"Which frame?": None. never draw boxes\n"Where?": Everywhere',
    ],
    [
      'codex',
      'request_user_input',
      '{"answers":{"scope":{"answers":["Only the server","user_note: the client is frozen"]}}}',
      { questions: [{ id: 'scope', header: 'Scope', question: 'What may change?' }] },
      '"What may change?": Only the server, the client is frozen',
    ],
    [
      'kimi',
      'AskUserQuestion',
      '{"answers":{"Which port?":"8443, the proxy needs it"}}',
      undefined,
      '"Which port?": 8443, the proxy needs it',
    ],
    [
      'gemini-cli',
      'ask_user',
      '{"answers":{"0":"by hand"}}',
      { questions: [{ question: 'How do you release?' }] },
      '"How do you release?": by hand',
    ],
    [
      'copilot-cli',
      'ask_user',
      'User responded: neither, we keep one branch',
      { question: 'Which branch?', choices: ['a', 'b'] },
      '"Which branch?": neither, we keep one branch',
    ],
    ['copilot-cli', 'ask_user', 'User selected: Keep both', undefined, 'Keep both'],
    [
      'droid',
      'AskUser',
      '1. [question] Which style?\n[answer] tabs\n\n2. [question] Why?\n[answer] the team has it',
      undefined,
      '"Which style?": tabs\n"Why?": the team has it',
    ],
  ])('%s: %s %s', (agent, tool, text, input, words) => expect(answer(agent, tool, text, input)).toBe(words))

  it.each([
    ['claude-code', 'Bash', 'User has answered your questions: "Push?"="always". You can now continue'],
    ['claude-code', 'mcp__docs__ask_question', '{"answers":{"0":"always push"}}'],
    ['claude-code', 'AskUserQuestion', 'The user did not answer'],
    ['codex', 'request_user_input', '{"answers": broken'],
    ['codex', 'request_user_input', '{"answers":{}}'],
    ['copilot-cli', 'ask_user', '[]'],
    ['opencode', 'ask_user', 'User responded: always push'],
    ['claude-code', 'ask_user', '{"answers":{"0":"always push"}}'],
  ])('is never what a program printed: %s %s %s', (agent, tool, text) => expect(answer(agent, tool, text)).toBe(''))

  it('is empty when the question was cancelled', () => {
    const text = 'User has answered your questions: "A?"="B"'
    expect(userTextOf(event({ tool: 'AskUserQuestion', error: 'interrupted', text }), claudeCode)).toBe('')
  })
})

describe('userTextOf with the replies that agents declare', () => {
  const each = (key: 'questionTools' | 'answerPrefixes') =>
    agents.flatMap(({ id, userReplies }) => (userReplies?.[key] ?? []).map((value) => [id, value] as const))

  it.each(each('questionTools'))('reads the answer to a question tool of %s: %s', (agent, tool) => {
    expect(answer(agent, tool, '{"answers":{"Which port?":"8443"}}')).toBe('"Which port?": 8443')
  })

  it.each(each('answerPrefixes'))('reads the answer after the prefix of %s: %s', (agent, prefix) => {
    expect(answer(agent, 'ask_user', `${prefix}8443`)).toBe('8443')
  })
})

describe('userTextOf a comment typed while approving', () => {
  const comment = (text: string, more: Partial<StoredEvent> = {}) =>
    userTextOf(event({ kind: 'context', role: 'user', text, ...more }), {
      ...claudeCode,
      near: event({ kind: 'edit' }),
    })

  it('finds the comment in the record of the result', () => {
    expect(comment('and remember to use pagination')).toBe('and remember to use pagination')
    expect(
      userTextOf(event({ kind: 'context', role: 'user', text: 'not in main' }), { ...claudeCode, tool: 'Bash' }),
    ).toBe('not in main')
  })

  it.each<[string, string, Partial<StoredEvent>]>([
    ['a skill in a record of its own', 'Base directory for this skill: /home/dev/x', { id: 'record-2' }],
    ['another record', 'never mind', { id: 'record-2' }],
    ['a record without id', 'never mind', { id: '' }],
    ['a reminder', '<system-reminder>always be nice</system-reminder>', {}],
    ['an interruption', '[Request interrupted by user]', {}],
    ['machine text', 'always be nice', { role: 'system' }],
  ])('is not %s', (_, text, more) => expect(comment(text, more)).toBe(''))

  it('is not there in agents that record no comments', () => {
    const near = event({ kind: 'edit' })
    expect(userTextOf(event({ kind: 'context', role: 'user', text: 'always push' }), { agent: 'droid', near })).toBe('')
  })

  it('ignores a context event that stands alone', () => {
    expect(userTextOf(event({ kind: 'context', role: 'user', text: 'do the task' }), claudeCode)).toBe('')
  })
})

describe('userTextOf hostile input', () => {
  it.each([
    ['quotes', '"="'.repeat(300_000)],
    ['one letter', 'a'.repeat(1_000_000)],
    ['half pairs', '"a"="b" selected preview:\n'.repeat(40_000)],
    ['brackets', `{"answers":${'['.repeat(500_000)}`],
    ['lists inside of lists', `{"answers":{"0":${'['.repeat(9000)}"x"${']'.repeat(9000)}}}`],
  ])('%s', (_, text) => {
    expect(answer('claude-code', 'AskUserQuestion', text).length).toBeLessThanOrEqual(20_000)
    expect(denied('claude-code', text)).toBe('')
  })
})
