import {
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
import { agents } from '../agents/registry.ts'
import { createApp } from '../app.ts'
import { fixedClock } from '../core/clock.ts'
import { spoolContext } from '../work.ts'
import { type HookEvent, readSpool, removeFromSpool, type SpoolContext, setAsideIn, spoolFiles } from './spool.ts'

const clock = fixedClock('2026-09-01T12:00:00Z')

let spool: string
beforeEach(() => {
  spool = mkdtempSync(join(tmpdir(), 'recollect-spool-'))
})
afterEach(() => rmSync(spool, { recursive: true, force: true }))

describe('readSpool', () => {
  it('reads an event from its file name and fields', () => {
    drop('claude-code.SessionEnd.4711.1', [
      '"session_id":"s1"',
      '"transcript_path":"/home/dev/.claude/projects/-app/s1.jsonl"',
      '"cwd" : "/home/dev/app"',
      '"reason":"prompt_input_exit"',
    ])
    expect(read()).toEqual([
      {
        file: 'claude-code.SessionEnd.4711.1',
        agent: 'claude-code',
        event: 'SessionEnd',
        moment: 'end',
        session: 's1',
        transcript: '/home/dev/.claude/projects/-app/s1.jsonl',
        cwd: '/home/dev/app',
        detail: 'prompt_input_exit',
        atMs: clock.nowMs(),
      },
    ])
  })

  it.each([
    ['a start', 'codex.SessionStart.1.1', { event: 'SessionStart', moment: 'start' }],
    ['a turn', 'codex.Stop.1.1', { event: 'Stop', moment: 'turn' }],
    ['a name with a dot', 'opencode.session.idle.1.1', { event: 'session.idle', moment: 'turn' }],
    ['a second one of the same process', 'codex.Stop.1.1.0', { event: 'Stop', moment: 'turn' }],
    ['an event that nobody asked for', 'codex.PostToolUse.1.1', { event: 'PostToolUse', moment: 'other' }],
    ['an agent without hooks', 'aider.Stop.1.1', { event: 'Stop', moment: 'other' }],
  ])('recognises %s', (_, name, expected) => {
    drop(name, [])
    expect(read()).toEqual([expect.objectContaining({ ...expected, session: '', transcript: undefined, detail: '' })])
  })

  // Every object has a `constructor`, which is no moment.
  it('does not take an event named like an object property for a known moment', () => {
    drop('claude-code.constructor.1.1', [])
    expect(read()).toEqual([expect.objectContaining({ event: 'constructor', moment: 'other' })])
  })

  it('sorts events by time, then by name', () => {
    drop('codex.Stop.1.1', [], { secondsAgo: 1 })
    drop('codex.Stop.3.1', [], { secondsAgo: 30 })
    drop('codex.Stop.2.1', [], { secondsAgo: 30 })
    drop('claude-code.Stop.9.1', [], { secondsAgo: 60 })
    expect(read().map(({ file }) => file)).toEqual([
      'claude-code.Stop.9.1',
      'codex.Stop.2.1',
      'codex.Stop.3.1',
      'codex.Stop.1.1',
    ])
  })

  it.each([
    ['is left alone while its hook may still be writing', 9, []],
    ['is taken as it is when its hook must have been killed', 11, ['codex.Stop.1.1']],
  ])('returns an event without the final dot: %s', (_, secondsAgo, expected) => {
    drop('codex.Stop.1.1', ['"session_id":"s1"'], { secondsAgo, end: '' })
    expect(spoolFiles(spool, clock)).toEqual(expected)
    expect(read().map(({ session }) => session)).toEqual(expected.map(() => 's1'))
  })

  it.each([
    ['a dot of the payload', '"cwd":".\n'],
    ['a dot and nothing after it', '"cwd":"/home/dev/app"\n.'],
    ['nothing', ''],
  ])('does not treat %s as the final dot', (_, content) => {
    writeFileSync(join(spool, 'codex.Stop.1.1'), content)
    utimesSync(join(spool, 'codex.Stop.1.1'), clock.nowMs() / 1000, clock.nowMs() / 1000)
    expect(read()).toEqual([])
  })

  it('leaves events in the spool until removeFromSpool', () => {
    drop('codex.Stop.1.1', [])
    drop('codex.Stop.2.1', [])
    read()
    expect(spoolFiles(spool, clock)).toEqual(['codex.Stop.1.1', 'codex.Stop.2.1'])
    removeFromSpool(spool, ['codex.Stop.1.1', 'codex.Stop.1.1'])
    expect(spoolFiles(spool, clock)).toEqual(['codex.Stop.2.1'])
  })
})

it.each([
  ['"session_id":"s1"', 's1'],
  ['"sessionId":"s2"', 's2'],
  ['"conversation_id":"s3"', 's3'],
  ['"trajectory_id":"s4"', 's4'],
  ['"conversationId":"s5"', 's5'],
])('reads the id of the session in %s', (field, session) => {
  drop('codex.Stop.1.1', [field])
  expect(read()).toEqual([expect.objectContaining({ session })])
})

describe('paths in payloads', () => {
  it.each([
    ['of Linux', '"/home/dev/my app"', '/home/dev/my app'],
    ['with a quote and a letter of another script', String.raw`"/home/dev/a \"b\" \u00e9"`, '/home/dev/a "b" é'],
    ['of Windows, escaped', String.raw`"C:\\temp\\new"`, String.raw`C:\temp\new`],
    ['of Windows, not escaped', String.raw`"C:\temp\new"`, String.raw`C:\temp\new`],
    ['of Windows, not escaped, with a user', String.raw`"C:\Users\dev"`, String.raw`C:\Users\dev`],
    ['of Windows with slashes', '"C:/temp/new"', 'C:/temp/new'],
    ['of a share, escaped', String.raw`"\\\\server\\share\\new"`, String.raw`\\server\share\new`],
    ['of a share, not escaped', String.raw`"\\server\share\new"`, String.raw`\\server\share\new`],
    // The last backslash hides the quote from the hook, which reads on to the next one.
    ['of a drive, not escaped, and what came after it', String.raw`"C:\temp\","`, `C:\\temp\\`],
  ])('%s is parsed as intended', (_, written, meant) => {
    drop('codex.Stop.1.1', [`"transcript_path":${written}`, `"cwd":${written}`])
    expect(read()).toEqual([expect.objectContaining({ transcript: meant, cwd: meant })])
  })

  it.each(['null', '""', '12', 'true'])('%s is no path', (written) => {
    drop('codex.Stop.1.1', [`"transcript_path":${written}`, `"cwd":${written}`, '"session_id":"s1"'])
    expect(read()).toEqual([expect.objectContaining({ transcript: undefined, cwd: undefined, session: 's1' })])
  })
})

describe('payload fields', () => {
  it('uses the first occurrence: later ones are deeper in the payload', () => {
    drop('codex.Stop.1.1', ['"session_id":"s1"', '"session_id":"s2"', '"cwd":"/home/dev/app"', '"cwd":"/elsewhere"'])
    expect(read()).toEqual([expect.objectContaining({ session: 's1', cwd: '/home/dev/app' })])
  })

  it.each([
    ['session_id', { session: 'x1' }],
    ['sessionId', { session: 'x1' }],
    ['conversation_id', { session: 'x1' }],
    ['transcript_path', { transcript: 'x1' }],
    ['transcriptPath', { transcript: 'x1' }],
    ['source', { detail: 'word' }],
    ['reason', { detail: 'word' }],
    ['trigger', { detail: 'word' }],
  ])('accepts the name %s', (name, expected) => {
    drop('cursor.stop.1.1', [`"${name}":"${'detail' in expected ? 'word' : 'x1'}"`])
    expect(read()).toEqual([expect.objectContaining(expected)])
  })
})

it('does not keep a reason of more than one word', () => {
  drop('claude-code.SessionEnd.1.1', ['"session_id":"s1"', '"reason":"the password is hunter2"'])
  expect(read()).toEqual([expect.objectContaining({ session: 's1', detail: '' })])
})

describe('agents that run the hooks of another agent', () => {
  it.each([
    ['Cursor, by the id', ['"conversation_id":"x1"'], 'cursor'],
    ['Cursor, by its version', ['"session_id":"x1"', '"cursor_version":"3.12.0"'], 'cursor'],
    ['Grok', ['"sessionId":"x1"', '"hookEventName":"stop"'], 'grok'],
    ['Copilot', ['"sessionId":"x1"', '"timestamp":1758400000000'], 'copilot-cli'],
    ['Codex, by its transcript', ['"session_id":"x1"', '"transcript_path":"/home/dev/.codex/a.jsonl"'], 'codex'],
    [
      'VS Code',
      [
        '"session_id":"x1"',
        '"transcript_path":"/home/dev/.config/Code/User/w/GitHub.copilot-chat/transcripts/x1.jsonl"',
      ],
      'vscode-copilot',
    ],
    ['Continue', ['"session_id":"x1"', '"transcript_path":"/home/dev/.continue/sessions/x1.json"'], 'continue'],
    ['Gemini, whose time is a text', ['"session_id":"x1"', '"timestamp":"2026-09-01T12:00:00Z"'], 'claude-code'],
    ['nobody else', ['"session_id":"x1"'], 'claude-code'],
  ])('are recognised: %s', (_, fields, agent) => {
    drop('claude-code.Stop.1.1', fields)
    expect(read()).toEqual([expect.objectContaining({ agent, session: 'x1' })])
  })

  it.each([
    ['droid.Stop.1.1', '.factory/sessions/-app/x1.jsonl', 'droid', 'turn'],
    ['cursor.stop.1.1', '.cursor/projects/app/agent-transcripts/x1.jsonl', 'cursor', 'turn'],
    ['claude-code.Stop.1.1', '.claude/projects/-app/x1.jsonl', 'claude-code', 'turn'],
    ['claude-code.Stop.1.1', '.codex/sessions/x1.jsonl', 'codex', 'turn'],
    ['qwen-code.Stop.1.1', 'elsewhere/x1.jsonl', 'qwen-code', 'turn'],
    ['claude-code.Stop.1.1', '.continue/sessions/x1.json', 'continue', 'turn'],
    [
      'copilot-cli.agentStop.1.1',
      '.config/Code/User/workspaceStorage/w1/GitHub.copilot-chat/transcripts/x1.jsonl',
      'vscode-copilot',
      'turn',
    ],
  ])('do not include Aider, whose folder is the whole home: %s with %s', (file, path, agent, moment) => {
    drop(file, ['"session_id":"x1"', `"transcript_path":"/home/dev/${path}"`])
    const machine = { home: '/home/dev', env: { RECOLLECT_HOME: spool }, platform: 'linux' as const }
    const { agentOfPath } = spoolContext(createApp({ machine, clock }))
    expect(read({ agentOfPath })).toEqual([expect.objectContaining({ agent, moment, session: 'x1' })])
  })

  it('are overruled by the location of the transcript', () => {
    drop('claude-code.Stop.1.1', ['"conversation_id":"x1"', '"transcript_path":"/home/dev/.codex/a.jsonl"'])
    expect(read()[0]!.agent).toBe('codex')
  })
})

describe('unreadable events', () => {
  it.each([
    ['of an unknown agent', 'no-such-agent.Stop.1.1', 'no agent is called no-such-agent'],
    ['with a name that says nothing', 'what is this', 'its name does not say which agent and event it is of'],
    ['without an event', 'codex.1.1', 'its name does not say which agent and event it is of'],
    ['left by an editor', 'codex.Stop.swp', 'its name does not say which agent and event it is of'],
  ])('are moved to bad/ with the reason: a file %s', (_, name, reason) => {
    drop(name, ['"session_id":"s1"'])
    drop('codex.Stop.2.1', ['"session_id":"s2"'])
    expect(read().map(({ session }) => session)).toEqual(['s2'])
    expect(spoolFiles(spool, clock)).toEqual(['codex.Stop.2.1'])
    expect(setAsideIn(spool)).toEqual([name])
    expect(readFileSync(join(spool, 'bad', name), 'utf8')).toContain('"session_id":"s1"')
    expect(readFileSync(join(spool, 'bad', `${name}.reason`), 'utf8')).toBe(`${reason}\n`)
  })

  it('do not accumulate: 200 files are kept', () => {
    for (let number = 100; number < 300; number++) drop(`no-such-agent.Stop.${number}.1`, [])
    expect(read()).toEqual([])
    expect(readdirSync(join(spool, 'bad'))).toHaveLength(200)
    expect(setAsideIn(spool)).toContain('no-such-agent.Stop.299.1')
    expect(setAsideIn(spool)).not.toContain('no-such-agent.Stop.100.1')
  })

  it('do not accumulate: the oldest are deleted first', () => {
    for (let number = 100; number < 200; number++) drop(`no-such-agent.Stop.${number}.1`, [], { secondsAgo: 3600 })
    read()
    drop('another-agent.Stop.1.1', [])
    read()
    expect(setAsideIn(spool)).toContain('another-agent.Stop.1.1')
  })

  it('ignores folders in the spool', () => {
    mkdirSync(join(spool, 'codex.Stop.1.1'))
    expect(read()).toEqual([])
    expect(existsSync(join(spool, 'codex.Stop.1.1'))).toBe(true)
  })
})

describe('files that another process removes meanwhile', () => {
  const takeAway = (): undefined => rmSync(spool, { recursive: true, force: true }) as undefined

  it('cause no error', () => {
    drop('codex.Stop.1.1', ['"transcript_path":"/home/dev/a.jsonl"'])
    drop('codex.Stop.2.1', [])
    expect(read({ agentOfPath: takeAway })).toEqual([])
  })

  // Two workers, or a worker and `recollect install`, may come upon the same file.
  it('cause no error if they are unreadable', () => {
    drop('no-such-agent.Stop.1.1', ['"transcript_path":"/home/dev/a.jsonl"'])
    expect(read({ agentOfPath: takeAway })).toEqual([])
  })

  it('cause no error without a spool folder', () => {
    takeAway()
    expect(read()).toEqual([])
    expect(setAsideIn(spool)).toEqual([])
  })
})

/** As a hook leaves it: a line for each field, and a dot when it is whole. */
function drop(name: string, fields: string[], { secondsAgo = 0, end = '.\n' } = {}): void {
  const path = join(spool, name)
  writeFileSync(path, fields.map((field) => `${field}\n`).join('') + end)
  utimesSync(path, clock.nowMs() / 1000 - secondsAgo, clock.nowMs() / 1000 - secondsAgo)
}

function read(place: Partial<SpoolContext> = {}): HookEvent[] {
  const agentOfPath = (path: string) => (path.startsWith('/home/dev/.codex/') ? 'codex' : undefined)
  return readSpool({ spool, clock, agents, agentOfPath, ...place })
}
