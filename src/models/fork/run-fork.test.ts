// Against a scripted program in place of `claude`: what it says on its output, and how it ends. The real one is tried in
// test/clients/fork.spec.ts.
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { fixedClock } from '../../core/clock.ts'
import { type ForkRequest, type ForkResult, runFork } from './run-fork.ts'

let root: string
let request: ForkRequest
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'recollect-fork-'))
  mkdirSync(join(root, 'home', 'app'), { recursive: true })
  request = {
    session: '11111111-1111-4111-8111-111111111111',
    cwd: join(root, 'home', 'app'),
    configDir: join(root, 'home', '.claude'),
    machine: {
      home: join(root, 'home'),
      env: { PATH: process.env.PATH, CLAUDECODE: '1', CLAUDE_CODE_SESSION_ID: 'another', ANTHROPIC_API_KEY: 'made-up' },
      platform: process.platform,
    },
    program: join(root, 'claude'),
    newMessages: 4,
    manifest: 'feedback m-1 2026-09-01: Use pnpm',
    maxUsd: 0.1,
    timeoutMs: 30_000,
    run: join(root, 'run'),
    clock: fixedClock('2026-10-02T10:00:00Z'),
    redact: (text) => text.replaceAll('hunter2', '[redacted]'),
  }
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

/** A program with `say`, `asked` (the next line it is told), `staging` and `tell` (the result) at hand. */
function claudeThat(script: string): void {
  const body = `#!${process.execPath}
const { createInterface } = require('node:readline')
const { writeFileSync } = require('node:fs')
const { join } = require('node:path')
const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]()
const asked = async () => JSON.parse((await lines.next()).value)
const say = (value) => process.stdout.write(JSON.stringify(value) + '\\n')
const usage = { input_tokens: 10, output_tokens: 5, cache_read_input_tokens: 80, cache_creation_input_tokens: 10 }
const speak = (id) => say({ type: 'assistant', message: { id, model: 'claude-opus-4-6', usage } })
const tell = (more = {}) => say({ type: 'result', subtype: 'success', is_error: false, num_turns: 2, result: '', usage, ...more })
;(async () => {
  await asked()
  const prompt = (await asked()).message.content
  const staging = /per memory into ([^,]+),/.exec(prompt)[1]
  const save = (name, text) => writeFileSync(join(staging, name), text)
  ${script}
})()
`
  writeFileSync(request.program, body)
  chmodSync(request.program, 0o755)
}

const left = () => readdirSync(request.run)

describe('runFork with a result', () => {
  it('returns redacted files and the cost, and removes the workspace', async () => {
    claudeThat(`save('b.md', 'password hunter2'); save('a.md', 'Use pnpm.'); speak('m1'); tell()`)
    const result = await runFork(request)
    expect(result).toEqual({
      kind: 'done',
      files: [
        { path: 'a.md', text: 'Use pnpm.' },
        { path: 'b.md', text: 'password [redacted]' },
      ],
      isCutShort: false,
      refused: [],
      spent: {
        turns: 2,
        tokens: { input: 10, cacheRead: 80, cacheWrite: 10, output: 5 },
        cacheReadShare: 0.8,
        model: 'claude-opus-4-6',
        costUsd: expect.closeTo(10 * 5e-6 + 80 * 0.5e-6 + 10 * 6.25e-6 + 5 * 25e-6, 9),
        ms: 0,
      },
    })
    expect(left()).toEqual([])
  })

  it('SPEC C.11: skips an index and files that are empty, too large or not text', async () => {
    claudeThat(`save('MEMORY.md', 'x'); save('e.md', ''); save('l.md', 'x'.repeat(30000)); save('x.sh', 'x')
      require('node:fs').symlinkSync('/etc/hostname', join(staging, 'link.md')); save('a.md', 'kept'); tell()`)
    expect(await runFork(request)).toMatchObject({ kind: 'done', files: [{ path: 'a.md', text: 'kept' }] })
  })

  it('keeps files written before a limit, and fails if there are none', async () => {
    claudeThat(`save('a.md', 'kept'); tell({ subtype: 'error_max_turns', is_error: true })`)
    expect(await runFork(request)).toMatchObject({ kind: 'done', isCutShort: true, files: [{ path: 'a.md' }] })
    claudeThat(`tell({ subtype: 'error_max_turns', is_error: true })`)
    expect(await runFork(request)).toMatchObject({ kind: 'failed', reason: 'nothing written in 5 turns' })
  })

  it('counts a model without a price with the whole limit', async () => {
    claudeThat(`say({ type: 'assistant', message: { id: 'm', model: 'made-up-model', usage } }); tell()`)
    expect((await runFork(request)).spent.costUsd).toBe(0.1)
  })
})

describe('runFork that fails', () => {
  it.each<[string, string, string]>([
    [
      'an error in the result',
      `tell({ is_error: true, result: 'API Error: 401 hunter2' })`,
      'API Error: 401 [redacted]',
    ],
    ['an end without a result', `process.exit(1)`, 'claude ended without a result'],
    ['a complaint', `console.error('unknown option --fork-session'); process.exit(1)`, 'unknown option --fork-session'],
    [
      'output that is no JSON',
      `console.log('{"type":'); console.log('hello'); process.exit(0)`,
      'claude ended without a result',
    ],
    ['a result of another shape', `say({ type: 'result' }); process.exit(0)`, 'claude ended without a result'],
  ])('says why: %s', async (_, script, reason) => {
    claudeThat(script)
    expect(await runFork(request)).toMatchObject({ kind: 'failed', reason })
    expect(left()).toEqual([])
  })

  it('says why: there is no such program', async () => {
    const result = await runFork({ ...request, program: join(root, 'missing') })
    expect(result).toMatchObject({ kind: 'failed', reason: expect.stringContaining('ENOENT') })
  })

  it('says why: the folder is gone, or the session has no id', async () => {
    const gone = await runFork({ ...request, cwd: join(root, 'gone') })
    expect(gone).toMatchObject({ kind: 'failed', reason: expect.stringContaining('is gone') })
    expect(await runFork({ ...request, session: '--help' })).toMatchObject({ kind: 'failed' })
  })

  it('reports the usage of a failed run', async () => {
    claudeThat(`speak('m1'); speak('m1'); speak('m2'); process.stdout.write('', () => process.exit(1))`)
    const { spent } = await runFork(request)
    expect(spent).toMatchObject({ turns: 2, tokens: { input: 20, cacheRead: 160, output: 10 } })
    expect(spent.costUsd).toBeGreaterThan(0)
  })

  it('SPEC C.12: kills the program and everything it started at the timeout', async () => {
    claudeThat(`process.on('SIGTERM', () => {})
      const child = require('node:child_process').spawn('sleep', ['600'], { stdio: 'inherit' })
      writeFileSync(${JSON.stringify(join(root, 'pid'))}, String(child.pid)); setInterval(() => {}, 1000)`)
    const result = await runFork({ ...request, timeoutMs: 1500 })
    expect(result).toMatchObject({ kind: 'failed', reason: 'not done after 2 s' })
    await expect.poll(() => isRunning(Number(readFileSync(join(root, 'pid'), 'utf8')))).toBe(false)
    expect(left()).toEqual([])
  })
})

describe('runFork with tool calls', () => {
  const ask = async (requests: string): Promise<{ result: ForkResult; answers: unknown[] }> => {
    claudeThat(`const answers = []
      for (const request of ${requests}) {
        say({ type: 'control_request', request_id: 'r', request }); answers.push((await asked()).response)
      }
      writeFileSync(${JSON.stringify(join(root, 'answers'))}, JSON.stringify(answers)); tell()`)
    const result = await runFork(request)
    return { result, answers: JSON.parse(readFileSync(join(root, 'answers'), 'utf8')) as unknown[] }
  }

  it('answers hooks and permission prompts by the policy', async () => {
    const { result, answers } = await ask(`[
      { subtype: 'hook_callback', input: { tool_name: 'Bash', tool_input: { command: 'rm x' } } },
      { subtype: 'hook_callback', input: { tool_name: 'Bash', tool_input: { command: 'git log' } } },
      { subtype: 'can_use_tool', tool_name: 'WebFetch', input: { url: 'x' } },
      { subtype: 'can_use_tool', tool_name: 'Write', input: { file_path: join(staging, 'a.md'), content: 'x' } }]`)
    expect(answers).toMatchObject([
      { subtype: 'success', response: { hookSpecificOutput: { permissionDecision: 'deny' } } },
      { subtype: 'success', response: { hookSpecificOutput: { permissionDecision: 'allow' } } },
      { subtype: 'success', response: { behavior: 'deny', message: 'WebFetch is not for this task' } },
      { subtype: 'success', response: { behavior: 'allow', updatedInput: { content: 'x' } } },
    ])
    expect(result.refused).toEqual([
      { tool: 'Bash', reason: 'the shell is for reading: rm is not known to be read-only' },
      { tool: 'WebFetch', reason: 'WebFetch is not for this task' },
    ])
  })

  it('denies requests that cannot be read', async () => {
    const { answers } = await ask(`[
      { subtype: 'hook_callback', input: { tool_input: { command: 'git log' } } },
      { subtype: 'hook_callback', input: 'Bash' },
      { subtype: 'hook_callback' },
      { subtype: 'can_use_tool', tool_name: 7, input: { command: 'git log' } },
      { subtype: 'can_use_tool', tool_name: 'Bash', input: null },
      { subtype: 'made_up' }]`)
    expect(answers.slice(0, 3)).toMatchObject(
      Array(3).fill({ response: { hookSpecificOutput: { permissionDecision: 'deny' } } }),
    )
    expect(answers.slice(3, 5)).toMatchObject(Array(2).fill({ response: { behavior: 'deny' } }))
    expect(answers[5]).toMatchObject({ subtype: 'error' })
  })

  it('allows no reading if the project is the home folder', async () => {
    request.cwd = request.machine.home
    const { answers } = await ask(`[
      { subtype: 'can_use_tool', tool_name: 'Read', input: { file_path: 'notes.txt' } },
      { subtype: 'can_use_tool', tool_name: 'Bash', input: { command: 'ls .ssh' } },
      { subtype: 'can_use_tool', tool_name: 'Bash', input: { command: 'grep -r key' } },
      { subtype: 'can_use_tool', tool_name: 'Grep', input: { pattern: 'key' } },
      { subtype: 'can_use_tool', tool_name: 'Write', input: { file_path: join(staging, 'a.md'), content: 'x' } }]`)
    expect(answers).toMatchObject(
      ['deny', 'deny', 'deny', 'deny', 'allow'].map((behavior) => ({ response: { behavior } })),
    )
  })
})

describe('runFork in another folder', () => {
  it('allows only writing into the workspace', async () => {
    claudeThat(`const seen = []
      for (const [tool_name, tool_input] of [['Bash', { command: 'ls' }], ['Read', { file_path: 'a.ts' }], ['Write', { file_path: join(staging, 'a.md'), content: 'x' }]]) {
        const input = { tool_name, tool_input, cwd: '/' }
        say({ type: 'control_request', request_id: 'r', request: { subtype: 'hook_callback', input } })
        seen.push((await asked()).response.response.hookSpecificOutput.permissionDecision)
      }
      save('seen.md', seen.join(' ')); tell()`)
    expect(await runFork(request)).toMatchObject({ files: [{ text: 'deny deny allow' }] })
  })
})

describe('runFork starts the program', () => {
  it('as a fork without persistence, in the folder of the session, without variables of another session', async () => {
    claudeThat(`const { CLAUDECODE, CLAUDE_CODE_SESSION_ID, CLAUDE_CONFIG_DIR, RECOLLECT_INTERNAL, ANTHROPIC_API_KEY } = process.env
      const env = { CLAUDECODE, CLAUDE_CODE_SESSION_ID, CLAUDE_CONFIG_DIR, RECOLLECT_INTERNAL, ANTHROPIC_API_KEY }
      save('a.md', JSON.stringify({ args: process.argv.slice(2), cwd: process.cwd(), env, prompt })); tell()`)
    const result = await runFork({ ...request, model: 'claude-opus-4-6', configDir: join(root, 'work') })
    if (result.kind === 'failed') throw new Error(result.reason)
    const { args, cwd, env, prompt } = JSON.parse(result.files[0]!.text) as Record<string, string>
    for (const flag of ['--fork-session', '--no-session-persistence', '--strict-mcp-config'])
      expect(args).toContain(flag)
    expect(args).toEqual(expect.arrayContaining(['--resume', request.session, '--max-turns', '5', '--model']))
    expect(cwd).toBe(request.cwd)
    expect(env).toEqual({
      CLAUDE_CONFIG_DIR: join(root, 'work'),
      RECOLLECT_INTERNAL: '1',
      ANTHROPIC_API_KEY: 'made-up',
    })
    for (const part of ['the last 4 messages', 'Today is 2026-10-02', 'feedback m-1 2026-09-01: Use pnpm']) {
      expect(prompt).toContain(part)
    }
  })

  it('SPEC C.6: not if there are no new messages', async () => {
    claudeThat(`save('a.md', 'x'); tell()`)
    expect(await runFork({ ...request, newMessages: 0 })).toMatchObject({
      kind: 'done',
      files: [],
      spent: { costUsd: 0 },
    })
    expect(existsSync(request.run)).toBe(false)
  })

  it('after it removed the workspaces of killed runs', async () => {
    for (const [name, at] of [
      ['fork-old', '2026-10-01T10:00:00Z'],
      ['fork-now', '2026-10-02T09:59:00Z'],
      ['worker', '2026-01-01T00:00:00Z'],
    ] as const) {
      mkdirSync(join(request.run, name), { recursive: true })
      utimesSync(join(request.run, name), new Date(at), new Date(at))
    }
    claudeThat(`tell()`)
    await runFork(request)
    expect(left()).toEqual(['fork-now', 'worker'])
  })
})

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    // Ended, but nobody has asked how: where no init takes in orphans.
    return !/^\d+ \(.*\) Z/.test(existsSync(`/proc/${pid}/stat`) ? readFileSync(`/proc/${pid}/stat`, 'utf8') : '')
  } catch {
    return false
  }
}
