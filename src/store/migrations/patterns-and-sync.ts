// Schema steps for patterns, practices, sync and later changes of existing tables.

export const patternsAndSync = [
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
  {
    name: 'remove vectors learned from the own corpus',
    sql: `
      DROP TABLE term_vectors;
      DELETE FROM vectors WHERE model IN (SELECT id FROM vector_models WHERE name = 'own');
      DELETE FROM vector_models WHERE name = 'own';
    `,
  },
  {
    name: 'last hook event of each agent, in a table that says so',
    sql: 'ALTER TABLE heard RENAME TO last_hook_events',
  },
  {
    // The next sweep rebuilds the index: terms are computed by the program.
    name: 'search index with other stems',
    sql: `INSERT OR REPLACE INTO notes (name, value) SELECT 'index is due', 'true' WHERE EXISTS (SELECT 1 FROM events)`,
  },
  {
    name: 'why a question waits, what a fork did, and what became of events',
    sql: `
      -- 'failed', 'not asked', 'access' or 'budget'; and the fingerprint of keys, models and limits then.
      ALTER TABLE dead_letters ADD COLUMN cause TEXT NOT NULL DEFAULT 'failed';
      ALTER TABLE dead_letters ADD COLUMN access TEXT NOT NULL DEFAULT '';
      ALTER TABLE dead_letters ADD COLUMN failed_at INTEGER NOT NULL DEFAULT 0;

      -- Of forked sessions; null for other calls.
      ALTER TABLE model_calls ADD COLUMN turns INTEGER;
      ALTER TABLE model_calls ADD COLUMN cache_read_tokens INTEGER;
      ALTER TABLE model_calls ADD COLUMN files_written INTEGER;
      ALTER TABLE model_calls ADD COLUMN is_cut_short INTEGER;
      -- JSON: tool and reason of each refused call.
      ALTER TABLE model_calls ADD COLUMN refused TEXT;
      -- Memories that came of the answer, and elements of it that were dropped.
      ALTER TABLE model_calls ADD COLUMN memories_saved INTEGER;
      ALTER TABLE model_calls ADD COLUMN dropped INTEGER;

      -- The last events and what became of them, a bounded number.
      CREATE TABLE work_log (
        id INTEGER PRIMARY KEY,
        at INTEGER NOT NULL,
        session TEXT NOT NULL,
        what TEXT NOT NULL,
        detail TEXT NOT NULL,
        ms INTEGER
      ) STRICT;
      CREATE INDEX work_log_by_session ON work_log (session, what);
    `,
  },
  {
    name: 'links between memories',
    sql: `ALTER TABLE memories ADD COLUMN links TEXT NOT NULL DEFAULT '[]'`,
  },
  {
    // What rules had learned and no person has touched becomes a candidate. Memories that such a
    // statement had superseded are valid again: rules no longer decide.
    name: 'candidates apart from memories',
    sql: `
      ALTER TABLE memories ADD COLUMN because TEXT NOT NULL DEFAULT 'person';
      ALTER TABLE memories ADD COLUMN score REAL;
      CREATE INDEX candidates_by_score ON memories (project, score) WHERE state = 'candidate';
      CREATE INDEX candidates_by_age ON memories (learned_at) WHERE state = 'candidate';

      UPDATE memories SET because = CASE
        WHEN space IS NOT NULL OR trust = 'imported' THEN 'import'
        WHEN EXISTS (SELECT 1 FROM memory_versions v JOIN changes c ON c.id = v.change WHERE v.memory = memories.id
          AND c.undone_by IS NULL AND c.kind IN ('remembered', 'edited', 'reviewed', 'linked')) THEN 'person'
        WHEN EXISTS (SELECT 1 FROM shares WHERE subject ->> 'id' = memories.id) THEN 'person'
        -- A person may have touched it on another machine, whose history is not here: only the
        -- machine that learned it decides whether it is withdrawn from the server.
        WHEN EXISTS (SELECT 1 FROM memory_versions v JOIN changes c ON c.id = v.change WHERE v.memory = memories.id
          AND c.kind = 'synced') THEN 'import'
        WHEN EXISTS (SELECT 1 FROM json_each(memories.tags) WHERE value = 'heuristic') THEN 'rules'
        WHEN EXISTS (SELECT 1 FROM memory_versions v JOIN changes c ON c.id = v.change WHERE v.memory = memories.id
          AND c.kind = 'imported') THEN 'agent'
        WHEN EXISTS (SELECT 1 FROM memory_versions v JOIN changes c ON c.id = v.change WHERE v.memory = memories.id
          AND c.kind = 'learned') THEN 'model'
        ELSE 'person' END;
      UPDATE memories SET superseded_by = NULL, superseded_at = NULL WHERE because <> 'rules'
        AND superseded_by IN (SELECT id FROM memories WHERE because = 'rules' AND state = 'kept');
      UPDATE memories SET state = 'candidate', score = importance / 2 WHERE because = 'rules' AND state = 'kept';

      -- Files, briefs, wiki, journal and server told them as memories until now.
      INSERT OR IGNORE INTO outbox (space, id, kind) SELECT 'me', id, 'memory' FROM memories
        WHERE state = 'candidate' AND EXISTS (SELECT 1 FROM spaces);
      UPDATE sessions SET journaled_through = 0 WHERE body IS NOT NULL AND uid IN (
        SELECT e.value ->> 'session' FROM memories m, json_each(m.evidence) e WHERE m.state = 'candidate');
      DELETE FROM notes WHERE name = 'wiki compiled';
      INSERT OR IGNORE INTO memory_files_due (project) SELECT DISTINCT coalesce(project, '') FROM memories;
      INSERT OR IGNORE INTO briefs_due SELECT id FROM projects WHERE EXISTS (SELECT 1 FROM memories);
    `,
  },
  {
    // What an answer of a model was worth, and how much of the question a person had written.
    name: 'dropped elements of answers',
    sql: `
      -- JSON: reason and text of each dropped element.
      ALTER TABLE model_calls ADD COLUMN drop_reasons TEXT;
      ALTER TABLE model_calls ADD COLUMN input_chars INTEGER;
      ALTER TABLE model_calls ADD COLUMN person_chars INTEGER;
    `,
  },
  {
    name: 'sessions judged as a whole',
    sql: `
      -- How many events a model has judged; rules have a cursor of their own.
      ALTER TABLE sessions ADD COLUMN judged_through INTEGER NOT NULL DEFAULT 0;
      UPDATE sessions SET judged_through = learned_through
        WHERE uid IN (SELECT session FROM model_calls WHERE purpose = 'memories' AND result = 'ok');

      CREATE INDEX sessions_unjudged ON sessions (ended) WHERE judged_through <> events;

      -- What a model wrote about a session, and up to which event.
      CREATE TABLE summaries (
        session INTEGER PRIMARY KEY,
        through INTEGER NOT NULL,
        title TEXT NOT NULL,
        left_off TEXT NOT NULL,
        -- JSON: context, key exchanges, decisions, lessons, action items.
        journal TEXT NOT NULL,
        author TEXT NOT NULL,
        written_at TEXT NOT NULL
      ) STRICT;
    `,
  },
  {
    name: 'sessions that a program drives',
    sql: 'ALTER TABLE sessions ADD COLUMN is_program INTEGER NOT NULL DEFAULT 0',
  },
  {
    name: 'deleted sessions',
    sql: `
      -- What a user deleted; the change of that number can be undone while its state is 'held'.
      CREATE TABLE deletions (
        change INTEGER PRIMARY KEY,
        at INTEGER NOT NULL,
        state TEXT NOT NULL,
        -- Numbers for people, and the files of the vault that are still to be cleaned up, as JSON.
        summary TEXT NOT NULL,
        files TEXT NOT NULL
      ) STRICT;

      -- Sessions that are not captured again, although their transcript may still exist. The row id
      -- stays reserved, so that undo gives the session the same one.
      CREATE TABLE deleted_sessions (
        uid TEXT PRIMARY KEY,
        id INTEGER NOT NULL,
        change INTEGER NOT NULL,
        source TEXT
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX deleted_sessions_by_id ON deleted_sessions (id);
      CREATE INDEX deleted_sessions_by_change ON deleted_sessions (change);

      -- Keys of their events: a copy of the conversation in another session is not captured either.
      CREATE TABLE deleted_events (key BLOB PRIMARY KEY, change INTEGER NOT NULL) STRICT, WITHOUT ROWID;
    `,
  },
  {
    name: 'runs in the work log',
    sql: `
      -- When the run began that wrote the row.
      ALTER TABLE work_log ADD COLUMN run INTEGER;
      CREATE INDEX work_log_by_run ON work_log (run);
    `,
  },
  {
    // A name or description that a person wrote in the file; null while it is derived from the text.
    name: 'names of memories by people',
    sql: `
      ALTER TABLE memory_files ADD COLUMN name TEXT;
      ALTER TABLE memory_files ADD COLUMN description TEXT;
    `,
  },
  {
    name: 'transcripts with deleted sessions',
    sql: `
      -- Transcripts of which something was not captured because of a deletion: undo has them read again.
      CREATE TABLE left_out (
        path TEXT NOT NULL,
        change INTEGER NOT NULL,
        PRIMARY KEY (path, change)
      ) STRICT, WITHOUT ROWID;
    `,
  },
  {
    // Outcome and kind of activity are two fields. Sessions that still have their text are digested again.
    name: 'kind of activity in a session',
    sql: `
      ALTER TABLE digests RENAME COLUMN quality TO kind;
      UPDATE digests SET kind = 'work' WHERE kind = 'good';
      UPDATE sessions SET digested_through = -1 WHERE evicted_through = 0;
    `,
  },
  {
    name: 'repositories of sessions in deleted folders',
    sql: `
      -- Root of the repository, from the agent or from the output of git.
      ALTER TABLE sessions ADD COLUMN root TEXT;
      -- How many events were considered when the project was assigned.
      ALTER TABLE sessions ADD COLUMN located_through INTEGER NOT NULL DEFAULT 0;
      CREATE INDEX sessions_to_locate ON sessions (id) WHERE events > located_through;
      -- Their files are named by other rules.
      INSERT OR IGNORE INTO briefs_due SELECT id FROM projects;
    `,
  },
  {
    // A session has an entry on each day on which it was active. Entries of people stay; sessions that
    // still have their text are written again.
    name: 'journal entries by session and day',
    sql: `
      CREATE TABLE entries_by_day (
        session INTEGER NOT NULL,
        day TEXT NOT NULL,
        -- Place behind the last event that the entry tells of.
        through INTEGER,
        hash TEXT NOT NULL,
        written_by TEXT NOT NULL,
        written_at TEXT NOT NULL,
        -- What the session and its subagents spent on that day.
        cost_usd REAL NOT NULL DEFAULT 0,
        responses INTEGER NOT NULL DEFAULT 0,
        unpriced INTEGER NOT NULL DEFAULT 0,
        PRIMARY KEY (session, day)
      ) STRICT, WITHOUT ROWID;
      INSERT INTO entries_by_day (session, day, hash, written_by, written_at)
        SELECT session, day, hash, written_by, written_at FROM journal_entries;
      DROP TABLE journal_entries;
      ALTER TABLE entries_by_day RENAME TO journal_entries;
      CREATE INDEX journal_entries_by_day ON journal_entries (day);
      CREATE INDEX sessions_by_parent ON sessions (parent) WHERE parent IS NOT NULL;
      UPDATE sessions SET journaled_through = 0 WHERE evicted_through = 0;
    `,
  },
  {
    name: 'handed-over sessions',
    sql: `
      -- Transcripts that we wrote for another agent, and the session that each one continues.
      CREATE TABLE handoffs (
        uid TEXT PRIMARY KEY,
        origin TEXT NOT NULL,
        -- Place behind the last event of the origin then.
        through INTEGER NOT NULL,
        path TEXT NOT NULL,
        at TEXT NOT NULL,
        -- Process that writes the transcript; NULL when it is written.
        writer INTEGER,
        -- Recognised by its first record: its keys are not known, only when it was handed over.
        is_found INTEGER NOT NULL DEFAULT 0
      ) STRICT, WITHOUT ROWID;
      -- Keys of the events in such a transcript: they are not new.
      CREATE TABLE handed_over (
        key BLOB PRIMARY KEY,
        uid TEXT NOT NULL
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX handed_over_by_session ON handed_over (uid);
    `,
  },
]
