-- The schema of a new ledger and its first rows, so that it need not go through the migrations. Written by
-- schema.test.ts: npm run test:unit -- src/store/schema.test.ts -u
CREATE TABLE projects (
  id INTEGER PRIMARY KEY,
  key TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  kind TEXT NOT NULL,
  domain TEXT
) STRICT;
CREATE TABLE sessions (
  id INTEGER PRIMARY KEY,
  uid TEXT NOT NULL UNIQUE,
  agent TEXT NOT NULL,
  kind TEXT NOT NULL DEFAULT 'main',
  parent TEXT,
  forked_from TEXT,
  project INTEGER,
  cwd TEXT,
  branch TEXT,
  remote TEXT,
  title TEXT,
  title_rank INTEGER NOT NULL DEFAULT -1,
  model TEXT,
  version TEXT,
  started INTEGER,
  ended INTEGER,
  events INTEGER NOT NULL DEFAULT 0,
  inherited INTEGER NOT NULL DEFAULT 0,
  prompts INTEGER NOT NULL DEFAULT 0,
  tool_calls INTEGER NOT NULL DEFAULT 0,
  tool_errors INTEGER NOT NULL DEFAULT 0,
  body TEXT,
  body_bytes INTEGER NOT NULL DEFAULT 0,
  body_raw INTEGER NOT NULL DEFAULT 0,
  body_frames INTEGER NOT NULL DEFAULT 0,
  evicted_through INTEGER NOT NULL DEFAULT 0,
  evicted_at TEXT,
  source TEXT,
  content_hash TEXT,
  captured_at TEXT NOT NULL,
  digested_through INTEGER NOT NULL DEFAULT -1
  , learned_through INTEGER NOT NULL DEFAULT 0
  , turns_since_deep INTEGER NOT NULL DEFAULT 0
  , journaled_through INTEGER NOT NULL DEFAULT 0
  , counted_through INTEGER NOT NULL DEFAULT 0
  , judged_through INTEGER NOT NULL DEFAULT 0
  , is_program INTEGER NOT NULL DEFAULT 0
  , root TEXT
  , located_through INTEGER NOT NULL DEFAULT 0
  , copy_bytes INTEGER NOT NULL DEFAULT 0
  , fixes_through INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX sessions_by_end ON sessions (ended);
CREATE INDEX sessions_by_cwd ON sessions (cwd);
CREATE INDEX sessions_undigested ON sessions (id) WHERE digested_through <> events;
CREATE TABLE events (
  id INTEGER PRIMARY KEY,
  kind INTEGER NOT NULL,
  ts INTEGER,
  key BLOB NOT NULL
) STRICT;
CREATE UNIQUE INDEX events_by_key ON events (key);
CREATE TABLE inherited (
  session INTEGER NOT NULL, key BLOB NOT NULL, PRIMARY KEY (session, key)
) STRICT, WITHOUT ROWID;
CREATE TABLE usage (
  key BLOB PRIMARY KEY,
  session INTEGER NOT NULL,
  ts INTEGER,
  model TEXT,
  input INTEGER NOT NULL,
  cache_read INTEGER NOT NULL,
  cache_write INTEGER NOT NULL,
  cache_write_1h INTEGER NOT NULL,
  output INTEGER NOT NULL,
  reasoning INTEGER NOT NULL,
  cost_usd REAL,
  is_agent_cost INTEGER NOT NULL,
  is_lower_bound INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE problems (
  path TEXT NOT NULL,
  offset INTEGER NOT NULL,
  reason TEXT NOT NULL,
  attempts INTEGER NOT NULL DEFAULT 1,
  seen_at TEXT NOT NULL,
  PRIMARY KEY (path, offset)
) STRICT, WITHOUT ROWID;
CREATE TABLE drift (
  agent TEXT NOT NULL,
  type TEXT NOT NULL,
  count INTEGER NOT NULL,
  path TEXT NOT NULL,
  seen_at TEXT NOT NULL,
  PRIMARY KEY (agent, type)
) STRICT, WITHOUT ROWID;
CREATE TABLE retired (file TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
CREATE TABLE redactions (kind TEXT PRIMARY KEY, count INTEGER NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE notes (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE hook_events (
  session TEXT NOT NULL,
  event TEXT NOT NULL,
  moment TEXT NOT NULL,
  detail TEXT NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (session, event)
) STRICT, WITHOUT ROWID;
CREATE TABLE briefs_due (project INTEGER PRIMARY KEY) STRICT;
CREATE TABLE "last_hook_events" (agent TEXT PRIMARY KEY, event TEXT NOT NULL, at INTEGER NOT NULL) STRICT, WITHOUT ROWID;
CREATE INDEX sessions_unlearned ON sessions (id) WHERE learned_through <> events;
CREATE INDEX sessions_unjournaled ON sessions (id) WHERE journaled_through <> events;
CREATE TABLE memories (
  number INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  project TEXT,
  type TEXT NOT NULL,
  kind TEXT NOT NULL,
  status TEXT NOT NULL,
  state TEXT NOT NULL,
  text TEXT NOT NULL,
  why TEXT,
  apply TEXT,
  importance REAL NOT NULL,
  tags TEXT NOT NULL,
  keywords TEXT NOT NULL,
  evidence TEXT NOT NULL,
  trust TEXT NOT NULL,
  learned_at TEXT NOT NULL,
  valid_from TEXT NOT NULL,
  confirmed_at TEXT NOT NULL,
  superseded_at TEXT,
  superseded_by TEXT,
  contradicts TEXT,
  said INTEGER NOT NULL,
  shown INTEGER NOT NULL DEFAULT 0,
  used INTEGER NOT NULL DEFAULT 0,
  version INTEGER NOT NULL,
  origin TEXT NOT NULL
  , doubt TEXT
  , space TEXT
  , author TEXT
  , links TEXT NOT NULL DEFAULT '[]'
  , because TEXT NOT NULL DEFAULT 'person'
  , score REAL
) STRICT;
CREATE TABLE changes (
  id INTEGER PRIMARY KEY,
  at TEXT NOT NULL,
  kind TEXT NOT NULL,
  about TEXT NOT NULL,
  undone_by INTEGER
) STRICT;
CREATE TABLE memory_files_due (project TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
CREATE TABLE memory_files (
  path TEXT PRIMARY KEY, memory TEXT NOT NULL, hash TEXT NOT NULL, stamp TEXT NOT NULL
  , name TEXT
  , description TEXT
) STRICT
  , WITHOUT ROWID;
CREATE INDEX memory_files_by_memory ON memory_files (memory);
CREATE TABLE dead_letters (
  id INTEGER PRIMARY KEY,
  purpose TEXT NOT NULL,
  session TEXT NOT NULL,
  from_seq INTEGER NOT NULL,
  to_seq INTEGER NOT NULL,
  input TEXT NOT NULL,
  reason TEXT NOT NULL,
  rounds INTEGER NOT NULL,
  next_at INTEGER NOT NULL,
  is_quarantined INTEGER NOT NULL DEFAULT 0,
  created_at TEXT NOT NULL, cause TEXT NOT NULL DEFAULT 'failed', access TEXT NOT NULL DEFAULT '', failed_at INTEGER NOT NULL DEFAULT 0,
  UNIQUE (purpose, session, from_seq)
) STRICT;
CREATE TABLE model_calls (
  id INTEGER PRIMARY KEY,
  at INTEGER NOT NULL,
  purpose TEXT NOT NULL,
  session TEXT,
  provider TEXT NOT NULL,
  model TEXT NOT NULL,
  input_tokens INTEGER NOT NULL,
  output_tokens INTEGER NOT NULL,
  cost_usd REAL NOT NULL,
  ms INTEGER NOT NULL,
  result TEXT NOT NULL
  , turns INTEGER
  , cache_read_tokens INTEGER
  , files_written INTEGER
  , is_cut_short INTEGER
  , refused TEXT
  , memories_saved INTEGER
  , dropped INTEGER
  , drop_reasons TEXT
  , input_chars INTEGER
  , person_chars INTEGER
) STRICT;
CREATE INDEX model_calls_by_time ON model_calls (at);
CREATE TABLE repositories (id INTEGER PRIMARY KEY, project TEXT NOT NULL UNIQUE) STRICT;
CREATE TABLE commits (
  number INTEGER PRIMARY KEY,
  repository INTEGER NOT NULL,
  hash TEXT NOT NULL,
  -- Author's time and message: a commit that was rebased or picked is the same under another hash.
  key BLOB NOT NULL,
  at INTEGER NOT NULL,
  message TEXT NOT NULL,
  UNIQUE (repository, key)
) STRICT;
CREATE INDEX commits_by_hash ON commits (hash);
CREATE TABLE commit_paths (
  id INTEGER PRIMARY KEY, repository INTEGER NOT NULL, path TEXT NOT NULL, UNIQUE (repository, path)
) STRICT;
CREATE TABLE commit_files (
  path INTEGER NOT NULL, number INTEGER NOT NULL, PRIMARY KEY (path, number)
) STRICT, WITHOUT ROWID;
CREATE INDEX commit_files_by_commit ON commit_files (number);
CREATE TABLE commit_cursors (
  folder TEXT PRIMARY KEY,
  head TEXT NOT NULL,
  base TEXT NOT NULL,
  taken INTEGER NOT NULL,
  is_whole INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE briefs (
  project INTEGER NOT NULL, at INTEGER NOT NULL, memories TEXT NOT NULL, PRIMARY KEY (project, at)
) STRICT, WITHOUT ROWID;
CREATE TABLE shown (
  session INTEGER NOT NULL,
  memory TEXT NOT NULL,
  at INTEGER NOT NULL,
  is_used INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (session, memory)
) STRICT, WITHOUT ROWID;
CREATE INDEX shown_by_memory ON shown (memory);
CREATE INDEX sessions_uncounted ON sessions (id) WHERE counted_through <> events;
CREATE INDEX memories_to_show ON memories (project, status, kind, trust, importance, said, confirmed_at)
  WHERE state = 'kept' AND superseded_by IS NULL;
CREATE INDEX memories_by_confirmation ON memories (project, confirmed_at);
CREATE INDEX memories_by_project ON memories (project, state, learned_at);
CREATE TABLE touched (
  session INTEGER NOT NULL,
  path TEXT NOT NULL,
  times INTEGER NOT NULL,
  added INTEGER NOT NULL,
  removed INTEGER NOT NULL,
  first INTEGER,
  last INTEGER,
  name TEXT NOT NULL GENERATED ALWAYS AS (
  substr(path, 1 + length(rtrim(path, replace(replace(path, '/', ''), char(92), ''))))
) VIRTUAL,
  PRIMARY KEY (session, path)
) STRICT, WITHOUT ROWID;
CREATE INDEX touched_by_name ON touched (name);
CREATE INDEX memories_by_said ON memories (valid_from);
CREATE INDEX memories_by_confirmed ON memories (confirmed_at);
CREATE INDEX memories_by_superseded ON memories (superseded_at) WHERE superseded_at IS NOT NULL;
CREATE INDEX changes_by_time ON changes (at);
CREATE INDEX commits_by_time ON commits (at);
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
CREATE TABLE vectors (
  model INTEGER NOT NULL,
  block INTEGER NOT NULL,
  ids BLOB NOT NULL,
  stamps BLOB NOT NULL,
  scales BLOB NOT NULL,
  vectors BLOB NOT NULL,
  PRIMARY KEY (model, block)
) STRICT;
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
CREATE TABLE wiki_days (
  number INTEGER PRIMARY KEY,
  day TEXT NOT NULL UNIQUE,
  stamp TEXT NOT NULL,
  hash TEXT NOT NULL,
  said TEXT NOT NULL,
  asked_hash TEXT,
  asked_bytes INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE TABLE patterns (
  id TEXT PRIMARY KEY, rank INTEGER NOT NULL, polarity TEXT NOT NULL, type TEXT NOT NULL, pattern TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE pattern_reviews (
  id INTEGER PRIMARY KEY,
  pattern TEXT NOT NULL,
  -- Of a pattern: approved, rejected, later. Of the practice that came of it: retired, deleted.
  verdict TEXT NOT NULL,
  title TEXT NOT NULL,
  -- Of the pattern when it was reviewed, as JSON.
  evidence TEXT NOT NULL,
  note TEXT NOT NULL,
  at INTEGER NOT NULL,
  undone_at INTEGER
) STRICT;
CREATE INDEX pattern_reviews_by_pattern ON pattern_reviews (pattern, id);
CREATE TABLE practices (
  id TEXT PRIMARY KEY, path TEXT NOT NULL, content BLOB NOT NULL, is_gone INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE published (
  id INTEGER PRIMARY KEY,
  practice TEXT NOT NULL,
  version TEXT NOT NULL,
  agent TEXT NOT NULL,
  -- Null for the user's own instructions, which hold everywhere.
  project TEXT,
  file TEXT NOT NULL,
  at INTEGER NOT NULL,
  removed_at INTEGER,
  -- Those that had to be made for the file, as JSON.
  folders TEXT NOT NULL DEFAULT '[]'
) STRICT;
CREATE INDEX published_by_practice ON published (practice);
CREATE INDEX published_by_file ON published (file);
CREATE TABLE memory_versions (
  change INTEGER NOT NULL, memory TEXT NOT NULL, before TEXT, after TEXT, PRIMARY KEY (change, memory)
) STRICT;
CREATE INDEX memory_versions_by_memory ON memory_versions (memory, change);
CREATE INDEX memories_by_space ON memories (space) WHERE space IS NOT NULL;
CREATE TABLE spaces (
  name TEXT PRIMARY KEY,
  id TEXT NOT NULL,
  role TEXT NOT NULL,
  -- As JSON; null for all.
  projects TEXT,
  -- Through which change of the space it has been read.
  cursor INTEGER NOT NULL DEFAULT 0,
  reconciled_at INTEGER
) STRICT, WITHOUT ROWID;
CREATE TABLE sync_items (
  space TEXT NOT NULL,
  id TEXT NOT NULL,
  kind TEXT NOT NULL,
  version INTEGER NOT NULL,
  hash TEXT NOT NULL,
  -- Of the words alone: whether somebody said something else, or only said it again.
  statement TEXT NOT NULL,
  bucket INTEGER NOT NULL,
  mark INTEGER NOT NULL,
  PRIMARY KEY (space, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX sync_items_by_bucket ON sync_items (space, bucket);
CREATE TABLE outbox (
  number INTEGER PRIMARY KEY,
  space TEXT NOT NULL,
  id TEXT NOT NULL,
  kind TEXT NOT NULL,
  -- Counts its changes: what changes while it is being sent is sent again.
  generation INTEGER NOT NULL DEFAULT 1,
  -- Why the server will not take it as it is, as JSON.
  refusal TEXT,
  UNIQUE (space, id)
) STRICT;
CREATE TABLE shares (
  id TEXT PRIMARY KEY, subject TEXT NOT NULL, shared_with TEXT NOT NULL, permission TEXT NOT NULL, at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE sent_sessions (
  uid TEXT PRIMARY KEY,
  -- The id of its head on the server.
  item TEXT NOT NULL UNIQUE,
  -- How many of its events are cut into parts, and of which content, where it is a document.
  events INTEGER NOT NULL,
  content_hash TEXT,
  is_withdrawn INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;
CREATE TABLE sent_parts (
  id TEXT PRIMARY KEY,
  uid TEXT NOT NULL,
  -- 'events' or 'usages'
  part TEXT NOT NULL,
  number INTEGER NOT NULL,
  -- From this place up to that one.
  first INTEGER NOT NULL,
  next INTEGER NOT NULL,
  -- As the server is to have it; null while it is not known.
  hash TEXT
) STRICT, WITHOUT ROWID;
CREATE INDEX sent_parts_by_session ON sent_parts (uid, part, number);
CREATE TABLE received_sessions (
  uid TEXT PRIMARY KEY,
  item TEXT NOT NULL UNIQUE,
  origin TEXT NOT NULL,
  machine TEXT NOT NULL,
  -- On the server; none where it was withdrawn.
  events INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE received_parts (
  id TEXT PRIMARY KEY,
  uid TEXT NOT NULL,
  number INTEGER NOT NULL,
  -- Of its events, twelve bytes each, and a hash of what they say.
  keys BLOB NOT NULL,
  hash TEXT NOT NULL,
  -- The part itself, as JSON, while one before it has not come.
  waiting TEXT,
  at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX received_parts_by_session ON received_parts (uid, number);
CREATE INDEX received_parts_waiting ON received_parts (at) WHERE waiting IS NOT NULL;
CREATE TABLE work_log (
  id INTEGER PRIMARY KEY,
  at INTEGER NOT NULL,
  session TEXT NOT NULL,
  what TEXT NOT NULL,
  detail TEXT NOT NULL,
  ms INTEGER
  , run INTEGER
) STRICT;
CREATE INDEX work_log_by_session ON work_log (session, what);
CREATE INDEX candidates_by_score ON memories (project, score) WHERE state = 'candidate';
CREATE INDEX candidates_by_age ON memories (learned_at) WHERE state = 'candidate';
CREATE INDEX sessions_unjudged ON sessions (ended) WHERE judged_through <> events;
CREATE TABLE summaries (
  session INTEGER PRIMARY KEY,
  through INTEGER NOT NULL,
  title TEXT NOT NULL,
  left_off TEXT NOT NULL,
  -- JSON: context, key exchanges, decisions, lessons, action items.
  journal TEXT NOT NULL,
  author TEXT NOT NULL,
  written_at TEXT NOT NULL
) STRICT;
CREATE TABLE deletions (
  change INTEGER PRIMARY KEY,
  at INTEGER NOT NULL,
  state TEXT NOT NULL,
  -- Numbers for people, and the files of the vault that are still to be cleaned up, as JSON.
  summary TEXT NOT NULL,
  files TEXT NOT NULL
) STRICT;
CREATE TABLE deleted_sessions (
  uid TEXT PRIMARY KEY,
  id INTEGER NOT NULL,
  change INTEGER NOT NULL,
  source TEXT
) STRICT, WITHOUT ROWID;
CREATE INDEX deleted_sessions_by_id ON deleted_sessions (id);
CREATE INDEX deleted_sessions_by_change ON deleted_sessions (change);
CREATE TABLE deleted_events (key BLOB PRIMARY KEY, change INTEGER NOT NULL) STRICT, WITHOUT ROWID;
CREATE INDEX work_log_by_run ON work_log (run);
CREATE TABLE left_out (
  path TEXT NOT NULL,
  change INTEGER NOT NULL,
  PRIMARY KEY (path, change)
) STRICT, WITHOUT ROWID;
CREATE INDEX sessions_to_locate ON sessions (id) WHERE events > located_through;
CREATE TABLE "journal_entries" (
  session INTEGER NOT NULL,
  day TEXT NOT NULL,
  -- Place behind the last event that the entry tells of.
  through INTEGER,
  hash TEXT NOT NULL,
  written_by TEXT NOT NULL,
  written_at TEXT NOT NULL,
  -- What the session and its subagents spent on that day.
  cost_usd REAL NOT NULL DEFAULT 0,
  responses INTEGER NOT NULL DEFAULT 0,
  unpriced INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (session, day)
) STRICT, WITHOUT ROWID;
CREATE INDEX journal_entries_by_day ON journal_entries (day);
CREATE INDEX sessions_by_parent ON sessions (parent) WHERE parent IS NOT NULL;
CREATE TABLE handoffs (
  uid TEXT PRIMARY KEY,
  origin TEXT NOT NULL,
  -- Place behind the last event of the origin then.
  through INTEGER NOT NULL,
  path TEXT NOT NULL,
  at TEXT NOT NULL,
  -- Process that writes the transcript; NULL when it is written.
  writer INTEGER,
  -- Recognised by its first record: its keys are not known, only when it was handed over.
  is_found INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;
CREATE TABLE handed_over (
  key BLOB PRIMARY KEY,
  uid TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX handed_over_by_session ON handed_over (uid);
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
CREATE INDEX sessions_by_source ON sessions (source);
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
CREATE INDEX sessions_to_fix ON sessions (id) WHERE events <> fixes_through;
CREATE TABLE imported (
  change INTEGER NOT NULL,
  kind TEXT NOT NULL,
  name TEXT NOT NULL,
  hash TEXT NOT NULL,
  PRIMARY KEY (change, kind, name)
) STRICT, WITHOUT ROWID;
CREATE INDEX sessions_by_size ON sessions (body_bytes, copy_bytes) WHERE body_bytes > 0;
CREATE INDEX sessions_by_end_in_folder ON sessions (ended, project, cwd);
CREATE INDEX session_totals ON sessions (agent, project, kind, events, inherited, prompts, started, ended);
CREATE INDEX sessions_of_subagents ON sessions (id) WHERE kind = 'subagent';
CREATE INDEX sessions_of_project ON sessions (project, ended, uid);
CREATE INDEX sessions_without_events ON sessions (id) WHERE events = 0;
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
CREATE TABLE passage_deletions (
  id INTEGER PRIMARY KEY,
  passages INTEGER NOT NULL,
  first INTEGER NOT NULL,
  last INTEGER NOT NULL,
  segment INTEGER NOT NULL
) STRICT;
CREATE TABLE passage_totals (passages INTEGER NOT NULL, terms INTEGER NOT NULL, segments INTEGER NOT NULL) STRICT;
CREATE INDEX memories_to_rank
  ON memories (number, state, status, trust, importance, superseded_by, doubt, said);
CREATE TABLE digests (
  session INTEGER PRIMARY KEY,
  title TEXT NOT NULL,
  outcome TEXT NOT NULL,
  kind TEXT NOT NULL,
  -- JSON, compressed; that of an earlier version, as in an archive of deleted sessions, is text.
  state ANY NOT NULL,
  digested_at TEXT NOT NULL
) STRICT;
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
CREATE INDEX digest_facts ON digests (session, title, outcome, kind, digested_at);
CREATE INDEX digests_by_outcome ON digests (kind, outcome);
CREATE INDEX stamps_of_cursors ON cursors (path, stamp);
CREATE TABLE passage_codes (number INTEGER PRIMARY KEY, hashes BLOB NOT NULL) STRICT;
CREATE TABLE passages (
  id INTEGER PRIMARY KEY,
  ts INTEGER,
  role INTEGER NOT NULL,
  -- How much of it asks, in percent; whether it names a time; who is said to speak ("Ann: ..."), as a term.
  asks INTEGER NOT NULL,
  has_time INTEGER NOT NULL,
  speaker INTEGER NOT NULL,
  -- Distances to the passages before and after it that say something.
  previous INTEGER,
  next INTEGER,
  -- How many of its terms are said; the rest was done.
  said INTEGER NOT NULL,
  -- Made by packTerms.
  terms BLOB NOT NULL
) STRICT;
CREATE INDEX usage_by_session ON usage (session, cost_usd);
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
CREATE TABLE session_folds (
  session INTEGER PRIMARY KEY,
  through INTEGER NOT NULL,
  state TEXT NOT NULL
) STRICT;
INSERT INTO passage_totals VALUES (0, 0, 0);
