import { describe, expect, it } from 'vitest'
import { maxJsonDepth, maxJsonValues, maxJsonWidth, parseForeignJson } from './foreign-json.ts'
import type { Json } from './session.ts'

const nested = (open: string, close: string, depth: number) => `${open.repeat(depth)}1${close.repeat(depth)}`
const inRecord = (part: string) => `{"type":"a","before":1,"input":${part},"after":[2]}`

function depthOf(value: Json): number {
  let depth = 0
  for (let inner = value; typeof inner === 'object' && inner !== null; depth++) inner = Object.values(inner)[0] as Json
  return depth
}

describe('parseForeignJson', () => {
  it.each([
    ['a small value', '{"a":[1,{"b":null}]}'],
    ['the greatest depth', inRecord(nested('[', ']', maxJsonDepth - 1))],
    ['the greatest width', inRecord(`[${'0,'.repeat(maxJsonWidth - 1)}0]`)],
    ['brackets inside of a string', JSON.stringify({ text: '[{'.repeat(5000) })],
  ])('returns %s as it is', (_, source) =>
    expect(parseForeignJson(source)).toEqual({ value: JSON.parse(source) as Json }),
  )

  it.each([
    ['arrays', '[', ']'],
    ['objects', '{"a":', '}'],
    ['both', '[{"a":', '}]'],
  ])('keeps the record around 2,000 and 100,000 nested %s', (_, open, close) => {
    for (const depth of [2000, 100_000]) {
      const { value, omitted } = parseForeignJson(inRecord(nested(open, close, depth)))
      expect(value).toMatchObject({ type: 'a', before: 1, after: [2] })
      expect(depthOf((value as { input: Json }).input)).toBe(maxJsonDepth - 1)
      expect(omitted).toBe('parts nested deeper than 200 levels were left out')
      expect(() => JSON.stringify(value)).not.toThrow()
    }
  })

  it('shortens long lists and objects with many keys', () => {
    const list = `[${'7,'.repeat(999_999)}7]`
    const keys = `{${Array.from({ length: maxJsonWidth + 5 }, (_, index) => `"k${index}":0`).join(',')}}`
    const { value, omitted } = parseForeignJson(`{"list":${list},"keys":${keys}}`)
    const { list: kept, keys: few } = value as { list: Json[]; keys: Record<string, Json> }
    expect([kept.length, kept.at(-1)]).toEqual([maxJsonWidth + 1, '[900000 more]'])
    expect([Object.keys(few).length, few['…']]).toEqual([maxJsonWidth + 1, '[5 more]'])
    expect(omitted).toBe('elements beyond the first 100000 of a list were left out')
  })

  it('keeps a key such as __proto__ plain while it shortens', () => {
    const { value } = parseForeignJson(`{"__proto__":{"polluted":1},"deep":${nested('[', ']', 500)}}`)
    expect(Object.keys(value as object)).toEqual(['__proto__', 'deep'])
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
  })

  it('refuses a record of millions of values before it is parsed', () => {
    expect(() => parseForeignJson(`[${'{},'.repeat(maxJsonValues)}{}]`)).toThrow('more than 2000000 values')
    const text = JSON.stringify({ text: '[{"a",'.repeat(1_000_000) })
    expect(parseForeignJson(text).value).toEqual(JSON.parse(text))
  })

  it('throws what JSON.parse throws', () => expect(() => parseForeignJson('{"a":')).toThrow(SyntaxError))
})
