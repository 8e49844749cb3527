// Memories, the journal, and what models were asked.
import type { LedgerMigration } from '../migrations.ts'

export const learning: readonly LedgerMigration[] = [
  {
    name: 'memories, journal, and what models were asked',
    sql: `
      ALTER TABLE sessions ADD COLUMN learned_through INTEGER NOT NULL DEFAULT 0;
      ALTER TABLE sessions ADD COLUMN turns_since_deep INTEGER NOT NULL DEFAULT 0;
      ALTER TABLE sessions ADD COLUMN journaled_through INTEGER NOT NULL DEFAULT 0;
      CREATE INDEX sessions_unlearned ON sessions (id) WHERE learned_through <> events;
      CREATE INDEX sessions_unjournaled ON sessions (id) WHERE journaled_through <> events;

      CREATE TABLE memories (
        number INTEGER PRIMARY KEY,
        id TEXT NOT NULL UNIQUE,
        project TEXT,
        type TEXT NOT NULL,
        kind TEXT NOT NULL,
        status TEXT NOT NULL,
        state TEXT NOT NULL,
        text TEXT NOT NULL,
        why TEXT,
        apply TEXT,
        importance REAL NOT NULL,
        tags TEXT NOT NULL,
        keywords TEXT NOT NULL,
        evidence TEXT NOT NULL,
        trust TEXT NOT NULL,
        learned_at TEXT NOT NULL,
        valid_from TEXT NOT NULL,
        confirmed_at TEXT NOT NULL,
        superseded_at TEXT,
        superseded_by TEXT,
        contradicts TEXT,
        said INTEGER NOT NULL,
        shown INTEGER NOT NULL DEFAULT 0,
        used INTEGER NOT NULL DEFAULT 0,
        version INTEGER NOT NULL,
        origin TEXT NOT NULL
      ) STRICT;
      CREATE INDEX memories_by_project ON memories (project, state);

      CREATE VIRTUAL TABLE memory_texts USING fts5(
        text, keywords, content = '', contentless_delete = 1, tokenize = 'porter unicode61 remove_diacritics 2'
      );

      -- Every change of memories with what was there before, so that it can be taken back exactly.
      CREATE TABLE changes (
        id INTEGER PRIMARY KEY,
        at TEXT NOT NULL,
        kind TEXT NOT NULL,
        about TEXT NOT NULL,
        undone_by INTEGER
      ) STRICT;
      CREATE TABLE memory_versions (
        change INTEGER NOT NULL, memory TEXT NOT NULL, before TEXT, after TEXT, PRIMARY KEY (change, memory)
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX memory_versions_by_memory ON memory_versions (memory, change);

      -- Projects whose memory files are older than their memories; '' is for memories that hold everywhere.
      CREATE TABLE memory_files_due (project TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
      -- The files as we wrote them: what differs on disk was edited by a person.
      CREATE TABLE memory_files (
        path TEXT PRIMARY KEY, memory TEXT NOT NULL, hash TEXT NOT NULL, stamp TEXT NOT NULL
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX memory_files_by_memory ON memory_files (memory);

      -- The entry of a session in the journal, as we wrote it.
      CREATE TABLE journal_entries (
        session INTEGER PRIMARY KEY,
        day TEXT NOT NULL,
        hash TEXT NOT NULL,
        written_by TEXT NOT NULL,
        written_at TEXT NOT NULL
      ) STRICT;
      CREATE INDEX journal_entries_by_day ON journal_entries (day);

      CREATE TABLE dead_letters (
        id INTEGER PRIMARY KEY,
        purpose TEXT NOT NULL,
        session TEXT NOT NULL,
        from_seq INTEGER NOT NULL,
        to_seq INTEGER NOT NULL,
        input TEXT NOT NULL,
        reason TEXT NOT NULL,
        rounds INTEGER NOT NULL,
        next_at INTEGER NOT NULL,
        is_quarantined INTEGER NOT NULL DEFAULT 0,
        created_at TEXT NOT NULL,
        UNIQUE (purpose, session, from_seq)
      ) STRICT;

      CREATE TABLE model_calls (
        id INTEGER PRIMARY KEY,
        at INTEGER NOT NULL,
        purpose TEXT NOT NULL,
        session TEXT,
        provider TEXT NOT NULL,
        model TEXT NOT NULL,
        input_tokens INTEGER NOT NULL,
        output_tokens INTEGER NOT NULL,
        cost_usd REAL NOT NULL,
        ms INTEGER NOT NULL,
        result TEXT NOT NULL
      ) STRICT;
      CREATE INDEX model_calls_by_time ON model_calls (at);
    `,
  },
]
