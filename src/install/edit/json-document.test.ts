import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { UserError } from '../../core/errors.ts'
import type { Json } from '../../core/session.ts'
import { jsonOf, parseJson } from './json-document.ts'

describe('parseJson', () => {
  it.each<[string, string, Json | undefined]>([
    ['an empty file', ' \n', undefined],
    ['only a comment', '// nothing yet', undefined],
    ['comments everywhere', '/* a */{ // b\n "x" /* c */ : /* d */ 1 /* e */ , /* f */ } // g', { x: 1 }],
    ['trailing commas', '{"x": [1, 2,],}', { x: [1, 2] }],
    ['a byte order mark', '\uFEFF{}', {}],
    ['comment signs in a text', '{"url": "https://example.com/*"}', { url: 'https://example.com/*' }],
    ['the same name twice: the last one counts', '{"x": 1, "x": 2}', { x: 2 }],
    ['a name that objects are made of', '{"__proto__": 1}', Object.fromEntries([['__proto__', 1]])],
  ])('reads %s', (_, text, expected) => {
    expect(valueIn(text)).toEqual(expected)
  })

  it.each([
    ['a missing comma', '{\n  "a": 1\n  "b": 2\n}', '3:3', 'expected a comma or a closing bracket'],
    ['a missing bracket', '{\n  "a": [1', '2:10', 'the file ends too early'],
    ['a missing value', '{"a": }', '1:7', 'expected a value'],
    ['a name without quotes', '{a: 1}', '1:2', 'this is neither a value nor a name in double quotes'],
    ['a number as a name', '{1: 1}', '1:2', 'expected a name in double quotes or }'],
    ['a missing colon', '{"a" 1}', '1:6', 'expected a colon'],
    ['a string that is not closed', '{"a": "b\n}', '1:7', 'this string is not closed'],
    ['a comment that is not closed', '{} /* a', '1:4', 'this comment is not closed'],
    ['two values', '{}\n{}', '2:1', 'expected the end of the file'],
    ['a comma too many', '[1,,2]', '1:4', 'expected a value'],
    ['a number of another language', '[0x10]', '1:3', 'this is neither a value nor a name in double quotes'],
    ['an end too early', '\uFEFF{"a":', '1:6', 'the file ends too early'],
  ])('reports line and column of %s', (_, text, place, reason) => {
    expect(() => parseJson(text, '/home/dev/settings.json')).toThrow(
      `/home/dev/settings.json:${place} is not valid JSON: ${reason}`,
    )
  })

  it('reads what JSON.parse reads', () => {
    fc.assert(
      fc.property(fc.json(), fc.constantFrom(0, 2, '\t'), (json, indent) => {
        const text = JSON.stringify(JSON.parse(json), null, indent)
        expect(valueIn(text)).toEqual(JSON.parse(text))
      }),
      { numRuns: 300 },
    )
  })

  it('refuses what JSON.parse refuses, except comments and trailing commas', () => {
    const damaged = fc.tuple(
      fc.json(),
      fc.nat(),
      fc.constantFrom('', '"', ':', '{', ']', '1', '-', 'e', '\\', '\u0001'),
    )
    fc.assert(
      fc.property(damaged, ([json, place, sign]) => {
        const at = place % json.length
        const text = json.slice(0, at) + sign + json.slice(at + 1)
        fc.pre(text.trim() !== '' && !/,\s*[\]}]|\/[/*]/.test(text))
        expect(outcomeOf(() => valueIn(text))).toEqual(outcomeOf(() => JSON.parse(text)))
      }),
      { numRuns: 1000 },
    )
  })
})

function valueIn(text: string): Json | undefined {
  const { root } = parseJson(text, '/home/dev/settings.json')
  return root && jsonOf(root)
}

function outcomeOf(read: () => Json | undefined): { value?: Json; isRefused: boolean } {
  try {
    return { value: read(), isRefused: false }
  } catch (error) {
    if (!(error instanceof UserError || error instanceof SyntaxError)) throw error
    return { isRefused: true }
  }
}
