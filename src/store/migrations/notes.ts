// Schema steps for what sessions leave for later ones.

export const notes = [
  {
    name: 'notes of sessions, and programs by the parts of a line',
    sql: `
      -- What a session leaves for later ones: see session/notes.ts.
      CREATE TABLE session_notes (
        session INTEGER NOT NULL,
        kind TEXT NOT NULL,
        name TEXT NOT NULL,
        text TEXT NOT NULL,
        times INTEGER NOT NULL,
        last_seq INTEGER NOT NULL,
        at INTEGER,
        PRIMARY KEY (session, kind, name)
      ) STRICT, WITHOUT ROWID;
      -- The state in which the events of a session were folded last, as JSON.
      CREATE TABLE session_folds (
        session INTEGER PRIMARY KEY,
        through INTEGER NOT NULL,
        state TEXT NOT NULL
      ) STRICT;
      DELETE FROM program_runs;
      UPDATE sessions SET fixes_through = 0 WHERE evicted_through = 0;
    `,
  },
]
