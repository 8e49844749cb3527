// The forked judge: the user's own `claude` continues a session as a fork, with the session's whole context out of the cache, and
// writes down what is worth remembering. It needs nothing that is not installed. What it wrote is only read here; what becomes
// of it is for admission to say.
import { realpathSync, statSync } from 'node:fs'
import { sep } from 'node:path'
import type { Clock } from '../../core/clock.ts'
import type { Machine } from '../../core/paths.ts'
import type { Usage } from '../../core/session.ts'
import { oneLine, truncate } from '../../text/truncate.ts'
import { forkArguments, forkEnvironment, forkPrompt, maxTurns } from './command.ts'
import type { ConversationEnd, ForkMessage, ForkToolCall, MessageUsage } from './conversation.ts'
import { type ForkScope, permit, type ToolPermission } from './policy.ts'
import { makeStaging, readStaging, removeStaging, type StagedFile } from './workspace.ts'

export interface ForkRequest {
  /** Claude Code's own id of the session. */
  session: string
  /** The folder in which the session was started. */
  cwd: string
  /** Claude Code's folder with the session in it: `~/.claude` or another home. */
  configDir: string
  machine: Machine
  /** Where `claude` lies. */
  program: string
  /** That of the session; any other shares no cache. */
  model?: string
  /** How many of the latest messages nobody has judged. */
  newMessages: number
  /** One line per memory that exists: type, id, date, description. */
  manifest: string
  maxUsd: number
  timeoutMs: number
  /** `layout.run`: the staging folder is made below it. */
  run: string
  clock: Clock
  redact(text: string): string
}

export type ForkResult =
  | { kind: 'done'; files: StagedFile[]; isCutShort: boolean; refused: RefusedCall[]; spent: ForkUsage }
  | { kind: 'failed'; reason: string; refused: RefusedCall[]; spent: ForkUsage }

export interface RefusedCall {
  tool: string
  reason: string
}

/** How long a fork may take: the soft limit of whoever waits for it. */
export const forkTimeoutMs = 60_000

export async function runFork(request: ForkRequest): Promise<ForkResult> {
  const { clock, machine, maxUsd } = request
  const startedMs = clock.nowMs()
  const meter = createUsageMeter()
  const refused: RefusedCall[] = []
  const { priceOf } = await import('../../core/prices.ts')
  const spent = () => meter.total(priceOf, maxUsd, clock.nowMs() - startedMs)
  const failed = (reason: string): ForkResult => ({ kind: 'failed', reason, refused, spent: spent() })
  if (request.newMessages < 1) return { kind: 'done', files: [], isCutShort: false, refused, spent: spent() }
  if (!/^[\w-]{1,100}$/.test(request.session)) return failed('the session has no id that can be resumed')
  if (!isFolder(request.cwd)) return failed(`the folder of the session is gone: ${request.cwd}`)

  const staging = makeStaging(request.run, clock)
  try {
    const territory = territoryOf(request, staging)
    const decide = ({ tool, input, cwd }: ForkToolCall): ToolPermission => {
      const permission = permit(tool, input, cwd === undefined ? territory : territoryAt(cwd, territory))
      if (permission.kind === 'deny') refused.push({ tool, reason: permission.reason })
      return permission
    }
    const { converse } = await import('./conversation.ts')
    const ending = await converse({
      program: request.program,
      args: forkArguments(request),
      cwd: request.cwd,
      env: forkEnvironment(machine, request.configDir),
      prompt: forkPrompt({ ...request, staging, nowMs: clock.nowMs() }),
      timeoutMs: request.timeoutMs,
      platform: machine.platform,
      permit: decide,
      heard: (message: ForkMessage) => meter.add(message),
    })
    const files = readStaging(staging).map((file) => ({ ...file, text: request.redact(file.text) }))
    const outcome = outcomeOf(ending, files.length, request.timeoutMs)
    if (outcome.kind === 'failed') return failed(request.redact(outcome.reason))
    return { kind: 'done', files, isCutShort: outcome.isCutShort, refused, spent: spent() }
  } finally {
    removeStaging(staging)
  }
}

/** Who works in the home itself, or above it, has everything in the project, keys included: then nothing is read at all. */
function territoryOf({ cwd, machine }: ForkRequest, staging: string): ForkScope {
  const folder = realpathSync(cwd)
  const home = isFolder(machine.home) ? realpathSync(machine.home) : machine.home
  const isAroundHome = `${home}${sep}`.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`)
  return { cwd: folder, staging, readable: isAroundHome ? [staging] : [folder, staging] }
}

/** A session that was in a worktree may go on there: paths would not mean what they seem to. */
function territoryAt(cwd: string, territory: ForkScope): ForkScope {
  const isThere = isFolder(cwd) && realpathSync(cwd) === territory.cwd
  return isThere ? territory : { ...territory, cwd, readable: [territory.staging] }
}

type Outcome = { kind: 'done'; isCutShort: boolean } | { kind: 'failed'; reason: string }

/** Files are whole or not there: what was written before a limit was reached counts. */
function outcomeOf(ending: ConversationEnd, files: number, timeoutMs: number): Outcome {
  switch (ending.kind) {
    case 'late':
      return { kind: 'failed', reason: `not done after ${Math.round(timeoutMs / 1000)} s` }
    case 'broken':
      return { kind: 'failed', reason: truncate(oneLine(ending.complaint), 300) || 'claude ended without a result' }
    case 'result': {
      const { subtype, is_error, result, errors } = ending.result
      if (subtype === 'success' && !is_error) return { kind: 'done', isCutShort: false }
      const limit = limits[subtype]
      if (limit && files > 0) return { kind: 'done', isCutShort: true }
      return { kind: 'failed', reason: limit ?? (truncate(oneLine([result, ...errors].join(' ')), 300) || subtype) }
    }
    default:
      return ending satisfies never
  }
}

const limits: Record<string, string> = {
  error_max_turns: `nothing written in ${maxTurns} turns`,
  error_max_budget_usd: 'nothing written for the money that it may cost',
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
}

/** What a run has used up, also one that failed. */
interface ForkUsage {
  turns: number
  tokens: { input: number; cacheRead: number; cacheWrite: number; output: number }
  /** How much of what the model read came out of the cache, 0 to 1. */
  cacheReadShare: number
  costUsd: number
  ms: number
}

interface UsageMeter {
  add(message: ForkMessage): void
  total(priceOf: (usage: Usage) => number | null, maxUsd: number, ms: number): ForkUsage
}

type Counts = Pick<Usage, 'input' | 'cacheRead' | 'cacheWrite' | 'cacheWrite1h' | 'output'>

/**
 * Counts by the messages themselves and by the total in the end, whichever is more: the first know their output only in part,
 * the second is missing when a run is cut off. The money in the result has that of the session before in it, so it is not used.
 */
function createUsageMeter(): UsageMeter {
  const messages = new Map<string, Counts>()
  let total = noUsage
  let model: string | null = null
  let turns = 0
  return {
    add(message) {
      if (message.type === 'assistant') {
        model ??= message.message.model
        messages.set(
          message.message.id,
          larger(messages.get(message.message.id) ?? noUsage, countsOf(message.message.usage)),
        )
      }
      if (message.type === 'result') {
        turns = message.num_turns
        total = message.usage ? countsOf(message.usage) : noUsage
      }
    },
    total(priceOf, maxUsd, ms) {
      const counts = larger(total, sum([...messages.values()]))
      const { input, cacheRead, cacheWrite, cacheWrite1h, output } = counts
      const isIdle = messages.size === 0
      const price = isIdle ? 0 : priceOf({ key: '', ts: null, model, reasoning: 0, ...counts })
      const seen = input + cacheRead + cacheWrite + cacheWrite1h
      return {
        turns: turns || messages.size,
        tokens: { input, cacheRead, cacheWrite: cacheWrite + cacheWrite1h, output },
        cacheReadShare: seen === 0 ? 0 : cacheRead / seen,
        // A model without a known price may have cost as much as it was allowed to.
        costUsd: price ?? maxUsd,
        ms,
      }
    },
  }
}

const noUsage: Counts = { input: 0, cacheRead: 0, cacheWrite: 0, cacheWrite1h: 0, output: 0 }

function countsOf(usage: MessageUsage): Counts {
  const cacheWrite1h = usage.cache_creation?.ephemeral_1h_input_tokens ?? 0
  return {
    input: usage.input_tokens,
    cacheRead: usage.cache_read_input_tokens,
    cacheWrite: Math.max(0, usage.cache_creation_input_tokens - cacheWrite1h),
    cacheWrite1h,
    output: usage.output_tokens,
  }
}

function sum(all: Counts[]): Counts {
  return all.reduce((a, b) => combine(a, b, (x, y) => x + y), noUsage)
}

function larger(a: Counts, b: Counts): Counts {
  return combine(a, b, Math.max)
}

function combine(a: Counts, b: Counts, by: (x: number, y: number) => number): Counts {
  return {
    input: by(a.input, b.input),
    cacheRead: by(a.cacheRead, b.cacheRead),
    cacheWrite: by(a.cacheWrite, b.cacheWrite),
    cacheWrite1h: by(a.cacheWrite1h, b.cacheWrite1h),
    output: by(a.output, b.output),
  }
}
