// Schema steps that make the ledger smaller.

export const smallerRows = [
  {
    name: 'compressed states of digests and readers',
    sql: `
      ALTER TABLE digests RENAME TO earlier_digests;
      DROP INDEX digest_facts;
      DROP INDEX digests_by_outcome;
      CREATE TABLE digests (
        session INTEGER PRIMARY KEY,
        title TEXT NOT NULL,
        outcome TEXT NOT NULL,
        kind TEXT NOT NULL,
        -- JSON, compressed; that of an earlier version, as in an archive of deleted sessions, is text.
        state ANY NOT NULL,
        digested_at TEXT NOT NULL
      ) STRICT;
      INSERT INTO digests SELECT session, title, outcome, kind, pack_json(state), digested_at FROM earlier_digests;
      DROP TABLE earlier_digests;
      CREATE INDEX digest_facts ON digests (session, title, outcome, kind, digested_at);
      CREATE INDEX digests_by_outcome ON digests (kind, outcome);

      ALTER TABLE cursors RENAME TO earlier_cursors;
      DROP INDEX stamps_of_cursors;
      CREATE TABLE cursors (
        path TEXT NOT NULL PRIMARY KEY,
        agent TEXT NOT NULL,
        stamp TEXT NOT NULL,
        offset INTEGER NOT NULL DEFAULT 0,
        head BLOB,
        tail BLOB,
        -- JSON, compressed.
        state ANY,
        is_ignored INTEGER NOT NULL DEFAULT 0
      ) STRICT;
      INSERT INTO cursors SELECT path, agent, stamp, offset, head, tail, pack_json(state), is_ignored FROM earlier_cursors;
      DROP TABLE earlier_cursors;
      CREATE INDEX stamps_of_cursors ON cursors (path, stamp);
    `,
  },
]
