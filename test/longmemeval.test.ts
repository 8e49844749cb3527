import { describe, expect, it } from 'vitest'
import { askAll, type LongMemQuestion, sessionScores, timeOf, transcriptsOf } from '../bench/longmemeval.ts'

const question: LongMemQuestion = {
  question_id: 'q1',
  question_type: 'single-session-user',
  question: 'Which instrument did I start to learn?',
  question_date: '2024/03/10 (Sun) 09:00',
  haystack_session_ids: ['s_bread', 's_cello', 's_trip'],
  haystack_dates: ['2024/01/05 (Fri) 18:20', '2024/02/11 (Sun) 10:05', '2024/03/01 (Fri) 07:45'],
  haystack_sessions: [
    [
      { role: 'user', content: 'How long does a sourdough bread rise?' },
      { role: 'assistant', content: 'Four to six hours at room temperature.' },
    ],
    [
      { role: 'user', content: 'I started to learn an instrument, the cello. How often should I practise?' },
      { role: 'assistant', content: 'Twenty minutes a day are enough at first.' },
    ],
    [
      { role: 'user', content: 'Plan a day in Ghent for me.' },
      { role: 'assistant', content: 'Begin at the castle and end at the canals.' },
    ],
  ],
  answer_session_ids: ['s_cello'],
}
const withoutAnswer = {
  ...question,
  question_id: 'q2_abs',
  question: 'What is the registration number of my sailplane?',
}

describe('transcriptsOf', () => {
  const transcripts = transcriptsOf(question, '/home/dev/app')

  it('makes a transcript of each session, with ids of its own', () => {
    expect(transcripts.map(({ name }) => name)).toEqual(['s_bread', 's_cello', 's_trip'])
    expect(new Set(transcripts.map(({ id }) => id)).size).toBe(3)
    const other = transcriptsOf({ ...question, question_id: 'q9' }, '/home/dev/app')
    expect(other[0]!.id).not.toBe(transcripts[0]!.id)
  })

  it('writes prompts and replies a minute apart, from the time of the session', () => {
    const [first, second] = transcripts[1]!.lines
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(first).toMatchObject({
      type: 'user',
      sessionId: transcripts[1]!.id,
      timestamp: '2024-02-11T10:05:00.000Z',
      message: { role: 'user', content: expect.stringContaining('cello') },
    })
    expect(second).toMatchObject({
      type: 'assistant',
      timestamp: '2024-02-11T10:06:00.000Z',
      message: { content: [{ type: 'text', text: 'Twenty minutes a day are enough at first.' }] },
    })
  })
})

describe('timeOf', () => {
  it.each([
    ['2023/05/20 (Sat) 02:21', '2023-05-20T02:21:00.000Z'],
    ['2023/05/20', '2023-05-20T00:00:00.000Z'],
  ])('%s', (date, expected) => expect(new Date(timeOf(date)).toISOString()).toBe(expected))

  it('rejects other formats', () => expect(() => timeOf('May 20')).toThrow('Not a date'))
})

describe('sessionScores', () => {
  it('averages over questions', () =>
    expect(
      sessionScores([
        { ranked: ['a', 'b'], wanted: ['a'] },
        { ranked: ['x', 'b', 'c'], wanted: ['b', 'z'] },
        { ranked: [], wanted: ['a'] },
      ]),
    ).toEqual({ asked: 3, hit1: 1 / 3, recall5: 0.5, recall10: 0.5, mrr: 0.5 }))
})

describe('askAll', () => {
  it('asks every question in a ledger of its own', async () =>
    expect(await askAll([question, withoutAnswer])).toEqual([
      'single-session-user             1 asked   hit@1 100.0   R@5 100.0   R@10 100.0   MRR 1.000',
      'all                             1 asked   hit@1 100.0   R@5 100.0   R@10 100.0   MRR 1.000',
      'answered: 100.0 % of these, 0.0 % of 1 questions without an answer',
    ]))
})
