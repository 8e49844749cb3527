import { expect, it } from 'vitest'
import { coalesceReads } from './coalesce-reads.ts'

it('reads the keys of concurrent callers together, and each after it was asked for', async () => {
  const stored = new Map([
    ['a', 1],
    ['b', 2],
  ])
  const asked: string[][] = []
  const read = coalesceReads(async (keys) => {
    asked.push(keys)
    const found = new Map(keys.flatMap((key) => (stored.has(key) ? [[key, stored.get(key)!] as const] : [])))
    await null
    return found
  })
  const first = [read('a'), read('b')]
  const next = [read('a'), read('b'), read('a'), read('missing')]
  stored.set('a', 3)
  expect(await Promise.all(first)).toEqual([1, 2])
  expect(await Promise.all(next)).toEqual([3, 2, 3, undefined])
  expect(asked).toEqual([['a'], ['b'], ['a', 'b', 'missing']])
})

it('passes an error on to all callers of the query and goes on', async () => {
  let isBroken = true
  const read = coalesceReads(async () => {
    if (isBroken) throw new Error('broken')
    return new Map([['a', 1]])
  })
  const failing = await Promise.allSettled([read('a'), read('b'), read('c')])
  expect(failing.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
  isBroken = false
  expect(await read('a')).toBe(1)
})
