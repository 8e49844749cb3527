// Schema steps for the page, and for what is kept to restore and hand over sessions.

export const pageAndHistory = [
  {
    // Lists of all sessions need a few columns of each digest, which is some kilobytes long.
    name: 'indexes for lists of all sessions and for review',
    sql: `
      CREATE INDEX digest_facts ON digests (session, title, outcome, kind, digested_at);
      CREATE INDEX candidates_to_review ON memories (score DESC, confirmed_at DESC, number, project)
        WHERE state = 'candidate' AND superseded_by IS NULL;
      CREATE INDEX inbox_to_review ON memories (confirmed_at, number, project)
        WHERE state = 'inbox' AND superseded_by IS NULL;
      CREATE TABLE memory_sessions (
        session TEXT NOT NULL,
        memory INTEGER NOT NULL,
        PRIMARY KEY (session, memory)
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX memory_sessions_by_memory ON memory_sessions (memory);
      CREATE TRIGGER memory_added AFTER INSERT ON memories BEGIN
        INSERT INTO memory_sessions
          SELECT DISTINCT CASE type WHEN 'object' THEN value ->> 'session' END AS session, new.number
            FROM json_each(CASE WHEN json_valid(new.evidence) THEN new.evidence ELSE '[]' END) WHERE session IS NOT NULL;
      END;
      CREATE TRIGGER memory_changed AFTER UPDATE OF evidence ON memories WHEN old.evidence <> new.evidence BEGIN
        DELETE FROM memory_sessions WHERE memory = old.number;
        INSERT INTO memory_sessions
          SELECT DISTINCT CASE type WHEN 'object' THEN value ->> 'session' END AS session, new.number
            FROM json_each(CASE WHEN json_valid(new.evidence) THEN new.evidence ELSE '[]' END) WHERE session IS NOT NULL;
      END;
      CREATE TRIGGER memory_deleted AFTER DELETE ON memories BEGIN
        DELETE FROM memory_sessions WHERE memory = old.number;
      END;
      INSERT INTO memory_sessions
        SELECT DISTINCT CASE e.type WHEN 'object' THEN e.value ->> 'session' END AS session, m.number
        FROM memories m, json_each(CASE WHEN json_valid(m.evidence) THEN m.evidence ELSE '[]' END) e
        WHERE session IS NOT NULL;
    `,
  },
  {
    // Transcripts are read once more: what is known stays, and their lines are kept.
    name: 'lines of transcripts in bodies',
    sql: `
      ALTER TABLE sessions ADD COLUMN copy_bytes INTEGER NOT NULL DEFAULT 0;
      CREATE INDEX sessions_by_source ON sessions (source);
      DELETE FROM cursors WHERE is_ignored = 0;
    `,
  },
]
