// Running the built program as a user would: its own process, its own home.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { runInHost } from './program-client.ts'

const cli = join(import.meta.dirname, '..', 'dist', 'cli.js')

export interface Place {
  root: string
  home: string
  store: string
  /** Further environment of the program. */
  env: Record<string, string>
  remove(): void
}

/** A home as one literal tree: path to content; an array is written as JSON lines. */
export function place(files: Record<string, string | object[]> = {}): Place {
  const root = mkdtempSync(join(tmpdir(), 'recollect-test-'))
  const home = join(root, 'home')
  mkdirSync(home)
  for (const [path, content] of Object.entries(files)) {
    const to = join(home, path)
    mkdirSync(dirname(to), { recursive: true })
    writeFileSync(to, typeof content === 'string' ? content : lines(content))
  }
  return {
    root,
    home,
    store: join(root, 'store'),
    env: {},
    // A background worker of the program may still write while its home is removed.
    remove: () => rmSync(root, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 }),
  }
}

export function lines(records: object[]): string {
  return records.map((record) => `${JSON.stringify(record)}\n`).join('')
}

export interface Run {
  status: number
  out: string
  err: string
  // biome-ignore lint/suspicious/noExplicitAny: the shape of the answer is what a test is about
  json(): any
}

/** Runs a command of the built program in the process of test/program-host.ts, which saves its start. */
export function recollect(at: Place, ...args: string[]): Run {
  const { status, out, err } = runInHost({ cli, args, env: environment(at) })
  return { status, out, err, json: () => parsed(out, err) }
}

function parsed(out: string, err: string): unknown {
  if (out === '') throw new Error(`no answer: ${err}`)
  return JSON.parse(out)
}

export function start(at: Place, ...args: string[]): ChildProcess {
  return spawn(process.execPath, [cli, ...args], { env: environment(at), stdio: ['ignore', 'pipe', 'pipe'] })
}

/** Kills the process without warning after this time, unless it ends before. */
export async function killAfter(child: ChildProcess, ms: number): Promise<void> {
  const timer = setTimeout(() => child.kill('SIGKILL'), ms)
  await exited(child)
  clearTimeout(timer)
}

export async function kill(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL')
  await exited(child)
}

/** The exit code, null after a signal. */
export async function exited(child: ChildProcess): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  return child.exitCode
}

export function environment({ home, store, env }: Place): Record<string, string> {
  return { PATH: process.env.PATH ?? '', HOME: home, RECOLLECT_HOME: store, TZ: 'UTC', ...env }
}

/** A Claude Code session of the given number of turns, made up: prompt, answer, test run. */
export function claudeSession(
  session: string,
  turns: number,
  options: { cwd?: string; padding?: number; says?(turn: number): string | undefined } = {},
): object[] {
  const records: object[] = []
  const at = (turn: number, step: number) =>
    new Date(Date.UTC(2026, 8, 1, 10) + turn * 60_000 + step * 1000).toISOString()
  for (let turn = 0; turn < turns; turn++) {
    const base = {
      sessionId: session,
      cwd: options.cwd ?? '/home/dev/app',
      version: '2.1.219',
      gitBranch: 'main',
      isSidechain: false,
    }
    const id = (step: number) => `${session}-${turn}-${step}`
    const model = 'claude-opus-4-6'
    const usage = {
      input_tokens: 10,
      output_tokens: 20 + turn,
      cache_read_input_tokens: 100,
      cache_creation_input_tokens: 5,
    }
    const answer = (step: number, block: object) => ({
      ...base,
      type: 'assistant',
      uuid: id(step),
      timestamp: at(turn, step),
      requestId: `req-${id(0)}`,
      message: { id: `msg-${id(0)}`, role: 'assistant', model, stop_reason: 'end_turn', usage, content: [block] },
    })
    const output = `3 passed, 0 failed in turn ${turn}\n${'detail of the run '.repeat(options.padding ?? 0)}`
    records.push(
      {
        ...base,
        type: 'user',
        uuid: id(0),
        timestamp: at(turn, 0),
        message: { role: 'user', content: options.says?.(turn) ?? `question ${turn} of ${session}` },
      },
      answer(1, { type: 'tool_use', id: `call-${id(1)}`, name: 'Bash', input: { command: 'npm test' } }),
      {
        ...base,
        type: 'user',
        uuid: id(2),
        timestamp: at(turn, 2),
        message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: `call-${id(1)}`, content: output }] },
        toolUseResult: { stdout: output, stderr: '', interrupted: false },
      },
      answer(3, { type: 'text', text: `answer ${turn}: it works` }),
    )
  }
  return records
}

export function sessionName(index: number): string {
  return `${index.toString(16).padStart(8, '0')}-1111-4111-8111-111111111111`
}
