// A server that machines and people share memories through.
import type { Migration } from '../migrations.ts'

export const sharing: readonly Migration[] = [
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
]
