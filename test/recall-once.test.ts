// In a store with little in it, `recollect recall` tells a sentence once.
import { afterEach, describe, expect, it } from 'vitest'
import { type Turn, turnRecords } from './learn-home.ts'
import { type Place, place, recollect, sessionName } from './program.ts'

const places: Place[] = []
afterEach(() => {
  for (const at of places.splice(0)) at.remove()
})

function homeOf(...sessions: Turn[][]): Place {
  const at = place(
    Object.fromEntries(
      sessions.map((turns, index) => [
        `.claude/projects/-home-dev-app/${sessionName(index + 1)}.jsonl`,
        turnRecords(turns, index * 20, sessionName(index + 1)),
      ]),
    ),
  )
  places.push(at)
  expect(recollect(at, 'sweep').status).toBe(0)
  return at
}

/** What is printed between the heading of the source and the command that resumes it. */
function printed(at: Place, question: string): string[] {
  const { out } = recollect(at, 'recall', '--all', question)
  return out
    .trimEnd()
    .split('\n')
    .filter((line) => !/^(?:\[|Resume: )/.test(line))
}

describe('recall in a small store', () => {
  it('leaves out the agent that repeats a rule, and the title that is the rule', () => {
    const at = homeOf([['Always use pnpm in this project.', 'Understood, always use pnpm in this project.']])
    expect(printed(at, 'pnpm')).toEqual(['app', 'person: Always use pnpm in this project.'])
  })

  it('tells the person with the reason, not the agent that repeats it without', () => {
    const said = 'No, the cap of a parcel is 30 kilos, because the courier refuses more.'
    const at = homeOf([
      ['How heavy may a parcel be?', 'Is it 20 kilos?'],
      [said, 'The cap of a parcel is 30 kilos.'],
    ])
    expect(printed(at, 'what is the cap of a parcel').filter((line) => line.includes('30 kilos'))).toEqual([
      `person: ${said}`,
    ])
  })

  it('tells what two sessions found once, from the newer one', () => {
    const turns: Turn[] = [['Why is the build slow?', 'The build is slow because the cache is off.']]
    const { text, sessions } = recollect(
      homeOf(turns, turns),
      'recall',
      '--all',
      '--json',
      'why is the build slow',
    ).json()
    expect(text.match(/the cache is off/g)).toHaveLength(1)
    expect(sessions).toEqual([`claude-code:${sessionName(2)}`])
  })

  it('tells a memory once, and not the sentence that it was said in as well', () => {
    const rule = 'The staging database is reset every Monday at six.'
    const at = homeOf([[rule, 'Noted.']])
    recollect(at, 'remember', '--global', rule)
    const { out } = recollect(at, 'recall', '--all', 'staging database')
    expect(out.match(/reset every Monday/g)).toHaveLength(1)
  })
})
