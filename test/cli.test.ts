// The contract that other tools rely on: JSON fields, exit codes, errors with hints, help.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { commandGroups, commandNames } from '../src/cli/commands.ts'
import { claudeSession, lines, type Place, place, recollect, sessionName } from './program.ts'

let at: Place
const session = `claude-code:${sessionName(1)}`
beforeAll(() => {
  at = place({ [`.claude/projects/-home-dev-app/${sessionName(1)}.jsonl`]: claudeSession(sessionName(1), 2) })
  recollect(at, 'sweep')
})
afterAll(() => at.remove())

describe('sessions --json', () => {
  it('has every field of the contract', () => {
    expect(recollect(at, 'sessions', '--json', '--agent', 'claude-code', '--limit', '1').json()).toEqual([
      expect.objectContaining({
        id: session,
        agent: 'claude-code',
        parent: null,
        project: '/home/dev/app',
        cwd: '/home/dev/app',
        title: `question 0 of ${sessionName(1)}`,
        started: '2026-09-01T10:00:00.000Z',
        ended: '2026-09-01T10:01:03.000Z',
        outcome: 'success',
        counts: { events: 8, prompts: 2, toolCalls: 2, toolErrors: 0 },
        tokens: expect.objectContaining({ input: 20, cacheRead: 200, cacheWrite: 10, output: 41 }),
        costUsd: expect.closeTo(0.00128, 3),
      }),
    ])
  })
})

describe('show --json', () => {
  it('gives session, digest and events with the agent’s own ids', () => {
    const shown = recollect(at, 'show', session, '--json').json()
    expect(Object.keys(shown)).toEqual(['session', 'digest', 'events'])
    expect(shown.events[2]).toMatchObject({
      seq: 2,
      event: `${sessionName(1)}-0-2`,
      kind: 'test_run',
      role: 'tool',
      tool: 'Bash',
      error: null,
      tests: { passed: 3, failed: 0 },
    })
    expect(shown.digest).toMatchObject({
      outcome: 'success',
      because: 'the last test run passed',
      kind: 'work',
      tools: { Bash: 2 },
      commands: [{ command: 'npm test', times: 2, failed: 0 }],
    })
  })
  it('prints a conversation without --json, with tool output folded', () => {
    const { out } = recollect(at, 'show', sessionName(1).slice(0, 12))
    expect(out).toContain('10:00 You\nquestion 0')
    expect(out).toContain('● Bash npm test')
    expect(out).toContain('✓ 3 tests passed')
  })
})

describe('every command', () => {
  it.each([
    ['cost', '--by', 'model'],
    ['cost'],
    ['du'],
    ['status'],
    ['config'],
    ['sessions'],
    ['search', 'question'],
    ['brief', '--project', 'app'],
    ['rebuild'],
    ['install', '--status'],
    ['work'],
    ['doctor'],
  ])('%s answers as text and as JSON', (...args) => {
    const text = recollect(at, ...args)
    expect(text.status, text.err).toBe(0)
    expect(text.out.length).toBeGreaterThan(0)
    expect(() => recollect(at, ...args, '--json').json()).not.toThrow()
  })
})

describe('help', () => {
  it('lists the most used commands first, then the others by subject', () => {
    const { out } = recollect(at, '--help')
    expect([...out.matchAll(/^(\w[\w ]+):$/gm)].map(([, title]) => title)).toEqual([
      ...commandGroups.keys(),
      'Options',
      'Examples',
    ])
    expect(out).toMatch(
      /^Most used:\n {2}\(no command\) .*\n {2}search .*\n {2}recall .*\n {2}remember .*\n {2}status /m,
    )
    expect(linesOver80(out)).toEqual([])
  })

  it('is the same for "recollect help" and "recollect --help"', () =>
    expect(recollect(at, 'help').out).toBe(recollect(at, '--help').out))

  it('is shown for a command of a command', () => {
    const { out } = recollect(at, 'patterns', 'detect', '--help')
    expect(recollect(at, 'help', 'patterns', 'detect').out.trim()).toBe(out.trim())
    expect(recollect(at, 'help', 'patterns', 'nothing')).toMatchObject({ status: 2 })
    expect(recollect(at, 'patterns', '--help').out).not.toContain('display help')
  })

  it.each(commandNames)('%s --help has examples and fits in 80 columns', (name) => {
    const { status, out } = recollect(at, name, '--help')
    expect(status).toBe(0)
    expect(out).toContain('Examples:')
    expect(linesOver80(out)).toEqual([])
  })

  const linesOver80 = (text: string) => text.split('\n').filter((line) => line.length > 80)
})

describe('judge', () => {
  it('answers each line of a batch', () => {
    const batch = join(at.root, 'batch.jsonl')
    const rule = { id: 'a', before: '', prompt: 'Never push to main directly, always open a pull request.', after: '' }
    const task = { id: 'b', before: '', prompt: 'rename foo to bar', after: '' }
    writeFileSync(batch, `${JSON.stringify(rule)}\n${JSON.stringify(task)}\n`)
    const answers = recollect(at, 'judge', '--batch', batch, '--json')
      .out.trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(answers[0]).toMatchObject({ id: 'a', events: [{ text: expect.stringContaining('push to main') }] })
    expect(answers[1]).toEqual({ id: 'b', events: [] })
  })
})

describe('errors', () => {
  it.each([
    ['an unknown command', ['swep'], 2, 'sweep'],
    ['an unknown flag', ['sessions', '--agnet', 'codex'], 2, '--agent'],
    ['a usage error', ['show'], 2, 'See: recollect show --help'],
    ['a usage error of a subcommand', ['wiki', 'show'], 2, 'See: recollect wiki show --help'],
    ['an unknown agent', ['sessions', '--agent', 'codx'], 2, 'Did you mean codex?'],
    ['no number', ['sessions', '--limit', 'many'], 2, '--limit 20'],
    ['no time', ['cost', '--since', 'lately'], 2, '--since 7d'],
    ['no such group', ['cost', '--by', 'year'], 2, 'day, week, month, session, project, model, agent, block'],
    ['no date', ['cost', '--until', '7d'], 2, '--until 2026-09-30'],
    ['a period that ends first', ['cost', '--since', '2026-09-02', '--until', '2026-09-01'], 2, 'later date'],
    ['two formats', ['cost', '--csv', '--json'], 2, 'one of them'],
    ['no such session', ['show', 'nothing'], 1, 'recollect sessions'],
    ['no such project', ['brief', '--project', 'ap'], 1, 'Did you mean app?'],
    ['an agent without hooks', ['install', 'aider'], 2, 'recollect schedule'],
    ['an unknown agent', ['uninstall', 'codx'], 2, 'Did you mean codex?'],
  ])('%s: exit code and hint', (_, args, status, hint) => {
    const run = recollect(at, ...args)
    expect(run.status).toBe(status)
    expect(run.err).toContain(hint)
  })

  it.each([
    ['an unknown setting', '[retain]\nsofft = "1 GiB"', 'Did you mean retain.soft?'],
    ['a broken line', '[retain\n', 'config.toml:1:'],
    ['a wrong value', '[retain]\nsoft = "much"', 'a size such as'],
    ['an unknown agent', '[sources]\nclaude-cod = []', 'Did you mean claude-code?'],
    ['an agent of another name', '[sources]\nsome-agent = []', 'my-agent = { format = "codex"'],
    ['an unknown format', '[sources]\nmine = { format = "codx", folders = ["~/.mine"] }', 'Did you mean codex?'],
    ['a format of a known agent', '[sources]\npi = { format = "codex", folders = [] }', 'Write pi = ["folder"].'],
    ['a source without folders', '[sources]\nmine = { format = "codex" }', 'agent = { format = "known agent"'],
    ['budgets the wrong way round', '[retain]\nsoft = "2 GiB"\nhard = "1 GiB"', 'must not be smaller'],
  ])('%s in config.toml: the error names the file', (_, toml, hint) => {
    const broken = place()
    mkdirSync(broken.store, { recursive: true })
    writeFileSync(join(broken.store, 'config.toml'), toml)
    const run = recollect(broken, 'sweep')
    expect(run).toMatchObject({ status: 2, err: expect.stringContaining(hint) })
    expect(run.err).toContain('config.toml')
    broken.remove()
  })

  it('the removed value vectors = "own" does not stop a sweep, and doctor says what to write instead', () => {
    const earlier = place()
    mkdirSync(earlier.store, { recursive: true })
    writeFileSync(join(earlier.store, 'config.toml'), '[recall]\nvectors = "own"\n')
    expect(recollect(earlier, 'sweep').status).toBe(0)
    expect(recollect(earlier, 'doctor').out).toContain('Write vectors = "off", or "ollama:<model>"')
    earlier.remove()
  })

  it('refuses a ledger of a newer version without changing it', async () => {
    const { openDatabase } = await import('../src/core/sqlite.ts')
    const newer = place()
    mkdirSync(newer.store, { recursive: true })
    openDatabase(join(newer.store, 'ledger.db'), { pragmas: ['user_version = 99'] }).close()
    expect(recollect(newer, 'sessions')).toMatchObject({ status: 2, err: expect.stringContaining('newer Recollect') })
    newer.remove()
  })
})

describe('recollect without a command', () => {
  let own: Place
  const transcript = (index: number) => `.claude/projects/-home-dev-app/${sessionName(index)}.jsonl`
  const sweepLine = /transcripts? read, .*/
  beforeAll(() => {
    own = place({ [transcript(1)]: claudeSession(sessionName(1), 2) })
  })
  afterAll(() => own.remove())

  it('sweeps first when nothing is captured yet', () => {
    const { out } = recollect(own)
    expect(out).not.toContain('Looking for new sessions')
    expect(out.indexOf('1 session,')).toBeGreaterThan(out.search(sweepLine))
  })

  it('shows what is captured, sweeps, and repeats nothing if nothing has changed', () => {
    const { out } = recollect(own)
    expect(out).toMatch(/1 session,.*As of the last sweep, \S+ \S+ Looking for new sessions now\.\n0 transcripts read/s)
    expect(out.match(/1 session,/g)).toHaveLength(1)
  })

  it('captures new sessions before it exits, and shows the new totals and sessions', () => {
    writeFileSync(join(own.home, transcript(2)), lines(claudeSession(sessionName(2), 2)))
    const { out } = recollect(own)
    const [before, after] = out.split(sweepLine) as [string, string]
    expect(before).toContain('1 session,')
    expect(before).not.toContain('of 00000002')
    expect(after).toContain('2 sessions,')
    expect(after).toContain('of 00000002')
    expect(after).not.toContain('of 00000001')
  })

  it('prints one value with --json, after the sweep', () => {
    writeFileSync(join(own.home, transcript(3)), lines(claudeSession(sessionName(3), 2)))
    expect(recollect(own, '--json').json()).toMatchObject({ sessions: 3 })
  })

  it('leaves a damaged ledger to the sweep', () => {
    writeFileSync(join(own.store, 'ledger.db'), 'not a database')
    const { out, err } = recollect(own)
    expect(err).toContain('The ledger was damaged')
    expect(out).toContain('3 sessions,')
  })
})

describe('recollect without transcripts', () => {
  it('shows the demo and stores nothing of it', () => {
    const empty = place()
    const run = recollect(empty)
    expect(run.status).toBe(0)
    expect(run.out).toMatch(/No transcript of any agent was found/)
    expect(run.out).toMatch(/tidepool/)
    expect(run.out).toMatch(/Nothing of the demo is stored/)
    expect(run.out).not.toMatch(/recollect show/)
    expect(recollect(empty, 'sessions', '--json').json()).toEqual([])
    empty.remove()
  })
})
