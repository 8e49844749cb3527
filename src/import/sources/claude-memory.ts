// claude-memory (ViktorBarzin/claude-memory-mcp): an MCP server and a Stop hook that store statements
// in SQLite. Seen in a database that 2.0.0 wrote (user_version 2); earlier ones lack `server_id`.
import { join } from 'node:path'
import { withDatabase } from '../../agents/database.ts'
import { asIsoTime, asString, type JsonObject } from '../../agents/json-values.ts'
import { expandHome } from '../../core/paths.ts'
import type { MemoryKind, MemoryType } from '../../memory/memory.ts'
import type { ImportedNote, ImportSource } from '../source.ts'

export const claudeMemory: ImportSource = {
  id: 'claude-memory',
  name: 'claude-memory',
  places({ home, env }) {
    const folders = [env.MEMORY_HOME ?? '~/.claude/claude-memory', '~/.claude/metaclaw']
    const files = [env.MEMORY_DB ?? '', ...folders.map((folder) => join(folder, 'memory', 'memory.db'))]
    return files.filter((file) => file !== '').map((file) => expandHome(file, home))
  },
  files: ['memory.db', join('memory', 'memory.db')],
  detect(path) {
    const columns = withDatabase(path, { problem() {} }, (database) => database.columns('memories'))
    return columns !== undefined && ['content', 'category', 'expanded_keywords'].every((name) => columns.has(name))
  },
  read(path, out) {
    const report = { problem: (_: number, reason: string) => out.problem({ file: path, reason }) }
    const rows = withDatabase(path, report, (database) => database.rows('SELECT * FROM memories ORDER BY id')) ?? []
    const isSensitive = ({ is_sensitive }: JsonObject) => is_sensitive === 1
    for (const { id } of rows.filter(isSensitive))
      out.problem({ file: path, reason: `memory ${id} is marked as sensitive and is left out` })
    return rows
      .filter((row) => !isSensitive(row))
      .map((row) => note(path, row))
      .filter(({ text }) => text.trim() !== '')
  },
}

function note(file: string, row: JsonObject): ImportedNote {
  const tags = listOf(row.tags, ',')
  const category = asString(row.category)
  return {
    kind: 'note',
    key: `memories/${row.id}`,
    file,
    text: asString(row.content),
    ...(categories[category] ?? { memoryKind: 'fact', type: 'project' }),
    ...(typeof row.importance === 'number' ? { importance: row.importance } : {}),
    tags: [...new Set([category, ...tags])].filter((tag) => tag !== '' && tag !== 'facts'),
    keywords: listOf(row.expanded_keywords, /\s+/),
    at: asIsoTime(row.updated_at) ?? asIsoTime(row.created_at),
    // The hook marks what its phrase lists found; everything else was chosen by a model.
    ...(tags.includes('heuristic') ? { isProposal: true as const } : {}),
  }
}

function listOf(value: JsonObject[string], separator: string | RegExp): string[] {
  return asString(value)
    .split(separator)
    .map((one) => one.trim())
    .filter(Boolean)
}

/** Also those that its server knows. */
const categories: Record<string, { memoryKind: MemoryKind; type: MemoryType }> = {
  preferences: { memoryKind: 'preference', type: 'feedback' },
  feedback: { memoryKind: 'preference', type: 'feedback' },
  decisions: { memoryKind: 'decision', type: 'project' },
  architecture: { memoryKind: 'decision', type: 'project' },
  people: { memoryKind: 'fact', type: 'user' },
  references: { memoryKind: 'fact', type: 'reference' },
  gotchas: { memoryKind: 'debugging', type: 'project' },
  lessons: { memoryKind: 'debugging', type: 'project' },
  incidents: { memoryKind: 'debugging', type: 'project' },
  'post-mortems': { memoryKind: 'debugging', type: 'project' },
  runbook: { memoryKind: 'operational', type: 'project' },
  operations: { memoryKind: 'operational', type: 'project' },
  process: { memoryKind: 'operational', type: 'project' },
}
