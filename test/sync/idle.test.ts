// Most sweeps find no changes: that costs one request.
import { afterEach, expect, it } from 'vitest'
import { serverDatabase } from '../server/databases.ts'
import { openTestServer, syncUntilStable, type TestServer } from './test-server.ts'

let server: TestServer
afterEach(() => server?.close())

it('sync sends one request if nothing has changed', async () => {
  server = await openTestServer(serverDatabase.open)
  const [laptop, desk] = [await server.joined('laptop'), await server.joined('desk')]
  laptop.write({ id: 'm-one', text: 'The port is 7718' })
  await syncUntilStable(laptop, desk)
  const asked: string[] = []
  const { fetch } = desk.net
  desk.net.fetch = (input, init) => {
    asked.push(new URL(String(input)).pathname)
    return fetch(input, init)
  }
  await desk.sync({ isForced: false })
  expect(asked).toEqual(['/api/me'])

  laptop.write({ id: 'm-two', text: 'The host is db.example.com' })
  await laptop.sync({ isForced: false })
  await desk.sync({ isForced: false })
  expect(desk.texts()).toContain('The host is db.example.com')
  expect(asked).toEqual(['/api/me', '/api/me', '/api/spaces/me/pull'])
})
