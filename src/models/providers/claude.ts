// Runs the user's own claude program in print mode, signed in as it is. Seen with Claude Code
// 2.1.197 and 2.1.325.

import type { ChildProcess } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod'
import { judgeFolder, type Machine } from '../../core/paths.ts'
import type { ModelContext } from '../context.ts'
import { findProgram } from '../find-program.ts'
import {
  failed,
  maxAnswerBytes,
  type Provider,
  type ProviderAvailability,
  type ProviderReply,
  type ProviderRequest,
  remedyOf,
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
    if (!path) return failed('not installed', { remedy: 'user' })
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

/**
 * Whether the program is signed in, by its own account; undefined if it cannot tell, as versions
 * before `auth status`. Those take the words for a question, so no server is reachable for it.
 */
export async function isSignedIn(context: ModelContext): Promise<boolean | undefined> {
  const path = findProgram('claude', context.machine)
  if (!path) return false
  const { out } = await runBounded({
    path,
    args: ['auth', 'status'],
    input: '',
    cwd: emptyFolder(context),
    env: { ...withoutSession(context.machine), ...isolation, ANTHROPIC_BASE_URL: 'http://127.0.0.1:9' },
    timeoutMs: 5000,
  })
  try {
    return signInStatus.safeParse(JSON.parse(out)).data?.loggedIn
  } catch {
    return undefined
  }
}

const signInStatus = z.object({ loggedIn: z.boolean() })

/** No tools, no settings, servers, skills or files of the user, and no session is stored. */
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
  // Our own hooks exit at once if they run nevertheless.
  RECOLLECT_INTERNAL: '1',
  CLAUDE_INVOKED_BY: 'recollect',
  // With the arguments alone, memory of the repository around our folder is still loaded.
  CLAUDE_CODE_DISABLE_AUTO_MEMORY: '1',
  CLAUDE_CODE_SAFE_MODE: '1',
  // Retries are counted here. Thinking costs money and uses up the few tokens of the answer.
  CLAUDE_CODE_MAX_RETRIES: '0',
  CLAUDE_CODE_DISABLE_THINKING: '1',
  CLAUDE_CODE_EFFORT_LEVEL: 'low',
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  DISABLE_AUTOUPDATER: '1',
  DISABLE_TELEMETRY: '1',
  DISABLE_ERROR_REPORTING: '1',
}

/**
 * Removes what a session of Claude Code passes to child processes, since we may be one. Keys and
 * addresses stay.
 */
function withoutSession({ env, home }: Machine): Record<string, string | undefined> {
  const kept = Object.entries(env).filter(([name]) => !ofSession.test(name))
  return { ...Object.fromEntries(kept), HOME: home }
}

const ofSession =
  /^(?:CLAUDECODE|CLAUDE_PID|CLAUDE_EFFORT|CLAUDE_PROJECT_DIR|CLAUDE_ENV_FILE|CLAUDE_PLUGIN_\w+|AI_AGENT|CLAUDE_CODE_(?:ENTRYPOINT|SESSION_ID|CHILD_SESSION|SSE_PORT|MESSAGING_\w+|ENABLE_TELEMETRY))$/

/** Not a project folder: the judge must not see its files. */
function emptyFolder({ ledger }: ModelContext): string {
  const folder = join(ledger.layout.run, judgeFolder)
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

/** A complete result counts even if the program crashed or hung afterwards, while cleaning up. */
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
  if (end === 'not started') return failed(end, { detail, remedy: 'user' })
  if (typeof end === 'string')
    return failed(end, { detail, remedy: end === 'too long' ? 'later' : 'retry', spent: null })
  const option = /unknown option '?(--[\w-]+)/.exec(err)?.[1]
  if (option) return failed('too old', { detail: `this claude does not know ${option}: claude update`, remedy: 'user' })
  // It reports every answer of its server, so without output it did not get that far. A shell exits
  // with 126 or 127 if the program is missing.
  const remedy = end === 126 || end === 127 ? 'user' : 'retry'
  return failed(`exit ${end}`, { detail, remedy, spent: out === '' ? undefined : null })
}

function withError(
  { api_error_status: status, subtype, result = '', errors }: Envelope,
  spent: TokenSpend,
): ProviderReply {
  const detail = errors?.join(' ') ?? result
  if (status) return failed(`http ${status}`, { detail, remedy: remedyOf(status), spent })
  // The request got no response. Other errors are local: not signed in, or over the cost limit.
  if (result.startsWith('API Error')) return failed('no connection', { detail, spent })
  if (subtype === 'success') return failed('error', { detail, remedy: 'user', spent })
  return failed(subtype, { detail, remedy: 'later', spent })
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

// Runs a program that reads a text and answers on its output, with limits of time and size. Ends
// everything that it started.

interface ProgramCall {
  path: string
  args: string[]
  /** Via standard input: arguments are visible to everyone on the machine. */
  input: string
  cwd: string
  env: Record<string, string | undefined>
  timeoutMs: number
}

interface ProgramResult {
  out: string
  err: string
  /** Exit code, or why there is none. */
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
    // A child of the program may keep the output open after the program has ended.
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

/** Kills the program and everything it started. */
function endGroup(child: ChildProcess): void {
  if (child.pid === undefined) return
  try {
    if (process.platform === 'win32') child.kill('SIGKILL')
    else process.kill(-child.pid, 'SIGKILL')
  } catch {
    // All have ended.
  }
}

/**
 * In its own process group the program does not get our signals, so they are forwarded. Call the
 * result when the program has ended.
 */
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
