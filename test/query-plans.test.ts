// The queries behind lists, totals and a sweep without changes must not read whole rows of large
// tables: in a ledger of 50,000 sessions that takes longer than all else in a command. SQLite's plan
// shows it without a large ledger and without measuring time.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createApp } from '../src/app.ts'
import type { Ledger } from '../src/store/ledger.ts'
import { countMemories, listMemories } from '../src/store/memories/memories.ts'
import { overviewOf } from '../src/store/sessions/overview.ts'
import { recentFolders } from '../src/store/sessions/projects.ts'
import { countEmptySessions, listSessions, sessionsByNumber } from '../src/store/sessions/sessions.ts'
import { transcriptStamps } from '../src/store/sessions/transcripts.ts'
import { storeSizes } from '../src/store/sizes.ts'
import { hasSessionsToJournal } from '../src/store/wiki/journal.ts'
import { type Place, place } from './program.ts'

let at: Place
let ledger: Ledger
beforeAll(() => {
  at = place()
  ledger = createApp({
    machine: { home: at.home, env: { RECOLLECT_HOME: at.store }, platform: process.platform },
  }).ledger()
})
afterAll(() => {
  ledger.close()
  at.remove()
})

/** Tables and their names in queries, with a row per session, event, response or memory. */
const large = /^(?:sessions|s|digests|d|usage|u|events|e|cursors|memories|m)$/

/** Steps of the plans of all queries that read a large table without an index. */
function wholeScans(read: (ledger: Ledger) => unknown): string[] {
  return plansOf(read).filter((detail) => large.test(/^SCAN (\w+)$/.exec(detail)?.[1] ?? ''))
}

/** Steps that read all rows of a large table or all of an index of it. */
function scans(read: (ledger: Ledger) => unknown): string[] {
  return plansOf(read).filter((detail) => large.test(/^SCAN (\w+)/.exec(detail)?.[1] ?? ''))
}

function plansOf(read: (ledger: Ledger) => unknown): string[] {
  const queries = new Set<string>()
  const sql = (text: string) => {
    queries.add(text)
    return ledger.sql(text)
  }
  read({ ...ledger, sql })
  expect(queries.size).toBeGreaterThan(0)
  return [...queries]
    .filter((text) => /^\s*(?:SELECT|WITH)/.test(text))
    .flatMap((text) => ledger.raw.prepare(`EXPLAIN QUERY PLAN ${text}`).all())
    .map(({ detail }) => String(detail))
}

describe('queries over a large ledger', () => {
  it.each<[string, (ledger: Ledger) => unknown]>([
    ['the latest sessions', (one) => listSessions(one, { isNonEmpty: true, limit: 30 })],
    ['the sessions of a project', (one) => listSessions(one, { project: 'a', isConversation: true, limit: 30 })],
    ['some sessions', (one) => sessionsByNumber(one, [1, 2])],
    ['the number of empty sessions', (one) => countEmptySessions(one)],
    ['the overview', overviewOf],
    ['the number of memories', countMemories],
    ['the size of the store', storeSizes],
    ['the stamps of transcripts', transcriptStamps],
    ['folders with new sessions', (one) => recentFolders(one, 1)],
    ['whether there is something for the journal', hasSessionsToJournal],
  ])('use an index for %s', (_, read) => expect(wholeScans(read)).toEqual([]))

  // Each stage asks for every project: to read all memories each time would take quadratic time.
  it.each<[string, (ledger: Ledger) => unknown]>([
    ['the memories of a project', (one) => listMemories(one, { project: 'a', state: 'kept' })],
    ['the memories of a project and of none', (one) => listMemories(one, { project: 'a', withGlobal: true })],
  ])('read only the rows of %s', (_, read) => expect(scans(read)).toEqual([]))

  it('would be noticed', () =>
    expect(wholeScans((one) => one.sql('SELECT sum(length(title)) FROM sessions').get())).toEqual(['SCAN sessions']))

  it('read the sessions of a project by their project, in the order of the list', () => {
    const plans: string[] = []
    const sql = (text: string) => {
      plans.push(
        ...ledger.raw
          .prepare(`EXPLAIN QUERY PLAN ${text}`)
          .all()
          .map(({ detail }) => String(detail)),
      )
      return ledger.sql(text)
    }
    listSessions({ ...ledger, sql }, { project: 'a', limit: 5 })
    expect(plans.some((detail) => /^SEARCH s USING (?:COVERING )?INDEX \w+ \(project=\?\)/.test(detail))).toBe(true)
  })
})
