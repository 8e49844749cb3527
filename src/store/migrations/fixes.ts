// Schema steps for fixes of errors and runs of programs.

export const fixes = [
  {
    name: 'fixes of errors and runs of programs',
    sql: `
      -- An error that a program printed, and what made it succeed afterwards.
      CREATE TABLE fixes (
        id INTEGER PRIMARY KEY,
        session INTEGER NOT NULL,
        -- Places of the failure and of the success in the session.
        failed_seq INTEGER NOT NULL,
        seq INTEGER NOT NULL,
        at INTEGER,
        kind TEXT NOT NULL,
        program TEXT NOT NULL,
        command TEXT NOT NULL,
        error TEXT NOT NULL,
        shape TEXT NOT NULL,
        details TEXT NOT NULL,
        remedy TEXT NOT NULL,
        file TEXT,
        diff TEXT NOT NULL
      ) STRICT;
      CREATE INDEX fixes_by_session ON fixes (session);
      CREATE INDEX fixes_by_shape ON fixes (shape);
      -- How a program was called in a session, and how often it passed and failed.
      CREATE TABLE program_runs (
        session INTEGER NOT NULL,
        program TEXT NOT NULL,
        command TEXT NOT NULL,
        folder TEXT NOT NULL,
        passed INTEGER NOT NULL,
        failed INTEGER NOT NULL,
        last_seq INTEGER NOT NULL,
        at INTEGER,
        PRIMARY KEY (session, program, command, folder)
      ) STRICT, WITHOUT ROWID;
      -- How many events were searched for fixes.
      ALTER TABLE sessions ADD COLUMN fixes_through INTEGER NOT NULL DEFAULT 0;
      CREATE INDEX sessions_to_fix ON sessions (id) WHERE events <> fixes_through;
    `,
  },
]
