// Remembering by hand, as people and scripts do it: what becomes of a memory that contradicts another.
import { afterEach, expect, it } from 'vitest'
import { type Place, place, recollect } from './program.ts'

let at: Place | undefined
afterEach(() => at?.remove())

it('a later word wins without a terminal if the contradiction is certain, and says how to undo it', () => {
  at = place()
  recollect(at, 'remember', 'Deploy on Fridays', '--global')
  const later = recollect(at, 'remember', 'Never deploy on Fridays', '--global')
  expect(later).toMatchObject({ status: 0 })
  expect(later.err).toMatch(/To undo: recollect undo\n.*It supersedes m-\w+: Deploy on Fridays/s)
  expect(recollect(at, 'memories', '--json').json()).toMatchObject([{ text: 'Never deploy on Fridays' }])
})

it('waits in the inbox if it is not certain, and names both sides', () => {
  at = place()
  recollect(at, 'remember', 'Never use tabs', '--global')
  const later = recollect(at, 'remember', 'Use tabs in Makefiles', '--global')
  expect(later).toMatchObject({ status: 0 })
  expect(later.err).toMatch(
    /Added to the inbox\..*It may contradict m-\w+: Never use tabs\nTo decide: recollect inbox m-\w+/s,
  )
  expect(recollect(at, 'inbox', '--json').json()).toMatchObject([
    { text: 'Use tabs in Makefiles', against: { text: 'Never use tabs' } },
  ])
})

it('options decide beforehand', () => {
  at = place()
  const first = recollect(at, 'remember', 'Use tabs in Makefiles', '--global', '--json').json()
  recollect(at, 'remember', 'Never use tabs in Makefiles', '--global', '--keep-both')
  expect(recollect(at, 'memories', '--json').json()).toHaveLength(2)
  expect(recollect(at, 'consolidate', '--force', '--json').json()).toMatchObject({ findings: [] })
  recollect(at, 'remember', 'Makefiles are formatted by a tool', '--global', '--supersedes', first.id)
  expect(recollect(at, 'memories', '--json').json()).toHaveLength(2)
  const both = recollect(at, 'remember', 'Use spaces', '--supersedes', first.id, '--keep-both')
  expect(both).toMatchObject({ status: 2 })
  expect(both.err).toContain('--supersedes and --keep-both cannot be combined')
})

it.each([
  ['Run tests with pnpm test, never with npm test', 'Run tests with npm test, never with pnpm test'],
  ['Run tests with pnpm test, never with npm test', 'Run tests with npm test'],
  ['The migration runs before the deploy', 'The deploy runs before the migration'],
  ['Alice owns billing, Bob owns search', 'Bob owns billing, Alice owns search'],
  ['Prefer tabs over spaces', 'Prefer spaces over tabs'],
])('the same words in other roles are the newest word, no confirmation: %s', (earlier, later) => {
  at = place()
  recollect(at, 'remember', earlier)
  const { err } = recollect(at, 'remember', later)
  expect(err).toContain('It supersedes')
  expect(err).not.toContain('confirmed')
  expect(recollect(at, 'memories', '--json').json()).toMatchObject([{ text: later, counts: { said: 1 } }])
  const brief = recollect(at, 'brief').out
  expect(brief).toContain(`: ${later} [`)
  expect(brief).not.toContain(`: ${earlier} [`)
})

it.each([
  ['Prefer async code', 'Do not use async in the parser'],
  ['The worker calls the scheduler', 'The scheduler calls the worker'],
  ['npmではなくpnpmを使う', 'pnpmではなくnpmを使う'],
])('an exception, or what may hold both ways, waits for the user: %s', (earlier, later) => {
  at = place()
  recollect(at, 'remember', earlier)
  expect(recollect(at, 'remember', later).err).toContain('Added to the inbox')
  expect(recollect(at, 'memories', '--json').json()).toMatchObject([{ text: earlier, counts: { said: 1 } }])
  expect(recollect(at, 'inbox', '--json').json()).toMatchObject([{ text: later, against: { text: earlier } }])
  const [told, undecided] = recollect(at, 'brief')
    .out.split('\n')
    .filter((line) => line.includes(earlier) || line.includes(later))
  expect(told).toContain(`: ${earlier} [`)
  expect(undecided).toMatch(/^ {2}Not decided yet, the user on/)
})
