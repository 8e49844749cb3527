import { describe, expect, it } from 'vitest'
import { countAt, fieldAt, secondsAt, textAt } from './protobuf.ts'

// 1: 300, 2: "hi", 3: { 1: 7, 2: 500000000 }, 4: 8 bytes, 5: 4 bytes, 2: "ho"
const message = Buffer.from(
  ['08ac02', '12026869', '1a08', '0807', '1080cab5ee01', '210000000000000000', '2d00000000', '1202686f'].join(''),
  'hex',
)

describe('protobuf', () => {
  it('finds values by the numbers of fields', () => {
    expect(countAt(message, 1)).toBe(300)
    expect(textAt(message, 2)).toBe('ho')
    expect(countAt(message, 3, 1)).toBe(7)
    expect(secondsAt(message, 3)).toBe(7.5)
    expect(fieldAt(message, 5)).toHaveLength(4)
  })

  it.each([
    ['a missing field', [9]],
    ['a path through a number', [1, 1]],
    ['a path through a text', [2, 1, 1]],
  ])('has no value for %s', (_, path) => {
    expect([fieldAt(message, ...path), countAt(message, ...path), textAt(message, ...path)]).toEqual([undefined, 0, ''])
  })

  it('takes no message for a text', () => expect(textAt(message, 3)).toBe(''))

  it('reads what precedes the damage of a message', () => {
    for (let length = 0; length < message.length; length++) {
      const cut = message.subarray(0, length)
      expect(countAt(cut, 1)).toBe(length < 3 ? 0 : 300)
      expect(() => [textAt(cut, 2), secondsAt(cut, 3), fieldAt(cut, 4)]).not.toThrow()
    }
  })

  it.each([
    ['an unknown wire type', '0b'],
    ['a length beyond the end', '12ff01'],
    ['a number that does not end', '08ffffffffffffffffffffffff'],
    ['the field zero', '0001'],
  ])('stops at %s', (_, hex) => expect(fieldAt(Buffer.from(hex, 'hex'), 1)).toBeUndefined())
})
