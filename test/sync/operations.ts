// Everything that can happen to machines and the server, as data: what fast-check makes up, and shortens when something is wrong.
import fc from 'fast-check'
import { type Trouble, trouble } from './network.ts'

export const tags = ['release', 'net', 'private'] as const

/** `which` counts among what a machine has at that moment, so that whatever is left of a list still means something. */
export type Operation = { at: number } & (
  | { kind: 'remember'; where: 'own' | 'team' }
  | { kind: 'remember the same'; which: number; where: 'own' | 'team' }
  | { kind: 'edit' | 'say again' | 'forget' | 'unshare'; which: number }
  | { kind: 'retag'; which: number; tag: (typeof tags)[number] }
  | { kind: 'undo' }
  | { kind: 'share'; which: number; with: 'team' | 'user'; by: 'memory' | 'tag'; permission: 'read' | 'write' }
  | { kind: 'sync'; part: 'both' | 'push' | 'pull'; isForced: boolean; troubles: Trouble[] }
  | { kind: 'old request'; which: number }
  | { kind: 'restart' }
  | { kind: 'restart server' }
  | { kind: 'clock'; days: number }
)

const at = fc.nat(2)
const which = fc.nat(9)
const where = fc.constantFrom('own' as const, 'own' as const, 'team' as const)

function of<const K extends string>(kind: K): { at: typeof at; kind: fc.Arbitrary<K> } {
  return { at, kind: fc.constant(kind) }
}

const weighted: readonly (readonly [number, fc.Arbitrary<Operation>])[] = [
  [4, fc.record({ ...of('remember'), where })],
  [1, fc.record({ ...of('remember the same'), which: fc.nat(30), where })],
  [9, fc.record({ ...of('edit'), which })],
  [4, fc.record({ ...of('say again'), which })],
  [3, fc.record({ ...of('forget'), which })],
  [4, fc.record({ ...of('undo') })],
  [3, fc.record({ ...of('retag'), which, tag: fc.constantFrom(...tags) })],
  [
    2,
    fc.record({
      ...of('share'),
      which,
      with: fc.constantFrom('team' as const, 'user' as const),
      by: fc.constantFrom('memory' as const, 'tag' as const),
      permission: fc.constantFrom('read' as const, 'write' as const),
    }),
  ],
  [1, fc.record({ ...of('unshare'), which })],
  [
    11,
    fc.record({
      ...of('sync'),
      part: fc.constantFrom('both' as const, 'both' as const, 'push' as const, 'pull' as const),
      isForced: fc.boolean(),
      troubles: fc.array(trouble, { maxLength: 12 }),
    }),
  ],
  [2, fc.record({ ...of('old request'), which: fc.nat(1000) })],
  [1, fc.record({ ...of('restart') })],
  [1, fc.record({ ...of('restart server') })],
  [1, fc.record({ ...of('clock'), days: fc.integer({ min: -1500, max: 1500 }) })],
]

const operation = fc.oneof(...weighted.map(([weight, arbitrary]) => ({ weight, arbitrary })))

/** Whose the three machines are: all of one person, two and one, or of three. */
const people = fc.constantFrom<string[]>(['ann', 'ann', 'ann'], ['ann', 'ann', 'bob'], ['ann', 'bob', 'cleo'])

export interface Story {
  people: string[]
  operations: Operation[]
}

/** Of up to so many operations: what a story is shortened in. */
export function stories(max: number): fc.Arbitrary<Story> {
  return fc.record({ people, operations: fc.array(operation, { maxLength: max, size: 'max' }) })
}

/** Stories of exactly so many operations. */
export function longStories(length: number, { seed, count }: { seed: number; count: number }): Story[] {
  const operations = fc.array(operation, { minLength: length, maxLength: length, size: 'max' })
  return fc.sample(fc.record({ people, operations }), { seed, numRuns: count })
}

/** An operation on one line. */
export function told({ at, kind, ...rest }: Operation): string {
  const more = Object.entries(rest).map(([name, value]) => `${name} ${JSON.stringify(value)}`)
  return [`machine ${at}: ${kind}`, ...more].join(', ')
}
