// A server in this process with two users, ann and bob, who are writers in the team core; and their
// machines.
import type { ServerDatabase } from '../../src/server/database/database.ts'
import type { HttpApp } from '../../src/server/http/app.ts'
import type { DatabaseKind, OpenedDatabase } from '../server/databases.ts'
import { addKey, addTeam, addUser, ask, createTestApp } from '../server/test-app.ts'
import { machine, type TestMachine } from './machines.ts'

export interface TestServer {
  opened: OpenedDatabase
  database: ServerDatabase
  httpApp: HttpApp
  /** Creates a machine of a user, with a key. */
  machine(name: string, user?: string, settings?: string): Promise<TestMachine>
  /** Creates a machine that has joined the server. */
  joined(name: string, user?: string, settings?: string): Promise<TestMachine>
  close(): Promise<void>
}

export async function openTestServer(open: DatabaseKind['open']): Promise<TestServer> {
  const opened = await open()
  const { database } = opened
  const httpApp = createTestApp(database)
  const made: TestMachine[] = []
  for (const user of ['ann', 'bob']) await addUser(database, user)
  await addTeam(database, 'core', { ann: 'writer', bob: 'writer' })
  const server: TestServer = {
    opened,
    database,
    httpApp,
    async machine(name, user = 'ann', settings = '') {
      const { text } = await addKey(database, user)
      made.push(machine(name, text, httpApp, settings))
      return made.at(-1)!
    },
    async joined(...of) {
      const one = await server.machine(...of)
      await one.join()
      return one
    },
    async close() {
      for (const one of made) one.remove()
      await opened.stop()
    },
  }
  return server
}

/** Syncs the machines in turn until none sends or receives anything. */
export async function syncUntilStable(...machines: TestMachine[]): Promise<void> {
  for (let round = 0; round < 6; round++) {
    let moved = 0
    for (const one of machines) {
      const { pushed, pulled } = await one.sync()
      moved += pushed + pulled
    }
    if (moved === 0) return
  }
}

export async function textsOnServer(httpApp: HttpApp, key: string, space = 'me'): Promise<string[]> {
  const texts: string[] = []
  for (let after = 0; ; ) {
    const { json } = await ask(httpApp, 'GET', `/api/spaces/${encodeURIComponent(space)}/pull?after=${after}`, { key })
    for (const { document } of json.items) if (document?.text) texts.push(document.text)
    after = json.cursor
    if (!json.hasMore) return texts.toSorted()
  }
}
