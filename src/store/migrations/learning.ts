// Why questions to models wait, what calls of a fork did, and what became of hook events.

export const learning = [
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
]
