import { describe, expect, it } from 'vitest'
import { packJson, unpackJson } from './packed-json.ts'

describe('packJson', () => {
  it('returns bytes that are not part of a larger buffer', () => {
    const packed = packJson({ goal: 'Lamp' })
    expect(packed.buffer.byteLength).toBe(packed.length)
  })
})

describe('unpackJson', () => {
  it.each([
    ['compressed', packJson({ goal: 'Lamp' })],
    ['as text', '{"goal":"Lamp"}'],
  ])('reads JSON %s', (_, column) => {
    expect(unpackJson(column)).toBe('{"goal":"Lamp"}')
  })

  it('throws when bytes have changed', () => {
    const packed = packJson({ goal: 'Repair the lamp of the harbour' })
    packed[packed.length - 6]! ^= 1
    expect(() => unpackJson(packed)).toThrow()
  })
})
