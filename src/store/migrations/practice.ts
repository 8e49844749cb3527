// Patterns and practices; and long rows in tables that fit them.
import type { LedgerMigration } from '../migrations.ts'

export const practice: readonly LedgerMigration[] = [
  {
    name: 'patterns, what people said of them, and where practices were published',
    sql: `
      -- The candidates of the last detection, as JSON; a key that is no column is not asked for.
      CREATE TABLE patterns (
        id TEXT PRIMARY KEY, rank INTEGER NOT NULL, polarity TEXT NOT NULL, type TEXT NOT NULL, pattern TEXT NOT NULL
      ) STRICT, WITHOUT ROWID;
      CREATE TABLE pattern_reviews (
        id INTEGER PRIMARY KEY,
        pattern TEXT NOT NULL,
        -- Of a pattern: approved, rejected, later. Of the practice that came of it: retired, deleted.
        verdict TEXT NOT NULL,
        title TEXT NOT NULL,
        -- Of the pattern when it was reviewed, as JSON.
        evidence TEXT NOT NULL,
        note TEXT NOT NULL,
        at INTEGER NOT NULL,
        undone_at INTEGER
      ) STRICT;
      CREATE INDEX pattern_reviews_by_pattern ON pattern_reviews (pattern, id);
      -- The files of practices as they were when they were last looked at: what differs was written by a person since.
      CREATE TABLE practices (
        id TEXT PRIMARY KEY, path TEXT NOT NULL, content BLOB NOT NULL, is_gone INTEGER NOT NULL
      ) STRICT, WITHOUT ROWID;
      CREATE TABLE published (
        id INTEGER PRIMARY KEY,
        practice TEXT NOT NULL,
        version TEXT NOT NULL,
        agent TEXT NOT NULL,
        -- Null for the user's own instructions, which hold everywhere.
        project TEXT,
        file TEXT NOT NULL,
        at INTEGER NOT NULL,
        removed_at INTEGER,
        -- Those that had to be made for the file, as JSON.
        folders TEXT NOT NULL DEFAULT '[]'
      ) STRICT;
      CREATE INDEX published_by_practice ON published (practice);
      CREATE INDEX published_by_file ON published (file);
    `,
  },
  {
    name: 'long rows under row ids: without one they spill onto pages of their own',
    sql: `
      ALTER TABLE cursors RENAME TO earlier_cursors;
      CREATE TABLE cursors (
        path TEXT NOT NULL PRIMARY KEY,
        agent TEXT NOT NULL,
        stamp TEXT NOT NULL,
        offset INTEGER NOT NULL DEFAULT 0,
        head BLOB,
        tail BLOB,
        state TEXT,
        is_ignored INTEGER NOT NULL DEFAULT 0
      ) STRICT;
      INSERT INTO cursors SELECT path, agent, stamp, offset, head, tail, state, is_ignored FROM earlier_cursors;
      DROP TABLE earlier_cursors;
      ALTER TABLE memory_versions RENAME TO earlier_versions;
      CREATE TABLE memory_versions (
        change INTEGER NOT NULL, memory TEXT NOT NULL, before TEXT, after TEXT, PRIMARY KEY (change, memory)
      ) STRICT;
      INSERT INTO memory_versions SELECT change, memory, before, after FROM earlier_versions ORDER BY change, memory;
      DROP TABLE earlier_versions;
      CREATE INDEX memory_versions_by_memory ON memory_versions (memory, change);
    `,
  },
]
