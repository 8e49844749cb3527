// Measures the wiki without a model: whether build time is linear in the input, and the cost of a
// build without changes.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createApp } from '../src/app.ts'
import { fixedClock, isoTime } from '../src/core/clock.ts'
import { type Memory, memoryKinds } from '../src/memory/memory.ts'
import type { Ledger } from '../src/store/ledger.ts'
import { changeMemories } from '../src/store/memories/changes.ts'
import { projectKeys } from '../src/store/sessions/projects.ts'
import { sweep } from '../src/sweep.ts'
import { buildWiki } from '../src/wiki/build.ts'
import { sampleMemory } from '../test/sample-memory.ts'
import { measure } from './measure.ts'

const cli = join(import.meta.dirname, '..', 'dist', 'cli.js')
const walk = join(import.meta.dirname, 'walk.mjs')
const firstMs = Date.parse('2025-06-01T09:00:00Z')
const dayMs = 86_400_000
const memoriesADay = 40
const sessionsADay = 2
const projects = 10

export async function wiki(): Promise<void> {
  await measureBuild(40) // warm-up
  const half = await measureBuild(250)
  const whole = await measureBuild(500, measureUnchanged)
  row('250 days, 10,000 memories', `${(half.ms / 1000).toFixed(2)} s`, `${half.articles} articles`)
  row('500 days, 20,000 memories', `${(whole.ms / 1000).toFixed(2)} s`, `${whole.articles} articles`)
  row('twice the days', (whole.ms / half.ms).toFixed(2), 'times as long (at most 2.3)')
}

async function measureBuild(
  days: number,
  then?: (root: string) => Promise<void>,
): Promise<{ ms: number; articles: number }> {
  const root = mkdtempSync(join(tmpdir(), 'recollect-bench-wiki-'))
  const machine = { home: root, env: { RECOLLECT_HOME: join(root, '.recollect') }, platform: process.platform }
  const clock = fixedClock(isoTime(firstMs + days * dayMs))
  try {
    writeSessions(root, days)
    const app = createApp({ machine, clock })
    await sweep(app)
    const ledger = app.existingLedger()
    remember(ledger, days)
    const begun = performance.now()
    const build = await buildWiki({ ledger, clock, zone: app.zone, machine }, { isAll: true })
    const ms = performance.now() - begun
    if (build.kind !== 'done') throw new Error('Another process is building the wiki')
    ledger.close()
    await then?.(root)
    return { ms, articles: build.report.created.length + build.report.updated.length }
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}

/** Compares the command with a stat walk of the same files. */
async function measureUnchanged(root: string): Promise<void> {
  const env = { HOME: root, RECOLLECT_HOME: join(root, '.recollect') }
  const vault = join(root, '.recollect/vault')
  const [bare, start, floor, again] = measure(
    [
      { name: 'bare', args: ['-e', '0'] },
      { name: 'start', args: [cli, 'journal', '--list', '--json'], env },
      { name: 'walk', args: [walk, join(vault, 'journal'), join(vault, 'wiki')] },
      { name: 'again', args: [cli, 'wiki', 'build', '--json'], env },
    ],
    9,
  )
  const floorMs = floor!.ms - bare!.ms + start!.ms
  row('a walk over the files', `${floor!.ms.toFixed(0)} ms`, `a bare start is ${bare!.ms.toFixed(0)} ms`)
  row('start-up and walk', `${floorMs.toFixed(0)} ms`)
  row('build with nothing changed', `${again!.ms.toFixed(0)} ms`, `${(again!.ms / floorMs).toFixed(2)} (at most 1.5)`)
}

function writeSessions(home: string, days: number): void {
  for (let day = 0; day < days; day++) {
    for (let each = 0; each < sessionsADay; each++) {
      const number = day * sessionsADay + each
      const id = `${number.toString(16).padStart(8, '0')}-0000-4000-8000-000000000000`
      const folder = join(home, '.claude/projects', `-bench-app${number % projects}`)
      mkdirSync(folder, { recursive: true })
      const at = (second: number) => isoTime(firstMs + day * dayMs + each * 3_600_000 + second * 1000)
      const record = (type: 'user' | 'assistant', second: number, content: unknown) => ({
        type,
        uuid: `${id}-${second}`,
        timestamp: at(second),
        sessionId: id,
        cwd: `/bench/app${number % projects}`,
        version: '2.1.219',
        message: { id: `msg_${id}_${second}`, role: type, model: 'claude-opus-4-6', content },
      })
      const file = moduleFile(number)
      const lines = [
        record('user', 0, `Look at ${file} and tell me why the ${moduleName(number)} test is slow`),
        record('assistant', 5, [
          {
            type: 'tool_use',
            id: `t${number}`,
            name: 'Edit',
            input: { file_path: `/bench/app${number % projects}/${file}`, old_string: 'a', new_string: 'b' },
          },
        ]),
        record('user', 8, [{ type: 'tool_result', tool_use_id: `t${number}`, content: 'ok' }]),
        record('assistant', 9, [{ type: 'text', text: `I changed ${file}: it opened a connection for each row.` }]),
      ]
      writeFileSync(join(folder, `${id}.jsonl`), `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`)
    }
  }
}

function moduleName(number: number): string {
  return `${['order', 'stock', 'price', 'user', 'mail', 'report', 'search', 'cache'][number % 8]}_${Math.floor(number / 8) % 12}`
}

function moduleFile(number: number): string {
  return `src/${moduleName(number)}.py`
}

function remember(ledger: Ledger, days: number): void {
  const keys = projectKeys(ledger)
  for (let day = 0; day < days; day++) {
    const at = isoTime(firstMs + day * dayMs)
    const memories = Array.from({ length: memoriesADay }, (_, each) =>
      madeUpMemory(day * memoriesADay + each, keys, at, day * sessionsADay + (each % sessionsADay)),
    )
    ledger.transaction(() => changeMemories(ledger, { at, kind: 'imported', about: 'made up' }, memories))
  }
}

function madeUpMemory(number: number, keys: readonly string[], at: string, session: number): Memory {
  const text = `In \`${moduleFile(number)}\` the value ${number} of ${moduleName(number)} must stay below limit ${number % 97}`
  return sampleMemory({
    id: `m-${number.toString(36).padStart(8, '0')}`,
    project: keys[session % keys.length]!,
    kind: memoryKinds[number % memoryKinds.length]!,
    status: number % 11 === 0 ? 'tried-and-failed' : 'settled',
    text,
    importance: (number % 10) / 10,
    keywords: [moduleName(number), moduleFile(number)],
    evidence: [
      {
        session: `claude-code:${session.toString(16).padStart(8, '0')}-0000-4000-8000-000000000000`,
        event: null,
        quote: text,
      },
    ],
    at,
  })
}

function row(name: string, figure: string, note = ''): void {
  console.log(`${name.padEnd(36)} ${figure.padStart(18)}  ${note}`)
}
