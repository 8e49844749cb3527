import { describe, expect, it } from 'vitest'
import { placeLaterFirst } from './supersession.ts'
import type { TalkTopic } from './topics.ts'

const sameRarity = () => 1

function talk(id: string, at: string, score: number, ...texts: string[]): TalkTopic {
  return { kind: 'exchange', id, at, score, texts, project: 'depot', pieces: [], explanations: [], answer: 0 }
}

const first = talk(
  'first',
  '2026-01-01',
  5,
  'The parcel cap is 30 kilos.',
  'Glass is never split.',
  'Labels go on top.',
)

describe('placeLaterFirst', () => {
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
    const [top] = placeLaterFirst([first, later], sameRarity, 'how heavy may a parcel be?')
    expect(top!.topic.id).toBe(isLater ? 'later' : 'first')
  })

  it('does not treat a similar talk about something else as later', () => {
    const orders = talk('orders', '2026-01-01', 3, 'Never cache in orders: stale rows cost us a customer.')
    const stock = talk('stock', '2026-06-01', 1, 'Never cache in stock: stale rows cost us a customer.')
    const ids = (query: string) =>
      placeLaterFirst([orders, stock], sameRarity, query).map(({ topic: subject }) => subject.id)
    expect(ids('may orders be slow?')).toEqual(['orders', 'stock'])
    expect(ids('may stale rows be shown?')).toEqual(['stock', 'orders'])
  })

  it('keeps the order of unrelated topics', () => {
    const other = talk('other', '2026-06-01', 3, 'The login page flickers on phones.')
    expect(
      placeLaterFirst([first, other], sameRarity, 'how heavy may a parcel be?').map(({ topic: subject }) => subject.id),
    ).toEqual(['first', 'other'])
  })

  it('puts the latest of three first and marks both others', () => {
    const second = talk('second', '2026-03-01', 4, 'Amendment to the parcel cap: 25 kilos, glass is never split.')
    const third = talk('third', '2026-06-01', 1, 'Amendment to the parcel cap: 20 kilos, glass is never split.')
    const placed = placeLaterFirst([first, second, third], sameRarity, 'how heavy may a parcel be?')
    expect(placed.map(({ topic: subject, later }) => [subject.id, later?.topic.id ?? null])).toEqual([
      ['third', null],
      ['second', 'third'],
      ['first', 'third'],
    ])
  })
})
