import { describe, expect, it } from 'vitest'
import { resumeCommand, shortId } from './session.ts'

const agents = [{ id: 'codex', resume: 'codex resume <id>' }, { id: 'aider' }]

describe('resumeCommand', () => {
  it.each([
    ['a session', 'codex:01a13b7f-f138', 'codex resume 01a13b7f-f138'],
    ['a subagent', 'codex:01a13b7f-f138/agent-1', undefined],
    ['an agent without a command', 'aider:app', undefined],
    ['an unknown agent', 'other:app', undefined],
    ['an id that a shell would interpret', 'codex:$(rm)', undefined],
  ])('of %s', (_, session, command) => {
    expect(resumeCommand(agents, session)).toBe(command)
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
