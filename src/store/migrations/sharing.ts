// A server that machines and people share memories through.
import type { LedgerMigration } from '../migrations.ts'

export const sharing: readonly LedgerMigration[] = [
  {
    name: 'spaces of a server, and what waits to be sent there',
    sql: `
      -- The space that a memory lies in: null for one's own, else 'team:<name>' or 'shared'. And who wrote it there.
      ALTER TABLE memories ADD COLUMN space TEXT;
      ALTER TABLE memories ADD COLUMN author TEXT;
      CREATE INDEX memories_by_space ON memories (space) WHERE space IS NOT NULL;

      CREATE TABLE spaces (
        name TEXT PRIMARY KEY,
        id TEXT NOT NULL,
        role TEXT NOT NULL,
        -- As JSON; null for all.
        projects TEXT,
        -- Through which change of the space it has been read.
        cursor INTEGER NOT NULL DEFAULT 0,
        reconciled_at INTEGER
      ) STRICT, WITHOUT ROWID;
      -- What the server was last known to have.
      CREATE TABLE sync_items (
        space TEXT NOT NULL,
        id TEXT NOT NULL,
        kind TEXT NOT NULL,
        version INTEGER NOT NULL,
        hash TEXT NOT NULL,
        -- Of the words alone: whether somebody said something else, or only said it again.
        statement TEXT NOT NULL,
        bucket INTEGER NOT NULL,
        mark INTEGER NOT NULL,
        PRIMARY KEY (space, id)
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX sync_items_by_bucket ON sync_items (space, bucket);
      -- What has changed here since. A row is deleted only when the server has it; refused ones wait for a person.
      CREATE TABLE outbox (
        number INTEGER PRIMARY KEY,
        space TEXT NOT NULL,
        id TEXT NOT NULL,
        kind TEXT NOT NULL,
        -- Counts its changes: what changes while it is being sent is sent again.
        generation INTEGER NOT NULL DEFAULT 1,
        -- Why the server will not take it as it is, as JSON.
        refusal TEXT,
        UNIQUE (space, id)
      ) STRICT;
      -- What was shared on purpose: a memory or a tag, with a team or a person.
      CREATE TABLE shares (
        id TEXT PRIMARY KEY, subject TEXT NOT NULL, shared_with TEXT NOT NULL, permission TEXT NOT NULL, at INTEGER NOT NULL
      ) STRICT, WITHOUT ROWID;
    `,
  },
  {
    name: 'sessions that travel',
    sql: `
      -- Sessions of this machine that were chosen to be sent.
      CREATE TABLE sent_sessions (
        uid TEXT PRIMARY KEY,
        -- The id of its head on the server.
        item TEXT NOT NULL UNIQUE,
        -- How many of its events are cut into parts, and of which content, where it is a document.
        events INTEGER NOT NULL,
        content_hash TEXT,
        is_withdrawn INTEGER NOT NULL DEFAULT 0
      ) STRICT, WITHOUT ROWID;
      CREATE TABLE sent_parts (
        id TEXT PRIMARY KEY,
        uid TEXT NOT NULL,
        -- 'events' or 'usages'
        part TEXT NOT NULL,
        number INTEGER NOT NULL,
        -- From this place up to that one.
        first INTEGER NOT NULL,
        next INTEGER NOT NULL,
        -- As the server is to have it; null while it is not known.
        hash TEXT
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX sent_parts_by_session ON sent_parts (uid, part, number);
      -- What other machines have sent of their sessions.
      CREATE TABLE received_sessions (
        uid TEXT PRIMARY KEY,
        item TEXT NOT NULL UNIQUE,
        origin TEXT NOT NULL,
        machine TEXT NOT NULL,
        -- On the server; none where it was withdrawn.
        events INTEGER NOT NULL
      ) STRICT, WITHOUT ROWID;
      CREATE TABLE received_parts (
        id TEXT PRIMARY KEY,
        uid TEXT NOT NULL,
        number INTEGER NOT NULL,
        -- Of its events, twelve bytes each, and a hash of what they say.
        keys BLOB NOT NULL,
        hash TEXT NOT NULL,
        -- The part itself, as JSON, while one before it has not come.
        waiting TEXT,
        at INTEGER NOT NULL
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX received_parts_by_session ON received_parts (uid, number);
      CREATE INDEX received_parts_waiting ON received_parts (at) WHERE waiting IS NOT NULL;
    `,
  },
]
