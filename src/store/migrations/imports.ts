// Schema steps for what was imported from other programs.

export const imports = [
  {
    // What a change added besides memories, so that it can be undone.
    name: 'imported items',
    sql: `
      CREATE TABLE imported (
        change INTEGER NOT NULL,
        kind TEXT NOT NULL,
        name TEXT NOT NULL,
        hash TEXT NOT NULL,
        PRIMARY KEY (change, kind, name)
      ) STRICT, WITHOUT ROWID;
    `,
  },
]
