// The database of the server on this machine, for commands that work on it directly.
import { join } from 'node:path'
import { type App, createApp } from '../../app.ts'
import { UserError } from '../../core/errors.ts'
import type { Queries, ServerDatabase } from '../../server/database/database.ts'

/** Opens the database that the server of this machine uses, and closes it whatever happens. */
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
  /** Whose space it concerns, so that its admins see it. */
  team?: string
}

/** Whether `work` changed something; where it did, an audit row is left, both or neither. */
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
    // A team that is deleted has its space before, and one that is made, after.
    const before = await spaceId()
    if (!(await work(queries))) return false
    await writeAudit(queries, { spaceId: before ?? (await spaceId()) ?? null, caller: null, action, detail })
    return true
  })
}

/** What somebody shares with their teams follows what they may do there. Safe to do again. */
export async function renewSharesOf(database: ServerDatabase, { clock }: App, user: string): Promise<void> {
  const [{ refreshShares: renewShares }, { userIdOf }] = await Promise.all([
    import('../../server/push/refresh-shares.ts'),
    import('../../server/store/users.ts'),
  ])
  const userId = await userIdOf(database, user)
  if (userId !== undefined) await renewShares({ database, clock, version: '' }, userId, null)
}

/** The answer is no. */
export function notFound(message: string, hint: string): UserError {
  return new UserError(message, hint, 1)
}

export function noUser(name: string): UserError {
  return notFound(`There is no user ${name}`, 'To see who there is: recollect server user list')
}

export function noTeam(name: string): UserError {
  return notFound(`There is no team ${name}`, 'To see which there are: recollect server team list')
}
