// Talks to a running `claude` over standard input and output: sends the task, then answers every
// tool call. The policy in this process is asked twice, by a hook before any tool and by the
// permission prompt. It fails closed: a missing answer or the end of this process is a refusal. A
// hook command would be one more program to find and start, and one that fails to start lets the
// call pass.
import type { ChildProcess, ChildProcessWithoutNullStreams } from 'node:child_process'
import { createInterface } from 'node:readline'
import * as z from 'zod'
import { runProgram } from '../../core/shell/run-program.ts'
import type { ToolPermission } from './policy.ts'

export interface ConversationOptions {
  program: string
  args: string[]
  cwd: string
  env: Record<string, string | undefined>
  prompt: string
  timeoutMs: number
  platform: NodeJS.Platform
  permit(call: ForkToolCall): ToolPermission
  onMessage(message: ForkMessage): void
}

export type ConversationEnd =
  | { kind: 'result'; result: ForkResultMessage }
  | { kind: 'late' }
  | { kind: 'broken'; complaint: string }

export async function converse(talk: ConversationOptions): Promise<ConversationEnd> {
  const { spawn } = process.getBuiltinModule('node:child_process')
  const { program, args, cwd, env, platform } = talk
  // In its own process group, so that everything it started ends with it.
  const child = spawn(program, args, { cwd, env, stdio: 'pipe', detached: platform !== 'win32', windowsHide: true })
  const timers: NodeJS.Timeout[] = []
  const endIn = (ms: number, note = () => {}) => {
    const end = () => {
      note()
      endGroup(child, platform)
    }
    timers.push(setTimeout(end, ms).unref())
  }
  let complaint = ''
  let isLate = false
  const closed = new Promise((resolve) => child.once('close', resolve))
  child.on('error', (error) => (complaint += error.message))
  child.stdin.on('error', () => {}) // it has ended, which `close` reports
  child.stderr.setEncoding('utf8').on('data', (text: string) => (complaint = (complaint + text).slice(-1000)))
  endIn(talk.timeoutMs, () => {
    isLate = true
  })
  try {
    const result = await talkTo(child, talk, () => endIn(graceMs))
    await closed
    if (result) return { kind: 'result', result }
    return isLate ? { kind: 'late' } : { kind: 'broken', complaint: complaint.trim() }
  } finally {
    for (const timer of timers) clearTimeout(timer)
    endGroup(child, platform)
  }
}

/** Reads until the end of output; returns the result if there is one. */
async function talkTo(
  child: ChildProcessWithoutNullStreams,
  talk: ConversationOptions,
  done: () => void,
): Promise<ForkResultMessage | undefined> {
  const say = (value: object) => child.stdin.write(`${JSON.stringify(value)}\n`)
  let result: ForkResultMessage | undefined
  say({ type: 'control_request', request_id: 'begin', request: { subtype: 'initialize', hooks: everyTool } })
  say({ type: 'user', message: { role: 'user', content: talk.prompt }, parent_tool_use_id: null, session_id: '' })
  for await (const line of createInterface({ input: child.stdout })) {
    const message = parseMessage(line)
    if (message === undefined) continue
    talk.onMessage(message)
    if (message.type === 'control_request') say(answerTo(message, talk))
    if (message.type === 'result') {
      result = message
      child.stdin.end()
      done()
    }
  }
  return result
}

const graceMs = 5000
const everyTool = { PreToolUse: [{ matcher: '', hookCallbackIds: ['policy'] }] }

function answerTo(request: ControlRequest, { permit }: ConversationOptions): object {
  const answer = (response: object) => ({
    type: 'control_response',
    response: { request_id: request.request_id, ...response },
  })
  const { subtype } = request.request
  if (subtype !== 'hook_callback' && subtype !== 'can_use_tool')
    return answer({ subtype: 'error', error: 'not supported' })
  const call = toolCallOf(request)
  const permission = permit(call)
  const response = subtype === 'hook_callback' ? hookAnswer(permission) : promptAnswer(permission, call)
  return answer({ subtype: 'success', response })
}

function hookAnswer(permission: ToolPermission): object {
  return {
    hookSpecificOutput: {
      hookEventName: 'PreToolUse',
      permissionDecision: permission.kind,
      permissionDecisionReason: permission.kind === 'deny' ? permission.reason : 'within its task',
    },
  }
}

function promptAnswer(permission: ToolPermission, { input }: ForkToolCall): object {
  if (permission.kind === 'deny') return { behavior: 'deny', message: permission.reason }
  return { behavior: 'allow', updatedInput: input }
}

function endGroup({ pid }: ChildProcess, platform: NodeJS.Platform): void {
  if (pid === undefined) return
  if (platform === 'win32') {
    runProgram('taskkill', ['/pid', String(pid), '/t', '/f'], { stdio: 'ignore' })
    return
  }
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // All have ended.
  }
}

// Messages of Claude Code 2.1.325 with --output-format stream-json, as far as they are used here.

const count = z.number().catch(0)

const usage = z.object({
  input_tokens: count,
  output_tokens: count,
  cache_read_input_tokens: count,
  cache_creation_input_tokens: count,
  cache_creation: z.object({ ephemeral_1h_input_tokens: count }).optional().catch(undefined),
})

const message = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('control_request'),
    request_id: z.string(),
    request: z.object({ subtype: z.string(), tool_name: z.string().catch(''), input: z.unknown().optional() }),
  }),
  z.object({ type: z.literal('assistant'), message: z.object({ id: z.string(), model: z.string(), usage }) }),
  z.object({
    type: z.literal('result'),
    subtype: z.string(),
    is_error: z.boolean().catch(true),
    num_turns: count,
    result: z.string().catch(''),
    errors: z.array(z.string()).catch([]),
    usage: usage.optional().catch(undefined),
  }),
])

export type ForkMessage = z.infer<typeof message>
type ControlRequest = Extract<ForkMessage, { type: 'control_request' }>
type ForkResultMessage = Extract<ForkMessage, { type: 'result' }>
export type MessageUsage = z.infer<typeof usage>

/** One line of output; undefined for other messages. */
function parseMessage(line: string): ForkMessage | undefined {
  try {
    return message.safeParse(JSON.parse(line)).data
  } catch {
    return undefined
  }
}

/** Input of the hook that runs before any tool, whatever the user's settings are. */
const hookInput = z.object({
  tool_name: z.string(),
  tool_input: z.unknown().optional(),
  cwd: z.string().optional().catch(undefined),
})

export interface ForkToolCall {
  tool: string
  input: unknown
  /** Base of relative paths, if given. */
  cwd?: string | undefined
}

/** The tool call of a control request. An unreadable one has an empty tool name. */
function toolCallOf({ request }: ControlRequest): ForkToolCall {
  if (request.subtype === 'can_use_tool') return { tool: request.tool_name, input: request.input }
  const { data } = hookInput.safeParse(request.input)
  return { tool: data?.tool_name ?? '', input: data?.tool_input, cwd: data?.cwd }
}
