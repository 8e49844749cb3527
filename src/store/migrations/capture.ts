// What capture needs: sessions and their events, and what hooks tell.
import type { LedgerMigration } from '../migrations.ts'

export const capture: readonly LedgerMigration[] = [
  {
    name: 'sessions, events, usage, digests and where capture has got to',
    sql: `
      CREATE TABLE projects (
        id INTEGER PRIMARY KEY,
        key TEXT NOT NULL UNIQUE,
        name TEXT NOT NULL,
        kind TEXT NOT NULL,
        domain TEXT
      ) STRICT;

      CREATE TABLE sessions (
        id INTEGER PRIMARY KEY,
        uid TEXT NOT NULL UNIQUE,
        agent TEXT NOT NULL,
        kind TEXT NOT NULL DEFAULT 'main',
        parent TEXT,
        forked_from TEXT,
        project INTEGER,
        cwd TEXT,
        branch TEXT,
        remote TEXT,
        title TEXT,
        title_rank INTEGER NOT NULL DEFAULT -1,
        model TEXT,
        version TEXT,
        started INTEGER,
        ended INTEGER,
        events INTEGER NOT NULL DEFAULT 0,
        inherited INTEGER NOT NULL DEFAULT 0,
        prompts INTEGER NOT NULL DEFAULT 0,
        tool_calls INTEGER NOT NULL DEFAULT 0,
        tool_errors INTEGER NOT NULL DEFAULT 0,
        body TEXT,
        body_bytes INTEGER NOT NULL DEFAULT 0,
        body_raw INTEGER NOT NULL DEFAULT 0,
        body_frames INTEGER NOT NULL DEFAULT 0,
        evicted_through INTEGER NOT NULL DEFAULT 0,
        evicted_at TEXT,
        source TEXT,
        content_hash TEXT,
        captured_at TEXT NOT NULL,
        digested_through INTEGER NOT NULL DEFAULT -1
      ) STRICT;
      CREATE INDEX sessions_by_end ON sessions (ended);
      CREATE INDEX sessions_by_cwd ON sessions (cwd);
      CREATE INDEX sessions_undigested ON sessions (id) WHERE digested_through <> events;

      -- The id holds session and place (store/sessions/events.ts); the text itself is in the body.
      CREATE TABLE events (
        id INTEGER PRIMARY KEY,
        kind INTEGER NOT NULL,
        ts INTEGER,
        key BLOB NOT NULL
      ) STRICT;
      CREATE UNIQUE INDEX events_by_key ON events (key);

      -- Events that a session repeats from another one: reading them again must not count them again.
      CREATE TABLE inherited (
        session INTEGER NOT NULL, key BLOB NOT NULL, PRIMARY KEY (session, key)
      ) STRICT, WITHOUT ROWID;

      CREATE VIRTUAL TABLE texts USING fts5(
        prompt, reply, command, path, error,
        content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 2'
      );

      CREATE TABLE usage (
        key BLOB PRIMARY KEY,
        session INTEGER NOT NULL,
        ts INTEGER,
        model TEXT,
        input INTEGER NOT NULL,
        cache_read INTEGER NOT NULL,
        cache_write INTEGER NOT NULL,
        cache_write_1h INTEGER NOT NULL,
        output INTEGER NOT NULL,
        reasoning INTEGER NOT NULL,
        cost_usd REAL,
        is_agent_cost INTEGER NOT NULL,
        is_lower_bound INTEGER NOT NULL
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX usage_by_session ON usage (session);

      CREATE TABLE digests (
        session INTEGER PRIMARY KEY,
        title TEXT NOT NULL,
        outcome TEXT NOT NULL,
        quality TEXT NOT NULL,
        state TEXT NOT NULL,
        digested_at TEXT NOT NULL
      ) STRICT;

      CREATE TABLE cursors (
        path TEXT PRIMARY KEY,
        agent TEXT NOT NULL,
        stamp TEXT NOT NULL,
        offset INTEGER NOT NULL DEFAULT 0,
        head BLOB,
        tail BLOB,
        state TEXT,
        is_ignored INTEGER NOT NULL DEFAULT 0
      ) STRICT, WITHOUT ROWID;

      CREATE TABLE problems (
        path TEXT NOT NULL,
        offset INTEGER NOT NULL,
        reason TEXT NOT NULL,
        attempts INTEGER NOT NULL DEFAULT 1,
        seen_at TEXT NOT NULL,
        PRIMARY KEY (path, offset)
      ) STRICT, WITHOUT ROWID;

      CREATE TABLE drift (
        agent TEXT NOT NULL,
        type TEXT NOT NULL,
        count INTEGER NOT NULL,
        path TEXT NOT NULL,
        seen_at TEXT NOT NULL,
        PRIMARY KEY (agent, type)
      ) STRICT, WITHOUT ROWID;

      CREATE TABLE retired (file TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
      CREATE TABLE redactions (kind TEXT PRIMARY KEY, count INTEGER NOT NULL) STRICT, WITHOUT ROWID;
      CREATE TABLE notes (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
    `,
  },
  {
    name: 'what hooks tell',
    sql: `
      CREATE TABLE hook_events (
        session TEXT NOT NULL,
        event TEXT NOT NULL,
        moment TEXT NOT NULL,
        detail TEXT NOT NULL,
        at INTEGER NOT NULL,
        PRIMARY KEY (session, event)
      ) STRICT, WITHOUT ROWID;

      -- Projects whose brief is older than their digests.
      CREATE TABLE briefs_due (project INTEGER PRIMARY KEY) STRICT;

      CREATE TABLE heard (agent TEXT PRIMARY KEY, event TEXT NOT NULL, at INTEGER NOT NULL) STRICT, WITHOUT ROWID;
    `,
  },
]
