// Schema steps for sessions, events, hooks, memories, the journal and model calls.
// The list is typed in ../migrations.ts, so that these files do not have to import it.

export const sessionsAndMemories = [
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
