// The forked judge: the user's own `claude` continues a session as a fork, with the session's whole context out of the cache, and
// writes down what is worth remembering. It needs nothing that is not installed. What it wrote is only read here; what becomes
// of it is for admission to say.
import { realpathSync, statSync } from 'node:fs'
import { sep } from 'node:path'
import type { Clock } from '../../core/clock.ts'
import type { Machine } from '../../core/machine.ts'
import { oneLine, truncate } from '../../text/truncate.ts'
import { forkArguments, forkEnvironment, maxTurns } from './command.ts'
import type { Ending } from './conversation.ts'
import type { ForkMessage, ToolCall } from './messages.ts'
import { type Permission, permit, type Territory } from './policy.ts'
import { forkPrompt } from './prompt.ts'
import { newMeter, type Spent } from './spent.ts'
import { makeStaging, readStaging, removeStaging, type WrittenFile } from './staging.ts'

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
  | { kind: 'done'; files: WrittenFile[]; isCutShort: boolean; refused: Refusal[]; spent: Spent }
  | { kind: 'failed'; reason: string; refused: Refusal[]; spent: Spent }

export interface Refusal {
  tool: string
  reason: string
}

/** How long a fork may take: the soft limit of whoever waits for it. */
export const forkTimeoutMs = 60_000

export async function runFork(request: ForkRequest): Promise<ForkResult> {
  const { clock, machine, maxUsd } = request
  const startedMs = clock.nowMs()
  const meter = newMeter()
  const refused: Refusal[] = []
  const { priceOf } = await import('../../core/prices.ts')
  const spent = () => meter.read(priceOf, maxUsd, clock.nowMs() - startedMs)
  const failed = (reason: string): ForkResult => ({ kind: 'failed', reason, refused, spent: spent() })
  if (request.newMessages < 1) return { kind: 'done', files: [], isCutShort: false, refused, spent: spent() }
  if (!/^[\w-]{1,100}$/.test(request.session)) return failed('the session has no id that can be resumed')
  if (!isFolder(request.cwd)) return failed(`the folder of the session is gone: ${request.cwd}`)

  const staging = makeStaging(request.run, clock)
  try {
    const territory = territoryOf(request, staging)
    const decide = ({ tool, input, cwd }: ToolCall): Permission => {
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
      heard: (message: ForkMessage) => meter.hear(message),
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
function territoryOf({ cwd, machine }: ForkRequest, staging: string): Territory {
  const folder = realpathSync(cwd)
  const home = isFolder(machine.home) ? realpathSync(machine.home) : machine.home
  const isAroundHome = `${home}${sep}`.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`)
  return { cwd: folder, staging, readable: isAroundHome ? [staging] : [folder, staging] }
}

/** A session that was in a worktree may go on there: paths would not mean what they seem to. */
function territoryAt(cwd: string, territory: Territory): Territory {
  const isThere = isFolder(cwd) && realpathSync(cwd) === territory.cwd
  return isThere ? territory : { ...territory, cwd, readable: [territory.staging] }
}

type Outcome = { kind: 'done'; isCutShort: boolean } | { kind: 'failed'; reason: string }

/** Files are whole or not there: what was written before a limit was reached counts. */
function outcomeOf(ending: Ending, files: number, timeoutMs: number): Outcome {
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
