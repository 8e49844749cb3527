// Everything in one file of JSON lines, each of a kind; docs/export.md tells the fields.
import type { ExportFile } from './export.ts'
import type { Material } from './material.ts'

const jsonName = 'recollect.jsonl'
const schemaVersion = 1

export function jsonFiles({ memories, articles, days, memoryPaths }: Material): ExportFile[] {
  const lines: object[] = [
    { kind: 'export', schema: schemaVersion, memories: memories.length, articles: articles.length, days: days.length },
    ...memories.map(({ kind, ...memory }) => ({
      kind: 'memory',
      memoryKind: kind,
      ...memory,
      path: memoryPaths.get(memory.id) ?? null,
    })),
    ...articles.map(({ kind, path, title, summary, head, problem, body }) => ({
      kind: 'article',
      articleKind: kind,
      path,
      title,
      summary,
      head,
      problem,
      body,
    })),
    ...days.flatMap(({ day, text, entries }) => [
      { kind: 'day', day, text },
      ...entries.map((entry) => ({ kind: 'entry', day, ...entry })),
    ]),
  ]
  return [{ path: jsonName, content: lines.map((line) => `${JSON.stringify(line)}\n`).join('') }]
}
