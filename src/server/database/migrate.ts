// Migrates the server's database. Each step runs in one transaction, once, even if several
// instances start at the same time.
import { UserError } from '../../core/errors.ts'
import { moveLinksIntoDocuments } from '../store/move-links.ts'
import { reindexItems } from '../store/reindex.ts'
import type { Queries, ServerDatabase } from './database.ts'

/** The advisory lock of migrations; any number that is the same in all instances. */
const lock = 7_306_515_221

/** Returns the names of the applied steps. */
export async function migrate(
  database: ServerDatabase,
  steps: readonly ServerMigration[] = migrations,
): Promise<string[]> {
  const done: string[] = []
  for (;;) {
    const step = await database.transaction((queries) => applyNext(queries, steps))
    if (step === undefined) return done
    done.push(step.name)
  }
}

async function applyNext(queries: Queries, steps: readonly ServerMigration[]): Promise<ServerMigration | undefined> {
  // Wait without a timeout, since another instance may be applying a long step.
  await queries.query(`SELECT set_config('lock_timeout', '0', true), set_config('statement_timeout', '0', true)`)
  await queries.query('SELECT pg_advisory_xact_lock($1)', [lock])
  await queries.query(
    `CREATE TABLE IF NOT EXISTS migrations (
       number integer PRIMARY KEY, name text NOT NULL, done_at timestamptz NOT NULL DEFAULT now()
     )`,
  )
  const done = await queries.query<{ name: string }>('SELECT name FROM migrations ORDER BY number')
  checkNotNewer(done, steps)
  const step = steps[done.length]
  if (step === undefined) return undefined
  if (step.sql !== undefined) await queries.query(step.sql)
  await step.run?.(queries)
  await queries.query('INSERT INTO migrations (number, name) VALUES ($1, $2)', [done.length + 1, step.name])
  return step
}

function checkNotNewer(done: readonly { name: string }[], steps: readonly ServerMigration[]): void {
  const unknown = done.find(({ name }, index) => name !== steps[index]?.name)
  if (unknown === undefined) return
  throw new UserError(
    `The database is newer than this program: it has the unknown migration "${unknown.name}"`,
    'Update Recollect on this machine. Nothing was changed.',
    3,
  )
}

interface ServerMigration {
  name: string
  sql?: string
  /** For changes that need the program, such as a new search index. */
  run?(queries: Queries): Promise<void>
}

/**
 * The schema as a list of steps. Released steps are never changed; new ones are appended. Tables of
 * a space have the space first in their key, and apart from sharing no request needs two spaces, so
 * they can be distributed by that column (docs/scaling.md).
 */
export const migrations: readonly ServerMigration[] = [
  {
    name: 'users, teams, keys, spaces and their items',
    sql: `
      CREATE TABLE users (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        name text NOT NULL UNIQUE,
        created_at timestamptz NOT NULL DEFAULT now(),
        disabled_at timestamptz
      );
      CREATE TABLE teams (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        name text NOT NULL UNIQUE,
        created_at timestamptz NOT NULL DEFAULT now()
      );
      CREATE TABLE members (
        team_id bigint NOT NULL REFERENCES teams ON DELETE CASCADE,
        user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
        role text NOT NULL CHECK (role IN ('reader', 'writer', 'admin')),
        -- Only these, and what has no project; null for all.
        projects text[],
        since timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (team_id, user_id)
      );
      CREATE INDEX members_by_user ON members (user_id);
      -- The secret itself is shown once and never stored.
      CREATE TABLE keys (
        id text PRIMARY KEY,
        user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
        hash bytea NOT NULL,
        name text NOT NULL,
        -- The most that can be done with it, whatever its user may do.
        role text NOT NULL CHECK (role IN ('reader', 'writer', 'admin')),
        created_at timestamptz NOT NULL DEFAULT now(),
        expires_at timestamptz,
        revoked_at timestamptz,
        used_at timestamptz
      );
      CREATE INDEX keys_by_user ON keys (user_id);

      -- A person's own, what others share with them, or a team's.
      CREATE TABLE spaces (
        id uuid PRIMARY KEY,
        kind text NOT NULL CHECK (kind IN ('personal', 'shared', 'team')),
        user_id bigint REFERENCES users ON DELETE CASCADE,
        team_id bigint UNIQUE REFERENCES teams ON DELETE CASCADE,
        -- Of its last change. Whoever writes locks this row first, so the order of numbers is the order of commits.
        seq bigint NOT NULL DEFAULT 0,
        created_at timestamptz NOT NULL DEFAULT now(),
        UNIQUE (user_id, kind)
      );
      CREATE TABLE items (
        space_id uuid NOT NULL,
        id text NOT NULL,
        kind text NOT NULL,
        version bigint NOT NULL,
        seq bigint NOT NULL,
        hash text NOT NULL,
        bucket smallint NOT NULL,
        mark bigint NOT NULL,
        -- Null where it was deleted; who may see the tombstone is told by its project.
        document jsonb,
        project text,
        tags text[] NOT NULL DEFAULT '{}',
        -- Equal where two memories of a project say the same.
        text_hash text,
        -- Terms as text/terms.ts cuts them, weighted: text A, why and how B, keywords C, tags and kind D.
        search tsvector,
        importance real NOT NULL DEFAULT 0,
        author_id bigint NOT NULL,
        -- The space that an item is shared from, and what for.
        source_id uuid,
        permission text,
        updated_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (space_id, id)
      );
      CREATE UNIQUE INDEX items_by_seq ON items (space_id, seq);
      CREATE INDEX items_by_bucket ON items (space_id, bucket);
      CREATE INDEX items_by_text ON items (space_id, text_hash) WHERE text_hash IS NOT NULL;
      CREATE INDEX items_by_source ON items (source_id, id) WHERE source_id IS NOT NULL;
      CREATE INDEX items_search ON items USING gin (search);

      -- The rules of sharing, as the share items of a space say them.
      CREATE TABLE shares (
        space_id uuid NOT NULL,
        id text NOT NULL,
        memory text,
        tag text,
        to_space_id uuid NOT NULL,
        permission text NOT NULL CHECK (permission IN ('read', 'write')),
        created_by bigint NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (space_id, id)
      );
      CREATE INDEX shares_by_target ON shares (to_space_id);
      CREATE TABLE links (
        space_id uuid NOT NULL,
        from_id text NOT NULL,
        type text NOT NULL CHECK (type IN ('supersedes', 'resolved-by', 'part-of', 'see-also')),
        to_id text NOT NULL,
        created_by bigint NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (space_id, from_id, type, to_id)
      );
      CREATE INDEX links_back ON links (space_id, to_id);
      -- Who did what, without what it said.
      CREATE TABLE audit (
        id bigint GENERATED ALWAYS AS IDENTITY,
        space_id uuid,
        at timestamptz NOT NULL DEFAULT now(),
        user_id bigint,
        key_id text,
        action text NOT NULL,
        detail jsonb NOT NULL DEFAULT '{}'
      );
      CREATE INDEX audit_by_space ON audit (space_id, id);
    `,
  },
  { name: 'search index with other stems', run: reindexItems },
  {
    // Shares made before are in use: they stay visible, and the receiver can refuse them.
    name: 'consent of users to what is shared with them',
    sql: `
      ALTER TABLE shares ADD COLUMN is_accepted boolean NOT NULL DEFAULT true;
      ALTER TABLE shares ALTER COLUMN is_accepted SET DEFAULT false;
      -- By subject, so that sharing it again does not bypass the refusal.
      CREATE TABLE share_refusals (
        to_space_id uuid NOT NULL,
        space_id uuid NOT NULL,
        subject text NOT NULL,
        at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (to_space_id, space_id, subject)
      );
    `,
  },
  { name: 'links in the documents of memories', run: moveLinksIntoDocuments },
]
