// Real clients reach a team's server over HTTP: Claude Code and Codex search and keep in the course of a conversation.
import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type HttpListener, listen } from '../../src/server/http/listen.ts'
import { type OpenedDatabase, pglite } from '../server/databases.ts'
import { addKey, addUser, ask, createTestApp } from '../server/test-app.ts'
import { claude } from './agents/claude.ts'
import { codex } from './agents/codex.ts'
import { type Api, call, serve, text } from './api.ts'
import { type Client, type Home, makeHome, removeHome, runClient } from './client.ts'
import { isInstalled } from './install-clients.ts'

interface Connecting {
  client: Client
  /** How its model calls a tool of ours. */
  tool(name: string): string
  connect(at: Home, url: string, key: string): Promise<void> | void
}

const clients: Connecting[] = [
  {
    client: claude,
    tool: (name) => `mcp__recollect__${name}`,
    async connect(at, url, key) {
      const header = ['--header', `Authorization: Bearer ${key}`]
      const adding = ['mcp', 'add', '--transport', 'http', 'recollect', url, '-s', 'user', ...header]
      const ran = await runClient({ ...claude, args: () => adding }, at, '', '')
      expect(ran.status, ran.err).toBe(0)
    },
  },
  {
    client: codex,
    tool: (name) => `mcp__recollect.${name}`,
    connect(at, url, key) {
      const headers = `http_headers = { Authorization = "Bearer ${key}" }`
      const server = `\n[mcp_servers.recollect]\nurl = "${url}"\n${headers}\n`
      appendFileSync(join(at.home, '.codex', 'config.toml'), server)
    },
  },
]

const here = clients.filter(({ client }) => isInstalled(client.name))

describe.skipIf(here.length === 0).each(here)('$client.name', ({ client, tool, connect }) => {
  let api: Api
  let at: Home
  let opened: OpenedDatabase
  let listening: HttpListener

  beforeEach(async () => {
    api = await serve(client.protocol)
    at = makeHome(client, api.url)
    opened = await pglite.open()
    await addUser(opened.database, 'ada')
    const key = (await addKey(opened.database, 'ada', 'writer')).text
    const httpApp = createTestApp(opened.database)
    const body = { text: 'The lighthouse is painted in spring', trust: 'user said' }
    await ask(httpApp, 'POST', '/api/spaces/me/memories', { key, body })
    listening = await listen(httpApp, { host: '127.0.0.1', port: 0 })
    await connect(at, `http://127.0.0.1:${listening.address.port}/mcp`, key)
  })

  afterEach(async () => {
    await listening.close(100)
    await removeHome(at)
    await api.close()
    await opened.stop()
  })

  it('searches', async () => {
    api.says(call({ name: tool('memory_search'), input: { query: 'lighthouse' } }), text('It is painted in spring.'))
    const ran = await runClient(client, at, api.url, 'What do we know?')
    expect(ran.status, ran.err).toBe(0)
    const received = api.asked.filter(({ purpose }) => purpose === 'main').at(-1)!.text
    expect(received).toContain('The lighthouse is painted in spring')
    expect(received).toContain('recollect-evidence')
  })

  it('keeps', async () => {
    const said = 'The lamp is changed every autumn because the salt eats it'
    api.says(call({ name: tool('memory_store'), input: { text: said } }), text('Kept.'))
    const ran = await runClient(client, at, api.url, 'Keep that.')
    expect(ran.status, ran.err).toBe(0)
    expect(api.asked.at(-1)!.text).toMatch(/Stored as m-/)
  })
})
