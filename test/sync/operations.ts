// Operations on machines and the server as data, so that fast-check can generate and shrink them.
import fc from 'fast-check'
import { type NetworkFault, networkFault } from './network.ts'

export const tags = ['release', 'net', 'private'] as const

/**
 * `which` is an index into what the machine has at that moment (modulo), so that an operation stays
 * valid when fast-check removes others.
 */
export type Operation = { at: number } & (
  | { kind: 'remember'; where: 'own' | 'team' }
  | { kind: 'remember the same'; which: number; where: 'own' | 'team' }
  | { kind: 'edit' | 'say again' | 'forget' | 'unshare'; which: number }
  | { kind: 'retag'; which: number; tag: (typeof tags)[number] }
  /** Links two memories, or removes the link if it is there. */
  | { kind: 'link'; which: number; to: number; type: 'see-also' | 'part-of' }
  | { kind: 'undo' }
  | { kind: 'share'; which: number; with: 'team' | 'user'; by: 'memory' | 'tag'; permission: 'read' | 'write' }
  | { kind: 'sync'; part: 'both' | 'push' | 'pull'; isForced: boolean; faults: NetworkFault[] }
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
  [3, fc.record({ ...of('link'), which, to: which, type: fc.constantFrom('see-also' as const, 'part-of' as const) })],
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
      faults: fc.array(networkFault, { maxLength: 12 }),
    }),
  ],
  [2, fc.record({ ...of('old request'), which: fc.nat(1000) })],
  [1, fc.record({ ...of('restart') })],
  [1, fc.record({ ...of('restart server') })],
  [1, fc.record({ ...of('clock'), days: fc.integer({ min: -1500, max: 1500 }) })],
]

const operation = fc.oneof(...weighted.map(([weight, arbitrary]) => ({ weight, arbitrary })))

/** The users of the three machines: one user, two users, or three. */
const people = fc.constantFrom<string[]>(['ann', 'ann', 'ann'], ['ann', 'ann', 'bob'], ['ann', 'bob', 'cleo'])

export interface Scenario {
  people: string[]
  operations: Operation[]
}

/** Scenarios of at most `max` operations, for shrinking. */
export function scenarios(max: number): fc.Arbitrary<Scenario> {
  return fc.record({ people, operations: fc.array(operation, { maxLength: max, size: 'max' }) })
}

/** Scenarios of exactly `length` operations. */
export function sampleScenarios(length: number, { seed, count }: { seed: number; count: number }): Scenario[] {
  const operations = fc.array(operation, { minLength: length, maxLength: length, size: 'max' })
  return fc.sample(fc.record({ people, operations }), { seed, numRuns: count })
}

/** Formats an operation as one line. */
export function operationText({ at, kind, ...rest }: Operation): string {
  const more = Object.entries(rest).map(([name, value]) => `${name} ${JSON.stringify(value)}`)
  return [`machine ${at}: ${kind}`, ...more].join(', ')
}
