// A server for tests: an HTTP app on its own database, with people, a team and their keys.
import { systemClock } from '../../src/core/clock.ts'
import type { ServerDatabase } from '../../src/server/database/database.ts'
import { createHttpApp, type HttpApp, type HttpAppOptions } from '../../src/server/http/app.ts'
import { createKey } from '../../src/server/store/keys.ts'
import { createTeam, setMember } from '../../src/server/store/teams.ts'
import { createUser } from '../../src/server/store/users.ts'
import type { AccessRole } from '../../src/sync/protocol.ts'

export const unlimitedRate = { perSecond: 1e9, burst: 1e9 }

export function createTestApp(database: ServerDatabase, options: HttpAppOptions = {}, clock = systemClock): HttpApp {
  return createHttpApp({ database, clock, version: '1.2.3' }, { rate: unlimitedRate, ...options })
}

export async function addUser(database: ServerDatabase, name: string): Promise<void> {
  await database.transaction((queries) => createUser(queries, name))
}

export async function addTeam(
  database: ServerDatabase,
  team: string,
  members: Record<string, AccessRole>,
): Promise<void> {
  await database.transaction(async (queries) => {
    await createTeam(queries, team)
    for (const [user, role] of Object.entries(members)) await setMember(queries, { team, user, role, projects: null })
  })
}

export async function addKey(
  database: ServerDatabase,
  user: string,
  role: AccessRole = 'admin',
  expiresAt: string | null = null,
): Promise<{ id: string; text: string }> {
  return (await createKey(database, { user, name: 'test', role, expiresAt }))!
}

export interface TestResponse {
  status: number
  headers: Headers
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: the shape of the answer is what a test is about
  json: any
}

export interface TestRequest {
  key?: string
  body?: unknown
  headers?: Record<string, string>
  address?: string
}

export async function ask(
  httpApp: HttpApp,
  method: string,
  path: string,
  { key, body, headers = {}, address = '127.0.0.1' }: TestRequest = {},
): Promise<TestResponse> {
  const request = new Request(`http://127.0.0.1${path}`, {
    method,
    headers: { ...(key ? { authorization: `Bearer ${key}` } : {}), 'content-type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const response = await httpApp.fetch(request, { address })
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.includes('json')
  return { status: response.status, headers: response.headers, text, json: isJson ? JSON.parse(text) : undefined }
}
