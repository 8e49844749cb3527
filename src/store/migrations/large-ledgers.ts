// Schema steps that keep queries fast in ledgers of many sessions.

export const largeLedgers = [
  {
    name: 'indexes for sums, counts and recent folders',
    sql: `
      CREATE INDEX sessions_by_size ON sessions (body_bytes, copy_bytes) WHERE body_bytes > 0;
      CREATE INDEX sessions_by_end_in_folder ON sessions (ended, project, cwd);
      CREATE INDEX session_totals ON sessions (agent, project, kind, events, inherited, prompts, started, ended);
      CREATE INDEX sessions_of_subagents ON sessions (id) WHERE kind = 'subagent';
      CREATE INDEX sessions_of_project ON sessions (project, ended, uid);
      CREATE INDEX sessions_without_events ON sessions (id) WHERE events = 0;
      CREATE INDEX stamps_of_cursors ON cursors (path, stamp);
      CREATE INDEX digests_by_outcome ON digests (kind, outcome);
      CREATE INDEX usage_by_cost ON usage (cost_usd);
    `,
  },
]
