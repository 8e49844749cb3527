// Schema steps for the transcripts that sessions are read from.

export const sources = [
  {
    // The list of Codex was taken for the transcript of a session that was read from it first.
    name: 'lists of sessions are no transcripts',
    sql: `
      DELETE FROM cursors WHERE is_ignored = 0
        AND agent IN (SELECT agent FROM sessions WHERE source LIKE '%session!_index.jsonl' ESCAPE '!');
      UPDATE sessions SET source = NULL WHERE source LIKE '%session!_index.jsonl' ESCAPE '!';
    `,
  },
]
