// Kill it at any moment and start again: nothing is lost, nothing is doubled.
import { afterEach, describe, expect, it } from 'vitest'
import { dump } from './dump.ts'
import { claudeSession, killAfter, lines, type Place, place, recollect, sessionName, start } from './program.ts'
import { scaled } from './proof.ts'
import { randomNumbers } from './random.ts'

const places: Place[] = []
afterEach(() => {
  for (const one of places.splice(0)) one.remove()
})

describe('killed sweep', () => {
  it('at random moments leaves what an undisturbed sweep leaves, once it is run again', async () => {
    const files = manySessions()
    const calm = made(files)
    const begun = performance.now()
    expect(recollect(calm, 'sweep').status).toBe(0)
    const fullMs = performance.now() - begun
    const expected = withoutHome(dump(calm.store), calm)
    expect(expected.memories).toHaveLength(40 * 4 + 36)
    const random = randomNumbers()
    for (let trial = 0; trial < scaled(1, 20); trial++) {
      const disturbed = made(files)
      await killAfter(start(disturbed, 'sweep'), 30 + random() * fullMs)
      const again = recollect(disturbed, 'sweep')
      expect(again.status, again.err).toBe(0)
      expect(withoutHome(dump(disturbed.store), disturbed)).toEqual(expected)
      expect(recollect(disturbed, 'sweep', '--json').json()).toMatchObject({ ingested: 0, events: 0 })
      disturbed.remove()
    }
  })
})

function made(files: Record<string, string>): Place {
  const one = place(files)
  places.push(one)
  return one
}

/** Enough that reading goes on in a second thread, with one session large enough to be written in several parts. */
function manySessions(): Record<string, string> {
  const files: Record<string, string> = {}
  for (let index = 0; index < 40; index++) {
    const session = sessionName(index)
    const turns = index === 7 ? 400 : 40
    const says = (turn: number) =>
      turn % 10 === 3 ? `Always run tools/check-${index}-${turn}.sh before every commit, never skip it.` : undefined
    files[`.claude/projects/-home-dev-app/${session}.jsonl`] = lines(
      claudeSession(session, turns, { padding: 200, says }),
    )
  }
  return files
}

/** Two homes differ by their place only. */
function withoutHome<T>(value: T, { home }: Place): T {
  return JSON.parse(JSON.stringify(value).replaceAll(home, '~'))
}
