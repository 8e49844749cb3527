// A server in this process with two people, ann and bob, who are writers in the team core; and their machines.
import type { ServerDatabase } from '../../src/server/database/database.ts'
import type { HttpApp } from '../../src/server/http/app.ts'
import type { DatabaseKind, Opened } from '../server/databases.ts'
import { addKey, addTeam, addUser, ask, createTestApp } from '../server/start.ts'
import { machine, type TestMachine } from './machines.ts'

export interface Room {
  opened: Opened
  database: ServerDatabase
  httpApp: HttpApp
  /** A machine of somebody, with a key. */
  machine(name: string, user?: string, settings?: string): Promise<TestMachine>
  /** The same, and it has joined. */
  joined(name: string, user?: string, settings?: string): Promise<TestMachine>
  close(): Promise<void>
}

export async function openRoom(open: DatabaseKind['open']): Promise<Room> {
  const opened = await open()
  const { database } = opened
  const httpApp = createTestApp(database)
  const made: TestMachine[] = []
  for (const user of ['ann', 'bob']) await addUser(database, user)
  await addTeam(database, 'core', { ann: 'writer', bob: 'writer' })
  const room: Room = {
    opened,
    database,
    httpApp,
    async machine(name, user = 'ann', settings = '') {
      const { text } = await addKey(database, user)
      made.push(machine(name, text, httpApp, settings))
      return made.at(-1)!
    },
    async joined(...of) {
      const one = await room.machine(...of)
      await one.join()
      return one
    },
    async close() {
      for (const one of made) one.remove()
      await opened.stop()
    },
  }
  return room
}

/** Until nobody has anything left to say. */
export async function settle(...machines: TestMachine[]): Promise<void> {
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
