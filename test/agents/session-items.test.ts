// What sessions of several agents leave, read by hand from their fixtures: one fold for all of them.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { agents } from '../../src/agents/registry.ts'
import { closeTurn, type FoldState, foldEvent, newFold, type SessionItem } from '../../src/session/fold.ts'
import type { StoredEvent } from '../../src/store/sessions/bodies.ts'
import { collect } from './collect.ts'

const fixtures = join(import.meta.dirname, 'fixtures')

function itemsOf(agent: string, native: string, isResumed = false): SessionItem[] {
  const home = join(fixtures, agent, 'home')
  const file = join(fixtures, agent, 'env.json')
  const env = existsSync(file)
    ? (JSON.parse(readFileSync(file, 'utf8').replaceAll('$HOME', home)) as Record<string, string>)
    : {}
  const reader = agents.find(({ id }) => id === agent)!
  const { about, events } = collect(reader, { home, env, platform: 'linux' }).sessions.get(native)!
  let state = newFold()
  const items: SessionItem[] = []
  for (const [seq, event] of events.entries()) {
    items.push(...foldEvent(state, { ...event, seq } as unknown as StoredEvent, about.cwd ?? null))
    if (isResumed) state = JSON.parse(JSON.stringify(state)) as FoldState
  }
  return [...items, ...closeTurn(state)]
}

function told(item: SessionItem): string {
  switch (item.kind) {
    case 'run':
      return `${item.outcome}: ${item.parts.map(({ text }) => text).join(' && ')}`
    case 'edit':
      return `edited: ${item.path}`
    case 'complaint':
      return `complaint: ${item.complaint.rule}`
    default:
      return `${item.kind}: ${item.text.split('\n')[0]}`
  }
}

const sessions: [agent: string, session: string, items: string[]][] = [
  [
    'claude-code',
    'a1f0c3d2-5b6e-4f10-9a01-00000000a001',
    [
      'failed: npm test',
      'edited: /home/dev/tidepool/src/tides.ts',
      // Words with which the person denied a call.
      'said: keep the file, just rename it',
      'passed: npm run build',
      'closing: All loops now run to midnight.',
    ],
  ],
  [
    'codex',
    '019f1cb1-2800-7000-8000-000000000001',
    [
      'failed: npm test',
      // One patch of two files.
      'edited: src/clock.ts',
      'edited: src/zone.ts',
      'passed: npm test -- --watch=false',
      'closing: Fixed: the offset was added twice. All seven tests pass.',
      'said: Rename phase to moonPhase here.',
      'closing: Renamed.',
    ],
  ],
  [
    'gemini-cli',
    '7c1d2e3f-0a1b-4c2d-8e3f-405162738495',
    [
      'said: Add a tide table to the harbour page',
      'edited: /home/mira/tidepool/harbour.html',
      'failed: npm test',
      'closing: It does: the moon lags by fifty minutes a day.',
    ],
  ],
  [
    'copilot-cli',
    '4b6d0c1e-7d52-4f0e-9a53-1c2f6f0d9e01',
    [
      'failed: npm test',
      'edited: /srv/tidepool/src/phase.ts',
      'closing: All four tests pass now.',
      'said: Now add the moon phases.',
    ],
  ],
  ['opencode', 'ses_tree', ['said: show the moon phase', 'passed: npx vitest run', 'closing: The phase is shown.']],
  [
    'pi',
    '0199aa00-1111-7000-8000-00000000000a',
    ['failed: npm test', 'edited: src/lamp.ts', 'said: Use the dimmer table instead', 'edited: docs/pulse.md'],
  ],
  [
    'cline',
    '1788256800000',
    ['edited: src/chart.ts', 'said: no new test file, extend the old one', 'failed: npm test', 'said: Summer time'],
  ],
  ['goose', '20260310_1', ['edited: src/timer.rs', 'passed: cargo test', 'failed: make deploy']],
]

describe.each(sessions)('%s', (agent, session, expected) => {
  it('leaves what a person reads in it, in this order', () => {
    const lines = itemsOf(agent, session).map(told)
    let from = 0
    for (const line of expected) {
      const at = lines.indexOf(line, from)
      expect(at, `${line} in\n${lines.join('\n')}`).toBeGreaterThanOrEqual(from)
      from = at + 1
    }
  })

  it('leaves the same if it is read on after each event', () => {
    expect(itemsOf(agent, session, true)).toEqual(itemsOf(agent, session))
  })

  it('has no editor among its runs', () => {
    expect(itemsOf(agent, session).map(told).join('\n')).not.toMatch(/(?:passed|failed): (?:apply_patch|str_?replace)/i)
  })
})
