import { describe, expect, it } from 'vitest'
import { zoneOf } from '../../core/units.ts'
import { createDraft } from '../../patterns/review/draft.ts'
import type { Pattern } from '../../patterns/types.ts'
import { agentsMark, cardText } from './pattern-text.ts'

const same = (text: string) => text
const style = { bold: same, dim: same, red: same, green: same, yellow: same, blue: same }
const pattern: Pattern = {
  id: 'p-1a2b3c4d5e',
  polarity: 'problem',
  type: 'recurring error',
  locus: 'shell quoting',
  title: 'Shell quoting and glob errors',
  frequency: 9,
  times: 20,
  sessions: 9,
  projects: ['github.com/dev/app', 'github.com/dev/site'],
  agents: ['claude-code', 'codex'],
  crossAgent: true,
  costUsd: 1.5,
  firstMs: Date.parse('2026-08-01'),
  lastMs: Date.parse('2026-09-01'),
  evidence: 'aa00',
  examples: [
    {
      session: 'claude-code:0a1b2c3d-4e5f-4789-8abc-0123456789ab',
      seq: 14,
      detail: `zsh:1: no matches found: ${'*/'.repeat(60)}`,
    },
    { session: 'codex:5b6c', seq: null, detail: "zsh:1: unmatched '" },
  ],
}

describe('cardText', () => {
  const names = new Map([['github.com/dev/app', 'app']])
  const card = (one: Pattern) =>
    cardText(
      { pattern: one, standing: { kind: 'waiting', again: null }, draft: createDraft(one), warnings: [] },
      { style, zone: zoneOf('UTC'), columns: 60, names },
    )

  it('SPEC D.22: says what happened, how often, where, and what to do, within the width', () => {
    expect(card(pattern)).toBe(`Shell quoting and glob errors  [claude-code + codex]
p-1a2b3c4d5e
20 times in 9 sessions of app, github.com/dev/site; about
$1.50; 2026-08-01 to 2026-09-01
  1  0a1b2c3d-4e5f#14  zsh:1: no matches found: */*/*/*/*/*…
  2  5b6c              zsh:1: unmatched '

As a practice everywhere: Write complicated commands to a
script file
  Put arguments and glob patterns in single quotes. Write
  anything with nested quotes or several lines to a file and
  run that, instead of one long command.`)
  })

  it('names the agent where there is one, without a mark', () => {
    const text = card({ ...pattern, agents: ['codex'], crossAgent: false })
    expect(text).toContain('Shell quoting and glob errors\np-1a2b3c4d5e\n')
    expect(text).toContain('github.com/dev/site; with\ncodex;')
  })
})

it.each([
  [['codex', 'pi'], '[codex + pi]'],
  [['claude-code', 'codex', 'pi'], '[claude-code + codex + pi]'],
  [['claude-code', 'codex', 'gemini-cli', 'pi'], '[claude-code + codex + 2 more]'],
])('agentsMark of %j', (agents, mark) => expect(agentsMark(agents)).toBe(mark))
