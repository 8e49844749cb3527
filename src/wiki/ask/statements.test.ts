import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Place, place } from '../../../test/program.ts'
import { createApp } from '../../app.ts'
import { fixedClock } from '../../core/clock.ts'
import { zoneOf } from '../../core/units.ts'
import { remember } from '../../learn/change.ts'
import type { MemoryKind } from '../../memory/memory.ts'
import type { Ledger } from '../../store/ledger.ts'
import { upsertProject } from '../../store/sessions/projects.ts'
import { buildWiki } from '../build.ts'
import { askWiki } from './ask.ts'

const project = '/home/dev/ferry'
const clock = fixedClock('2026-09-21T00:00:00Z')
const zone = zoneOf('UTC')

let at: Place
let ledger: Ledger
beforeAll(async () => {
  at = place({})
  const machine = { home: at.home, env: { RECOLLECT_HOME: at.store }, platform: 'linux' as const }
  ledger = createApp({ machine, clock }).ledger()
  upsertProject(ledger, { key: project, kind: 'folder', domain: null })
  tell('Captains write the log in ink', 'preference')
  tell('Seats are reserved for ten minutes', 'decision')
  tell('Seats are reserved for an hour', 'decision', { supersedes: idOf('ten minutes'), why: 'card checks are slow' })
  tell('Keep comments short', 'preference')
  tell('Invoices are written in French', 'decision')
  await buildWiki({ ledger, clock, zone, machine })
})
afterAll(() => {
  ledger.close()
  at.remove()
})

function tell(text: string, kind: MemoryKind, more: { supersedes?: string; why?: string } = {}): void {
  remember({ ledger, clock, origin: '' }, { text, kind, project, ...more })
}

function idOf(words: string): string {
  return String(ledger.sql('SELECT id FROM memories WHERE instr(text, ?) > 0').get(words)!.id)
}

const asking = async (question: string) => (await askWiki({ ledger, clock, zone }, question)).answer

describe('askWiki about confirmed statements', () => {
  it('tells the valid statement first, then what it replaced', async () => {
    expect(await asking('how long are seats reserved?')).toMatch(
      /^Seats are reserved for an hour\nWhy: card checks are slow\nUntil 2026-09-21: Seats are reserved for ten minutes \[1\]/,
    )
  })

  it('cites the article that has the statement, and the memory if it was told by hand', async () => {
    expect(await asking('how long are seats reserved?')).toContain(
      `1. [[wiki/concepts/ferry|ferry: rules and decisions]], 2026-09-21, memory \`${idOf('an hour')}\``,
    )
  })

  it.each([
    ['the verb of a practice', 'how should comments be written?', 'Keep comments short [1]'],
    ['words that only ask', 'what is settled about invoices?', 'Invoices are written in French [1]'],
    ['words that say little', 'what really happened with the seats?', 'Seats are reserved for an hour'],
  ])('ignores %s', async (_, question, expected) => {
    const answer = await asking(question)
    expect(answer.startsWith(expected)).toBe(true)
    expect(answer).not.toContain('None of this mentions')
    expect(answer).not.toContain('[2]')
  })
})
