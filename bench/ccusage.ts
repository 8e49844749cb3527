// The program ccusage, which sums up the same transcripts: RECOLLECT_CCUSAGE names its command, otherwise it is
// installed into a folder that outlives a run.
import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { modelName } from '../src/core/usage/model-names.ts'

/** Of later versions the native part could not be fetched. */
const version = '20.0.24'

/** Undefined if there is none and none can be installed. */
export function ccusageCommand(): string | undefined {
  const given = process.env.RECOLLECT_CCUSAGE
  if (given) return existsSync(given) ? given : undefined
  const folder = join(tmpdir(), `recollect-ccusage-${version}`)
  // The native program itself: its launcher would add a start of Node to the time.
  const command = join(
    folder,
    'node_modules',
    '@ccusage',
    `ccusage-${process.platform}-${process.arch}`,
    'bin',
    'ccusage',
  )
  if (!existsSync(command)) {
    console.log(`Installing ccusage@${version} (once) ...`)
    spawnSync('npm', ['install', '--prefix', folder, '--no-audit', '--no-fund', `ccusage@${version}`], {
      stdio: 'ignore',
    })
  }
  if (!existsSync(command)) return undefined
  chmodSync(command, 0o755) // the package has it without the right to be executed
  return command
}

export interface ModelDay {
  input: number
  cacheRead: number
  cacheWrite: number
  output: number
  costUsd: number
}

interface Report {
  daily: {
    period: string
    modelBreakdowns: {
      modelName: string
      inputTokens: number
      cacheReadTokens: number
      cacheCreationTokens: number
      outputTokens: number
      cost: number
    }[]
  }[]
}

/** What it says by day and model, with the prices that it has at hand, and how long it took. */
export function runCcusage(command: string, home: string): { days: Map<string, ModelDay>; ms: number } {
  const begun = performance.now()
  const child = spawnSync(command, ['daily', '--json', '--offline', '--timezone', 'UTC'], {
    env: { PATH: process.env.PATH, HOME: home },
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  })
  const ms = performance.now() - begun
  if (child.status !== 0) throw new Error(`ccusage ended with ${child.status}: ${child.error ?? child.stderr}`)
  const days = new Map<string, ModelDay>()
  for (const { period, modelBreakdowns } of (JSON.parse(child.stdout) as Report).daily)
    for (const one of modelBreakdowns)
      addTo(days, `${period} ${modelName(one.modelName)}`, {
        input: one.inputTokens,
        cacheRead: one.cacheReadTokens,
        cacheWrite: one.cacheCreationTokens,
        output: one.outputTokens,
        costUsd: one.cost,
      })
  return { days, ms }
}

export function addTo(days: Map<string, ModelDay>, key: string, more: ModelDay): void {
  const known = days.get(key) ?? { input: 0, cacheRead: 0, cacheWrite: 0, output: 0, costUsd: 0 }
  days.set(key, {
    input: known.input + more.input,
    cacheRead: known.cacheRead + more.cacheRead,
    cacheWrite: known.cacheWrite + more.cacheWrite,
    output: known.output + more.output,
    costUsd: known.costUsd + more.costUsd,
  })
}
