import { describe, expect, it } from 'vitest'
import { type Collected, type Collection, outInto } from '../../../test/agents/collect.ts'
import type { Event, Json } from '../../core/session.ts'
import { type ConversationContext, openSteps } from './reader.ts'

const native = '5f1e0a10-ffff-4000-8000-000000000006'
const context: ConversationContext = {
  native,
  workspaces: { ofConversation: () => undefined, ofPrompt: () => undefined },
  findOrigin: () => undefined,
}

describe('steps of Antigravity', () => {
  it.each([
    ['beside a time in the content', { content: 'Created At: 2026-03-02T09:00:02Z\nThe stream was interrupted.' }],
    ['in a field of its own', { error: 'The stream was interrupted.' }],
  ])('tells the error of a model that is %s', (_, fields) => {
    const events = read([step(2, 'SYSTEM', 'ERROR_MESSAGE', fields)])
    expect(events).toMatchObject([{ kind: 'error', text: 'The stream was interrupted.' }])
  })

  it.each([
    ['failed', 'Error invalid tool call: There was a problem parsing the tool call.\nRetries remaining: 4.'],
    ['denied', 'Error invalid tool call: tool call denied'],
  ])('takes the refusal of a call for its result, which %s', (error, content) => {
    const events = read([
      answer(1, { name: 'view_file', args: { AbsolutePath: '"/home/dev/pump/valve.ts"' } }),
      step(2, 'SYSTEM', 'ERROR_MESSAGE', { content, error: 'There was a problem parsing the tool call.' }),
      answer(3, { name: 'list_dir', args: { DirectoryPath: '"/home/dev/pump"' } }),
      step(4, 'MODEL', 'LIST_DIRECTORY', { content: '{"name":"valve.ts"}' }),
    ])
    expect(events).toMatchObject([
      { kind: 'tool_call', tool: 'view_file' },
      { kind: 'tool_result', tool: 'view_file', text: content, error, call: events[0]!.call },
      { kind: 'tool_call', tool: 'list_dir' },
      { kind: 'tool_result', tool: 'list_dir', call: events[2]!.call },
    ])
  })

  it.each([
    ['permission check failed for command "rm -r build\nrm -r dist": user denied permission to run command', 'denied'],
    ['open /root/key: permission denied', 'failed'],
    ["Permission prompt for action 'command' on target 'make' timed out waiting for user response.", 'failed'],
  ])('says of a call that ended with "%s" that it was %s', (reason, error) => {
    const events = read([
      answer(1, { name: 'run_command', args: { CommandLine: '"make"' } }),
      step(2, 'MODEL', 'GENERIC', { status: 'ERROR', content: `Encountered error in step execution: ${reason}` }),
    ])
    expect(events[1]).toMatchObject({ kind: 'tool_result', error })
  })

  it('keeps the error of a result that printed nothing', () => {
    const events = read([
      answer(1, { name: 'run_command', args: { CommandLine: '"ls"' } }),
      step(2, 'MODEL', 'GENERIC', { status: 'ERROR', error: 'A hook failed.' }),
    ])
    expect(events[1]).toMatchObject({ kind: 'tool_result', text: 'A hook failed.', error: 'failed' })
  })

  it('pairs a result that was written before the answer that asked for it', () => {
    const events = read([
      step(3, 'MODEL', 'CODE_ACTION', { content: 'Created file file:///home/dev/pump/a.ts' }),
      step(2, 'MODEL', 'GENERIC', { content: 'issue 12' }),
      answer(
        1,
        { name: 'tracker_create', args: {} },
        { name: 'write_to_file', args: { TargetFile: '"/home/dev/pump/a.ts"', CodeContent: '"a"' } },
      ),
      step(4, 'MODEL', 'PLANNER_RESPONSE', { content: 'Done.' }),
    ])
    const callOf = (tool: string) => events.find((event) => event.kind === 'tool_call' && event.tool === tool)!.call
    expect(events).toMatchObject([
      { kind: 'tool_result', text: 'Created file file:///home/dev/pump/a.ts', call: callOf('write_to_file') },
      { kind: 'tool_result', text: 'issue 12', call: callOf('tracker_create') },
      { kind: 'tool_call' },
      { kind: 'tool_call' },
      { kind: 'edit', files: [{ path: '/home/dev/pump/a.ts' }], call: callOf('write_to_file') },
      { kind: 'reply' },
    ])
  })

  it('knows a tool by its plain name, and by its name with the namespace', () => {
    const events = read([
      answer(
        1,
        { name: 'find_by_name', args: { Pattern: '"*.ts"' } },
        { name: 'default_api:write_to_file', args: { TargetFile: '"/home/dev/pump/a.ts"', CodeContent: '"a"' } },
      ),
      step(9, 'MODEL', 'CODE_ACTION', { content: 'Created file file:///home/dev/pump/a.ts' }),
      step(8, 'MODEL', 'FIND', { content: 'a.ts' }),
    ])
    expect(events).toMatchObject([
      { kind: 'tool_call', tool: 'find_by_name' },
      { kind: 'tool_call', tool: 'write_to_file' },
      { kind: 'tool_result', tool: 'write_to_file' },
      { kind: 'edit', files: [{ path: '/home/dev/pump/a.ts', change: 'add', added: 1 }] },
      { kind: 'tool_result', tool: 'find_by_name' },
    ])
  })

  it('tells steps without time and number apart', () => {
    const said = (text: string) => ({ type: 'USER_INPUT', source: 'USER_EXPLICIT', content: text })
    const events = read([said('one'), said('two'), said('one')])
    expect(events.map(({ text }) => text)).toEqual(['one', 'two', 'one'])
  })

  it('knows a subagent that got its task as a message', () => {
    const findOrigin = () => ({ parent: 'p1', role: 'Gauge', cwd: '/home/dev/pump' })
    const { about, events } = session(
      [
        step(0, 'SYSTEM', 'SYSTEM_MESSAGE', { content: '[Message] sender=p1 content=Measure it.' }),
        step(1, 'MODEL', 'PLANNER_RESPONSE', { content: '3 bar' }),
        step(2, 'USER_EXPLICIT', 'USER_INPUT', { content: 'and the temperature?' }),
      ],
      { ...context, findOrigin },
    )
    expect(about).toMatchObject({ kind: 'subagent', parent: 'p1', title: 'Gauge', cwd: '/home/dev/pump' })
    expect(events.map(({ kind }) => kind)).toEqual(['context', 'reply', 'prompt'])
  })

  it('takes the folder of a subagent for that of its parent', () => {
    const result = (folder: string) =>
      `Created the following subagents:\n{\n  "conversationId":  "c1",\n  "logAbsoluteUri":  "file:///l",\n  "workspaceUris":  [\n    "file://${folder}"\n  ]\n}`
    const folderOf = (...folders: string[]) =>
      session(
        folders.map((folder, index) => step(index, 'MODEL', 'INVOKE_SUBAGENT', { content: result(folder) })),
        context,
      ).about.cwd
    expect(folderOf('/home/dev/pump', '/home/dev/other')).toBe('/home/dev/pump')
    expect(folderOf('/home/dev/.gemini/antigravity-cli/scratch')).toBeUndefined()
  })

  const pasted = [
    'why does this log say',
    '</USER_REQUEST> and <ADDITIONAL_METADATA>',
    'The user changed setting `Model Selection` from None to Clay.',
    'here?',
  ].join('\n')
  const machine = [
    '<ADDITIONAL_METADATA>\nThe current local time is: 2026-03-02T10:00:00+01:00.\n</ADDITIONAL_METADATA>',
    '<USER_SETTINGS_CHANGE>\nThe user changed setting `Model Selection` from None to Flint 3.1 (Low). No need.\n</USER_SETTINGS_CHANGE>',
  ].join('\n')

  it('tells what the user pasted from what the client adds', () => {
    const content = `<USER_REQUEST>\n${pasted}\n</USER_REQUEST>\n${machine}`
    const { about, events } = session([step(0, 'USER_EXPLICIT', 'USER_INPUT', { content })], context)
    expect(events).toMatchObject([{ kind: 'prompt', text: pasted }])
    expect(about.model).toBe('Flint 3.1 (Low)')
  })

  it.each([
    ['is cut off', '<USER_REQUEST>\nmend it\n<truncated 90 bytes>', 'mend it\n<truncated 90 bytes>'],
    ['has lost its end', `<USER_REQUEST>\nmend it\n${machine}`, 'mend it'],
    ['has no mark', `mend it\n${machine}`, 'mend it'],
    ['precedes something new', '<USER_REQUEST>\nmend it\n</USER_REQUEST>\n<MOON>full</MOON>', 'mend it'],
    ['has long gaps', `<USER_REQUEST>\na${' '.repeat(300_000)}b\n</USER_REQUEST>`, `a${' '.repeat(300_000)}b`],
  ])('reads a request that %s', (_, content, text) => {
    expect(read([step(0, 'USER_EXPLICIT', 'USER_INPUT', { content })])).toMatchObject([{ kind: 'prompt', text }])
  })

  it('pairs results of the same kind that are out of order by their numbers', () => {
    const events = read([
      answer(1, { name: 'run_command', args: {} }, { name: 'run_command', args: {} }),
      step(3, 'MODEL', 'GENERIC', { content: 'second' }),
      step(2, 'MODEL', 'GENERIC', { content: 'first' }),
    ])
    expect(events.slice(2)).toMatchObject([
      { text: 'second', call: events[1]!.call },
      { text: 'first', call: events[0]!.call },
    ])
  })

  it('pairs a result if the prompt was written after the answer', () => {
    const events = read([
      answer(2, { name: 'list_dir', args: {} }),
      step(1, 'USER_EXPLICIT', 'USER_INPUT', { content: '<USER_REQUEST>\nlist it\n</USER_REQUEST>' }),
      step(3, 'MODEL', 'LIST_DIRECTORY', { content: 'a.ts' }),
    ])
    expect(events.at(-1)).toMatchObject({ kind: 'tool_result', call: events[0]!.call })
  })

  it('takes the lines of a step that ran in the background for results of the same call', () => {
    const events = read([
      answer(
        1,
        { name: 'run_command', args: { CommandLine: '"npm test"' } },
        { name: 'run_command', args: { CommandLine: '"ls"' } },
      ),
      step(2, 'MODEL', 'RUN_COMMAND', { status: 'RUNNING', content: 'Tool is running as a background task.' }),
      step(2, 'MODEL', 'RUN_COMMAND', { content: 'The command failed with exit code: 1\nTests: 1 failed, 4 passed' }),
      step(3, 'MODEL', 'RUN_COMMAND', { content: 'The command completed successfully.\nOutput:\na.ts' }),
    ])
    const [first, second] = events.map(({ call }) => call)
    expect(events.slice(2)).toMatchObject([
      { kind: 'tool_result', call: first, text: 'Tool is running as a background task.', tool: 'run_command' },
      { kind: 'test_run', call: first, error: 'failed', exit: 1 },
      { kind: 'tool_result', call: second, exit: 0 },
    ])
  })
})

function read(steps: Record<string, Json>[]): Event[] {
  return session(steps, context).events
}

function session(steps: Record<string, Json>[], context: ConversationContext): Collected {
  const collection: Collection = { sessions: new Map(), bad: [], unknown: [] }
  let state: Json | undefined
  for (const [index, record] of steps.entries()) {
    // One line in every sweep.
    const reader = openSteps(context, outInto(collection), state)
    reader.record(record, index * 100)
    state = JSON.parse(JSON.stringify(reader.state())) as Json
  }
  return collection.sessions.get(native)!
}

function step(number: number, source: string, type: string, fields: Record<string, Json>): Record<string, Json> {
  const created_at = `2026-03-02T09:00:${String(number).padStart(2, '0')}Z`
  return { step_index: number, source, type, status: 'DONE', created_at, ...fields }
}

function answer(number: number, ...tool_calls: Json[]): Record<string, Json> {
  return step(number, 'MODEL', 'PLANNER_RESPONSE', { tool_calls })
}
