// One story of a session, written down as three agents would: Claude Code 2.1, Codex 0.142 and Gemini CLI.

export type Step =
  | { do: 'say'; text: string }
  | { do: 'reply'; text: string }
  /** A run that is killed has no result. */
  | { do: 'run'; command: string; output?: string; exit?: number; isKilled?: boolean }
  | { do: 'read'; path: string }
  /** `fails` is what the agent's own tool says. */
  | { do: 'edit'; path: string; from?: string; to?: string; fails?: 'not found' | 'not read' }
  | { do: 'plan' }
  | { do: 'call'; tool: string; input: Record<string, unknown>; output?: string; error?: string }
  | { do: 'deny'; command: string }
  | { do: 'compact'; summary?: string }
  | { do: 'interrupt' }
  /** The agent or its model service failed, or a usage limit was reached. */
  | { do: 'fail'; text: string }
  /** A slash command of the person with what it printed. Codex does not record these. */
  | { do: 'command'; text: string; output?: string }
  /** The title that the agent gives the session. */
  | { do: 'title'; text: string }
  | { do: 'wait'; minutes: number }

export interface SessionScript {
  agent: 'claude-code' | 'codex' | 'gemini-cli'
  number: number
  project: string
  /** Folder of the session, if it is not that of the project. */
  cwd?: string
  branch?: string
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

/** The id that the program gives the session. */
export function sessionIdOf(story: SessionScript): string {
  return `${story.agent}:${idOf(story)}`
}

function idOf({ number }: SessionScript): string {
  return `${number.toString(16).padStart(8, '0')}-0000-4000-8000-000000000000`
}

function folderOf({ cwd, project }: SessionScript): string {
  return cwd ?? `/home/dev/${project}`
}

/** Times of the records of a session, three seconds apart. */
interface RecordClock {
  next(): string
  wait(minutes: number): void
}

function clockOf({ startedMs }: SessionScript): RecordClock {
  let nowMs = startedMs
  return {
    next() {
      const time = new Date(nowMs).toISOString()
      nowMs += 3000
      return time
    },
    wait(minutes) {
      nowMs += minutes * 60_000
    },
  }
}

function claude(story: SessionScript): TranscriptFile {
  const id = idOf(story)
  const cwd = folderOf(story)
  const gitBranch = story.branch ?? 'main'
  const clock = clockOf(story)
  let index = 0
  const record = (type: string, more: object) => {
    const at = index++
    return {
      ...{ type, sessionId: id, cwd, version: '2.1.219', gitBranch, isSidechain: false },
      ...{ parentUuid: at === 0 ? null : `${id}-${at - 1}`, uuid: `${id}-${at}`, timestamp: clock.next(), ...more },
    }
  }
  const user = (content: string | object[], more: object = {}) =>
    record('user', { message: { role: 'user', content }, ...more })
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
      user(content, { toolUseResult: result.structured ?? result.text }),
    ]
  }
  const lines = story.steps.flatMap((step): object[] => {
    switch (step.do) {
      case 'say':
        return [user(step.text)]
      case 'reply':
        return [assistant({ type: 'text', text: step.text })]
      case 'run': {
        if (step.isKilled) return call('Bash', { command: step.command }, { text: '' }).slice(0, 1)
        const text = step.exit ? `Exit code ${step.exit}\n${step.output ?? ''}` : (step.output ?? 'ok')
        return call('Bash', { command: step.command }, { text, isError: Boolean(step.exit) })
      }
      case 'read':
        return call('Read', { file_path: step.path }, { text: '1 line' })
      case 'edit': {
        const { path, from = 'a', to = 'b' } = step
        const input = { file_path: path, old_string: from, new_string: to }
        if (step.fails === 'not read') {
          const text =
            '<tool_use_error>File has not been read yet. Read it first before writing to it.</tool_use_error>'
          return call('Edit', input, { text, isError: true })
        }
        if (step.fails) {
          const text = `<tool_use_error>String to replace not found in file.\nString: ${from}</tool_use_error>`
          return call('Edit', input, { text, isError: true })
        }
        const structured = { filePath: path, oldString: from, newString: to, structuredPatch: [] }
        return call('Edit', input, { text: `The file ${path} has been updated.`, structured })
      }
      case 'plan':
        return call('TodoWrite', { todos: [{ content: `step ${index}`, status: 'pending' }] }, { text: 'ok' })
      case 'call':
        return call(step.tool, step.input, {
          text: step.error ?? step.output ?? 'ok',
          isError: step.error !== undefined,
        })
      case 'deny': {
        const text = "The user doesn't want to proceed with this tool use. The tool use was rejected."
        return call('Bash', { command: step.command }, { text, isError: true })
      }
      case 'compact': {
        const compactMetadata = { trigger: 'auto', preTokens: 160_000 }
        const boundary = { subtype: 'compact_boundary', content: 'Conversation compacted', compactMetadata }
        const said = `This session is being continued from a previous conversation.\n\n${step.summary}`
        return [
          record('system', boundary),
          ...(step.summary ? [user(said, { isCompactSummary: true, isVisibleInTranscriptOnly: true })] : []),
        ]
      }
      case 'interrupt':
        return [user([{ type: 'text', text: '[Request interrupted by user]' }])]
      case 'fail': {
        const content = [{ type: 'text', text: step.text }]
        const message = { id: `error-${id}-${index}`, role: 'assistant', model: '<synthetic>', content }
        return [record('assistant', { isApiErrorMessage: true, error: 'unknown', message })]
      }
      case 'command': {
        const [name, args] = commandParts(step.text)
        const typed = `<command-name>/${name}</command-name>\n<command-message>${name}</command-message>\n<command-args>${args}</command-args>`
        const printed = `<local-command-stdout>${step.output ?? ''}</local-command-stdout>`
        return [user(typed), user(printed)]
      }
      case 'title':
        return [{ type: 'ai-title', aiTitle: step.text, sessionId: id }]
      case 'wait':
        clock.wait(step.minutes)
        return []
      default:
        return step satisfies never
    }
  })
  return { path: `.claude/projects/${cwd.replace(/[^A-Za-z0-9]/g, '-')}/${id}.jsonl`, lines }
}

/** `/model opus` as `model` and `opus`. */
function commandParts(text: string): [name: string, args: string] {
  const [, name = '', args = ''] = /^\/(\S+)\s*([\s\S]*)$/.exec(text) ?? []
  return [name, args]
}

function codex(story: SessionScript): TranscriptFile {
  const id = idOf(story)
  const cwd = folderOf(story)
  const clock = clockOf(story)
  let index = 0
  const line = (type: string, payload: object) => {
    index++
    return { timestamp: clock.next(), type, payload }
  }
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
  const patch = ({ path, from = 'a', to = 'b', fails }: Extract<Step, { do: 'edit' }>) => {
    const call_id = `call_${id}_${index}`
    const hunk = `${marked('-', from)}${marked('+', to)}`
    const input = `*** Begin Patch\n*** Update File: ${path}\n@@\n${hunk}*** End Patch\n`
    const changes = { [path]: { type: 'update', unified_diff: `@@ -1 +1 @@\n${hunk}`, move_path: null } }
    return [
      item({ type: 'custom_tool_call', status: 'completed', call_id, name: 'apply_patch', input }),
      ...(fails
        ? []
        : [line('event_msg', { type: 'patch_apply_end', call_id, success: true, changes, status: 'completed' })]),
      item({
        type: 'custom_tool_call_output',
        call_id,
        output: fails
          ? `apply_patch verification failed: Failed to find expected lines in ${path}:\n${from}`
          : 'Exit code: 0\nWall time: 0 seconds\nOutput:\nSuccess. Updated the following files:\n',
      }),
    ]
  }
  const timestamp = new Date(story.startedMs).toISOString()
  const git = story.branch ? { git: { branch: story.branch } } : {}
  const start = { id, timestamp, cwd, originator: 'codex-tui', cli_version: '0.142.4', source: 'cli', ...git }
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
        case 'run': {
          const records = exec(
            'exec_command',
            { cmd: step.command, workdir: cwd },
            printed(step.output ?? 'ok', step.exit),
          )
          return step.isKilled ? records.slice(0, 1) : records
        }
        case 'read':
          return exec('exec_command', { cmd: `sed -n 1,200p ${step.path}`, workdir: cwd }, printed('1 line'))
        case 'edit':
          return patch(step)
        case 'plan':
          return exec('update_plan', { plan: [{ step: `step ${index}`, status: 'pending' }] }, 'Plan updated')
        case 'call':
          return exec(
            step.tool,
            step.input,
            step.error ? `failed to parse function arguments: ${step.error}` : (step.output ?? 'ok'),
          )
        case 'deny':
          return exec('exec_command', { cmd: step.command, workdir: cwd }, 'exec command rejected by user')
        case 'compact':
          return [line('compacted', { message: step.summary ?? '' })]
        case 'interrupt':
          return [line('event_msg', { type: 'turn_aborted', reason: 'interrupted' })]
        case 'fail':
          return [line('event_msg', { type: 'error', message: step.text })]
        case 'command':
          return []
        case 'title':
          return [line('event_msg', { type: 'thread_name_updated', thread_name: step.text })]
        case 'wait':
          clock.wait(step.minutes)
          return []
        default:
          return step satisfies never
      }
    }),
  ]
  const day = timestamp.slice(0, 10)
  const name = `rollout-${day}T08-00-00-${id}.jsonl`
  return { path: `.codex/sessions/${day.replaceAll('-', '/')}/${name}`, lines }
}

/** Lines of a text as lines of a diff. */
function marked(mark: '-' | '+', text: string): string {
  return text
    .split('\n')
    .map((line) => `${mark}${line}\n`)
    .join('')
}

function gemini(story: SessionScript): TranscriptFile {
  const id = idOf(story)
  const clock = clockOf(story)
  let index = 0
  const message = (type: string, more: object) => ({ id: `m${index++}`, timestamp: clock.next(), type, ...more })
  const call = (name: string, args: object, status: string, response: object, resultDisplay: unknown = '') => {
    const callId = `${name}-${story.number}-${index}`
    const result = [{ functionResponse: { id: callId, name, response } }]
    const toolCall = { id: callId, name, args, status, timestamp: clock.next(), result, resultDisplay }
    return [message('gemini', { content: '', thoughts: [], model: 'gemini-3-pro-preview', toolCalls: [toolCall] })]
  }
  const lines = story.steps.flatMap((step): object[] => {
    switch (step.do) {
      case 'say':
        return [message('user', { content: [{ text: step.text }] })]
      case 'reply':
        return [message('gemini', { content: step.text, thoughts: [], model: 'gemini-3-pro-preview' })]
      case 'run': {
        if (step.isKilled) return call('run_shell_command', { command: step.command }, 'executing', {})
        const output = step.exit ? `Output: ${step.output}\nExit Code: ${step.exit}` : `Output: ${step.output ?? 'ok'}`
        return call('run_shell_command', { command: step.command }, 'success', { output })
      }
      case 'read':
        return call('read_file', { file_path: step.path }, 'success', { output: '1 line' })
      case 'edit': {
        const { path, from = 'a', to = 'b' } = step
        const args = { file_path: path, old_string: from, new_string: to }
        if (step.fails) {
          const error = `Failed to edit, 0 occurrences found for old_string in ${path}.`
          return call('replace', args, 'error', { error })
        }
        const fileDiff = `@@ -1 +1 @@\n${marked('-', from)}${marked('+', to)}`
        const shown = { fileDiff, filePath: path, originalContent: from, newContent: to }
        return call('replace', args, 'success', { output: 'Successfully modified file' }, shown)
      }
      case 'plan':
        return call('write_todos', { todos: [`step ${index}`] }, 'success', { output: 'ok' })
      case 'call':
        return call(
          step.tool,
          step.input,
          step.error ? 'error' : 'success',
          step.error ? { error: step.error } : { output: step.output ?? 'ok' },
        )
      case 'deny':
        return call('run_shell_command', { command: step.command }, 'cancelled', {
          error: 'User did not allow tool call',
        })
      case 'compact':
        return [
          message('user', { content: [{ text: `<state_snapshot>${step.summary ?? 'so far'}</state_snapshot>` }] }),
        ]
      case 'interrupt':
        return [message('info', { content: 'Request cancelled.' })]
      case 'fail':
        return [message('error', { content: step.text })]
      case 'command':
        return [
          message('user', { content: [{ text: step.text }] }),
          ...(step.output ? [message('info', { content: step.output })] : []),
        ]
      case 'title':
        return [{ $set: { summary: step.text } }]
      case 'wait':
        clock.wait(step.minutes)
        return []
      default:
        return step satisfies never
    }
  })
  const header = {
    sessionId: id,
    projectHash: story.project,
    startTime: new Date(story.startedMs).toISOString(),
    kind: 'main',
  }
  const name = `session-2026-01-01T00-00-${id.slice(0, 8)}.jsonl`
  return { path: `.gemini/tmp/${story.project}/chats/${name}`, lines: [header, ...lines] }
}
