// Measures what an agent waits for: the capture hook and the start hook, each starting a worker, the
// hints after a failure and before an edit, with as many hints as a project can have, and the first
// answer of the MCP server, compared with a bare start of Node.
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
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
    const fields = { ...payload, hook_event_name: 'SessionStart', source: 'startup' }
    const commands: HookRun[] = [
      { name: bareStart, command: `exec '${process.execPath}' -e 0`, input: '{}' },
      hookRun('capture hook', 'Stop', { ...payload, hook_event_name: 'Stop' }),
      hookRun('start hook', 'SessionStart', fields),
      hookRun('hint after a failure', 'failure', { ...payload, ...failure }),
      hookRun('hint before an edit', 'edit', { ...payload, ...edit }),
    ]
    const [, capture, start, ...hints] = commands
    run(capture!)
    await workerExit(store)
    if (!run(start!).includes('<recollect-brief')) throw new Error('the start hook printed no brief')
    writeHints(store)
    for (const hint of hints) if (!run(hint).includes('additionalContext')) throw new Error(`no ${hint.name}`)
    print(commands, measureRounds(root, { commands, rounds, cwd: project, env, running: join(store, 'run', 'worker') }))
    await measureInitialize(cli, env)

    function hookRun(name: string, event: string, input: object): HookRun {
      return { name, command: hookCommand(place, 'claude-code', event), input: JSON.stringify(input) }
    }
    function run({ command, input }: HookRun): string {
      return spawnSync('/bin/sh', ['-c', command], { cwd: project, env, input, encoding: 'utf8' }).stdout
    }
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}

interface HookRun {
  name: string
  command: string
  input: string
}

const bareStart = 'node -e 0'
const limits: Record<string, number> = {
  ...{ 'capture hook': 0.2, 'start hook': 0.22 },
  ...{ 'hint after a failure': 0.3, 'hint before an edit': 0.3 },
}

function measureRounds(root: string, plan: { commands: HookRun[] } & Record<string, unknown>): number[][] {
  const path = join(root, 'rounds.json')
  writeFileSync(path, JSON.stringify(plan))
  const script = join(import.meta.dirname, 'hook-rounds.mjs')
  return JSON.parse(execFileSync(process.execPath, [script, path], { encoding: 'utf8' })) as number[][]
}

function print(commands: HookRun[], times: number[][]): void {
  const bare = median(times[0]!)
  for (const [index, { name }] of commands.entries()) {
    const ms = median(times[index]!)
    const limit = limits[name] ? `  ${(ms / bare).toFixed(3)} of the bare start (at most ${limits[name]})` : ''
    console.log(`${name.padEnd(28)} ${ms.toFixed(2).padStart(7)} ms${limit}`)
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

/** Until the MCP server answers `initialize`, which agents wait for when they start. */
async function measureInitialize(cli: string, env: Record<string, string | undefined>): Promise<void> {
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'bench', version: '1' } }
  const request = `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params })}\n`
  const bare: number[] = []
  const answered: number[] = []
  for (let round = 0; round < rounds; round++) {
    bare.push(await timeUntilOutput(['-e', '0'], env, ''))
    answered.push(await timeUntilOutput([cli, 'mcp'], env, request))
  }
  const ratio = (median(answered) / median(bare)).toFixed(2)
  console.log(`${bareStart.padEnd(28)} ${median(bare).toFixed(2).padStart(7)} ms`)
  console.log(
    `${'initialize of the server'.padEnd(28)} ${median(answered).toFixed(2).padStart(7)} ms  ${ratio} of the bare start (at most 1.5)`,
  )
}

/** Of its first output, or of its exit without any. */
async function timeUntilOutput(
  args: string[],
  env: Record<string, string | undefined>,
  input: string,
): Promise<number> {
  const begun = performance.now()
  const child = spawn(process.execPath, args, { env, stdio: ['pipe', 'pipe', 'inherit'] })
  const exit = once(child, 'exit')
  child.stdin.write(input)
  await Promise.race([once(child.stdout, 'data'), exit])
  const ms = performance.now() - begun
  child.stdin.end()
  child.stdout.resume()
  const [status] = await exit
  if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}`)
  return ms
}

async function workerExit(store: string): Promise<void> {
  while (existsSync(join(store, 'run', 'worker'))) await new Promise((resolve) => setTimeout(resolve, 20))
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
