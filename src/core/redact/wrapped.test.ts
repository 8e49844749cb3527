import { describe, expect, it } from 'vitest'
import { redact } from './redact.ts'
import { joinPart, wrappedParts } from './wrapped.ts'

const one = (text: string) => redact([text]).texts[0]!

// Built from parts, so that secret scanners do not report this file.
const [first, second] = [`ghp_${'a1B2c3D4'.repeat(2)}`, 'e5F6g7H8'.repeat(3)]

describe('redact', () => {
  it.each([
    ['a line end', `use ${first}\n${second} now`, 'use [secret: github-token] now'],
    ['a line end of Windows', `${first}\r\n${second}`, '[secret: github-token]'],
    ['indentation', `  use ${first}\n    ${second}`, '  use [secret: github-token]'],
    ['code', `x = "${first}" +\n  "${second}"`, 'x = "[secret: github-token]"'],
    ['a line end in JSON', `{"a":"${first}\\n${second}"}`, '{"a":"[secret: github-token]"}'],
    ['a line end in an address', 'https://me:aB3dE5\nfG7hJ9@host', 'https://me:[secret: url-password]@host'],
  ])('removes a value that is broken by %s', (_, text, expected) => {
    expect(one(text)).toBe(expected)
  })

  it.each([
    ['another variable', `API_KEY=a1b2c3d4e5f6a7b8\nDEBUG_2=yes`, 'API_KEY=[secret: password]\nDEBUG_2=yes'],
    ['a sentence', `token: a1B2c3D4e5F6g7H8\nThen restart.`, 'token: [secret: password]\nThen restart.'],
    ['a commit', `PASS=a1B2c3!D4\n3f2a91c Fix it`, 'PASS=[secret: password]\n3f2a91c Fix it'],
  ])('leaves %s on the next line', (_, text, expected) => {
    expect(one(text)).toBe(expected)
  })
})

describe('wrappedParts', () => {
  it('gives every part of a text to few views, however many places and line breaks there are', () => {
    const text = 'aB3dE5\n'.repeat(20_000)
    const places = Array.from({ length: text.length / 2 }, (_, index) => 2 * index)
    const parts = wrappedParts(text, places, [])
    expect(parts.reduce((sum, part) => sum + part.joints.length, 0)).toBeLessThanOrEqual(20_000)
    expect(parts.reduce((sum, part) => sum + part.end - part.start, 0)).toBeLessThanOrEqual(2 * text.length)
  })
})

describe('joinPart', () => {
  it('tells where a range was written, if it is not in front of the first joint', () => {
    const text = 'see aB3dE\n  f5G7h\n  J9k1L there'
    const [part] = wrappedParts(text, [4], [])
    const { view, writtenAt } = joinPart(text, part!)
    expect(view).toBe('see aB3dEf5G7hJ9k1L there')
    const written = writtenAt({ start: 4, end: 19 })!
    expect(text.slice(written.start, written.end)).toBe('aB3dE\n  f5G7h\n  J9k1L')
    expect(writtenAt({ start: 0, end: 3 })).toBeUndefined()
  })
})
