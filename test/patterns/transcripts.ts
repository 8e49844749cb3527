// One story of a session, written down as three agents would: Claude Code 2.1, Codex 0.142 and Gemini CLI.

export type Step =
  | { do: 'say'; text: string }
  | { do: 'reply'; text: string }
  | { do: 'run'; command: string; output?: string; exit?: number }
  | { do: 'read'; path: string }
  /** `fails` is what the agent's own tool says. */
  | { do: 'edit'; path: string; fails?: 'not found' | 'not read' }
  | { do: 'plan' }
  | { do: 'call'; tool: string; input: Record<string, unknown>; error?: string }
  | { do: 'deny'; command: string }
  | { do: 'compact' }
  | { do: 'interrupt' }

export interface SessionScript {
  agent: 'claude-code' | 'codex' | 'gemini-cli'
  number: number
  project: string
  startedMs: number
  /** Output tokens of the one response that is counted; Claude Code only. */
  output?: number
  steps: Step[]
}

export interface TranscriptFile {
  path: string
  lines: object[]
}

export function transcriptOf(story: SessionScript): TranscriptFile {
  switch (story.agent) {
    case 'claude-code':
      return claude(story)
    case 'codex':
      return codex(story)
    case 'gemini-cli':
      return gemini(story)
    default:
      return story.agent satisfies never
  }
}

function idOf({ number }: SessionScript): string {
  return `${number.toString(16).padStart(8, '0')}-0000-4000-8000-000000000000`
}

function timeOf({ startedMs }: SessionScript, index: number): string {
  return new Date(startedMs + index * 3000).toISOString()
}

function claude(story: SessionScript): TranscriptFile {
  const id = idOf(story)
  const cwd = `/home/dev/${story.project}`
  let index = 0
  const record = (type: string, more: object) => {
    const at = index++
    return {
      ...{ type, sessionId: id, cwd, version: '2.1.219', gitBranch: 'main', isSidechain: false },
      ...{ uuid: `${id}-${at}`, timestamp: timeOf(story, at), ...more },
    }
  }
  const assistant = (block: object) => {
    const output_tokens = story.output ?? 1000
    const usage = { input_tokens: 0, cache_read_input_tokens: 0, cache_creation_input_tokens: 0, output_tokens }
    const message = { id: `msg-${id}`, role: 'assistant', model: 'claude-opus-4-6', usage, content: [block] }
    return record('assistant', { requestId: `req-${id}`, message })
  }
  const call = (name: string, input: object, result: { text: string; isError?: boolean; structured?: unknown }) => {
    const tool_use_id = `call-${id}-${index}`
    const content = [
      { type: 'tool_result', tool_use_id, content: result.text, ...(result.isError && { is_error: true }) },
    ]
    return [
      assistant({ type: 'tool_use', id: tool_use_id, name, input }),
      record('user', { message: { role: 'user', content }, toolUseResult: result.structured ?? result.text }),
    ]
  }
  const lines = story.steps.flatMap((step): object[] => {
    switch (step.do) {
      case 'say':
        return [record('user', { message: { role: 'user', content: step.text } })]
      case 'reply':
        return [assistant({ type: 'text', text: step.text })]
      case 'run': {
        const text = step.exit ? `Exit code ${step.exit}\n${step.output ?? ''}` : (step.output ?? 'ok')
        return call('Bash', { command: step.command }, { text, isError: Boolean(step.exit) })
      }
      case 'read':
        return call('Read', { file_path: step.path }, { text: '1 line' })
      case 'edit': {
        const input = { file_path: step.path, old_string: 'a', new_string: 'b' }
        if (step.fails === 'not read') {
          const text =
            '<tool_use_error>File has not been read yet. Read it first before writing to it.</tool_use_error>'
          return call('Edit', input, { text, isError: true })
        }
        if (step.fails) {
          const text = '<tool_use_error>String to replace not found in file.\nString: a</tool_use_error>'
          return call('Edit', input, { text, isError: true })
        }
        const structured = { filePath: step.path, oldString: 'a', newString: 'b', structuredPatch: [] }
        return call('Edit', input, { text: `The file ${step.path} has been updated.`, structured })
      }
      case 'plan':
        return call('TodoWrite', { todos: [{ content: `step ${index}`, status: 'pending' }] }, { text: 'ok' })
      case 'call':
        return call(step.tool, step.input, { text: step.error ?? 'ok', isError: step.error !== undefined })
      case 'deny': {
        const text = "The user doesn't want to proceed with this tool use. The tool use was rejected."
        return call('Bash', { command: step.command }, { text, isError: true })
      }
      case 'compact': {
        const compactMetadata = { trigger: 'auto', preTokens: 160_000 }
        return [record('system', { subtype: 'compact_boundary', content: 'Conversation compacted', compactMetadata })]
      }
      case 'interrupt': {
        const content = [{ type: 'text', text: '[Request interrupted by user]' }]
        return [record('user', { message: { role: 'user', content } })]
      }
      default:
        return step satisfies never
    }
  })
  return { path: `.claude/projects/-home-dev-${story.project}/${id}.jsonl`, lines }
}

function codex(story: SessionScript): TranscriptFile {
  const id = idOf(story)
  const cwd = `/home/dev/${story.project}`
  let index = 0
  const line = (type: string, payload: object) => ({ timestamp: timeOf(story, index++), type, payload })
  const item = (payload: object) => line('response_item', payload)
  const exec = (name: string, input: object, output: string) => {
    const call_id = `call_${id}_${index}`
    return [
      item({ type: 'function_call', name, arguments: JSON.stringify(input), call_id }),
      item({ type: 'function_call_output', call_id, output }),
    ]
  }
  const printed = (output: string, exit = 0) =>
    `Chunk ID: 4f2a\nWall time: 0.3 seconds\nProcess exited with code ${exit}\nOriginal token count: 12\nOutput:\n${output}\n`
  const patch = (path: string, fails: boolean) => {
    const call_id = `call_${id}_${index}`
    const input = `*** Begin Patch\n*** Update File: ${path}\n@@\n-a\n+b\n*** End Patch\n`
    const changes = { [path]: { type: 'update', unified_diff: '@@ -1 +1 @@\n-a\n+b\n', move_path: null } }
    return [
      item({ type: 'custom_tool_call', status: 'completed', call_id, name: 'apply_patch', input }),
      ...(fails
        ? []
        : [line('event_msg', { type: 'patch_apply_end', call_id, success: true, changes, status: 'completed' })]),
      item({
        type: 'custom_tool_call_output',
        call_id,
        output: fails
          ? `apply_patch verification failed: Failed to find expected lines in ${path}:\na`
          : 'Exit code: 0\nWall time: 0 seconds\nOutput:\nSuccess. Updated the following files:\n',
      }),
    ]
  }
  const start = { id, timestamp: timeOf(story, 0), cwd, originator: 'codex-tui', cli_version: '0.142.4', source: 'cli' }
  const lines = [
    line('session_meta', start),
    ...story.steps.flatMap((step): object[] => {
      switch (step.do) {
        case 'say':
          return [
            item({ type: 'message', role: 'user', content: [{ type: 'input_text', text: step.text }] }),
            line('event_msg', { type: 'user_message', message: step.text, images: [] }),
          ]
        case 'reply':
          return [item({ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: step.text }] })]
        case 'run':
          return exec('exec_command', { cmd: step.command, workdir: cwd }, printed(step.output ?? 'ok', step.exit))
        case 'read':
          return exec('exec_command', { cmd: `sed -n 1,200p ${step.path}`, workdir: cwd }, printed('1 line'))
        case 'edit':
          return patch(step.path, step.fails !== undefined)
        case 'plan':
          return exec('update_plan', { plan: [{ step: `step ${index}`, status: 'pending' }] }, 'Plan updated')
        case 'call':
          return exec(step.tool, step.input, step.error ? `failed to parse function arguments: ${step.error}` : 'ok')
        case 'deny':
          return exec('exec_command', { cmd: step.command, workdir: cwd }, 'exec command rejected by user')
        case 'compact':
          return [line('compacted', { message: '' })]
        case 'interrupt':
          return [line('event_msg', { type: 'turn_aborted', reason: 'interrupted' })]
        default:
          return step satisfies never
      }
    }),
  ]
  const day = timeOf(story, 0).slice(0, 10)
  const name = `rollout-${day}T08-00-00-${id}.jsonl`
  return { path: `.codex/sessions/${day.replaceAll('-', '/')}/${name}`, lines }
}

function gemini(story: SessionScript): TranscriptFile {
  const id = idOf(story)
  let index = 0
  const message = (type: string, more: object) => {
    const at = index++
    return { id: `m${at}`, timestamp: timeOf(story, at), type, ...more }
  }
  const call = (name: string, args: object, status: string, response: object, resultDisplay: unknown = '') => {
    const callId = `${name}-${story.number}-${index}`
    const result = [{ functionResponse: { id: callId, name, response } }]
    const toolCall = { id: callId, name, args, status, timestamp: timeOf(story, index), result, resultDisplay }
    return [message('gemini', { content: '', thoughts: [], model: 'gemini-3-pro-preview', toolCalls: [toolCall] })]
  }
  const lines = story.steps.flatMap((step): object[] => {
    switch (step.do) {
      case 'say':
        return [message('user', { content: [{ text: step.text }] })]
      case 'reply':
        return [message('gemini', { content: step.text, thoughts: [], model: 'gemini-3-pro-preview' })]
      case 'run': {
        const output = step.exit ? `Output: ${step.output}\nExit Code: ${step.exit}` : `Output: ${step.output ?? 'ok'}`
        return call('run_shell_command', { command: step.command }, 'success', { output })
      }
      case 'read':
        return call('read_file', { file_path: step.path }, 'success', { output: '1 line' })
      case 'edit': {
        const args = { file_path: step.path, old_string: 'a', new_string: 'b' }
        if (step.fails) {
          const error = `Failed to edit, 0 occurrences found for old_string in ${step.path}.`
          return call('replace', args, 'error', { error })
        }
        const shown = { fileDiff: '@@ -1 +1 @@\n-a\n+b\n', filePath: step.path, originalContent: 'a', newContent: 'b' }
        return call('replace', args, 'success', { output: 'Successfully modified file' }, shown)
      }
      case 'plan':
        return call('write_todos', { todos: [`step ${index}`] }, 'success', { output: 'ok' })
      case 'call':
        return call(
          step.tool,
          step.input,
          step.error ? 'error' : 'success',
          step.error ? { error: step.error } : { output: 'ok' },
        )
      case 'deny':
        return call('run_shell_command', { command: step.command }, 'cancelled', {
          error: 'User did not allow tool call',
        })
      case 'compact':
        return [message('user', { content: [{ text: '<state_snapshot>so far</state_snapshot>' }] })]
      case 'interrupt':
        return [message('info', { content: 'Request cancelled.' })]
      default:
        return step satisfies never
    }
  })
  const header = { sessionId: id, projectHash: story.project, startTime: timeOf(story, 0), kind: 'main' }
  const name = `session-2026-01-01T00-00-${id.slice(0, 8)}.jsonl`
  return { path: `.gemini/tmp/${story.project}/chats/${name}`, lines: [header, ...lines] }
}
