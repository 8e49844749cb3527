// Compares a full sweep with reading and parsing every line, on all cores and on one, and a sweep
// without changes with a bare start of Node plus a stat walk of the same tree. Also measures the size
// of the store. `--busy` keeps one core busy meanwhile.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ccusageCommand } from './ccusage.ts'
import { type BenchHome, filesBelow, makeHome } from './home.ts'
import { type BenchOptions, type Measurement, measure, runNode, type Variant } from './measure.ts'

const cli = join(import.meta.dirname, '..', 'dist', 'cli.js')
const rounds = 5

export function ingest({ busy }: BenchOptions): void {
  const bench = makeHome(5)
  const store = mkdtempSync(join(tmpdir(), 'recollect-bench-store-'))
  const env = { HOME: bench.home, RECOLLECT_HOME: join(store, 'home') }
  const load = busy ? keepBusy() : undefined
  try {
    const { files, bytes, source } = bench
    console.log(`${files.length} files, ${(bytes / 1e6).toFixed(0)} MB (${source})${busy ? ', one core busy' : ''}`)
    const floor = measureSweeps(bench, store, env)
    printStages(env, floor.ms)
    printSizes(env, bytes)
    measureUnchanged(bench.home, env)
  } finally {
    load?.kill()
    bench.remove()
    rmSync(store, { recursive: true, force: true })
  }
}

/** Returns the floor. */
function measureSweeps({ home, files, bytes }: BenchHome, store: string, env: Record<string, string>): Measurement {
  const list = join(store, 'files.json')
  writeFileSync(list, JSON.stringify(files))
  const full: Variant = {
    name: 'full sweep',
    args: [cli, 'sweep', '--json'],
    env,
    before: () => rmSync(env.RECOLLECT_HOME!, { recursive: true, force: true }),
  }
  const ccusage = ccusageCommand()
  const variants: Variant[] = [
    { name: 'read and parse every line', args: [join(import.meta.dirname, 'floor.mjs'), list] },
    full,
    ...(hasTaskset() ? [{ ...full, name: 'full sweep on one core', prefix: ['taskset', '-c', '0'] }] : []),
    ...(ccusage
      ? [
          {
            name: 'ccusage daily, sums only',
            args: ['daily', '--json', '--offline'],
            command: ccusage,
            env: { HOME: home },
          },
        ]
      : []),
  ]
  const [floor, ...others] = measure(variants, rounds)
  row('read and parse every line', floor!.ms, `${(bytes / 1e3 / floor!.ms).toFixed(0)} MB/s`)
  for (const { name, ms } of others)
    row(name, ms, `${(bytes / 1e3 / ms).toFixed(0)} MB/s, ${(ms / floor!.ms).toFixed(2)} times the floor`)
  return floor!
}

function hasTaskset(): boolean {
  return spawnSync('taskset', ['-c', '0', 'true']).status === 0
}

/** A process that never waits. */
function keepBusy(): ChildProcess {
  return spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' })
}

/** Milliseconds of each stage, and the share of the writer: reading is shared by several threads. */
function printStages(env: Record<string, string>, floorMs: number): void {
  rmSync(env.RECOLLECT_HOME!, { recursive: true, force: true })
  const stdout = runNode([join(import.meta.dirname, 'stages.ts')], { ...process.env, ...env })
  const { writerMs, ...times } = JSON.parse(stdout) as Record<string, number>
  const keeping = ['capture', 'commits', 'digest', 'retain'].reduce((sum, name) => sum + (times[name] ?? 0), 0)
  row('  capture and digest', keeping, `${(keeping / floorMs).toFixed(2)} times the floor`)
  row('  of which the writer is busy', writerMs!, `${((100 * writerMs!) / times.capture!).toFixed(0)} % of the time`)
  const others = Object.entries(times).filter(([name, ms]) => ms > 20 && !['capture', 'retain'].includes(name))
  row('  other stages', 0, others.map(([name, ms]) => `${name} ${ms} ms`).join(', '))
}

function printSizes(env: Record<string, string>, bytes: number): void {
  const taken = filesBelow(env.RECOLLECT_HOME!).reduce((sum, path) => sum + statSync(path).size, 0)
  const { copies } = JSON.parse(runNode([cli, 'du', '--json'], { ...process.env, ...env })) as { copies: number }
  const share = (size: number) =>
    `${(size / 1e6).toFixed(1)} MB, ${((100 * size) / bytes).toFixed(1)} % of the transcripts`
  row('store', 0, `${share(taken - copies)} (at most 12 %)`)
  row('lines to restore transcripts', 0, share(copies))
}

function measureUnchanged(home: string, env: Record<string, string>): void {
  const [bare, walked, again] = measure(
    [
      { name: 'bare', args: ['-e', '0'] },
      { name: 'stat walk', args: [join(import.meta.dirname, 'walk.mjs'), home] },
      { name: 'again', args: [cli, 'sweep', '--json'], env },
    ],
    15,
  )
  const statWalk = Math.max(0, walked!.ms - bare!.ms)
  const allowed = 2.3 * bare!.ms + 2 * statWalk
  row('node -e 0', bare!.ms, '')
  row('stat walk of the tree', statWalk, 'beyond the bare start')
  row(
    'sweep with nothing changed',
    again!.ms,
    `${(again!.ms / bare!.ms).toFixed(2)} times the bare start (at most ${(allowed / bare!.ms).toFixed(2)})`,
  )
}

function row(name: string, ms: number, note: string): void {
  console.log(`${name.padEnd(30)} ${ms ? `${ms.toFixed(0)} ms`.padStart(9) : ''.padStart(9)}  ${note}`)
}
