import { describe, expect, it } from 'vitest'
import { agentNamed } from './agent-names.ts'

const agents = [
  { id: 'claude-code', name: 'Claude Code' },
  { id: 'copilot-cli', name: 'Copilot CLI' },
  { id: 'antigravity', name: 'Antigravity', aliases: ['agy'] },
  { id: 'open-interpreter', name: 'Open Interpreter' },
  { id: 'open-hands', name: 'OpenHands' },
]

describe('agentNamed', () => {
  it.each([
    ['claude-code', 'claude-code'],
    ['claude', 'claude-code'],
    ['Claude Code', 'claude-code'],
    ['COPILOT', 'copilot-cli'],
    ['agy', 'antigravity'],
    ['openhands', 'open-hands'],
  ])('%s is %s', (typed, id) => expect(agentNamed(agents, typed).id).toBe(id))

  it.each([
    ['claud', 'Did you mean claude?'],
    ['antigravty', 'Did you mean antigravity?'],
    ['xyzzy', 'Known agents: claude-code, copilot-cli, antigravity, open-interpreter, open-hands'],
  ])('%s: %s', (typed, hint) => expect(() => agentNamed(agents, typed)).toThrow(expect.objectContaining({ hint })))

  it('does not choose between agents whose ids begin alike', () => {
    expect(() => agentNamed(agents, 'open')).toThrow('Unknown agent "open"')
  })
})
