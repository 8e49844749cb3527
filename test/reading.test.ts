// What the program says about twenty made-up sessions, compared with what a careful reader would say.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Place, recollect } from './program.ts'
import { readingFaults, readingHome, readingId, readingSessions, type SessionRow } from './reading/home.ts'

let home: Place
let rows: Map<string, SessionRow>

beforeAll(() => {
  home = readingHome()
  const swept = recollect(home, 'sweep')
  if (swept.status !== 0) throw new Error(swept.err)
  const listed: SessionRow[] = recollect(home, 'sessions', '--json').json()
  rows = new Map(listed.map((row) => [row.id, row]))
})
afterAll(() => home.remove())

const cases = readingSessions.map((session) => ({ ...session, id: readingId(session) }))

describe('the reading set', () => {
  it.each(cases)('expects only what was asked: $about', ({ script, expected }) => {
    const prompts = script.steps.flatMap((step) => (step.do === 'say' ? [step.text] : []))
    for (const words of [expected.firstAsked, expected.lastAsked]) {
      const isAsked = words.some((source) => prompts.some((prompt) => new RegExp(source, 'i').test(prompt)))
      expect(isAsked || words.length === 0, words.join(', ')).toBe(true)
    }
  })

  it('is captured completely', () => expect([...rows.keys()].sort()).toEqual(cases.map(({ id }) => id).sort()))

  it.each(cases)('$about', ({ id, expected }) => {
    expect(readingFaults(expected, rows.get(id)!)).toEqual([])
  })

  it.each(cases)('show tells the same: $about', ({ id }) => {
    const { title, outcome, kind } = rows.get(id)!
    expect(recollect(home, 'show', id, '--json').json().session).toMatchObject({ title, outcome, kind })
  })
})
