// Vectors, and the articles of the wiki.
import type { LedgerMigration } from '../migrations.ts'

export const meaning: readonly LedgerMigration[] = [
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
