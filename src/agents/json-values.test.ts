import { describe, expect, it } from 'vitest'
import { parseDataUrl } from './json-values.ts'

describe('parseDataUrl', () => {
  it.each([
    ['data:image/png;base64,AAAA', { mediaType: 'image/png', data: 'AAAA' }],
    ['data:text/plain,a,b', { mediaType: 'text/plain', data: 'a,b' }],
    ['data:;base64,AAAA', { mediaType: undefined, data: 'AAAA' }],
    ['https://example.com/a,b.png', undefined],
    ['data:image/png', undefined],
    ['', undefined],
  ])('%s', (url, parts) => expect(parseDataUrl(url)).toEqual(parts))

  it('is linear for data without a comma', () => expect(parseDataUrl(`data:${'A'.repeat(3_000_000)}`)).toBeUndefined())
})
