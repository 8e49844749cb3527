// Kill it at any moment and start again: nothing is lost, nothing is doubled.
import { afterEach, describe, expect, it } from 'vitest'
import { dump } from './dump.ts'
import { claudeSession, lines, type Place, place, recollect, sessionName, start } from './program.ts'

const places: Place[] = []
afterEach(() => {
  for (const one of places.splice(0)) one.remove()
})

describe('killed sweep', () => {
  it('at twenty random moments leaves what an undisturbed sweep leaves, once it is run again', async () => {
    const files = manySessions()
    const calm = made(files)
    const begun = performance.now()
    expect(recollect(calm, 'sweep').status).toBe(0)
    const fullMs = performance.now() - begun
    const expected = withoutHome(dump(calm.store), calm)
    expect(expected.memories).toHaveLength(40 * 4 + 36)
    const random = seeded(20261115)
    for (let trial = 0; trial < 20; trial++) {
      const disturbed = made(files)
      await killAfter(start(disturbed, 'sweep'), 30 + random() * fullMs)
      const again = recollect(disturbed, 'sweep')
      expect(again.status, again.err).toBe(0)
      expect(withoutHome(dump(disturbed.store), disturbed)).toEqual(expected)
      expect(recollect(disturbed, 'sweep', '--json').json()).toMatchObject({ ingested: 0, events: 0 })
      disturbed.remove()
    }
  }, 240_000)
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

function killAfter(child: ReturnType<typeof start>, ms: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => child.kill('SIGKILL'), ms)
    child.on('exit', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}

/** Two homes differ by their place only. */
function withoutHome<T>(value: T, { home }: Place): T {
  return JSON.parse(JSON.stringify(value).replaceAll(home, '~'))
}

function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1103515245 + 12345) % 2147483648
    return state / 2147483648
  }
}
