import { describe, expect, it } from 'vitest'
import { resumeCommand } from './session.ts'

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
