// Where each public transcript would lie in a home. The files come from collections that keep them under names of their
// own; a reader finds them only where its agent puts them.
import { createHash } from 'node:crypto'
import { copyFileSync, mkdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/** One row of the index of the collection. */
export interface Row {
  path: string
  agent: string
}

export function rowsOf(corpus: string): Row[] {
  return table(join(corpus, 'INDEX.tsv')).map(({ path, agent }) => ({ path: path!, agent: agent! }))
}

export function table(file: string): Record<string, string>[] {
  const [names, ...rows] = readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => line.split('\t'))
  return rows.map((row) => Object.fromEntries(names!.map((name, index) => [name, row[index] ?? ''])))
}

/** Copies one file to its place; gives back the place, or undefined for a file that no agent would have in a home. */
export function layOut(corpus: string, row: Row, home: string): string | undefined {
  const place = placeOf(corpus, row)
  if (place === undefined) return undefined
  const to = join(home, place)
  mkdirSync(dirname(to), { recursive: true })
  if (to.endsWith('/kiro-cli/data.sqlite3')) addConversation(to, readFileSync(join(corpus, row.path), 'utf8'))
  else copyFileSync(join(corpus, row.path), to)
  return to
}

/** The collection has single values of Kiro's database. */
function addConversation(path: string, value: string): void {
  const database = new DatabaseSync(path)
  database.exec(
    'CREATE TABLE IF NOT EXISTS conversations_v2 (key TEXT, conversation_id TEXT, value TEXT, created_at INTEGER, updated_at INTEGER)',
  )
  const { conversation_id: id } = JSON.parse(value) as { conversation_id: string }
  database
    .prepare('INSERT INTO conversations_v2 VALUES (?, ?, ?, 1779012000000, 1779012600000)')
    .run('/corpus', id, value)
  database.close()
}

function placeOf(corpus: string, { path, agent }: Row): string | undefined {
  const content = () => readFileSync(join(corpus, path), 'latin1')
  const inTree = trees.find(([from]) => path.startsWith(from))
  if (inTree) return `${inTree[1]}${path.slice(inTree[0].length)}`
  const name = basename(path).replace(/\.[^.]+$/, '')
  const extension = path.slice(path.lastIndexOf('.'))
  switch (agent) {
    case 'aider':
      return `src/${path.endsWith('history.md') ? basename(dirname(path)) : name}/.aider.chat.history.md`
    case 'antigravity':
      return antigravityPlace(path, name, extension, content())
    case 'claude-code':
      return claudePlace(path, content())
    case 'codex':
      return `.codex/${rolloutPlace(path, content())}`
    case 'continue':
      return `.continue/sessions/${basename(path)}`
    case 'copilot-cli':
      return `.copilot/session-state/${name === 'events' ? path.split('/').at(-2) : name}${name === 'events' ? '/events' : ''}.jsonl`
    case 'cursor':
      return cursorPlace(path, name, extension)
    case 'droid': // the other files are what the program prints, not what it keeps
      return /session/.test(name) ? `.factory/sessions/-corpus/${basename(path)}` : undefined
    case 'gemini-cli':
      return `.gemini/tmp/corpus/chats/session-2026-01-01T00-00-${hash(path).slice(0, 8)}${extension}`
    case 'grok-build':
      return `.grok/sessions/%2Fcorpus/${hash(dirname(path)).slice(0, 8)}/${basename(path)}`
    case 'hermes':
      return `.hermes/sessions/${extension === '.json' ? 'session_' : ''}${basename(path)}`
    case 'iflow':
      return `.iflow/projects/-corpus/${basename(path)}`
    case 'kimi':
      return kimiPlace(name)
    case 'kiro': // the text file is a value that was cut off
      if (extension === '.json') return '.local/share/kiro-cli/data.sqlite3'
      return extension === '.jsonl' ? `.kiro/sessions/cli/${basename(path)}` : undefined
    case 'openclaw':
      return `.openclaw/agents/corpus/sessions/${basename(path)}`
    case 'pi':
      return `.pi/agent/sessions/--corpus--/2026-01-01T00-00-00-000Z_${hash(path).slice(0, 12)}.jsonl`
    case 'qwen-code':
      return `.qwen/projects/-corpus/chats/${basename(path)}`
    case 'vibe':
      return `.vibe/logs/session/${name}/messages.jsonl`
    case 'windsurf':
      return `.windsurf/transcripts/${basename(path)}`
    case 'traex':
      return `.trae/cli/${rolloutPlace(path, content())}`
    case 'vscode-copilot':
      return vscodePlace(path, name, extension)
    default:
      return undefined
  }
}

/** Folders of the collection that are whole trees as the agent leaves them. */
const trees: [from: string, to: string][] = [
  ['_synthetic/claude-code/projects/', '.claude/projects/'],
  ['_synthetic/cline/', '.cline/'],
  ['_synthetic/codex/', '.codex/'],
  ['_synthetic/cursor/User/', '.config/Cursor/User/'],
  ['_synthetic/cursor/', '.cursor/'],
  ['_synthetic/gemini-cli/', '.gemini/tmp/synthetic/'],
  ['_synthetic/goose/', '.local/share/goose/'],
  ['_synthetic/grok-cli-superagent/', '.grok/'],
  ['_synthetic/roo-code/', '.config/Code/User/globalStorage/rooveterinaryinc.roo-cline/'],
  ['amp/git-ai/amp-threads/', '.local/share/amp/threads/'],
  ['gptme/agentsview/gptme/', '.local/share/gptme/logs/'],
  ['grok-build/agentsview/grok-build/current/', '.grok/sessions/'],
  ['grok-build/agentsview/grok-build/legacy/', '.grok/sessions/'],
  ['grok-build/entireio-live/', '.grok/sessions/'],
  ['opencode/agent-sessions/storage_legacy/', '.local/share/opencode/storage/'],
  ['opencode/agent-sessions/storage_v2/', '.local/share/opencode/storage/'],
  ['opencode/git-ai/opencode-sqlite-empty/opencode.db', '.local/share/opencode/opencode-empty.db'],
  ['opencode/git-ai/opencode-sqlite/opencode.db', '.local/share/opencode/opencode.db'],
  ['opencode/git-ai/opencode-storage/', '.local/share/opencode/storage/'],
  ['vibe/agentsview/vibe/', '.vibe/logs/session/'],
  ['qwenpaw/agentsview/qwenpaw/', '.qwenpaw/workspaces/'],
]

/** A transcript names its conversation when it refers to itself; a database is called after it. */
function antigravityPlace(path: string, name: string, extension: string, content: string): string | undefined {
  const root = '.gemini/antigravity-cli'
  if (extension === '.db') return `${root}/conversations/${name.slice(-36)}.db`
  if (extension !== '.jsonl') return undefined // a document that the agent wrote
  const conversation = /# Conversation Logs.*?\/brain\/([0-9a-f-]{36})\//.exec(content)?.[1] ?? uuid(path)
  return `${root}/brain/${conversation}/.system_generated/logs/transcript.jsonl`
}

function claudePlace(path: string, content: string): string {
  const session = /"sessionId":"([0-9a-f-]{36})"/.exec(content)?.[1] ?? uuid(path)
  return `.claude/projects/-corpus-${hash(path).slice(0, 8)}/${session}.jsonl`
}

function rolloutPlace(path: string, content: string): string {
  const session = /"id":"([0-9a-f]{8}-[0-9a-f-]{27})"/.exec(content)?.[1] ?? uuid(path)
  const [, day, time] = /"timestamp":"(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}:\d{2})/.exec(content) ?? []
  const [date, hour] = [day ?? '2026-01-01', (time ?? '00:00:00').replaceAll(':', '-')]
  return `sessions/${date.replaceAll('-', '/')}/rollout-${date}T${hour}-${session}.jsonl`
}

function cursorPlace(path: string, name: string, extension: string): string | undefined {
  if (extension !== '.jsonl') return undefined // a store of chats that are only kept as blobs
  const folder = '.cursor/projects/corpus/agent-transcripts'
  if (path.includes('/subagent/')) return `${folder}/parent/${path.split('/subagent/')[1]}`
  return `${folder}/${basename(dirname(path))}-${name}.jsonl`
}

function kimiPlace(name: string): string {
  const sessions = '.kimi-code/sessions/wd_corpus_000000000000'
  const log = 'agents/main/wire.jsonl'
  switch (name) {
    case 'state':
      return `${sessions}/session_small/state.json`
    case 'assistant_tools.state':
      return `${sessions}/session_assistant_tools/state.json`
    case 'subagent_agent-0':
      return `${sessions}/session_small/agents/agent-0/wire.jsonl`
    default:
      return `${sessions}/session_${name}/${log}`
  }
}

/** One chat session is in the collection as a log and as a document. */
function vscodePlace(path: string, name: string, extension: string): string | undefined {
  const user = '.config/Code/User'
  if (path.includes('/copilot_vscode_workspace/'))
    return `${user}/workspaceStorage/corpus/${path.split('/copilot_vscode_workspace/')[1]}`
  if (path.endsWith('/traces.db')) return `${user}/globalStorage/github.copilot-chat/agent-traces.db`
  if (/event_stream|transcript_session/.test(name))
    return `${user}/workspaceStorage/corpus/GitHub.copilot-chat/transcripts/${name}.jsonl`
  if (extension === '.json') return `${user}/workspaceStorage/corpus/chatSessions/${name}-document.json`
  return extension === '.jsonl' ? `${user}/workspaceStorage/corpus/chatSessions/${name}.jsonl` : undefined
}

function uuid(seed: string): string {
  const h = hash(seed)
  return `${h.slice(0, 8)}-${h.slice(8, 12)}-4${h.slice(13, 16)}-8${h.slice(17, 20)}-${h.slice(20, 32)}`
}

function hash(seed: string): string {
  return createHash('sha256').update(seed).digest('hex')
}
