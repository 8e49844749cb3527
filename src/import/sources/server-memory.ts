// The reference memory server of MCP: @modelcontextprotocol/server-memory. memory.jsonl (memory.json
// before 2025) has a line per entity or relation; the whole file is rewritten with every change. Seen
// in files that 2026.8.31 wrote.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { asArray, asIsoTime, asObject, asString, fingerprint } from '../../agents/json-values.ts'
import { messageOf } from '../../core/errors.ts'
import { statOrUndefined } from '../../core/files.ts'
import { type JsonRecord, parseJsonlLine, readLines } from '../../core/jsonl.ts'
import type { Json } from '../../core/session.ts'
import type { MemoryKind, MemoryType } from '../../memory/memory.ts'
import type { ImportedNote, ImportOutput, ImportSource } from '../source.ts'

export const serverMemory: ImportSource = {
  id: 'server-memory',
  name: 'MCP memory server',
  places({ home, env }) {
    const configured = env.MEMORY_FILE_PATH ? [env.MEMORY_FILE_PATH] : []
    return [...configured, ...npxFolders(home).map((folder) => join(folder, 'memory.jsonl'))]
  },
  files: ['memory.jsonl', 'memory.json'],
  detect(path) {
    if (!statOrUndefined(path)?.isFile()) return false
    try {
      for (const line of readLines(path)) {
        const [record] = parseJsonlLine(line).records
        if (record) return isEntity(record) || isRelation(record)
      }
    } catch {
      // A file that cannot be opened is not recognised.
    }
    return false
  },
  *read(path, out) {
    const graph = readGraph(path, out)
    // The file has no times but its own.
    const at = asIsoTime(statOrUndefined(path)?.mtimeMs)
    for (const { name, type, observations } of graph.entities) {
      for (const text of observations) yield note({ file: path, at, name, type, text, key: fingerprint(name, text) })
      const relations = graph.relations.get(name) ?? []
      // One statement for all relations of an entity: each of them alone says too little.
      const text = relations.map(({ verb, to }) => `${verb.replaceAll('_', ' ')} ${to}`).join('; ')
      if (text !== '') yield note({ file: path, at, name, type, text, key: fingerprint(name, 'relations', text) })
    }
  },
}

/** Where npx keeps the packages that it has run: the default file is beside the program. */
function npxFolders(home: string): string[] {
  const cache = join(home, '.npm', '_npx')
  try {
    return readdirSync(cache).map((name) =>
      join(cache, name, 'node_modules', '@modelcontextprotocol', 'server-memory', 'dist'),
    )
  } catch {
    return []
  }
}

interface Graph {
  entities: { name: string; type: string; observations: string[] }[]
  /** By the entity that they start at. */
  relations: Map<string, { verb: string; to: string }[]>
}

function readGraph(path: string, out: ImportOutput): Graph {
  const graph: Graph = { entities: [], relations: new Map() }
  const add = (record: JsonRecord, line: number) => {
    if (isEntity(record)) graph.entities.push(entityOf(record))
    else if (isRelation(record)) addRelation(graph, record)
    else if (record.entities === undefined)
      out.problem({ file: path, line, reason: 'neither an entity nor a relation' })
    // Some forks keep the whole graph as one object.
    for (const entity of asArray(record.entities)) graph.entities.push(entityOf(asObject(entity)))
    for (const relation of asArray(record.relations)) addRelation(graph, asObject(relation))
  }
  try {
    let line = 0
    for (const one of readLines(path)) {
      line++
      const { records, bad } = parseJsonlLine(one)
      if (bad) out.problem({ file: path, line, reason: bad.reason })
      for (const record of records) add(record, line)
    }
  } catch (error) {
    out.problem({ file: path, reason: messageOf(error) })
  }
  return { ...graph, entities: withRelationEnds(graph) }
}

/** Relations may start at an entity that has no line of its own. */
function withRelationEnds({ entities, relations }: Graph): Graph['entities'] {
  const named = entities.filter(({ name }) => name !== '')
  const known = new Set(named.map(({ name }) => name))
  const others = [...relations.keys()].filter((name) => !known.has(name))
  return [...named, ...others.map((name) => ({ name, type: '', observations: [] }))]
}

type Fields = Record<string, Json | undefined>

function isEntity({ type, name }: Fields): boolean {
  return type === 'entity' && typeof name === 'string'
}

function isRelation({ type, from, to }: Fields): boolean {
  return type === 'relation' && typeof from === 'string' && typeof to === 'string'
}

function entityOf({ name, entityType, observations }: Fields): Graph['entities'][number] {
  const texts = asArray(observations).map(asString)
  return { name: asString(name), type: asString(entityType), observations: texts.filter((text) => text.trim() !== '') }
}

function addRelation({ relations }: Graph, { from, to, relationType }: Fields): void {
  const start = asString(from)
  if (start === '' || asString(to) === '') return
  const known = relations.get(start) ?? []
  relations.set(start, [...known, { verb: asString(relationType) || 'relates to', to: asString(to) }])
}

interface GraphNote extends Pick<ImportedNote, 'file' | 'at' | 'key' | 'text'> {
  name: string
  type: string
}

function note({ name, type, ...given }: GraphNote): ImportedNote {
  const { memoryKind, type: memoryType } = kinds.find(({ words }) => words.test(type)) ?? otherKind
  return {
    kind: 'note',
    ...given,
    subject: name,
    memoryKind,
    type: memoryType,
    tags: type === '' ? [] : [type.toLowerCase()],
    keywords: [],
  }
}

const kinds: { words: RegExp; memoryKind: MemoryKind; type: MemoryType }[] = [
  { words: /prefer|convention|rule|style|feedback/i, memoryKind: 'preference', type: 'feedback' },
  { words: /decision|adr/i, memoryKind: 'decision', type: 'project' },
  { words: /bug|issue|error|incident/i, memoryKind: 'debugging', type: 'project' },
  { words: /workaround/i, memoryKind: 'workaround', type: 'project' },
  { words: /person|people|user|human|contact/i, memoryKind: 'fact', type: 'user' },
]
const otherKind = { memoryKind: 'fact', type: 'project' } as const
