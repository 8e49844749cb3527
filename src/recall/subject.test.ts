import { expect, it } from 'vitest'
import type { TalkMessage } from './sources.ts'
import { subjectRelevance } from './subject.ts'

const said = (role: TalkMessage['role'], text: string, seq: number): TalkMessage => ({ seq, role, text, at: null })

const talk = [
  said('user', 'Uploads are lost when the worker restarts. Find out why.', 0),
  said('assistant', 'The upload queue is in memory. A restart drops it.', 1),
  said('user', 'fix it', 2),
  said('assistant', 'The queue ran in memory; it is kept in the database now. The lamp is green.', 3),
  said('user', 'And the weather?', 4),
  said('assistant', 'It rains.', 5),
]

it.each([
  'why were uploads lost after a restart',
  'keep the queue in the database',
  'run the worker',
  'the colour of lamps',
])('no sentence is more relevant than the highest relevance of its message: %s', (query) => {
  const relevance = subjectRelevance(talk, { query, rarity: () => 1, about: 'The queue' })
  for (const [index, { text }] of talk.entries()) {
    const sentences = text.split('. ').map((sentence, place) => ({ place, text: sentence }))
    const { of } = relevance.at(index, sentences)
    for (const sentence of sentences) expect(of(sentence)).toBeLessThanOrEqual(relevance.highest(index))
  }
})

it('a message without words of the question, near it or in its prompts has no relevance', () => {
  const { highest } = subjectRelevance(talk, { query: 'why were uploads lost', rarity: () => 1 })
  expect([0, 1, 3, 5].map((index) => highest(index) > 0)).toEqual([true, true, true, false])
})
