// Fixes from transcripts to answers: found by a sweep, asked for by error, program and file.
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { createApp } from '../src/app.ts'
import { findFixes } from '../src/fixes/find-fixes.ts'
import { unknownSource } from '../src/mcp/call-source.ts'
import { fixTool } from '../src/mcp/tools/fix.ts'
import { rebuild } from '../src/rebuild.ts'
import { listFixes } from '../src/store/fixes/fixes.ts'
import { passedCommands } from '../src/store/fixes/program-runs.ts'
import { type TestHome, testHome } from './corpus/home.ts'
import { lines, type Place, place, recollect } from './program.ts'
import { type SessionScript, type Step, transcriptOf } from './transcripts.ts'

const noCompiler = 'zsh:1: command not found: golangci-lint'
const wrapped: Step[] = [
  { do: 'say', text: 'Run the linter.' },
  { do: 'run', command: 'golangci-lint run ./...', output: noCompiler, exit: 127 },
  { do: 'run', command: 'mise exec -- golangci-lint run ./...', output: '0 issues.' },
  { do: 'reply', text: 'It passes.' },
]
const unchecked = (name: string) =>
  `a/b.go:9:2: Error return value of \`${name}\` is not checked (errcheck)\n\t${name}()\n\t^`
const linted = (name: string): Step[] => [
  { do: 'say', text: 'Run the linter.' },
  { do: 'run', command: 'make lint', output: unchecked(name), exit: 1 },
  { do: 'edit', path: '/home/dev/app/a/b.go', from: `\t${name}()`, to: `\t_ = ${name}()` },
  { do: 'run', command: 'make lint', output: '0 issues.' },
  { do: 'reply', text: 'It passes.' },
]

function script(number: number, steps: Step[], more: Partial<SessionScript> = {}): SessionScript {
  return { agent: 'claude-code', number, project: 'app', startedMs: Date.UTC(2026, 8, number, 10), steps, ...more }
}

let home: TestHome | undefined
let at: Place | undefined
afterEach(() => {
  home?.remove()
  at?.remove()
  home = at = undefined
})

function write(to: TestHome, story: SessionScript, records = Number.POSITIVE_INFINITY): void {
  const { path, lines: all } = transcriptOf(story)
  to.write(path, lines(all.slice(0, records)))
}

async function swept(...stories: SessionScript[]): Promise<TestHome> {
  home = testHome()
  for (const story of stories) write(home, story)
  await home.sweep()
  return home
}

const ask = (from: TestHome, text: string, more: { command?: string; project?: string } = {}) =>
  from.look((ledger) => findFixes(ledger, { text, limit: 3, ...more }).fixes)

describe('findFixes', () => {
  it.each(['claude-code', 'codex'] as const)('finds what %s did, for the same error elsewhere', async (agent) => {
    const from = await swept(script(1, wrapped, { agent }), script(2, linted('f.Close'), { agent }))
    const output = `Exit code 127\n\u001b[31mzsh:7: command not found: golangci-lint\u001b[0m`
    expect(ask(from, output)).toMatchObject([
      { kind: 'call', match: 'same', remedy: 'It works with `mise exec --` in front.' },
    ])
    expect(ask(from, 'x/y.go:1:1: Error return value of `os.Remove` is not checked (errcheck)')).toMatchObject([
      { kind: 'edit', match: 'form', file: 'a/b.go', diff: '- f.Close()\n+ _ = f.Close()' },
    ])
  })

  it('prefers this project, and the same names', async () => {
    const from = await swept(
      script(1, linted('f.Close'), { project: 'other' }),
      script(2, linted('os.Remove')),
      script(3, linted('g.Flush')),
    )
    const [first, second] = ask(from, unchecked('os.Remove'), { project: '/home/dev/app' })
    expect([first, second]).toMatchObject([
      { match: 'same', project: '/home/dev/app', diff: '- os.Remove()\n+ _ = os.Remove()', times: 3, sessions: 3 },
      { match: 'form', project: '/home/dev/app' },
    ])
  })

  it.each([
    ['another program', { text: 'zsh:1: command not found: jq' }],
    ['a message that says nothing', { text: 'Error: exit status 1' }],
    ['another command', { text: noCompiler, command: 'docker compose up' }],
    ['prose', { text: 'it does not work' }],
    ['nothing', { text: '\n' }],
  ])('finds nothing for %s', async (_, { text, ...more }) => {
    expect(ask(await swept(script(1, wrapped)), text, more)).toEqual([])
  })
})

describe('MCP tool fix', () => {
  it('answers with evidence, or says that nothing is found', async () => {
    const from = await swept(script(1, wrapped), script(2, linted('f.Close')))
    const app = createApp({ machine: from.machine })
    const call = (input: { error: string; command?: string; project?: string }) =>
      from.look((ledger) =>
        fixTool(
          { app, ledger, clientProject: { kind: 'folder', folder: '/home/dev/app' }, source: unknownSource },
          input,
        ),
      )
    const text = call({ error: unchecked('os.Remove') })
    expect(text).toMatch(/<recollect-evidence session="claude-code:00000002-[^"]*" from="\d+" date="2026-09-02/)
    expect(text).toContain('- f.Close()\n+ _ = f.Close()')
    expect(call({ error: noCompiler, command: 'docker compose up' })).toMatch(/^Nothing found/)
    expect(call({ error: noCompiler, project: 'all' })).toContain('It works with `mise exec --` in front.')
  })
})

describe('fixes in the ledger', () => {
  it('are found when a session grows, once', async () => {
    home = testHome()
    const story = script(1, [...wrapped, ...linted('f.Close')])
    for (const records of [4, 6, 9, 100]) {
      write(home, story, records)
      await home.sweep()
    }
    const at = home
    expect(at.look((ledger) => listFixes(ledger)).map(({ kind }) => kind)).toEqual(['edit', 'call'])
    expect(at.look((ledger) => passedCommands(ledger, 'make', undefined))).toMatchObject([
      { command: 'make lint', passed: 1, failed: 1 },
    ])
  })

  it('are the same after a rebuild', async () => {
    const from = await swept(script(1, [...wrapped, ...linted('f.Close')]))
    const rows = () =>
      from.look((ledger) => ({ fixes: listFixes(ledger), runs: passedCommands(ledger, 'make', undefined) }))
    const before = rows()
    const app = createApp({ machine: from.machine })
    const ledger = app.existingLedger()
    expect(await rebuild(app, ledger, () => {})).toMatchObject({ searched: 1 })
    ledger.close()
    expect(rows()).toEqual(before)
  })

  it('go with a deleted session, and come back with undo', () => {
    at = place()
    for (const story of [script(1, wrapped), script(2, linted('f.Close'))]) {
      const { path, lines: records } = transcriptOf(story)
      mkdirSync(dirname(join(at.home, path)), { recursive: true })
      writeFileSync(join(at.home, path), lines(records))
    }
    recollect(at, 'sweep')
    const asked = () => recollect(at!, 'fix', noCompiler).status
    expect(asked()).toBe(0)
    recollect(at, 'delete', '00000001', '--yes')
    expect(asked()).toBe(1)
    recollect(at, 'undo')
    expect(asked()).toBe(0)
  })
})

describe('commands', () => {
  function known(): Place {
    at = place()
    for (const story of [script(1, wrapped), script(2, linted('f.Close'))]) {
      const { path, lines: records } = transcriptOf(story)
      mkdirSync(dirname(join(at.home, path)), { recursive: true })
      writeFileSync(join(at.home, path), lines(records))
    }
    recollect(at, 'sweep')
    recollect(at, 'remember', 'Never edit a/b.go by hand, it is generated.', '--project', '/home/dev/app')
    return at
  }

  it('fix tells what helped, in 80 columns, with its source', () => {
    const { out, err, status } = recollect(known(), 'fix', unchecked('os.Remove'))
    expect(status).toBe(0)
    expect(out.split('\n').filter((line) => line.length > 80)).toEqual([])
    expect(out).toContain('It works after this edit of a/b.go:')
    expect(out).toContain('  - f.Close()\n  + _ = f.Close()\n')
    expect(out).toMatch(/2026-09-02 {2}claude-code {2}00000002-0000#\d+ {2}other names/)
    expect(err).toMatch(/To read on: recollect show 00000002-0000#\d+/)
    expect(recollect(at!, 'fix', noCompiler, '--json').json()).toMatchObject([{ kind: 'call', match: 'same' }])
  })

  it('fix says that nothing is found, and what is missing', () => {
    expect(recollect(known(), 'fix', 'Error: the moon is in the way')).toMatchObject({
      status: 1,
      out: '',
      err: 'Nothing found.\n',
    })
    expect(recollect(at!, 'fix', ' ')).toMatchObject({ status: 2 })
  })

  it('fix takes an error that begins with dashes, and no mistyped option', () => {
    expect(recollect(known(), 'fix', '--- FAIL: TestHarbour (0.00s)').err).toBe('Nothing found.\n')
    expect(recollect(at!, 'fix', 'an error', '--jsn')).toMatchObject({
      status: 2,
      err: expect.stringContaining('Unknown option --jsn'),
    })
  })

  it('how tells which commands passed, and what failed', () => {
    const { out, status } = recollect(known(), 'how', 'golangci-lint', '--project', '/home/dev/app')
    expect(status).toBe(0)
    expect(out).toMatch(/^mise exec -- golangci-lint run \.\/\.\.\.\n {2}passed 1 time {2}last 2026-09-01 {2}00000001/)
    expect(out).toContain('Failed before:\n')
    expect(out).toContain('It works with `mise exec --` in front.')
    expect(recollect(at!, 'how', 'maek', 'lint', '--all')).toMatchObject({
      status: 1,
      err: 'Nothing found. Did you mean make lint?\n',
    })
  })

  it('why tells memories that name a file, then the sessions that changed it', () => {
    const { out, status } = recollect(known(), 'why', 'a/b.go', '--project', '/home/dev/app')
    expect(status).toBe(0)
    expect(out.indexOf('Never edit a/b.go by hand')).toBeGreaterThan(-1)
    expect(out.indexOf('you asked: Run the linter.')).toBeGreaterThan(out.indexOf('Never edit a/b.go'))
    expect(recollect(at!, 'why', 'a/none.go', '--project', '/home/dev/app').status).toBe(1)
  })
})
