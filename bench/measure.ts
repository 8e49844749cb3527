// Runs variants alternately, so that load on the machine affects all of them.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface BenchOptions {
  /** longmemeval: the published file; fix: a home with transcripts; uncompact: where each case is written, to read it. */
  file?: string | undefined
  /** longmemeval: only so many questions; fix: only so many answers. */
  limit?: string | undefined
  /** pile, page: number of sessions that are added; growth: only this size. */
  sessions?: string | undefined
  /** ingest: one core is kept busy meanwhile. */
  busy?: boolean | undefined
}

export interface Variant {
  name: string
  args: string[]
  /** Node by default. */
  command?: string
  /** A command that runs the command. */
  prefix?: string[]
  env?: Record<string, string>
  before?(): void
}

export interface Measurement {
  name: string
  ms: number
  maxRssMb: number
}

export function measure(variants: Variant[], rounds: number): Measurement[] {
  const times = variants.map(() => [] as number[])
  const memory = variants.map(() => 0)
  for (let round = 0; round < rounds; round++) {
    for (const [index, variant] of variants.entries()) {
      variant.before?.()
      const { ms, maxRssMb } = run(variant)
      times[index]!.push(ms)
      memory[index] = Math.max(memory[index]!, maxRssMb)
    }
  }
  return variants.map(({ name }, index) => ({ name, ms: median(times[index]!), maxRssMb: memory[index]! }))
}

/** Preloaded into a child process; prints its peak memory at exit. */
const probe = join(import.meta.dirname, 'peak.mjs')

function run({ args, env, command = process.execPath, prefix = [] }: Variant): { ms: number; maxRssMb: number } {
  const begun = performance.now()
  const [program, ...rest] = [...prefix, command, ...args]
  const child = spawnSync(program!, rest, {
    env: { ...process.env, ...env },
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  })
  const ms = performance.now() - begun
  if (child.status !== 0) throw new Error(`${args.join(' ')} ended with ${child.status}: ${child.stderr}`)
  return { ms, maxRssMb: Number(/peak (\d+)/.exec(child.stderr)?.[1] ?? 0) }
}

/** Node arguments that make a child print its peak memory; costs a few milliseconds. */
export const peakMemoryArgs = ['--import', probe]

export function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!
}

/** Seeded, so that every run has the same numbers. */
export function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

export function readJsonLines<Line>(path: string): Line[] {
  const lines = readFileSync(path, 'utf8').split('\n')
  return lines.filter((line) => line.trim() !== '').map((line) => JSON.parse(line) as Line)
}

/** Runs a script and returns what it prints. */
export function runNode(args: string[], env: NodeJS.ProcessEnv = process.env): string {
  const child = spawnSync(process.execPath, args, { encoding: 'utf8', maxBuffer: 1 << 30, env })
  if (child.status !== 0) throw new Error(`${args.join(' ')} ended with ${child.status}: ${child.stderr}`)
  return child.stdout
}

export function percent(share: number): string {
  return (share * 100).toFixed(1)
}
