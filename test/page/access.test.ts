// Who may use the page: each way in that must be refused, and the one that is not.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Place, place, recollect } from '../program.ts'
import { origin, type TestPage } from './client.ts'
import { pageOf } from './home.ts'

let at: Place
let page: TestPage
beforeAll(() => {
  at = place()
  recollect(at, 'remember', 'Deploy on Tuesdays')
  page = pageOf(at)
})
afterAll(() => {
  page.close()
  at.remove()
})

const send = (path: string, init: RequestInit & { headers?: Record<string, string> } = {}) =>
  page.page.fetch(new Request(`${origin}${path}`, { ...init, headers: { host: '127.0.0.1:7718', ...init.headers } }))

describe('the first link', () => {
  it('is exchanged for a cookie that scripts cannot read, and leaves the address', async () => {
    const entered = await send(`/memories?token=${page.access.token}&kind=fact`)
    expect(entered.status).toBe(303)
    expect(entered.headers.get('location')).toBe('/memories?kind=fact')
    const cookie = entered.headers.get('set-cookie')!
    expect(cookie).toMatch(/^recollect-7718=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/)
    const [pair] = cookie.split(';')
    expect((await send('/memories', { headers: { cookie: pair! } })).status).toBe(200)
  })

  it('is refused with another token, or at another name', async () => {
    expect((await send('/?token=guess')).status).toBe(401)
    const elsewhere = await send(`/?token=${page.access.token}`, { headers: { host: 'evil.example' } })
    expect(elsewhere.status).toBe(403)
    expect(elsewhere.headers.get('set-cookie')).toBeNull()
  })
})

describe('a request is refused', () => {
  it('without the cookie', async () => expect((await send('/memories')).status).toBe(401))

  it('with the cookie of another start', async () =>
    expect((await send('/memories', { headers: { cookie: 'recollect-7718=old' } })).status).toBe(401))

  it('with another Host: a name of the attacker may resolve to loopback', async () =>
    expect((await page.get('/memories', { host: 'evil.example:7718' })).status).toBe(403))

  it('from another Origin', async () => {
    expect((await page.get('/memories', { origin: 'http://evil.example' })).status).toBe(403)
    expect((await page.post('/theme', {}, { origin: 'http://127.0.0.1:9999' })).status).toBe(403)
  })

  it('as a forged POST: without the token of the form, or without an Origin', async () => {
    expect((await page.post('/theme', { _token: 'guess' })).status).toBe(403)
    const bare = await send('/theme', {
      method: 'POST',
      headers: {
        cookie: `${page.access.cookieName}=${page.access.cookieValue}`,
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: `_token=${page.access.formToken}`,
    })
    expect(bare.status).toBe(403)
  })

  it.each([
    '/assets/../ledger.db',
    '/assets/%2e%2e/ledger.db',
    '/files?path=/etc/passwd',
    '/files?path=../../../../etc/passwd',
  ])('that leaves its folder: %s', async (path) => {
    const answer = await page.get(path)
    expect(answer.status).toBe(404)
    expect(await answer.text()).not.toContain('root:')
  })

  it('that would lead to another site', async () => {
    const elsewhere = [
      '//evil.example',
      '/\\evil.example',
      'http://evil.example',
      '/\t/evil.example',
      '/.//evil.example',
    ]
    for (const back of elsewhere) {
      const answer = await page.post('/theme', { theme: 'dark', back })
      expect(answer.headers.get('location')).toBe('/')
    }
    const answer = await page.post('/theme', { theme: 'dark', back: '/sessions?q=tide#s1' })
    expect(answer.headers.get('location')).toBe('/sessions?q=tide#s1')
  })
})

describe('every answer', () => {
  it.each(['/memories', '/nothing', '/sessions/none', '/memories/m-none'])(
    'forbids inline code and frames: %s',
    async (path) => {
      const { headers } = await page.get(path)
      const policy = headers.get('content-security-policy')!
      expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'")
      expect(policy).not.toContain('unsafe')
      expect(headers.get('x-frame-options')).toBe('DENY')
      expect(headers.get('referrer-policy')).toBe('same-origin')
    },
  )

  it('accepts the name of a forwarded port that was given', async () => {
    const { createAccess, refusalOf } = await import('../../src/web/access.ts')
    const access = createAccess({ host: '127.0.0.1', port: 1, publicUrl: new URL('https://box.example:9000') })
    const headers = { host: 'box.example:9000', cookie: `${access.cookieName}=${access.cookieValue}` }
    expect(refusalOf(new Request('http://127.0.0.1:1/', { headers }), access)).toBeUndefined()
  })
})
