// Opens the database of the server on this machine for the admin commands. They need no key: access
// to the database is enough.
import { join } from 'node:path'
import { type App, createApp } from '../../app.ts'
import { UserError } from '../../core/errors.ts'
import type { Queries, ServerDatabase } from '../../server/database/database.ts'

/** Opens the database of the server and closes it afterwards, also after an error. */
export async function withServer<T>(use: (database: ServerDatabase, app: App) => Promise<T>): Promise<T> {
  const app = createApp({ ignoresConfig: true })
  const [{ connectDatabase }, { migrate }] = await Promise.all([
    import('../../server/database/connect.ts'),
    import('../../server/database/migrate.ts'),
  ])
  const database = await connectDatabase({
    url: app.machine.env.DATABASE_URL,
    folder: join(app.layout.root, 'server'),
    command: 'recollect server',
    clock: app.clock,
  })
  try {
    await migrate(database)
    return await use(database, app)
  } finally {
    await database.close()
  }
}

export interface AuditEntry {
  action: string
  detail: Record<string, unknown>
  /** The team whose admins can see the audit row. */
  team?: string
}

/** Runs a change and writes its audit row in one transaction. Returns whether anything changed. */
export function withWriteAccess(
  database: ServerDatabase,
  { action, detail, team }: AuditEntry,
  work: (queries: Queries) => Promise<boolean>,
): Promise<boolean> {
  return database.transaction(async (queries) => {
    const [{ writeAudit }, { teamSpaceId }] = await Promise.all([
      import('../../server/store/audit.ts'),
      import('../../server/store/spaces.ts'),
    ])
    const spaceId = async () => (team === undefined ? undefined : teamSpaceId(queries, team))
    // A deleted team has its space only before the change, a new one only after it.
    const before = await spaceId()
    if (!(await work(queries))) return false
    await writeAudit(queries, { spaceId: before ?? (await spaceId()) ?? null, caller: null, action, detail })
    return true
  })
}

/** Updates the shares of a user after a change of their role. Idempotent. */
export async function renewSharesOf(database: ServerDatabase, { clock }: App, user: string): Promise<void> {
  const [{ refreshShares: renewShares }, { userIdOf }] = await Promise.all([
    import('../../server/push/refresh-shares.ts'),
    import('../../server/store/users.ts'),
  ])
  const userId = await userIdOf(database, user)
  if (userId !== undefined) await renewShares({ database, clock, version: '' }, userId, null)
}

export function notFound(message: string, hint: string): UserError {
  return new UserError(message, hint, 1)
}

export function noUser(name: string): UserError {
  return notFound(`No user ${name}`, 'To list users: recollect server user list')
}

export function noTeam(name: string): UserError {
  return notFound(`No team ${name}`, 'To list teams: recollect server team list')
}
