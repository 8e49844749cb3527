// The shape of the ledger, as a list of steps. A step is never changed once it has shipped; the next one is added below.

export interface Migration {
  name: string
  sql: string
}

export const migrations: readonly Migration[] = [
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

      -- The id holds session and place (store/events.ts); the text itself is in the body.
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
  {
    name: 'passages, and commit messages of repositories',
    sql: `
      DROP TABLE texts;
      DROP TABLE memory_texts;
      CREATE VIRTUAL TABLE passage_terms USING fts5(
        said, done, content = '', contentless_delete = 1, tokenize = "ascii tokenchars '~_'"
      );
      CREATE VIRTUAL TABLE passage_vocabulary USING fts5vocab(passage_terms, row);
      CREATE TABLE passages (
        id INTEGER PRIMARY KEY,
        ts INTEGER,
        role INTEGER NOT NULL,
        -- How much of it asks, in percent; whether it names a time; who is said to speak ("Ann: ..."), as a term.
        asks INTEGER NOT NULL,
        has_time INTEGER NOT NULL,
        speaker INTEGER NOT NULL,
        -- The passages before and after it that say something.
        previous INTEGER,
        next INTEGER,
        -- How many of its terms are said; the rest was done.
        said INTEGER NOT NULL,
        terms BLOB NOT NULL
      ) STRICT;

      -- A project under a small number: its key would stand in every row twice.
      CREATE TABLE repositories (id INTEGER PRIMARY KEY, project TEXT NOT NULL UNIQUE) STRICT;
      CREATE TABLE commits (
        number INTEGER PRIMARY KEY,
        repository INTEGER NOT NULL,
        hash TEXT NOT NULL,
        -- Author's time and message: a commit that was rebased or picked is the same under another hash.
        key BLOB NOT NULL,
        at INTEGER NOT NULL,
        message TEXT NOT NULL,
        UNIQUE (repository, key)
      ) STRICT;
      CREATE INDEX commits_by_hash ON commits (hash);
      CREATE TABLE commit_paths (
        id INTEGER PRIMARY KEY, repository INTEGER NOT NULL, path TEXT NOT NULL, UNIQUE (repository, path)
      ) STRICT;
      CREATE TABLE commit_files (
        path INTEGER NOT NULL, number INTEGER NOT NULL, PRIMARY KEY (path, number)
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX commit_files_by_commit ON commit_files (number);
      -- How far a repository was read: all up to head, and of what lies behind base the first so many.
      CREATE TABLE commit_cursors (
        folder TEXT PRIMARY KEY,
        head TEXT NOT NULL,
        base TEXT NOT NULL,
        taken INTEGER NOT NULL,
        is_whole INTEGER NOT NULL
      ) STRICT, WITHOUT ROWID;

      -- What was in the index before is not in this one: the next sweep fills it.
      INSERT OR REPLACE INTO notes (name, value) SELECT 'index is due', 'true' WHERE EXISTS (SELECT 1 FROM events);
    `,
  },
  {
    name: 'which memories briefs showed, and which were used',
    sql: `
      -- What the brief of a project held, and since when.
      CREATE TABLE briefs (
        project INTEGER NOT NULL, at INTEGER NOT NULL, memories TEXT NOT NULL, PRIMARY KEY (project, at)
      ) STRICT, WITHOUT ROWID;
      CREATE TABLE shown (
        session INTEGER NOT NULL,
        memory TEXT NOT NULL,
        at INTEGER NOT NULL,
        is_used INTEGER NOT NULL DEFAULT 0,
        PRIMARY KEY (session, memory)
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX shown_by_memory ON shown (memory);

      ALTER TABLE sessions ADD COLUMN counted_through INTEGER NOT NULL DEFAULT 0;
      -- Nothing was shown before.
      UPDATE sessions SET counted_through = events;
      CREATE INDEX sessions_uncounted ON sessions (id) WHERE counted_through <> events;

      -- What a brief chooses from and counts, without reading the memories themselves.
      CREATE INDEX memories_to_show ON memories (project, status, kind, trust, importance, said, confirmed_at)
        WHERE state = 'kept' AND superseded_by IS NULL;
      CREATE INDEX memories_by_confirmation ON memories (project, confirmed_at);
      DROP INDEX memories_by_project;
      CREATE INDEX memories_by_project ON memories (project, state, learned_at);
      INSERT OR IGNORE INTO briefs_due SELECT id FROM projects;
    `,
  },
  {
    name: 'which session touched which file',
    sql: `
      -- The name is the last part of the path, whichever way its separators lean. The places are null for what was digested before.
      CREATE TABLE touched (
        session INTEGER NOT NULL,
        path TEXT NOT NULL,
        times INTEGER NOT NULL,
        added INTEGER NOT NULL,
        removed INTEGER NOT NULL,
        first INTEGER,
        last INTEGER,
        name TEXT NOT NULL GENERATED ALWAYS AS (
          substr(path, 1 + length(rtrim(path, replace(replace(path, '/', ''), char(92), ''))))
        ) VIRTUAL,
        PRIMARY KEY (session, path)
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX touched_by_name ON touched (name);
      INSERT INTO touched (session, path, times, added, removed)
        SELECT d.session, file.key, coalesce(file.value ->> 'times', 1), coalesce(file.value ->> 'added', 0),
          coalesce(file.value ->> 'removed', 0)
        FROM digests d, json_each(d.state, '$.files') file;

      -- What a timeline asks for.
      CREATE INDEX memories_by_said ON memories (valid_from);
      CREATE INDEX memories_by_confirmed ON memories (confirmed_at);
      CREATE INDEX memories_by_superseded ON memories (superseded_at) WHERE superseded_at IS NOT NULL;
      CREATE INDEX changes_by_time ON changes (at);
      CREATE INDEX commits_by_time ON commits (at);
    `,
  },
  {
    name: 'vectors of passages',
    sql: `
      -- Who made vectors. Search uses the whole one; one that is not whole is being made, or was when its process died.
      CREATE TABLE vector_models (
        id INTEGER PRIMARY KEY,
        name TEXT NOT NULL,
        dimensions INTEGER NOT NULL,
        -- How many passages there were when it was made, and when it last took new ones in.
        passages INTEGER NOT NULL,
        seen INTEGER NOT NULL DEFAULT 0,
        made_at INTEGER NOT NULL,
        is_whole INTEGER NOT NULL DEFAULT 0
      ) STRICT;
      CREATE TABLE term_vectors (
        model INTEGER NOT NULL, term INTEGER NOT NULL, weight REAL NOT NULL, vector BLOB NOT NULL, PRIMARY KEY (model, term)
      ) STRICT, WITHOUT ROWID;
      -- Many passages in a row, because a search reads them all. Of each: its id in eight bytes, a stamp of what it said in four,
      -- its vector in a byte per dimension, and in four what makes that of length one.
      CREATE TABLE vectors (
        model INTEGER NOT NULL,
        block INTEGER NOT NULL,
        ids BLOB NOT NULL,
        stamps BLOB NOT NULL,
        scales BLOB NOT NULL,
        vectors BLOB NOT NULL,
        PRIMARY KEY (model, block)
      ) STRICT;
    `,
  },
  {
    name: 'articles of the wiki, and doubts about memories',
    sql: `
      -- Why a memory may no longer hold, as far as the checkout tells; null where nothing speaks against it.
      ALTER TABLE memories ADD COLUMN doubt TEXT;

      -- The articles as we wrote them: what differs on disk was written by a person. The file itself says everything else.
      CREATE TABLE articles (
        number INTEGER PRIMARY KEY,
        -- Below the vault, without its ending: wiki/concepts/retries.
        path TEXT NOT NULL UNIQUE,
        kind TEXT NOT NULL,
        project TEXT,
        topic TEXT,
        title TEXT NOT NULL,
        summary TEXT NOT NULL,
        -- Our fields of its head, and the hash of each of our sections, as JSON.
        head TEXT NOT NULL,
        sections TEXT NOT NULL,
        -- What the search finds of it, and of a day below: what stands nowhere else.
        said TEXT NOT NULL,
        stamp TEXT NOT NULL
      ) STRICT;
      CREATE INDEX articles_by_project ON articles (project);
      -- Days of the journal that were compiled, and how far a model has read them.
      CREATE TABLE wiki_days (
        number INTEGER PRIMARY KEY,
        day TEXT NOT NULL UNIQUE,
        stamp TEXT NOT NULL,
        hash TEXT NOT NULL,
        said TEXT NOT NULL,
        asked_hash TEXT,
        asked_bytes INTEGER NOT NULL DEFAULT 0
      ) STRICT;
    `,
  },
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
