// Schema steps for passages, commits, briefs, file edits, vectors and wiki articles.

export const searchAndWiki = [
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
]
