// Runs the forked judge: the user's own `claude` continues a session as a fork, with its whole
// context from the cache, and writes what is worth remembering as files. The files are only read
// here; admission decides about them.
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
  /** Claude Code's id of the session. */
  session: string
  /** Folder in which the session was started. */
  cwd: string
  /** Claude Code's folder with the session: `~/.claude` or another home. */
  configDir: string
  machine: Machine
  /** Path of `claude`. */
  program: string
  /** The model of the session; others do not share the cache. */
  model?: string
  /** Number of latest messages that were not judged. */
  newMessages: number
  /** One line per existing memory: type, id, date, description. */
  manifest: string
  maxUsd: number
  timeoutMs: number
  /** `layout.run`; the workspace is created below it. */
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

/** Soft limit of the callers. */
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
  if (!isResumable(request.session)) return failed('the session has no id that can be resumed')
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
      onMessage: (message: ForkMessage) => meter.add(message),
    })
    const files = readStaging(staging).map((file) => ({ ...file, text: request.redact(file.text) }))
    const outcome = outcomeOf(ending, files.length, request.timeoutMs)
    if (outcome.kind === 'failed') return failed(request.redact(outcome.reason))
    return { kind: 'done', files, isCutShort: outcome.isCutShort, refused, spent: spent() }
  } finally {
    removeStaging(staging)
  }
}

/** Whether a fork is possible at all: otherwise no later attempt can succeed. */
export function canBeForked({ native, cwd }: { native: string; cwd: string }): boolean {
  return isResumable(native) && isFolder(cwd)
}

function isResumable(session: string): boolean {
  return /^\w[\w-]{0,99}$/.test(session)
}

/**
 * If the project is the home folder or contains it, everything would be readable, including keys:
 * then nothing is.
 */
function territoryOf({ cwd, machine }: ForkRequest, staging: string): ForkScope {
  const folder = realpathSync(cwd)
  const home = isFolder(machine.home) ? realpathSync(machine.home) : machine.home
  const isAroundHome = `${home}${sep}`.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`)
  return { cwd: folder, staging, readable: isAroundHome ? [staging] : [folder, staging] }
}

/** A session from a worktree may continue there: then paths would mean something else. */
function territoryAt(cwd: string, territory: ForkScope): ForkScope {
  const isThere = isFolder(cwd) && realpathSync(cwd) === territory.cwd
  return isThere ? territory : { ...territory, cwd, readable: [territory.staging] }
}

type Outcome = { kind: 'done'; isCutShort: boolean } | { kind: 'failed'; reason: string }

/** Files are written completely or not at all, so those written before a limit count. */
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

/** Usage of a run, also of a failed one. */
interface ForkUsage {
  /** Null if no message came. */
  model: string | null
  turns: number
  tokens: { input: number; cacheRead: number; cacheWrite: number; output: number }
  /** Share of the input that was read from the cache, 0 to 1. */
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
 * Counts messages and the final total, whichever is more: messages know their output only in part,
 * the total is missing if a run is cut off. The cost in the result includes the session before, so
 * it is not used.
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
        model,
        turns: turns || messages.size,
        tokens: { input, cacheRead, cacheWrite: cacheWrite + cacheWrite1h, output },
        cacheReadShare: seen === 0 ? 0 : cacheRead / seen,
        // A model without a known price counts with the whole limit.
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
