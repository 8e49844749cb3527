/**
 * SQL for the title of a session `s` with digest `d`: the one that the agent gave it, else that of
 * the digest. A title of rank 0 only repeats the first prompt.
 */
export const shownTitle = `CASE WHEN s.title_rank > 0 THEN s.title ELSE coalesce(nullif(d.title, ''), s.title) END`
