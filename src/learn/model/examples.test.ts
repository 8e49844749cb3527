import { expect, it } from 'vitest'
import type { Utterance } from '../exchanges.ts'
import { draftsFrom, judgeAnswer } from './answer.ts'
import { judgeExamples } from './examples.ts'

/** The messages of an example. */
function messagesOf(question: string): Utterance[] {
  let before = ''
  return question.split('\n').flatMap((line, seq) => {
    const [, prompt] = /^\[\d+\] PERSON: (.*)$/.exec(line) ?? []
    if (prompt !== undefined) return [{ seq, event: `e${seq}`, at: '2026-09-01T10:00:00Z', before, prompt, after: '' }]
    if (line.startsWith('AGENT: ')) before = line.slice('AGENT: '.length)
    return []
  })
}

it.each(judgeExamples.map((example) => [example.lesson, example] as const))('%s', (_, { question, memories }) => {
  const answer = judgeAnswer.parse({ memories })
  const said = messagesOf(question)
  const window = { session: 's', task: 'session' as const, said, from: 0, through: 9, earlier: '' }
  const { drafts, dropped } = draftsFrom(window, answer, { candidates: [], known: [], project: 'app' })
  expect(dropped).toEqual([])
  expect(drafts).toHaveLength(memories.length)
  for (const draft of drafts) {
    expect(draft).toMatchObject({ trust: 'user said', because: 'model' })
    expect(draft.text).toMatch(/^[A-Z].{20,300}\.$/)
  }
})
