// A conversation that is handed over and back is the same: with the made-up homes of all agents, and with public
// transcripts where they are beside this checkout.
import { afterEach, describe, expect, it } from 'vitest'
import { agents } from '../../src/agents/registry.ts'
import type { ConversationItem } from '../../src/core/conversation/conversation.ts'
import { layoutOf } from '../../src/core/paths.ts'
import { conversationOf } from '../../src/handoff/conversation.ts'
import { sessionEvents } from '../../src/handoff/session-events.ts'
import { listSessions } from '../../src/store/sessions/sessions.ts'
import { copyFixture, findCorpus, fixtureEnv, type TestHome, testHome } from '../corpus/home.ts'
import { layOut, rowsOf } from '../corpus/lay-out.ts'
import { isProof, sample } from '../proof.ts'
import { handOverItems, roundTrip } from './round-trip.ts'

const targets = agents.filter((agent) => agent.handoff !== undefined)
const homes: TestHome[] = []
afterEach(() => {
  for (const home of homes.splice(0)) home.remove()
})

describe.each(
  sample(
    agents.map(({ id }) => id),
    6,
  ),
)('a session of %s', (id) => {
  it('is the same after it was handed to every agent and on to another', { timeout: 60_000 }, async () => {
    const home = newHome(fixtureEnv(id))
    copyFixture(id, home)
    await home.sweep()
    const conversations = conversationsIn(home)
    expect(conversations.length).toBeGreaterThan(0)
    for (const [index, via] of targets.entries()) {
      const back = targets[(index + 1) % targets.length]!
      for (const { session, items, cwd } of conversations) {
        const { differences } = roundTrip(items, cwd, { via, home: back, layout: layoutIn(home) })
        expect(differences, `${session} via ${via.id} to ${back.id}`).toEqual([])
      }
    }
  })
})

describe('roundTrip', () => {
  it('finds what differs', () => {
    const home = newHome()
    const layout = layoutIn(home)
    const items: ConversationItem[] = [
      { kind: 'prompt', ts: null, text: 'count the crabs' },
      { kind: 'reply', ts: null, text: '[recalled by Recollect]' },
      // What Recollect itself has injected is taken out whenever a transcript is read.
      { kind: 'reply', ts: null, text: '<recollect-brief a="b">crabs</recollect-brief>' },
    ]
    const [via, back] = [targets[0]!, targets[1]!]
    expect(roundTrip(items, '/app', { via, home: back, layout })).toMatchObject({ items: 3, equal: 2 })
    expect(handOverItems(items, '/app', via, layout)).toHaveLength(3)
  })
})

const corpus = findCorpus() ?? ''
if (!corpus) console.log('test/handoff is run without the public transcripts: they are not beside this checkout')

describe.skipIf(!corpus || !isProof)('public transcripts', () => {
  it.each([
    ['claude-code', 'codex'],
    ['codex', 'claude-code'],
  ])('of %s are the same after they were handed to %s and back', { timeout: 300_000 }, async (from, to) => {
    const home = newHome()
    for (const row of rowsOf(corpus)) if (row.agent === from) layOut(corpus, row, home.path)
    await home.sweep({ part: 'capture' })
    const [via, back] = [to, from].map((id) => agents.find((agent) => agent.id === id)!)
    const total = { sessions: 0, items: 0, equal: 0 }
    for (const { items, cwd } of conversationsIn(home)) {
      const compared = roundTrip(items, cwd, { via: via!, home: back!, layout: layoutIn(home) })
      total.sessions++
      total.items += compared.items
      total.equal += compared.equal
    }
    console.log(`${from} to ${to} and back: ${total.sessions} sessions, ${total.equal} of ${total.items} items equal`)
    expect(total.sessions).toBeGreaterThan(15)
    expect(total.equal / total.items).toBeGreaterThanOrEqual(0.99)
  })
})

function newHome(env: Record<string, string> = {}): TestHome {
  const home = testHome(env)
  homes.push(home)
  return home
}

function layoutIn(home: TestHome) {
  return layoutOf(home.machine.env.RECOLLECT_HOME!)
}

function conversationsIn(home: TestHome) {
  return home.look((ledger) =>
    listSessions(ledger).flatMap(({ id, cwd, lineage }) => {
      const source = { agents, cwd, isSubagent: lineage === 'subagent' }
      const { items } = conversationOf(sessionEvents(ledger, id), source, true)
      return items.length === 0 ? [] : [{ session: id, items, cwd: cwd ?? '/app' }]
    }),
  )
}
