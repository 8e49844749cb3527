// The forked judge, with the real Claude Code: the scripted model tries what it must not do.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { systemClock } from '../../src/core/clock.ts'
import { layoutOf } from '../../src/core/paths.ts'
import { forkArguments } from '../../src/models/fork/command.ts'
import { type ForkRequest, type ForkResult, runFork } from '../../src/models/fork/run-fork.ts'
import { recollect } from '../program.ts'
import { claude } from './agents/claude.ts'
import { type Answer, type Api, call, type Protocol, run, serve, text } from './api.ts'
import { type Home, makeHome, removeHome, runClient } from './client.ts'
import { binary, isInstalled } from './install-clients.ts'

const secret = 'made-up private key'

describe.skipIf(!isInstalled('claude'))('the forked judge', () => {
  let api: Api
  let at: Home
  let session: string
  let parentRequest: Request
  let transcript: string

  beforeAll(async () => {
    api = await serve(knowingStaging)
    at = makeHome(claude, api.url)
    prepareProject(at)
    expect(recollect(at, 'install', 'claude-code', '--yes').status).toBe(0)
    // What the user has allowed for good, and hooks of their own.
    changeSettings(at, (settings) => ({
      ...settings,
      permissions: { allow: ['Bash', 'Read', 'Write', 'Edit'], defaultMode: 'bypassPermissions' },
      hooks: { ...settings.hooks, PreToolUse: [touching(join(at.home, 'hook-ran'))] },
    }))
    api.says(text('Then pnpm it is.'))
    const first = await runClient(claude, at, api.url, 'We use pnpm here, never npm.')
    session = (JSON.parse(first.out) as { session_id: string }).session_id
    parentRequest = JSON.parse(api.asked.at(-1)!.text) as Request
    transcript = readFileSync(transcriptOf(at, session), 'utf8')
    recollect(at, 'work')
  })
  afterAll(async () => {
    await removeHome(at)
    await api.close()
  })
  beforeEach(() => expect(hooksLeft(at)).toEqual([]))

  const fork = (answers: Answer[], more: Partial<ForkRequest> = {}): Promise<ForkResult> => {
    api.says(...answers)
    return runFork({ ...requestOf(at, api.url, session), ...more })
  }

  it('returns what was written into the staging folder, and leaves nothing else', async () => {
    const result = await fork([
      run('git log --oneline'),
      call({ name: 'Write', input: { file_path: '<staging>/use-pnpm.md', content: memory } }),
      text('saved'),
    ])
    expect(result).toMatchObject({
      kind: 'done',
      isCutShort: false,
      files: [{ path: 'use-pnpm.md', text: memory }],
      refused: [],
    })
    expect(result.spent).toMatchObject({ turns: 3, tokens: { input: 300, output: 30 } })
    expect(readdirSync(layoutOf(at.store).run).filter((name) => name.startsWith('fork-'))).toEqual([])
  })

  it('asks with the system prompt, tools and messages of its session, so that they come from the cache', async () => {
    await fork([text('nothing')])
    const request = JSON.parse(api.asked[0]!.text) as Request
    const { system, messages, model } = withoutMarks(request)
    const parent = withoutMarks(parentRequest)
    expect({ system, model }).toEqual({ system: parent.system, model: parent.model })
    expect(messages.slice(0, parent.messages.length)).toEqual(parent.messages)
    const kept = request.tools.filter(({ name }) => parentRequest.tools.some((tool) => tool.name === name))
    expect(kept).toEqual(parentRequest.tools)
  })

  it.each<[what: string, name: string, input: (at: Home) => object]>([
    ['a file in the project', 'Write', ({ project }) => ({ file_path: join(project, 'evil.md'), content: 'x' })],
    ['a file of the vault', 'Write', ({ store }) => ({ file_path: join(store, 'vault/evil.md'), content: 'x' })],
    ['a file in the home', 'Write', ({ home }) => ({ file_path: join(home, 'evil.md'), content: 'x' })],
    ['its own memory folder', 'Write', ({ home }) => ({ file_path: join(home, '.claude/evil.md'), content: 'x' })],
    ['a command that deletes', 'Bash', ({ project }) => ({ command: `rm ${join(project, 'notes.txt')}` })],
    ['a command that writes', 'Bash', ({ project }) => ({ command: `echo x > ${join(project, 'evil.md')}` })],
    ['a command that pushes', 'Bash', () => ({ command: 'git push origin main' })],
    ['a command that installs', 'Bash', () => ({ command: 'npm install left-pad' })],
    ['a command in the background', 'Bash', () => ({ command: 'git log', run_in_background: true })],
    ['a private key', 'Read', ({ home }) => ({ file_path: join(home, '.ssh/id_x') })],
    ['a private key by the shell', 'Bash', ({ home }) => ({ command: `cat ${join(home, '.ssh/id_x')}` })],
    ['a private key by a link', 'Read', ({ project }) => ({ file_path: join(project, 'link') })],
    ['a subagent', 'Agent', () => ({ description: 'x', prompt: 'x', subagent_type: 'general-purpose' })],
    ['the web', 'WebFetch', () => ({ url: 'http://127.0.0.1:1/', prompt: 'x' })],
  ])('refuses %s', async (_, name, input) => {
    const result = await fork([call({ name, input: input(at) }), text('nothing')])
    expect(result).toMatchObject({ kind: 'done', files: [] })
    expect(api.asked).toHaveLength(2)
    expect(lastToolResult(api)).toMatchObject({ is_error: true })
    expect(api.asked[1]!.text).not.toContain(secret)
    expect(evilIn(at)).toEqual([])
    expect(readFileSync(join(at.project, 'notes.txt'), 'utf8')).toBe('made up for a test\n')
    expect(result.refused.map(({ tool }) => tool)).toContain(name)
  })

  it('lets it read the project and the history', async () => {
    await fork([
      call(
        { name: 'Bash', input: { command: 'git log --oneline', description: 'Look' } },
        { name: 'Read', input: { file_path: join(at.project, 'notes.txt') } },
      ),
      text('nothing'),
    ])
    expect(api.asked[1]!.text).toContain('First commit')
    expect(api.asked[1]!.text).toContain('made up for a test')
  })

  it('stops after five turns', async () => {
    const result = await fork([run('git status')])
    expect(result).toMatchObject({ kind: 'failed', reason: 'nothing written in 5 turns' })
    expect(api.asked.length).toBeLessThanOrEqual(5)
  })

  it('stops when it has cost what it may', async () => {
    const result = await fork([run('git status')], { maxUsd: 0.000_001 })
    expect(result).toMatchObject({ kind: 'failed', reason: 'nothing written for the money that it may cost' })
    expect(api.asked).toHaveLength(1)
    expect(result.spent.costUsd).toBeGreaterThan(0)
  })

  it('is ended, with all that it started, when it takes too long', async () => {
    const result = await fork([text('never heard')], { timeoutMs: 50 })
    expect(result).toMatchObject({ kind: 'failed', reason: expect.stringContaining('not done after') })
  })

  it('refuses everything when Recollect itself is killed', async () => {
    api.says(call({ name: 'Write', input: { file_path: join(at.project, 'evil.md'), content: 'x' } }), text('nothing'))
    const { status } = await dyingFork(at, forkArguments({ session, maxUsd: 1 }), claude.env(at, api.url))
    expect(status).toBe(null)
    await expect.poll(() => api.asked.length, { timeout: 20_000 }).toBe(2)
    expect(lastToolResult(api)).toMatchObject({ is_error: true })
    expect(evilIn(at)).toEqual([])
  })

  it('says why when the session is not there', async () => {
    const result = await fork([text('never asked')], { session: '00000000-0000-4000-8000-000000000000' })
    expect(result).toMatchObject({ kind: 'failed', reason: expect.stringContaining('No conversation found') })
  })

  it('SPEC C.9: left no transcript of its own, and the one of its session as it was; no hook has run', () => {
    expect(readFileSync(transcriptOf(at, session), 'utf8')).toBe(transcript)
    expect(transcripts(at)).toEqual([`${session}.jsonl`])
    expect(existsSync(join(at.home, 'hook-ran'))).toBe(false)
    expect(hooksLeft(at)).toEqual([])
  })
})

/** Only the model knows the path of the staging folder: `<staging>` in an answer stands for it. */
const knowingStaging: Protocol = {
  ...claude.protocol,
  reply(answer, body, number) {
    const staging = /Write one file per memory into ([^,]+),/.exec(JSON.stringify(body))?.[1] ?? ''
    const filled = JSON.parse(JSON.stringify(answer).replaceAll('<staging>', staging)) as Answer
    return claude.protocol.reply(filled, body, number)
  },
}

interface Request {
  model: string
  system: { text: string }[]
  messages: { role: string; content: unknown }[]
  tools: { name: string }[]
}

const memory = `---
name: Use pnpm
description: Which package manager this project uses
type: feedback
kind: preference
---
The project uses pnpm, never npm.
`

function prepareProject(at: Home): void {
  mkdirSync(join(at.home, '.ssh'))
  writeFileSync(join(at.home, '.ssh', 'id_x'), secret)
  const git = (...args: string[]) =>
    spawnSync('git', ['-c', 'user.name=Dev', '-c', 'user.email=dev@example.org', ...args], {
      cwd: at.project,
      env: environment(at),
    })
  git('init', '-b', 'main')
  git('add', '.')
  git('commit', '-m', 'First commit')
  spawnSync('ln', ['-s', join(at.home, '.ssh', 'id_x'), join(at.project, 'link')])
}

function environment(at: Home): Record<string, string> {
  return { PATH: process.env.PATH ?? '', HOME: at.home, TMPDIR: join(at.home, 'tmp'), SHELL: '/bin/sh', TZ: 'UTC' }
}

function requestOf(at: Home, url: string, session: string): ForkRequest {
  return {
    session,
    cwd: at.project,
    configDir: join(at.home, '.claude'),
    machine: { home: at.home, env: { ...environment(at), ...claude.env(at, url) }, platform: process.platform },
    program: binary('claude'),
    newMessages: 2,
    manifest: '',
    maxUsd: 1,
    timeoutMs: 60_000,
    run: layoutOf(at.store).run,
    clock: systemClock,
    redact: (words) => words,
  }
}

/** A process that talks to claude and is gone at the moment at which it is asked for a permission. */
function dyingFork(at: Home, args: string[], env: Record<string, string>): Promise<{ status: number | null }> {
  const module = join(import.meta.dirname, '..', '..', 'src', 'models', 'fork', 'conversation.ts')
  const talk = {
    program: binary('claude'),
    args,
    cwd: at.project,
    env: { ...environment(at), ...env },
    timeoutMs: 60_000,
    platform: process.platform,
  }
  const script = `
    import { converse } from ${JSON.stringify(pathToFileURL(module).href)}
    const permit = () => process.kill(process.pid, 'SIGKILL')
    await converse({ ...${JSON.stringify(talk)}, prompt: 'Remember.', permit, onMessage() {} })`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: 'ignore' })
  return new Promise((resolve) => child.on('close', (status) => resolve({ status })))
}

interface Settings {
  hooks?: Record<string, object[]>
}

function changeSettings(at: Home, change: (settings: Settings) => object): void {
  const path = join(at.home, claude.hooksFile)
  writeFileSync(path, JSON.stringify(change(JSON.parse(readFileSync(path, 'utf8')) as Settings)))
}

function touching(path: string): object {
  return { hooks: [{ type: 'command', command: `touch '${path}'` }] }
}

/** Hook events that have not been processed: each hook of ours leaves one. */
function hooksLeft(at: Home): string[] {
  return readdirSync(layoutOf(at.store).spool).filter((name) => name.startsWith('claude-code'))
}

function transcripts(at: Home): string[] {
  const folder = join(at.home, '.claude', 'projects')
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.jsonl'))
    .map((path) => path.split('/').at(-1)!)
}

function transcriptOf(at: Home, session: string): string {
  return join(at.home, '.claude', 'projects', at.project.replace(/[^A-Za-z0-9]/g, '-'), `${session}.jsonl`)
}

function evilIn(at: Home): string[] {
  return readdirSync(at.root, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('evil.md'))
}

function lastToolResult(api: Api): unknown {
  const { messages } = JSON.parse(api.asked.at(-1)!.text) as Request
  const parts = messages.flatMap(({ content }) => (Array.isArray(content) ? (content as { type: string }[]) : []))
  return parts.findLast(({ type }) => type === 'tool_result')
}

/** Every request marks the end of the cache again; a text with a mark is a list of one. */
function withoutMarks(request: Request): Request {
  const unmarked = JSON.parse(
    JSON.stringify(request, (name, value: unknown) => (name === 'cache_control' ? undefined : value)),
  ) as Request
  const messages = unmarked.messages.map(({ content, ...rest }) => ({
    ...rest,
    content: typeof content === 'string' ? [{ type: 'text', text: content }] : content,
  }))
  return { ...unmarked, messages }
}
