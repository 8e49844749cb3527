// Runs the hook as agents do, in both forms: the script for sh and the Node entry for platforms without one.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { agents } from '../src/agents/registry.ts'
import { briefScript, folderPointer, remotePointer } from '../src/brief/brief-files.ts'
import { hookCommand } from '../src/core/hook-command.ts'
import { writeHook } from '../src/hook/script.ts'
import { scaled } from './proof.ts'
import { waitFor } from './wait-for.ts'

const forms = [
  ['sh', 'linux'],
  ['node', 'win32'],
] as const
const start = { session_id: 's1', hook_event_name: 'SessionStart', source: 'startup', cwd: '/home/dev/app' }

let root: string
let store: string
let project: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "recollect hook's "))
  store = join(root, 'store')
  project = join(root, 'app')
  mkdirSync(project)
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

// The form for machines without sh runs in `npm run test:proof`.
describe.each(forms.slice(0, scaled(1, forms.length)))('hook as %s', (_, platform) => {
  const place = () => ({ root: store, platform, node: process.execPath })
  const install = () => writeHook({ ...place(), cli: '/nowhere/cli.js' }, agents)
  const command = (agent: string, event: string) => hookCommand(place(), agent, event)

  function fire(agent: string, event: string, input: object | string, options: { cwd?: string; env?: object } = {}) {
    return spawnSync('/bin/sh', ['-c', command(agent, event)], {
      cwd: options.cwd ?? project,
      env: { PATH: process.env.PATH, HOME: root, ...options.env },
      input: typeof input === 'string' ? input : JSON.stringify(input),
      encoding: 'utf8',
      maxBuffer: 1 << 26,
    })
  }
  const silent = { status: 0, stdout: '', stderr: '' }

  it('writes one spool file with names, paths and reasons, and no user text', () => {
    install()
    const payload = {
      session_id: 's1',
      transcript_path: '/home/dev/.claude/projects/-a/s1.jsonl',
      cwd: project,
      hook_event_name: 'Stop',
      last_assistant_message: 'the key is hunter2, "cwd": "/elsewhere"',
      prompt: 'say "session_id":"s2"',
    }
    expect(fire('claude-code', 'Stop', payload)).toMatchObject(silent)
    expect(spooled()).toEqual([
      `"session_id":"s1"\n"transcript_path":"/home/dev/.claude/projects/-a/s1.jsonl"\n"cwd":${JSON.stringify(project)}\n"hook_event_name":"Stop"\n.\n`,
    ])
  })

  it('does not keep a sentence as a reason, at any depth of the payload', () => {
    install()
    const payload = { session_id: 's1', session_crons: [{ reason: 'the password is hunter2' }], reason: 'other' }
    fire('claude-code', 'SessionEnd', payload)
    expect(spooled()).toEqual(['"session_id":"s1"\n"reason":"other"\n.\n'])
  })

  it('keeps every event of a burst', async () => {
    install()
    const children = Array.from({ length: 20 }, () => background(command('claude-code', 'Stop'), '{"session_id":"s1"}'))
    await Promise.all(children.map(ended))
    expect(spooled()).toHaveLength(20)
  })

  describe('text for a summary', () => {
    const compact = { session_id: 's-1', hook_event_name: 'PreCompact', trigger: 'auto', cwd: '/home/dev/app' }
    beforeEach(() => {
      install()
      mkdirSync(join(store, 'run', 'compaction'), { recursive: true })
      writeFileSync(join(store, 'run', 'compaction', 'claude-code.s-1.txt'), 'keep the port\n')
      writeFileSync(join(store, 'run', 'outside.txt'), 'not this\n')
    })

    it('is printed as it is before a compaction, and the event is stored', () => {
      expect(fire('claude-code', 'PreCompact', compact)).toMatchObject({
        status: 0,
        stdout: 'keep the port\n',
        stderr: '',
      })
      expect(spooled()).toHaveLength(1)
    })

    it.each([
      ['of a session without one', { session_id: 's-2' }],
      ['of a subagent', { agent_id: 'a1' }],
      ['of an id that is a path', { session_id: '../outside' }],
      ['without an id', { session_id: undefined }],
    ])('is not printed before a compaction %s', (_, fields) => {
      expect(fire('claude-code', 'PreCompact', { ...compact, ...fields })).toMatchObject(silent)
    })

    it('is not printed for an agent that ignores it', () => {
      writeFileSync(join(store, 'run', 'compaction', 'codex.s-1.txt'), 'keep the port\n')
      expect(fire('codex', 'PreCompact', compact)).toMatchObject(silent)
    })
  })

  describe('brief', () => {
    beforeEach(() => {
      install()
      brief('app', 'what was done')
      point(folderPointer(project), 'app')
    })

    it.each([
      [
        'claude-code',
        'SessionStart',
        { hookSpecificOutput: { hookEventName: 'SessionStart', additionalContext: 'what was done' } },
      ],
      [
        'codex',
        'SessionStart',
        { hookSpecificOutput: { hookEventName: 'SessionStart', additionalContext: 'what was done' } },
      ],
      [
        'gemini-cli',
        'SessionStart',
        { hookSpecificOutput: { hookEventName: 'SessionStart', additionalContext: 'what was done' } },
      ],
      ['copilot-cli', 'sessionStart', { additionalContext: 'what was done' }],
      ['cursor', 'sessionStart', { additional_context: 'what was done' }],
    ])('is printed in the format of %s for %s', (agent, event, expected) => {
      const { status, stdout } = fire(agent, event, start)
      expect({ status, answer: JSON.parse(stdout) }).toEqual({ status: 0, answer: expected })
    })

    it.each(["it's `id` $(id) \\ %s \n'; id; '", 'für 鯨 🐋 \u0085\u2028', 'x'.repeat(100_000)])(
      'is printed as it is: %j',
      (text) => {
        brief('app', text)
        const { stdout } = fire('claude-code', 'SessionStart', start)
        expect(JSON.parse(stdout).hookSpecificOutput.additionalContext).toBe(text)
      },
    )

    it('is printed from the JSON of a program that writes no script, also if that is newer', () => {
      const script = join(store, 'briefs', 'app.sh')
      utimesSync(script, 1000, 1000)
      writeFileSync(join(store, 'briefs', 'app.json'), '"newer"')
      expect(fire('claude-code', 'SessionStart', start).stdout).toContain('newer')
      rmSync(script)
      expect(fire('claude-code', 'SessionStart', start).stdout).toContain('newer')
    })

    it.each([
      ['at a start', { source: 'startup' }, true],
      ['after /clear', { source: 'clear' }, true],
      ['after a compaction', { source: 'compact' }, true],
      ['in a resumed conversation', { source: 'resume' }, false],
      ['in a fork', { source: 'fork' }, false],
      ['in a subagent', { agent_id: 'a1' }, false],
      ['in a session without a parent', { agent_id: null, calling_session_id: null }, true],
    ])('is printed %s (%j): %s', (_, fields, isPrinted) => {
      expect(fire('claude-code', 'SessionStart', { ...start, ...fields }).stdout.includes('what was done')).toBe(
        isPrinted,
      )
    })

    it.each([
      ['gemini-cli', 'SessionStart', true],
      ['qwen-code', 'SessionStart', true],
      ['copilot-cli', 'sessionStart', true],
      ['codex', 'SessionStart', false],
    ])('is printed again in a resumed session of %s if it keeps none', (agent, event, isPrinted) => {
      const { stdout } = fire(agent, event, { ...start, source: 'resume' })
      expect(stdout.includes('what was done')).toBe(isPrinted)
    })

    it('is composed without the session itself after a compaction', () => {
      const cli = join(root, 'cli.cjs')
      const print = `console.log(JSON.stringify(process.argv.slice(2).join(' ') + ' ' + require('fs').readFileSync(0, 'utf8').split('\\n')[0]))`
      writeFileSync(cli, `if (process.argv[2] === 'brief') ${print}`)
      writeHook({ ...place(), cli }, agents)
      const { stdout } = fire('claude-code', 'SessionStart', { ...start, source: 'compact' })
      expect(JSON.parse(stdout).hookSpecificOutput.additionalContext).toBe('brief --hook claude-code "session_id":"s1"')
      expect(fire('claude-code', 'SessionStart', start).stdout).toContain('what was done')
    })

    it('is the prepared one after a compaction if the program cannot answer', () => {
      const cli = join(root, 'cli.cjs')
      writeFileSync(cli, 'process.exit(3)')
      writeHook({ ...place(), cli }, agents)
      expect(fire('claude-code', 'SessionStart', { ...start, source: 'compact' }).stdout).toContain('what was done')
    })

    it('is printed by the hook of Devin, and not by that of Claude Code, which Devin runs too', () => {
      const devin = { env: { DEVIN_PROJECT_DIR: project }, cwd: root }
      expect(fire('claude-code', 'SessionStart', { session_id: 'd1' }, devin)).toMatchObject(silent)
      expect(readdirSync(join(store, 'spool'))[0]).toMatch(/^devin\.SessionStart\./)
      expect(fire('devin', 'SessionStart', { session_id: 'd1' }, devin).stdout).toContain('what was done')
    })

    it('is not printed at the end of a turn', () => {
      expect(fire('claude-code', 'Stop', { session_id: 's1' })).toMatchObject(silent)
    })

    it('is printed in a folder of the repository and not outside of it', () => {
      mkdirSync(join(project, '.git'))
      const inside = join(project, 'src', 'parser')
      const nested = join(project, 'vendor', 'other')
      for (const folder of [inside, join(nested, '.git')]) mkdirSync(folder, { recursive: true })
      expect(fire('claude-code', 'SessionStart', start, { cwd: inside }).stdout).toContain('what was done')
      expect(fire('claude-code', 'SessionStart', start, { cwd: nested })).toMatchObject(silent)
    })

    it('is printed in a folder that was reached through a link', () => {
      const link = join(root, 'link')
      symlinkSync(project, link)
      const env = { PWD: link }
      expect(fire('claude-code', 'SessionStart', start, { cwd: link, env }).stdout).toContain('what was done')
    })

    it('is that of the folder in CURSOR_PROJECT_DIR, because Cursor runs its hooks elsewhere', () => {
      const env = { CURSOR_PROJECT_DIR: project }
      const payload = { conversation_id: 'c1', cursor_version: '3.1' }
      expect(fire('cursor', 'sessionStart', payload, { cwd: root, env }).stdout).toContain('what was done')
    })

    it('is not printed to an agent that runs the hook of another agent', () => {
      expect(fire('claude-code', 'SessionStart', { ...start, cursor_version: '3.1' })).toMatchObject(silent)
    })

    it.each([
      ['VS Code', '/home/dev/.config/Code/User/workspaceStorage/w1/GitHub.copilot-chat/transcripts/s1.jsonl'],
      ['Continue', '/home/dev/.continue/sessions/s1.json'],
    ])('is not printed to %s, which names a transcript of its own', (_, transcript_path) => {
      const payload = { ...start, transcript_path }
      expect(fire('claude-code', 'SessionStart', payload)).toMatchObject(silent)
      expect(fire('copilot-cli', 'sessionStart', payload)).toMatchObject(silent)
      expect(spooled()).toHaveLength(2)
    })

    it('is not printed in a folder below a known folder without a repository', () => {
      const below = join(project, 'scratch')
      mkdirSync(below)
      expect(fire('claude-code', 'SessionStart', start, { cwd: below })).toMatchObject(silent)
    })

    it('is printed in a new worktree', () => {
      const worktree = join(root, 'tree')
      mkdirSync(join(project, '.git', 'worktrees', 'tree'), { recursive: true })
      writeFileSync(join(project, '.git', 'worktrees', 'tree', 'commondir'), '../..\n')
      mkdirSync(worktree)
      writeFileSync(join(worktree, '.git'), `gitdir: ${join(project, '.git', 'worktrees', 'tree')}\n`)
      expect(fire('claude-code', 'SessionStart', start, { cwd: worktree }).stdout).toContain('what was done')
    })

    it.each([
      'https://github.com/dev/app.git',
      'https://user:token@github.com/dev/app',
      'git@github.com:dev/app.git',
      'ssh://git@github.com:22/dev/app.git',
    ])('is printed in a new clone of %s', (url) => {
      const clone = join(root, 'clone')
      mkdirSync(join(clone, '.git'), { recursive: true })
      writeFileSync(
        join(clone, '.git', 'config'),
        `[core]\n\tbare = false\n[remote "fork"]\n\turl = https://example.org/x/y\n[remote "origin"]\n\turl = ${url}\n\tfetch = +refs\n[branch "main"]\n\tremote = origin\n`,
      )
      point(remotePointer('github.com/dev/app'), 'app')
      expect(fire('claude-code', 'SessionStart', start, { cwd: clone }).stdout).toContain('what was done')
    })

    it.each([
      ['a folder', (path: string) => path],
      ['the .git of a folder', (path: string) => `${path}/.git/`],
      ['a file address', (path: string) => `file://${path}`],
    ])('is printed in a new clone of %s', (_, urlOf) => {
      const clone = join(root, 'clone')
      mkdirSync(join(clone, '.git'), { recursive: true })
      writeFileSync(join(clone, '.git', 'config'), `[remote "origin"]\n\turl = ${urlOf(project)}\n`)
      expect(fire('claude-code', 'SessionStart', start, { cwd: clone }).stdout).toContain('what was done')
    })
  })

  it.each([
    ['one of our own model calls', { RECOLLECT_INTERNAL: '1' }],
    ['a call of another memory', { CLAUDE_INVOKED_BY: 'memory_flush' }],
  ])('ignores %s', (_, env) => {
    install()
    expect(fire('claude-code', 'SessionStart', start, { env })).toMatchObject(silent)
    expect(spooled()).toEqual([])
  })

  it('ignores sessions in which Codex consolidates its memories', () => {
    install()
    const cwd = join(root, '.codex', 'memories_v2')
    mkdirSync(cwd, { recursive: true })
    expect(fire('codex', 'Stop', { session_id: 's1', transcript_path: null, cwd }, { cwd })).toMatchObject(silent)
    expect(spooled()).toEqual([])
  })

  it('names the event after Grok when Grok runs the hook of Claude Code', () => {
    install()
    fire('claude-code', 'Stop', { sessionId: 'g1' }, { env: { GROK_SESSION_ID: 'g1' } })
    expect(readdirSync(join(store, 'spool'))[0]).toMatch(/^grok\.Stop\./)
  })

  it('names the event after Continue when Continue runs the hook of Claude Code', () => {
    install()
    const payload = { session_id: 'c1', transcript_path: '' }
    fire('claude-code', 'Stop', payload, { env: { CONTINUE_PROJECT_DIR: project } })
    expect(readdirSync(join(store, 'spool'))[0]).toMatch(/^continue\.Stop\./)
  })

  it.each([
    ['nothing', ''],
    ['no JSON', 'Segmentation fault'],
    ['broken JSON with Windows paths', '{"session_id":"s1","cwd":"C:\\Users\\dev","transcript_path":null,'],
    ['20 MB', `{"session_id":"s1","prompt":"${'x'.repeat(20_000_000)}"}`],
    ['20 MB of lines', '{"a": "b"}\n'.repeat(2_000_000)],
  ])('accepts %s without output', (_, input) => {
    install()
    expect(fire('claude-code', 'Stop', input)).toMatchObject(silent)
    expect(spooled()).toHaveLength(1)
  })

  it.each([
    ['the spool is a file', () => writeFileSync(join(store, 'spool'), '')],
    ['the folder of locks is a file', () => writeFileSync(join(store, 'run'), '')],
    ['everything of ours is gone', () => rmSync(store, { recursive: true })],
    ['the briefs are broken', () => breakBrief()],
  ])('exits with 0 and no output when %s', (_, breakIt) => {
    install()
    breakIt()
    expect(fire('claude-code', 'SessionStart', start).stdout).toBe('')
    // On Windows the line is Node's own; a missing file is an error there that agents show and go on from.
    if (platform === 'linux') expect(fire('claude-code', 'SessionStart', start)).toMatchObject(silent)
  })

  it('does not wait forever for an agent that never closes standard input', async () => {
    install()
    const child = background(command('claude-code', 'Stop'), undefined)
    expect(await ended(child)).toBe(0)
    expect(spooled()).toHaveLength(1)
  })

  it.skipIf(platform !== 'linux')('does not wait for a pipe in the place of a file', () => {
    const cli = join(root, 'cli.js')
    writeFileSync(cli, '')
    writeHook({ ...place(), cli }, agents)
    mkdirSync(join(store, 'run'))
    mkdirSync(join(project, '.git'))
    spawnSync('mkfifo', [join(store, 'run', 'worker'), join(project, '.git', 'config')])
    expect(fire('claude-code', 'SessionStart', start)).toMatchObject(silent)
    expect(spooled()).toHaveLength(1)
  })

  it.skipIf(platform !== 'linux').each(['SIGHUP', 'SIGTERM', 'SIGINT'] as const)(
    'SPEC A.9: starts the worker although its group gets a %s as soon as the hook has ended',
    async (signal) => {
      const cli = join(root, 'cli.js')
      const started = join(root, 'started')
      writeFileSync(cli, `require('fs').writeFileSync(${JSON.stringify(started)}, '')`)
      writeHook({ ...place(), cli }, agents)
      for (let round = 0; round < 12; round++) {
        const child = background(command('claude-code', 'Stop'), '{}', { detached: true })
        await ended(child)
        signalGroup(child.pid!, signal)
        await waitFor(() => existsSync(started), 20_000)
        rmSync(started)
        rmSync(join(store, 'run', 'worker'), { force: true })
      }
    },
  )

  function background(line: string, input: string | undefined, options: { detached?: boolean } = {}): ChildProcess {
    const child = spawn('/bin/sh', ['-c', line], {
      ...options,
      cwd: project,
      env: { PATH: process.env.PATH, HOME: root },
      stdio: ['pipe', 'ignore', 'ignore'],
    })
    child.stdin!.on('error', () => {})
    if (input !== undefined) child.stdin!.end(input)
    return child
  }
})

function spooled(): string[] {
  const spool = join(store, 'spool')
  return existsSync(spool) ? readdirSync(spool).map((name) => readFileSync(join(spool, name), 'utf8')) : []
}

function brief(name: string, text: string): void {
  mkdirSync(join(store, 'briefs'), { recursive: true })
  writeFileSync(join(store, 'briefs', `${name}.json`), JSON.stringify(text))
  writeFileSync(join(store, 'briefs', `${name}.sh`), briefScript(text))
}

function breakBrief(): void {
  brief('app', 'what was done')
  writeFileSync(join(store, 'briefs', 'app.json'), '')
  point(folderPointer(project), 'app')
}

function point(at: string, name: string): void {
  mkdirSync(join(store, 'briefs', at), { recursive: true })
  writeFileSync(join(store, 'briefs', at, '.brief'), `${name}\n`)
}

/** The group may be empty already. */
function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal)
  } catch (error) {
    expect(error).toMatchObject({ code: 'ESRCH' })
  }
}

function ended(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve) => child.on('exit', resolve))
}
