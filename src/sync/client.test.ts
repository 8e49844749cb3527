import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { fixedClock } from '../core/clock.ts'
import { type ServerConnection, sendRequest } from './client.ts'
import { checkAddress } from './credentials.ts'

let server: Server | undefined
afterEach(() => void server?.closeAllConnections())
afterEach(() => new Promise<void>((resolve) => (server ? server.close(() => resolve()) : resolve())))

async function served(listener: RequestListener): Promise<ServerConnection> {
  server = createServer(listener)
  await new Promise<void>((resolve) => server!.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const clock = fixedClock('2026-09-01T10:00:00Z')
  return { server: `http://127.0.0.1:${port}`, key: 'rk_a_b', clock, timeoutMs: 2000, fetch }
}

const asked = { path: '/api/me', schema: z.object({ user: z.string() }) }
const problem = JSON.stringify({ error: { code: 'x', message: 'Not like this' } })

describe('sendRequest', () => {
  it('sends the key and returns the validated response', async () => {
    const line = await served((request, response) => {
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ user: request.headers.authorization, more: 1 }))
    })
    expect(await sendRequest(line, asked)).toEqual({ kind: 'answered', value: { user: 'Bearer rk_a_b' } })
  })

  it.each<[string, number, Record<string, string>, string, object]>([
    ['a key that is not taken', 401, {}, problem, { kind: 'key', message: 'Not like this' }],
    ['something that is not allowed', 403, {}, problem, { kind: 'role' }],
    ['something that is not there', 404, {}, problem, { kind: 'missing' }],
    ['a batch that is too large', 413, {}, '', { kind: 'too large' }],
    ['a batch that is wrong', 422, {}, problem, { kind: 'invalid' }],
    [
      'a server that asks to wait',
      429,
      { 'retry-after': '120' },
      problem,
      { kind: 'unavailable', retryAfterMs: 120_000 },
    ],
    [
      'until a date',
      503,
      { 'retry-after': 'Tue, 01 Sep 2026 10:01:00 GMT' },
      '',
      { kind: 'unavailable', retryAfterMs: 60_000 },
    ],
    [
      'a page of something else',
      200,
      { 'content-type': 'text/html' },
      '<html>',
      { kind: 'unavailable', message: expect.stringContaining('not answer like a Recollect server (text/html)') },
    ],
    ['another site that knows no such page', 404, { 'content-type': 'text/html' }, '<html>', { kind: 'unavailable' }],
    [
      'an address that leads elsewhere',
      302,
      { location: 'https://other.example.com/' },
      '',
      { kind: 'unavailable', message: expect.stringContaining('https://other.example.com/') },
    ],
    ['another shape', 200, { 'content-type': 'application/json' }, '{"user":1}', { kind: 'unavailable' }],
  ])('tells %s', async (_, status, headers, body, expected) => {
    const line = await served((_request, response) => response.writeHead(status, headers).end(body))
    expect(await sendRequest(line, asked)).toMatchObject({ kind: 'failed', failure: expected })
  })

  it('retries after a short Retry-After', async () => {
    let count = 0
    const line = await served((_, response) => {
      if (++count === 1) response.writeHead(429, { 'retry-after': '0' }).end(problem)
      else response.end('{"user":"ann"}')
    })
    expect(await sendRequest(line, asked)).toMatchObject({ kind: 'answered' })
    expect(count).toBe(2)
  })

  it.each<[string, RequestListener]>([
    ['a server that says nothing', () => {}],
    [
      'an answer that breaks off',
      (_, response) =>
        void response.writeHead(200, { 'content-length': 100 }).write('{"user"', () => response.destroy()),
    ],
  ])('ends with %s', async (_, listener) => {
    const line = await served(listener)
    expect(await sendRequest({ ...line, timeoutMs: 200 }, asked)).toMatchObject({
      kind: 'failed',
      failure: { kind: 'unavailable' },
    })
  })

  it('fails if nothing listens', async () => {
    const line = await served(() => {})
    await new Promise((resolve) => server!.close(resolve))
    server = undefined
    expect(await sendRequest(line, asked)).toMatchObject({
      failure: { kind: 'unavailable', message: expect.stringContaining('ECONNREFUSED') },
    })
  })
})

describe('checkAddress', () => {
  it.each([
    ['https://memory.example.com/', 'https://memory.example.com'],
    ['https://example.com/memory//', 'https://example.com/memory'],
    ['http://localhost:7718', 'http://localhost:7718'],
    ['http://127.0.0.1:7718/', 'http://127.0.0.1:7718'],
    ['http://[::1]:7718', 'http://[::1]:7718'],
  ])('%s', (text, expected) => expect(checkAddress(text, false)).toBe(expected))

  it.each([
    'example.com',
    'ftp://example.com',
    'https://ann:key@example.com',
    'https://example.com/?key=1',
    'http://example.com',
    'http://127.0.0.1.example.com',
  ])('not %s', (text) => expect(() => checkAddress(text, false)).toThrow())

  it('allows plain http with --insecure', () => {
    expect(checkAddress('http://10.0.0.1:7718', true)).toBe('http://10.0.0.1:7718')
  })
})
