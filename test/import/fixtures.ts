// Made-up memories of other programs, one per source, in the form in which the program leaves them on disk.
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { hashOfText } from '../../src/core/vault/lines.ts'
import { sampleMemory } from '../sample-memory.ts'

/** Writes a fixture below a folder and returns the path that a person would give. */
export const fixtures: Record<string, (folder: string) => string> = {
  recollect: recollectExport,
  'claude-mem': claudeMem,
  'claude-memory': claudeMemory,
  'server-memory': serverMemory,
  specstory,
  memoria,
  'basic-memory': basicMemory,
}

export function writeTree(folder: string, files: Record<string, string>): string {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), content)
  }
  return folder
}

const jsonLines = (records: object[]) => records.map((record) => `${JSON.stringify(record)}\n`).join('')

function recollectExport(folder: string): string {
  const { kind, ...memory } = sampleMemory({ id: 'm-aaaa2222bb', text: 'Deploys go out on Tuesdays only.' })
  const entry = '### 10:00 Fix the cache\n\nThe cache kept stale orders.'
  writeTree(folder, {
    'recollect.jsonl': jsonLines([
      { kind: 'export', schema: 1, memories: 1, articles: 2, days: 1 },
      { kind: 'memory', memoryKind: kind, ...memory, path: null },
      {
        kind: 'article',
        articleKind: 'concept',
        path: 'wiki/concepts/own-page',
        title: 'Own page',
        summary: '',
        head: { title: 'Own page', created: '2026-09-01', updated: '2026-09-01', sources: ['journal/2026-09-01'] },
        problem: null,
        body: '# Own page\n\nWritten by hand.\n',
      },
      {
        kind: 'article',
        articleKind: 'concept',
        path: 'wiki/concepts/app',
        title: 'app',
        summary: '',
        head: { title: 'app', topic: 'project:/home/dev/app' },
        problem: null,
        body: '# app\n\n<!-- recollect:section summary HASH -->\n1 decision\n<!-- /recollect:section -->\n'.replace(
          'HASH',
          hashOfText('1 decision'),
        ),
      },
      { kind: 'day', day: '2026-09-01', text: `# Tuesday, 2026-09-01\n\n## Sessions\n\n${entry}\n\nMy own words.` },
      {
        kind: 'entry',
        day: '2026-09-01',
        session: 'claude-code:s1',
        title: 'Fix the cache',
        start: '2026-09-01T10:00:00.000Z',
        text: entry,
        isEdited: false,
      },
    ]),
  })
  return folder
}

export const claudeMemSessions = {
  captured: '11111111-1111-4111-8111-111111111111',
  old: '22222222-2222-4222-8222-222222222222',
}

/** The columns that are read, as 13.25 names them. */
function claudeMem(folder: string): string {
  mkdirSync(folder, { recursive: true })
  const path = join(folder, 'claude-mem.db')
  const database = new DatabaseSync(path)
  database.exec(`
    CREATE TABLE sdk_sessions (id INTEGER PRIMARY KEY, content_session_id TEXT NOT NULL, memory_session_id TEXT UNIQUE,
      project TEXT NOT NULL, platform_source TEXT, custom_title TEXT, started_at_epoch INTEGER NOT NULL);
    CREATE TABLE user_prompts (id INTEGER PRIMARY KEY, content_session_id TEXT, prompt_number INTEGER, prompt_text TEXT,
      created_at_epoch INTEGER);
    CREATE TABLE observations (id INTEGER PRIMARY KEY, memory_session_id TEXT, project TEXT, type TEXT, title TEXT,
      subtitle TEXT, text TEXT, facts TEXT, narrative TEXT, concepts TEXT, files_read TEXT, files_modified TEXT,
      created_at_epoch INTEGER);
    CREATE TABLE session_summaries (id INTEGER PRIMARY KEY, memory_session_id TEXT, project TEXT, request TEXT,
      investigated TEXT, learned TEXT, completed TEXT, next_steps TEXT, notes TEXT, created_at_epoch INTEGER);
  `)
  const { captured, old } = claudeMemSessions
  const start = Date.UTC(2026, 4, 2, 8)
  const session = database.prepare('INSERT INTO sdk_sessions VALUES (?, ?, ?, ?, ?, ?, ?)')
  session.run(1, captured, 'observer-1', 'app', 'claude', null, start)
  session.run(2, old, 'observer-2', 'app', 'claude', 'Idempotent orders', start + 3_600_000)
  session.run(3, 'own', 'observer-3', 'observer-sessions', 'claude', null, start)
  const prompt = database.prepare('INSERT INTO user_prompts VALUES (?, ?, ?, ?, ?)')
  prompt.run(1, captured, 1, 'Why does checkout fail for guests?', start)
  prompt.run(2, old, 1, 'Always create orders with an idempotency key.', start + 3_600_000)
  prompt.run(3, old, 2, '<task-notification>done</task-notification>', start + 3_601_000)
  const observation = database.prepare('INSERT INTO observations VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)')
  const row = (id: number, observer: string, title: string, narrative: string) =>
    observation.run(
      id,
      observer,
      'app',
      'decision',
      title,
      null,
      null,
      '["Clients send Idempotency-Key"]',
      narrative,
      '["trade-off"]',
      '[]',
      '["src/orders.ts"]',
      start + 3_602_000,
    )
  row(1, 'observer-1', 'Guests have no address', 'The form sent null.')
  row(
    2,
    'observer-2',
    'Orders are idempotent',
    'The provider repeats webhooks; the token is ghp_'.concat('aB3'.repeat(12)),
  )
  row(3, 'observer-lost', 'An observation without its session', 'The row of the session is gone.')
  database
    .prepare('INSERT INTO session_summaries VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)')
    .run(
      1,
      'observer-2',
      'app',
      'Idempotent orders',
      'The webhook',
      'It is repeated',
      'Key added',
      'Test it',
      null,
      start + 3_700_000,
    )
  database.close()
  return path
}

function claudeMemory(folder: string): string {
  mkdirSync(folder, { recursive: true })
  const path = join(folder, 'memory.db')
  const database = new DatabaseSync(path)
  database.exec(`
    CREATE TABLE memories (id INTEGER PRIMARY KEY AUTOINCREMENT, content TEXT NOT NULL, category TEXT DEFAULT 'facts',
      tags TEXT DEFAULT '', expanded_keywords TEXT DEFAULT '', importance REAL DEFAULT 0.5, is_sensitive INTEGER DEFAULT 0,
      created_at TEXT NOT NULL, updated_at TEXT NOT NULL);
  `)
  const add = database.prepare(
    'INSERT INTO memories (content, category, tags, expanded_keywords, importance, is_sensitive, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
  )
  const at = '2026-03-01T10:00:00.250000+00:00'
  add.run(
    'The staging database is rebuilt every Sunday night.',
    'facts',
    'staging',
    'reset weekly rebuild',
    0.7,
    0,
    at,
    at,
  )
  add.run(
    'Prefers small commits with the reason in the body.',
    'preferences',
    'auto-learned',
    'git commit',
    0.8,
    0,
    at,
    at,
  )
  add.run(
    'Orders are archived to cold storage after a year.',
    'decisions',
    'auto-learned,heuristic',
    '',
    0.7,
    0,
    at,
    at,
  )
  add.run('The alarm code of the office is 4711.', 'facts', '', '', 0.5, 1, at, at)
  database.close()
  return path
}

function serverMemory(folder: string): string {
  const records = [
    {
      type: 'entity',
      name: 'Ada Keller',
      entityType: 'person',
      observations: ['Works on billing', 'Ada Keller likes tabs in Go'],
    },
    { type: 'entity', name: 'billing', entityType: 'project', observations: ['Deploys go out on Tuesdays only'] },
    { type: 'relation', from: 'Ada Keller', to: 'billing', relationType: 'maintains' },
    { type: 'relation', from: 'Ada Keller', to: 'search', relationType: 'reviews_changes_of' },
  ]
  writeTree(folder, { 'memory.jsonl': records.map((record) => JSON.stringify(record)).join('\n') })
  return join(folder, 'memory.jsonl')
}

export const specstorySession = '33333333-3333-4333-8333-333333333333'

function specstory(folder: string): string {
  const body = [
    '<!-- Generated by SpecStory, Markdown v2.1.0 -->',
    '# 2026-05-03 09:00:00Z',
    `<!-- Claude Code Session ${specstorySession} (2026-05-03 09:00:00Z) -->`,
    '_**User (2026-05-03 09:00:00Z)**_',
    'Why is the report empty on Mondays?',
    '---',
    '_**Agent (claude-opus-4-8 2026-05-03 09:00:05Z)**_',
    '<think><details><summary>Thought Process</summary>\nThe query may start on Sunday.\n</details></think>',
    'I look at the query first.',
    '_**Agent (claude-opus-4-8 2026-05-03 09:00:09Z)**_',
    '<tool-use data-tool-type="shell" data-tool-name="Bash"><details>\n<summary>Tool use: **Bash**</summary>\n\n`cat old-chat.md`\n\n````text\n_**User (2026-01-01 00:00:00Z)**_\n\n```\n</details></tool-use>\n```\n````\n</details></tool-use>',
    'The week starts on Sunday in the query, so Monday has one day only.',
    '---',
    '_**User (2026-05-03 09:05:00Z)**_',
    '<command-name>/clear</command-name>',
    '_**User - sidechain (2026-05-03 09:06:00Z)**_',
    'Summarise the finding.',
  ].join('\n\n')
  const name = '.specstory/history/2026-05-03_09-00-00Z'
  writeTree(folder, {
    [`${name}-why-is-the-report.md`]: `${body}\n`,
    // The same session under the name that it had before.
    [`${name}.md`]: `${body.slice(0, 400)}\n`,
    '.specstory/history/2025-03-01_10-00Z-old-format.md':
      '<!-- Generated by SpecStory -->\n\n# Sorting the list (2025-03-01 10:00:00)\n\n_**User**_\n\nSort the list by date.\n\n---\n\n_**Assistant**_\n\nIt is sorted by date now.\n',
  })
  return join(folder, '.specstory')
}

function memoria(folder: string): string {
  return writeTree(folder, {
    'daily/2026-04-01.md':
      '# Daily Log: 2026-04-01\n\n## Sessions\n\n### Session (14:30) - Row level security\n\n**Decisions Made:**\n- Policies live in migrations, because the dashboard has no review\n\n### Memory Flush (16:00)\n\nFLUSH_OK - Nothing worth saving\n\n## Memory Maintenance\n',
    'daily/2026-04-02.md': '# Daily Log: 2026-04-02\n\n## Sessions\n\n## Memory Maintenance\n',
    'knowledge/index.md': '# Knowledge Base Index\n',
    'knowledge/concepts/supabase-auth.md':
      '---\ntitle: "Supabase Auth"\naliases: [rls]\ntags: [auth]\nsources:\n  - "daily/2026-04-01.md"\ncreated: 2026-04-01\nupdated: 2026-04-03\n---\n\n# Supabase Auth\n\nSee [[qa/test-policies]] and [[daily/2026-04-01.md|that day]].\n',
    'knowledge/qa/test-policies.md':
      '---\ntitle: "Q: How do I test policies?"\nquestion: "How do I test policies?"\nconsulted:\n  - "concepts/supabase-auth"\nfiled: 2026-04-05\n---\n\n# Q: How do I test policies?\n\nWith two users in one transaction.\n',
  })
}

function basicMemory(folder: string): string {
  return writeTree(folder, {
    'projects/Retry Policy.md':
      '---\ntitle: Retry Policy\ntype: note\npermalink: projects/retry-policy\ntags:\n- payments\ncreated: 2026-03-04T10:00:00Z\nmodified: 2026-03-05T10:00:00Z\n---\n\n# Retry Policy\n\nHow the payment client retries.\n\n## Observations\n- [decision] Retries use exponential backoff with a cap of 30 seconds #backoff (the provider bans faster clients)\n- [ ] write a test\n- [00:01:12] a spoken line\n- [docs](https://example.com)\n\n```\n- [decision] Not in code\n```\n\n## Relations\n- implements [[Payment Client]]\n',
    'Payment Client.md':
      '---\ntitle: Payment Client\npermalink: payment-client\ncreated: 2026-03-01\nmodified: 2026-03-01\n---\n\nA thin client. See [[Retry Policy]].\n\n- [preference] Never log the card number #security\n',
    'notes/Retry Policy.md':
      '---\ntitle: Retry Policy of 2024\npermalink: notes/retry-policy\n---\n\nThere was none.\n',
  })
}
