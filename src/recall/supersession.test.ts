import { describe, expect, it } from 'vitest'
import { placeLater } from './supersession.ts'
import type { TalkSubject } from './topics.ts'

const sameRarity = () => 1

function talk(id: string, at: string, score: number, ...texts: string[]): TalkSubject {
  return { kind: 'exchange', id, at, score, texts, pieces: [] }
}

const first = talk(
  'first',
  '2026-01-01',
  5,
  'The parcel cap is 30 kilos.',
  'Glass is never split.',
  'Labels go on top.',
)

describe('placeLater', () => {
  it.each([
    [
      'says that it amends',
      'Amendment to the parcel cap decision: it is 25 kilos now for every courier in town.',
      true,
    ],
    [
      'speaks of the old rule',
      'The old parcel cap rule cost us money, the courier wants 25 kilos and new scales.',
      true,
    ],
    ['is about something else', 'Amendment to the login decision: no passwords.', false],
    ['only uses git', 'Please amend the last commit, the parcel test and the cap of the depot moved elsewhere.', false],
  ])('a later talk that %s', (_, text, isLater) => {
    const later = talk('later', '2026-06-01', 1, text)
    const [top] = placeLater([first, later], sameRarity, 'how heavy may a parcel be?')
    expect(top!.subject.id).toBe(isLater ? 'later' : 'first')
  })

  it('is not later where it says the same of something else than what was asked for', () => {
    const orders = talk('orders', '2026-01-01', 3, 'Never cache in orders: stale rows cost us a customer.')
    const stock = talk('stock', '2026-06-01', 1, 'Never cache in stock: stale rows cost us a customer.')
    const ids = (query: string) => placeLater([orders, stock], sameRarity, query).map(({ subject }) => subject.id)
    expect(ids('may orders be slow?')).toEqual(['orders', 'stock'])
    expect(ids('may stale rows be shown?')).toEqual(['stock', 'orders'])
  })

  it('keeps the order of what is about different things', () => {
    const other = talk('other', '2026-06-01', 3, 'The login page flickers on phones.')
    expect(
      placeLater([first, other], sameRarity, 'how heavy may a parcel be?').map(({ subject }) => subject.id),
    ).toEqual(['first', 'other'])
  })

  it('of three words on the same thing shows the latest first and points to it from both others', () => {
    const second = talk('second', '2026-03-01', 4, 'Amendment to the parcel cap: 25 kilos, glass is never split.')
    const third = talk('third', '2026-06-01', 1, 'Amendment to the parcel cap: 20 kilos, glass is never split.')
    const placed = placeLater([first, second, third], sameRarity, 'how heavy may a parcel be?')
    expect(placed.map(({ subject, later }) => [subject.id, later?.subject.id ?? null])).toEqual([
      ['third', null],
      ['second', 'third'],
      ['first', 'third'],
    ])
  })
})
