// Runs variants alternately, so that load on the machine affects all of them.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

export interface Variant {
  name: string
  args: string[]
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

function run({ args, env }: Variant): { ms: number; maxRssMb: number } {
  const begun = performance.now()
  const child = spawnSync(process.execPath, args, {
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
