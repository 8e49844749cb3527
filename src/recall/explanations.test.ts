import { describe, expect, it } from 'vitest'
import { findExplanations } from './explanations.ts'
import { intentOf } from './question.ts'
import type { TalkMessage, TalkSignal } from './sources.ts'

type Turn = { you: string } | { agent: string; signals?: TalkSignal[] }

function explain(query: string, ...turns: Turn[]) {
  const talk = turns.map(
    (turn, seq): TalkMessage =>
      'you' in turn
        ? { seq, role: 'user', text: turn.you, at: null }
        : { seq, role: 'assistant', text: turn.agent, at: null, signals: turn.signals ?? [] },
  )
  return findExplanations(talk, { query, intent: intentOf(query), rarity: () => 1 })
}

const textsOf = (found: ReturnType<typeof explain>) => found.map(({ pieces }) => pieces.map(({ text }) => text))

const query = 'why were uploads lost'
const complaint = { you: 'Uploads are lost again, this is annoying. Please find out why.' }
const cause = 'Uploads are lost because the queue is dropped when the worker restarts.'
const fix = 'I moved the queue of uploads into the database.'

describe('findExplanations', () => {
  it('finds the cause and the fix, not the complaint', () => {
    const [found] = explain(query, complaint, { agent: `Let me look. ${cause} ${fix}` })
    expect(found!.pieces.map(({ part, text }) => [part, text])).toEqual([
      ['cause', cause],
      ['fix', fix],
    ])
  })

  it.each<[string, TalkSignal[], string[]]>([
    ['nothing', [], []],
    ['passing tests', ['edited', 'tests passed'], ['tests passed after it']],
    ['tests that pass in the end', ['tests failed', 'tests passed'], ['tests passed after it']],
    ['failing tests', ['edited', 'tests failed'], []],
    ['a commit', ['edited', 'tests passed', 'committed'], ['tests passed', 'committed after it']],
  ])('is confirmed by what followed: %s', (_, then, followed) => {
    expect(explain(query, complaint, { agent: `${cause} ${fix}`, signals: then })[0]!.pieces[0]!.followed).toEqual(
      followed,
    )
  })

  it('is confirmed by the turn that was asked for next, and has the fix of that turn', () => {
    const [found] = explain(
      query,
      complaint,
      { agent: `${cause} Shall I change it?` },
      { you: 'yes, do it' },
      { agent: 'Now let me edit the worker.', signals: ['edited', 'tests passed'] },
      { agent: fix },
    )
    expect(found!.pieces.map(({ text }) => text)).toEqual([cause, fix])
    expect(found!.pieces[0]!.followed).toEqual(['tests passed after it'])
  })

  it('is not confirmed by tests of another task', () => {
    const [found] = explain(
      query,
      complaint,
      { agent: cause },
      { you: 'Thanks. Now rename the settings page, its route, its menu entry and all of the translations of it.' },
      { agent: 'Renamed the settings page.', signals: ['edited', 'tests passed', 'committed'] },
    )
    expect(found!.pieces[0]!.followed).not.toContain('tests passed')
  })

  it.each([
    ['the person rejects it', [{ you: "no, that's not it" }]],
    ['the person still sees it', [{ you: 'still happening' }]],
    [
      'the person pastes a failure',
      [{ you: 'Traceback (most recent call last):\n  File "a.py", line 3\nKeyError: 1' }],
    ],
    ['the fix did not help', [{ you: 'fix it' }, { agent: 'Done.' }, { you: 'that did not help' }]],
    ['the agent takes it back', [{ you: 'are both workers affected?' }, { agent: "No, I'm not sure." }]],
    [
      'the agent takes it back much later',
      [{ you: 'go on' }, { agent: 'I was wrong about the queue that is dropped when the worker restarts.' }],
    ],
    ['the agent agrees with an objection', [{ you: 'the worker was up all day' }, { agent: "You're right." }]],
  ])('leaves out an explanation where %s', (_, after) => {
    expect(explain(query, complaint, { agent: cause }, ...after)).toEqual([])
  })

  it('puts the last explanation that was not taken back first', () => {
    const real = 'Uploads are lost because the proxy closes the connection after a minute.'
    const found = explain(
      query,
      complaint,
      { agent: cause },
      { you: "no, that's not it" },
      { agent: real, signals: ['edited', 'tests passed'] },
      { you: 'works' },
    )
    expect(textsOf(found)).toEqual([[real]])
  })

  it('prefers what was confirmed to what was only said', () => {
    const other = 'Uploads are lost because the disk is full on some days.'
    const found = explain(
      query,
      complaint,
      { agent: cause, signals: ['edited', 'tests passed'] },
      { you: 'And on the other machine, where nothing was changed for weeks and months by anybody?' },
      { agent: other },
    )
    expect(textsOf(found)[0]).toEqual([cause])
  })

  it('takes the first sentence of an answer to a reported problem for the diagnosis', () => {
    const diagnosis = 'The queue of uploads lives in the memory of the worker.'
    const report = { you: 'Uploads are lost and fail whenever we deploy.' }
    expect(textsOf(explain(query, report, { agent: `${diagnosis} ${fix}` }))).toEqual([[diagnosis, fix]])
    const [found] = explain(query, { you: 'Describe the uploads.' }, { agent: diagnosis })
    expect(found!.pieces.map(({ part }) => part)).toEqual(['answer'])
  })

  it('takes the fix from before the cause in the same turn, or from a commit', () => {
    const summary = 'Cause: uploads are lost because the worker drops its queue.'
    expect(textsOf(explain(query, complaint, { agent: fix }, { agent: summary }))[0]).toContain(fix)
    const talk: TalkMessage[] = [
      { seq: 0, role: 'user', text: complaint.you, at: null },
      { seq: 1, role: 'assistant', text: cause, at: null, signals: ['committed'], commits: ['Keep the queue'] },
    ]
    const [found] = findExplanations(talk, { query, intent: 'cause', rarity: () => 1 })
    expect(found!.pieces.at(-1)).toMatchObject({ part: 'fix', text: 'committed "Keep the queue"' })
  })

  it('takes the word of the person for a cause', () => {
    const [found] = explain(query, { you: 'The reason is that uploads are lost when the proxy restarts.' })
    expect(found!.pieces).toMatchObject([{ part: 'cause', role: 'user' }])
  })

  it('leaves out explanations of something else', () => {
    const other = 'The menu flickers because the font is loaded late.'
    expect(explain(query, complaint, { agent: 'I will look.' }, { you: 'And the menu?' }, { agent: other })).toEqual([])
  })

  it('takes the reply that closes the turn of a prompt with the same question', () => {
    const found = explain(
      'which formats can the importer read?',
      { you: 'which formats does the importer read' },
      { agent: 'I am going through the importer and its readers of formats first.' },
      { agent: 'Comma-separated files and spreadsheets, each with a header line.' },
      { you: 'thanks' },
    )
    expect(textsOf(found)).toEqual([['Comma-separated files and spreadsheets, each with a header line.']])
  })

  it('does not answer with the question itself or with what was done', () => {
    const prompt = { you: 'which formats does the importer read' }
    const question = 'which formats can the importer read?'
    expect(explain(question, prompt, { agent: 'The importer reads formats.' })).toEqual([])
    expect(explain(question, prompt, { agent: 'Pushed the branch of the importer with formats to origin.' })).toEqual(
      [],
    )
  })

  it('prefers what was found in the end to the first hypothesis in the same line of work', () => {
    const first = 'Uploads are lost because the disk is full on some days.'
    const found = explain(query, complaint, { agent: first }, { you: 'continue' }, { agent: cause })
    expect(textsOf(found)[0]).toEqual([cause])
  })

  it('counts an explanation less if the person reports the problem again', () => {
    const first = 'Uploads are lost because the disk is full on some days.'
    const again = { you: 'uploads are still lost on my machine' }
    const found = explain(query, complaint, { agent: first }, again, { agent: cause }, { you: 'and the menu' })
    expect(textsOf(found)[0]).toEqual([cause])
  })

  it('leaves out only the sentence that was taken back', () => {
    const wrong = 'Uploads are slow because the disk of the worker is full.'
    const retraction = 'The full disk of the worker on the second machine was not the cause.'
    const found = explain(query, complaint, { agent: `${cause} ${wrong}` }, { you: 'go on' }, { agent: retraction })
    expect(textsOf(found)[0]).toEqual([cause])
  })

  it('requires the rarest word of the question near the explanation', () => {
    const talk: TalkMessage[] = [
      { seq: 0, role: 'user', text: 'the parser hook runs on push', at: null },
      { seq: 1, role: 'assistant', text: 'Pushes still run because the remote is open.', at: null },
    ]
    const rarity = (word: string) => (word === 'zipper' ? 8 : 1)
    expect(findExplanations(talk, { query: 'why does push still run zipper', intent: 'cause', rarity })).toEqual([])
  })

  it('without a question uses only what was confirmed', () => {
    const report = `${'Uploads are lost when the worker restarts and the queue is dropped. '.repeat(2)}Fix the uploads.`
    expect(explain(report, complaint, { agent: cause })).toEqual([])
    expect(explain(report, complaint, { agent: cause, signals: ['tests passed'] })).toHaveLength(1)
  })
})
