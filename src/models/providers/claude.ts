// The claude program as the user has it, signed in as it is, in print mode. Seen with Claude Code 2.1.197 and 2.1.325.

import type { ChildProcess } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod'
import type { Machine } from '../../core/paths.ts'
import type { ModelContext } from '../context.ts'
import { findProgram } from '../find-program.ts'
import {
  failed,
  maxAnswerBytes,
  type Provider,
  type ProviderAvailability,
  type ProviderReply,
  type ProviderRequest,
  type TokenSpend,
} from './provider.ts'

export const claude: Provider = {
  name: 'claude',
  timeoutMs: 60_000,

  async find({ config, machine }): Promise<ProviderAvailability> {
    if (!findProgram('claude', machine)) return { kind: 'missing', reason: 'the claude program is not installed' }
    return { kind: 'found', models: [config.models.claude] }
  },

  async ask(context, request) {
    const path = findProgram('claude', context.machine)
    if (!path) return failed('not installed', { isPassing: false })
    const ran = await runBounded({
      path,
      args: argumentsOf(request),
      input: request.text,
      cwd: emptyFolder(context),
      env: {
        ...withoutSession(context.machine),
        ...isolation,
        CLAUDE_CODE_MAX_OUTPUT_TOKENS: `${request.maxOutputTokens}`,
      },
      timeoutMs: request.timeoutMs,
    })
    return replyOf(ran, request)
  },
}

/** No tools, nothing of the user's settings, servers, skills and files, and nothing kept of it. */
function argumentsOf({ model, system, maxUsd }: ProviderRequest): string[] {
  return [
    '-p',
    ...['--model', model],
    ...['--output-format', 'json'],
    ...['--tools', ''],
    ...['--setting-sources', ''],
    '--strict-mcp-config',
    '--no-session-persistence',
    '--disable-slash-commands',
    ...['--max-budget-usd', maxUsd.toFixed(4)],
    ...['--system-prompt', system],
  ]
}

const isolation = {
  // Hooks of ours that run in spite of everything end at once.
  RECOLLECT_INTERNAL: '1',
  CLAUDE_INVOKED_BY: 'recollect',
  // With the arguments alone, the memory of the repository around our folder still comes in.
  CLAUDE_CODE_DISABLE_AUTO_MEMORY: '1',
  CLAUDE_CODE_SAFE_MODE: '1',
  // Attempts are ours to count; thinking is paid for, and eats up the few tokens of the answer.
  CLAUDE_CODE_MAX_RETRIES: '0',
  CLAUDE_CODE_DISABLE_THINKING: '1',
  CLAUDE_CODE_EFFORT_LEVEL: 'low',
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  DISABLE_AUTOUPDATER: '1',
  DISABLE_TELEMETRY: '1',
  DISABLE_ERROR_REPORTING: '1',
}

/** What a session of Claude Code tells its children, from which we may have been started. Keys and addresses stay. */
function withoutSession({ env, home }: Machine): Record<string, string | undefined> {
  const kept = Object.entries(env).filter(([name]) => !ofSession.test(name))
  return { ...Object.fromEntries(kept), HOME: home }
}

const ofSession =
  /^(?:CLAUDECODE|CLAUDE_PID|CLAUDE_EFFORT|CLAUDE_PROJECT_DIR|CLAUDE_ENV_FILE|CLAUDE_PLUGIN_\w+|AI_AGENT|CLAUDE_CODE_(?:ENTRYPOINT|SESSION_ID|CHILD_SESSION|SSE_PORT|MESSAGING_\w+|ENABLE_TELEMETRY))$/

/** Not the folder of a project: what lies there is none of the judge's business. */
function emptyFolder({ ledger }: ModelContext): string {
  const folder = join(ledger.layout.run, 'judge')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  return folder
}

const envelope = z.object({
  type: z.literal('result'),
  subtype: z.string(),
  is_error: z.boolean(),
  result: z.string().optional(),
  errors: z.array(z.string()).optional(),
  api_error_status: z.number().nullish(),
  total_cost_usd: z.number().catch(0),
  usage: z.record(z.string(), z.unknown()).catch({}),
  modelUsage: z.record(z.string(), z.unknown()).catch({}),
})

/** A whole result counts, whatever happened to the program behind it: it may crash or hang while it tidies up. */
function replyOf(ran: ProgramResult, request: ProviderRequest): ProviderReply {
  const result = resultIn(ran.out)
  if (!result) return withoutResult(ran)
  const spent = spentIn(result, request)
  if (result.is_error || result.subtype !== 'success') return withError(result, spent)
  return { kind: 'said', text: result.result ?? '', spent }
}

type Envelope = z.infer<typeof envelope>

function resultIn(out: string): Envelope | undefined {
  try {
    return envelope.safeParse(JSON.parse(out)).data
  } catch {
    return undefined
  }
}

function withoutResult({ end, out, err }: ProgramResult): ProviderReply {
  const detail = err.trim() || out.trim()
  if (end === 'not started') return failed(end, { detail, isPassing: false })
  if (typeof end === 'string') return failed(end, { detail, isPassing: end !== 'too long', spent: null })
  const option = /unknown option '?(--[\w-]+)/.exec(err)?.[1]
  if (option)
    return failed('too old', { detail: `this claude does not know ${option}: claude update`, isPassing: false })
  // It tells every answer of its server, so without a word it has not come that far; 126 and 127 are what a shell says
  // of a program that is not there.
  return failed(`exit ${end}`, { detail, isPassing: end !== 126 && end !== 127, spent: out === '' ? undefined : null })
}

function withError(
  { api_error_status: status, subtype, result = '', errors }: Envelope,
  spent: TokenSpend,
): ProviderReply {
  const detail = errors?.join(' ') ?? result
  if (status) {
    const isPassing = status >= 500 || status === 429 || status === 408
    return failed(`http ${status}`, { detail, isPassing, spent })
  }
  // A request that got no response; anything else is its own: not signed in, or more than it may cost.
  if (result.startsWith('API Error')) return failed('no connection', { detail, spent })
  return failed(subtype === 'success' ? 'error' : subtype, { detail, isPassing: false, spent })
}

function spentIn({ usage, modelUsage, total_cost_usd: costUsd }: Envelope, request: ProviderRequest): TokenSpend {
  const count = (name: string) => (typeof usage[name] === 'number' ? usage[name] : 0)
  return {
    model: Object.keys(modelUsage)[0] ?? request.model,
    inputTokens: count('input_tokens') + count('cache_creation_input_tokens') + count('cache_read_input_tokens'),
    outputTokens: count('output_tokens'),
    costUsd,
  }
}

// A program that is given a text and answers on its output, with an end: in time, in size, and of everything it started.

interface ProgramCall {
  path: string
  args: string[]
  /** On its standard input: an argument could be read by everyone on the machine. */
  input: string
  cwd: string
  env: Record<string, string | undefined>
  timeoutMs: number
}

interface ProgramResult {
  out: string
  err: string
  /** Its exit code, or what came before it could give one. */
  end: number | 'timeout' | 'too long' | 'killed' | 'not started'
}

function runBounded({ path, args, input, cwd, env, timeoutMs }: ProgramCall): Promise<ProgramResult> {
  const { spawn } = process.getBuiltinModule('node:child_process')
  const child = spawn(path, args, {
    cwd,
    env,
    stdio: 'pipe',
    detached: process.platform !== 'win32',
    windowsHide: true,
  })
  const ran: ProgramResult = { out: '', err: '', end: 'killed' }
  return new Promise((resolve) => {
    let isOver = false
    const finish = (end: ProgramResult['end']) => {
      if (isOver) return
      isOver = true
      clearTimeout(tooLate)
      forget()
      endGroup(child)
      for (const stream of child.stdio) stream?.destroy()
      resolve({ ...ran, end })
    }
    const forget = endWithUs(child)
    const tooLate = setTimeout(() => finish('timeout'), timeoutMs)
    child.on('error', (error) => {
      ran.err ||= error.message
      finish('not started')
    })
    collect(child, ran, () => finish('too long'))
    // Who was started by it may keep the output open for longer than the program lives.
    child.on('exit', (code) => setTimeout(() => finish(code ?? 'killed'), 1000).unref())
    child.on('close', (code) => finish(code ?? 'killed'))
    child.stdin.on('error', () => {}) // it ended without reading: its output tells why
    child.stdin.end(input)
  })
}

function collect({ stdout, stderr }: ChildProcess, ran: ProgramResult, onTooLong: () => void): void {
  let bytes = 0
  stdout!.setEncoding('utf8').on('data', (piece: string) => {
    bytes += Buffer.byteLength(piece)
    if (bytes > maxAnswerBytes) onTooLong()
    else ran.out += piece
  })
  stderr!.setEncoding('utf8').on('data', (piece: string) => {
    if (ran.err.length < 10_000) ran.err += piece
  })
}

/** The program and everything it started that is still there. */
function endGroup(child: ChildProcess): void {
  if (child.pid === undefined) return
  try {
    if (process.platform === 'win32') child.kill('SIGKILL')
    else process.kill(-child.pid, 'SIGKILL')
  } catch {
    // All of it has ended.
  }
}

/** In a group of its own the program does not hear that we are told to end. Call the result when it has ended. */
function endWithUs(child: ChildProcess): () => void {
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
  const onExit = () => endGroup(child)
  const onSignal = (signal: NodeJS.Signals) => {
    forget()
    endGroup(child)
    process.kill(process.pid, signal)
  }
  const forget = () => {
    process.off('exit', onExit)
    for (const signal of signals) process.off(signal, onSignal)
  }
  process.on('exit', onExit)
  for (const signal of signals) process.on(signal, onSignal)
  return forget
}
