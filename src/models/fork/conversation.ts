// The talk with a running `claude` over its standard input and output: the task, then an answer to every tool call. The policy
// sits in this process and is asked twice, by a hook before any tool and by the permission prompt. Nothing opens when something
// breaks: an answer that does not come, or an end of this process, is a refusal to the other side. A hook that is a command of
// its own would be one more program to find and start, and one that fails to start lets the call pass.
import type { ChildProcess, ChildProcessWithoutNullStreams } from 'node:child_process'
import { createInterface } from 'node:readline'
import * as z from 'zod'
import { runProgram } from '../../core/run-program.ts'
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
  heard(message: ForkMessage): void
}

export type ConversationEnd =
  | { kind: 'result'; result: ForkResultMessage }
  | { kind: 'late' }
  | { kind: 'broken'; complaint: string }

export async function converse(talk: ConversationOptions): Promise<ConversationEnd> {
  const { spawn } = process.getBuiltinModule('node:child_process')
  const { program, args, cwd, env, platform } = talk
  // A group of its own, so that whatever it started ends with it.
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
  child.stdin.on('error', () => {}) // it has ended: told by its end
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

/** Until it has nothing more to say; its result, if it came to one. */
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
    talk.heard(message)
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
    // all of it has ended
  }
}

// What Claude Code 2.1.325 writes with --output-format stream-json, as far as it matters here.

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

/** One line of its output; undefined for everything that is of no interest. */
function parseMessage(line: string): ForkMessage | undefined {
  try {
    return message.safeParse(JSON.parse(line)).data
  } catch {
    return undefined
  }
}

/** Before a tool runs, whatever the user's settings say. */
const hookInput = z.object({
  tool_name: z.string(),
  tool_input: z.unknown().optional(),
  cwd: z.string().optional().catch(undefined),
})

export interface ForkToolCall {
  tool: string
  input: unknown
  /** Where relative paths begin, when it is told. */
  cwd?: string | undefined
}

/** The call that a control request is about; one that cannot be read is one of a tool without a name. */
function toolCallOf({ request }: ControlRequest): ForkToolCall {
  if (request.subtype === 'can_use_tool') return { tool: request.tool_name, input: request.input }
  const { data } = hookInput.safeParse(request.input)
  return { tool: data?.tool_name ?? '', input: data?.tool_input, cwd: data?.cwd }
}
