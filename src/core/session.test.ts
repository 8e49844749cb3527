import { describe, expect, it } from 'vitest'
import { randomNumbers } from '../../test/random.ts'
import { isNativeId, nativeId, resumeCommand, sessionId, shortId } from './session.ts'

const agents = [{ id: 'codex', resume: 'codex resume <id>' }, { id: 'aider' }]

describe('resumeCommand', () => {
  it.each([
    ['a session', 'codex:01a13b7f-f138', ['codex', 'resume', '01a13b7f-f138']],
    ['a subagent', 'codex:01a13b7f-f138/agent-1', undefined],
    ['an agent without a command', 'aider:app', undefined],
    ['an unknown agent', 'other:app', undefined],
    ['an id that a shell would interpret', 'codex:$(rm)', undefined],
    ['an id that is an option', 'codex:--dangerously-skip-permissions', undefined],
    ['an id with a line end', 'codex:01a13b7f\n', undefined],
  ])('of %s', (_, session, command) => {
    expect(resumeCommand(agents, session)).toEqual(command)
  })
})

describe('shortId', () => {
  it.each([
    ['the beginning of a random id', 'claude-code:0a1b2c3d-4e5f-4a6b-8c7d-0123456789ab', '0a1b2c3d-4e5f'],
    ['both ends of an id that begins with the time', 'codex:019f6000-0000-7000-8000-000000000001', '019f6000..000001'],
    ['both ends of a subagent', 'claude-code:0a1b2c3d-4e5f-4a6b-8c7d-0123456789ab/agent-7', '0a1b2c3d..789ab/agent-7'],
    ['a short id whole', 'aider:tide-tables@start', 'tide-tables@start'],
    ['no dash at the beginning', 'aider:-tables@start', 'tables@start'],
  ])('is %s', (_, id, expected) => expect(shortId(id)).toBe(expected))
})

describe('nativeId', () => {
  it.each([
    ['01a13b7f-f138'],
    ['parent/agent-1'],
    ['my app@2026-09-01T11:00:00#2'],
    ['m05$$call_6'],
    ['keeper/user@example.com_discord--dm--5'],
    ["it's (old) [1] app@start"],
  ])('keeps %s', (id) => expect(nativeId(id)).toBe(id))

  it.each([
    ['an option', '--dangerously-skip-permissions', /^_--dangerously-skip-permissions~[0-9a-f]{12}$/],
    ['a path out of a folder', '../../x', /^_\/_\/x~/],
    ['a command', 'x$(touch y)', /^x_\(touch y\)~/],
    ['an escape sequence', 'a\u001b[2J', /^a_\[2J~/],
    ['a long text', 'x'.repeat(5000), /^x{200}~/],
  ])('replaces %s', (_, id, expected) => expect(nativeId(id)).toMatch(expected))

  it('keeps two apart, and gives the same again', () => {
    expect(nativeId('a;b')).not.toBe(nativeId('a|b'))
    const random = randomNumbers()
    const characters = ['-', '.', '/', '$', ';', '"', '\\', '\n', ' ', '~', 'a', '\ud83d', '😀', '\u2028', '`']
    for (let round = 0; round < 500; round++) {
      const id = Array.from({ length: 1 + random() * 8 }, () => characters[Math.floor(random() * characters.length)])
      const stored = nativeId(id.join(''))
      expect(isNativeId(stored)).toBe(true)
      expect(sessionId('codex', stored)).toBe(sessionId('codex', id.join('')))
    }
  })
})
