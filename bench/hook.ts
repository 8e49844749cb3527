// Measures what an agent waits for: the capture hook and the start hook, each starting a worker, and
// the hints after a failure and before an edit, with as many hints as a project can have, compared
// with a bare start of Node.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { agents } from '../src/agents/registry.ts'
import { hookCommand } from '../src/core/hook-command.ts'
import { writeHook } from '../src/hook/script.ts'
import { median } from './measure.ts'

const rounds = 60

export async function hook(): Promise<void> {
  const root = mkdtempSync(join(tmpdir(), 'recollect-bench-hook-'))
  const store = join(root, 'store')
  const place = { root: store, platform: process.platform, node: process.execPath }
  const cli = join(import.meta.dirname, '..', 'dist', 'cli.js')
  const project = join(root, 'app')
  const env = { HOME: root, PATH: process.env.PATH, RECOLLECT_HOME: store }
  try {
    const transcript = makeSession(root, project)
    writeHook({ ...place, cli }, agents)
    const payload = {
      session_id: 's1',
      transcript_path: transcript,
      cwd: project,
      last_assistant_message: 'x'.repeat(2000),
    }
    const run = (command: string, input: object) => {
      const begun = performance.now()
      const child = spawnSync('/bin/sh', ['-c', command], {
        cwd: project,
        env,
        input: JSON.stringify(input),
        encoding: 'utf8',
      })
      return { ms: performance.now() - begun, ...child }
    }
    const variants = {
      'node -e 0': () => run(`exec '${process.execPath}' -e 0`, {}),
      'capture hook': () => run(hookCommand(place, 'claude-code', 'Stop'), { ...payload, hook_event_name: 'Stop' }),
      'start hook': () =>
        run(hookCommand(place, 'claude-code', 'SessionStart'), {
          ...payload,
          hook_event_name: 'SessionStart',
          source: 'startup',
        }),
      'hint after a failure': () => run(hookCommand(place, 'claude-code', 'failure'), { ...payload, ...failure }),
      'hint before an edit': () => run(hookCommand(place, 'claude-code', 'edit'), { ...payload, ...edit }),
    }
    const times: Record<string, number[]> = Object.fromEntries(Object.keys(variants).map((name) => [name, []]))
    variants['capture hook']()
    await idle(store)
    if (!variants['start hook']().stdout.includes('<recollect-brief'))
      throw new Error('the start hook printed no brief')
    writeHints(store)
    for (const name of ['hint after a failure', 'hint before an edit'] as const)
      if (!variants[name]().stdout.includes('additionalContext')) throw new Error(`no ${name}`)
    for (let round = 0; round < rounds; round++) {
      for (const [name, variant] of Object.entries(variants)) {
        await idle(store)
        const { ms, status } = variant()
        if (status !== 0) throw new Error(`${name} ended with ${status}`)
        times[name]!.push(ms)
      }
    }
    await idle(store)
    const bare = median(times['node -e 0']!)
    const limits: Record<string, number> = {
      ...{ 'capture hook': 0.25, 'start hook': 0.3 },
      ...{ 'hint after a failure': 0.3, 'hint before an edit': 0.3 },
    }
    for (const [name, all] of Object.entries(times)) {
      const limit = limits[name]
        ? `  ${(median(all) / bare).toFixed(3)} of the bare start (at most ${limits[name]})`
        : ''
      console.log(`${name.padEnd(28)} ${median(all).toFixed(2).padStart(7)} ms${limit}`)
    }
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}

const failure = {
  tool_name: 'Bash',
  tool_input: { command: 'make lint' },
  error: `Exit code 1\n${'src/a.go:1:2: something else is wrong here (other)\n'.repeat(100)}error: the last rule is broken`,
}
const edit = { tool_name: 'Edit', tool_input: { file_path: '/home/dev/app/src/last.ts', old_string: 'x'.repeat(5000) } }

/** The last of 200 fits. It is told in every round, because the note goes to /dev/null. */
function writeHints(store: string): void {
  const briefs = join(store, 'briefs')
  const [name] = readdirSync(briefs).filter((file) => file.endsWith('.json'))
  const told = join(store, 'run', 'told')
  mkdirSync(told, { recursive: true })
  symlinkSync('/dev/null', join(told, 's1.hints'))
  const hints = (keys: (index: number) => string[]) =>
    Array.from({ length: 200 }, (_, index) => [`h${index}`, ...keys(index), JSON.stringify('x'.repeat(400))].join('\t'))
  const fixes = hints((index) => ['make', index === 199 ? 'the last rule is broken' : `rule number ${index} is broken`])
  const files = hints((index) => ['any', index === 199 ? 'src/last.ts' : `src/part-${index}.ts`])
  writeFileSync(join(briefs, name!.replace('.json', '.fixes')), `${fixes.join('\n')}\n`)
  writeFileSync(join(briefs, name!.replace('.json', '.files')), `${files.join('\n')}\n`)
}

/** Waits until the worker of the last round has exited: turns of an agent are seconds apart. */
async function idle(store: string): Promise<void> {
  while (existsSync(join(store, 'run', 'worker'))) await new Promise((resolve) => setTimeout(resolve, 20))
  await new Promise((resolve) => setTimeout(resolve, 60))
}

function makeSession(home: string, cwd: string): string {
  const folder = join(home, '.claude', 'projects', '-app')
  mkdirSync(folder, { recursive: true })
  mkdirSync(cwd)
  const record = (type: string, content: unknown, second: number) => ({
    type,
    uuid: `u${second}`,
    sessionId: 's1',
    cwd,
    timestamp: `2026-09-01T10:00:0${second}.000Z`,
    message: { id: `m${second}`, role: type, content },
  })
  const records = [
    record('user', 'Make the parser read tabs', 1),
    record('assistant', [{ type: 'text', text: 'Done.' }], 2),
  ]
  const path = join(folder, 's1.jsonl')
  writeFileSync(path, records.map((one) => `${JSON.stringify(one)}\n`).join(''))
  return path
}
