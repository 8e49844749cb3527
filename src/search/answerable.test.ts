import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openDatabase, type SqliteDatabase } from '../core/sqlite.ts'
import { readSchema } from '../store/ledger.ts'
import { addJsonFunctions } from '../store/packed-json.ts'
import { writePassages } from '../store/search/passages.ts'
import { isAnswered } from './answerable.ts'
import { findCandidates } from './candidates.ts'
import { parseQuery } from './query.ts'

const nowMs = Date.parse('2026-03-01T12:00:00Z')

let ledger: SqliteDatabase
beforeEach(() => {
  ledger = openDatabase(':memory:')
  addJsonFunctions(ledger)
  ledger.raw.exec(readSchema())
  talk(1, [
    'Fix the flaky login test.',
    'It is flaky because the clock is mocked after the token is created. I moved the fake timers above createToken.',
  ])
  talk(2, [
    'The deploy fails with code 530, what is wrong?',
    'The quotes in .env are part of the password. I removed them and the upload works.',
    'Never put quotes into .env again.',
  ])
  talk(3, [
    'Nora: I adopted a greyhound last spring.',
    'Emil: How lovely! What is it called?',
    'Nora: Biscuit, like the bakery at the corner.',
  ])
})
afterEach(() => ledger.close())

const answered = [
  'why was the login test flaky',
  'where did we move the fake timers?',
  'createToken',
  'quotes in .env',
  'Why did the deploy fail with 530?',
  'What is the name of Nora’s greyhound?',
  'When did Nora adopt it?',
]

const unanswered = [
  'How do we rotate the Vault unseal keys?',
  'Which Kafka partition count did we choose for the login events?',
  'Why is the Terraform state locked in the staging workspace?',
  'What did Ingrid say about the Oslo office?',
  'Where is the QuorumLeaseManager class tested?',
  'java.lang.OutOfMemoryError: Metaspace in the upload batch',
  'the procurement spreadsheet from last quarter',
]

describe('isAnswered', () => {
  it.each(answered)('answers "%s"', (question) => expect(isKnown(question)).toBe(true))
  it.each(unanswered)('does not answer "%s"', (question) => expect(isKnown(question)).toBe(false))
})

describe('isAnswered in a larger store', () => {
  beforeEach(() => {
    const words = 'build error file cache parser module report login events upload class batch state office'.split(' ')
    for (let number = 0; number < 600; number++)
      talk(10 + number, [
        `The ${words[number % 14]} of the ${words[(number * 5 + 3) % 14]} needs part ${number} changed.`,
      ])
  })
  it.each(answered)('answers "%s"', (question) => expect(isKnown(question)).toBe(true))
  it.each(unanswered)('does not answer "%s"', (question) => expect(isKnown(question)).toBe(false))
})

describe('isAnswered with a report', () => {
  const cause = 'Stacked discounts compound: each of them applies to what is left, never to the list price.'
  const report =
    'Stacked discounts give the wrong totals since Tuesday: two of them on a hundred leave nothing. Accounting has complained twice. They both apply to the list price. Please fix it, an example is attached.'

  it('answers with a cause that repeats few of its words', () => {
    talk(4, [cause])
    expect(isKnown(report)).toBe(true)
  })

  it('does not answer if only ordinary words match', () => expect(isKnown(report)).toBe(false))
})

describe('isAnswered without candidates', () => {
  it('is false for words that occur nowhere', () => expect(isKnown('zeppelin')).toBe(false))
  it('is false for stop words', () => expect(isKnown('what about it?')).toBe(false))
})

function talk(session: number, texts: string[]): void {
  let last: number | null = null
  for (const [seq, said] of texts.entries()) {
    const role = seq % 2 === 0 ? ('human' as const) : ('agent' as const)
    last = writePassages(ledger, { source: { kind: 'event', session, seq }, role, ts: nowMs, said }, last)
  }
}

function isKnown(question: string): boolean {
  return isAnswered(ledger, findCandidates(ledger, parseQuery(question), { nowMs }))
}
