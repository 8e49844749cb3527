// A change that was not tested says something only where tests are run: that is known when all sessions were seen.
import type { Signal } from '../signal.ts'
import type { SeenSession } from './session.ts'

export type TestHabits = Map<string, { changed: number; tested: number; untested: Signal[] }>

export function newTestHabits(): TestHabits {
  return new Map()
}

const fewestChanged = 3
/** Share of the sessions with changed code in which tests are run. */
const habit = 1 / 3

export function noteTests(habits: TestHabits, session: SeenSession, untested: Signal | undefined): void {
  const { friction } = session.state
  if (friction?.codeEdit == null || session.project === null) return
  const known = habits.get(session.project) ?? { changed: 0, tested: 0, untested: [] }
  habits.set(session.project, known)
  known.changed++
  if (friction.testRun !== null) known.tested++
  if (untested) known.untested.push(untested)
}

export function untestedWhereTestsRun(habits: TestHabits): Signal[] {
  return [...habits.values()]
    .filter(({ changed, tested }) => changed >= fewestChanged && tested / changed >= habit)
    .flatMap(({ untested }) => untested)
}
