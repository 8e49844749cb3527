import { describe, expect, it } from 'vitest'
import { freeSlug, slugKey, slugOf } from './slug.ts'

describe('a slug', () => {
  it('is lower case with hyphens, and keeps letters of other scripts', () => {
    expect(slugOf('Retry  policy_of the (webhook) queue!')).toBe('retry-policy-of-the-webhook-queue')
    expect(slugOf('src/store/ledger.ts')).toBe('src-store-ledger-ts')
    expect(slugOf('Überprüfung der Straße')).toBe('überprüfung-der-straße')
    expect(slugOf('検索エンジン')).toBe('検索エンジン')
  })

  it('is never empty, a device of Windows, a hidden file, or a way out of the folder', () => {
    for (const title of ['', '???', 'CON', 'nul', '../..', '.', '..', '/etc/passwd', '.hidden', 'a\0b', '-'])
      expect(slugOf(title)).toMatch(/^[\p{L}\p{N}][\p{L}\p{N}\p{M}-]*$/u)
    expect(slugOf('CON')).not.toBe('con')
  })

  it('has the same key for what one disk takes for one file', () => {
    expect(slugKey(slugOf('Café'))).toBe(slugKey(slugOf('Cafe\u0301')))
    expect(slugKey('straße')).toBe(slugKey('STRASSE'))
    expect(slugKey('ﬁle')).toBe(slugKey('file'))
  })
})

describe('a slug that is taken', () => {
  it('gets the project behind it, then a hash of what it is', () => {
    const taken = new Set([slugKey('retries')])
    const isTaken = (key: string) => taken.has(key)
    const free = () => freeSlug('Retries', { qualifier: 'shop', identity: 'shop word:retries', isTaken })
    expect(free()).toBe('retries-shop')
    taken.add(slugKey('retries-shop'))
    expect(free()).toMatch(/^retries-[0-9a-f]{8}$/)
  })
})
