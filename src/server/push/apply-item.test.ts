import fc from 'fast-check'
import { expect, it } from 'vitest'
import { deletedHash } from '../../sync/item-hash.ts'
import type { ItemBase } from '../../sync/protocol.ts'
import { type CurrentState, decideWrite } from './apply-item.ts'

it.each([
  ['new', undefined, null, 'a', { kind: 'write', version: 1 }],
  ['new, but another says the same', undefined, null, 'twin', { kind: 'duplicate' }],
  ['known from a history that is gone', undefined, { version: 4, hash: 'x' }, 'a', { kind: 'write', version: 5 }],
  ['the same again', { version: 3, hash: 'a' }, { version: 2, hash: 'x' }, 'a', { kind: 'same', version: 3 }],
  ['the next version', { version: 3, hash: 'x' }, { version: 3, hash: 'x' }, 'a', { kind: 'write', version: 4 }],
  ['of an old version', { version: 4, hash: 'y' }, { version: 3, hash: 'x' }, 'a', { kind: 'conflict' }],
  [
    'of the same number in another history',
    { version: 3, hash: 'y' },
    { version: 3, hash: 'x' },
    'a',
    { kind: 'conflict' },
  ],
  ['of the same content, long ago', { version: 5, hash: 'x' }, { version: 3, hash: 'x' }, 'a', { kind: 'conflict' }],
  ['unseen, though something is there', { version: 1, hash: 'y' }, null, 'a', { kind: 'conflict' }],
  ['unseen, where it was deleted', { version: 2, hash: deletedHash }, null, 'twin', { kind: 'conflict' }],
  [
    'deleting what is there',
    { version: 3, hash: 'x' },
    { version: 3, hash: 'x' },
    deletedHash,
    { kind: 'write', version: 4 },
  ],
  [
    'deleting what is gone',
    { version: 4, hash: deletedHash },
    { version: 3, hash: 'x' },
    deletedHash,
    { kind: 'same', version: 4 },
  ],
  ['deleting what never was', undefined, { version: 3, hash: 'x' }, deletedHash, { kind: 'same', version: 3 }],
  [
    'bringing back what was seen deleted',
    { version: 4, hash: deletedHash },
    { version: 4, hash: deletedHash },
    'a',
    { kind: 'write', version: 5 },
  ],
] as const)('%s', (_, present, base, hash, decision) => {
  expect(decideWrite(present, { base, hash }, hash === 'twin')).toEqual(decision)
})

/** Few values, so that they meet. */
const hash = fc.constantFrom('a', 'b', 'c', deletedHash)
const version = fc.integer({ min: 1, max: 3 })
const present = fc.option(fc.record({ version, hash }), { nil: undefined })
const wish = fc.record({ base: fc.option(fc.record({ version, hash })), hash })

/** What is there afterwards. */
function after(
  there: CurrentState | undefined,
  { base, hash }: { base: ItemBase | null; hash: string },
): CurrentState | undefined {
  const decision = decideWrite(there, { base, hash }, false)
  return decision.kind === 'write' ? { version: decision.version, hash } : there
}

it('decideWrite ignores a repeated request', () => {
  fc.assert(
    fc.property(present, wish, (there, asked) => {
      const once = after(there, asked)
      expect(after(once, asked)).toEqual(once)
    }),
  )
})

it('decideWrite answers a repeated request like the first', () => {
  fc.assert(
    fc.property(present, wish, (there, asked) => {
      const first = decideWrite(there, asked, false)
      const again = decideWrite(after(there, asked), asked, false)
      const isStored = (kind: string) => kind === 'same' || kind === 'write'
      expect(isStored(again.kind)).toBe(isStored(first.kind))
      if (first.kind === 'write') expect(again).toEqual({ kind: 'same', version: first.version })
    }),
  )
})

it('decideWrite writes only over the version and hash that were seen', () => {
  fc.assert(
    fc.property(present, wish, fc.boolean(), (there, asked, hasTwin) => {
      if (!there || decideWrite(there, asked, hasTwin).kind !== 'write') return
      expect(asked.base).toEqual(there)
    }),
  )
})

it('decideWrite restores a deleted item only if the deletion was seen', () => {
  const requests = fc.array(wish, { maxLength: 20 })
  fc.assert(
    fc.property(present, requests, (start, asked) => {
      let there: CurrentState | undefined = start
      for (const request of asked) {
        const next = after(there, request)
        if (there?.hash === deletedHash && next?.hash !== deletedHash) expect(request.base).toEqual(there)
        there = next
      }
    }),
  )
})

it('decideWrite increases the version with every change', () => {
  const requests = fc.array(wish, { maxLength: 20 })
  fc.assert(
    fc.property(present, requests, (start, asked) => {
      let there: CurrentState | undefined = start
      for (const request of asked) {
        const next = after(there, request)
        if (there && next !== there) expect(next!.version).toBe(there.version + 1)
        there = next
      }
    }),
  )
})

/** Machine A changes and undoes; a duplicate of its first request arrives late. */
it('decideWrite detects content that changed and changed back', () => {
  const changed = after({ version: 1, hash: 'a' }, { base: { version: 1, hash: 'a' }, hash: 'b' })!
  const undone = after(changed, { base: changed, hash: 'a' })!
  expect(undone).toEqual({ version: 3, hash: 'a' })
  expect(decideWrite(undone, { base: { version: 1, hash: 'a' }, hash: 'b' }, false)).toEqual({ kind: 'conflict' })
})
