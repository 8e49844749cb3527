// Schema steps for the postings of the search index.

export const searchIndex = [
  {
    name: 'postings of passages instead of a full-text table',
    sql: `
      DROP TABLE passage_vocabulary;
      DROP TABLE passage_terms;
      -- Parts of the index that are written once; a merge replaces several by one.
      CREATE TABLE passage_segments (
        number INTEGER PRIMARY KEY,
        -- 0 for passages of sessions, 1 for standalone ones.
        space INTEGER NOT NULL,
        level INTEGER NOT NULL
      ) STRICT;
      CREATE TABLE passage_blocks (
        id INTEGER PRIMARY KEY,
        segment INTEGER NOT NULL,
        -- The first term of the block; null for a long list, which a block names by its id.
        term TEXT,
        data BLOB NOT NULL
      ) STRICT;
      CREATE INDEX passage_blocks_by_term ON passage_blocks (segment, term) WHERE term IS NOT NULL;
      -- Deleted sources, whose postings remain in segments up to a number until a merge.
      CREATE TABLE passage_deletions (
        id INTEGER PRIMARY KEY,
        passages INTEGER NOT NULL,
        first INTEGER NOT NULL,
        last INTEGER NOT NULL,
        segment INTEGER NOT NULL
      ) STRICT;
      CREATE TABLE passage_totals (passages INTEGER NOT NULL, terms INTEGER NOT NULL, segments INTEGER NOT NULL) STRICT;
      INSERT INTO passage_totals VALUES (0, 0, 0);

      -- What ranking reads of hundreds of memories in a search, without their texts.
      CREATE INDEX memories_to_rank
        ON memories (number, state, status, trust, importance, superseded_by, doubt, said);

      -- What was in the index before is not in this one: the next sweep fills it.
      INSERT OR REPLACE INTO notes (name, value) SELECT 'index is due', 'true' WHERE EXISTS (SELECT 1 FROM passages);
    `,
  },
]
