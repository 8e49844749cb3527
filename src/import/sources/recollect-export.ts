// Our own `recollect export --format json`: recollect.jsonl of schema 1. Memories come back as they
// were; docs/export.md documents the fields.
import { basename, join } from 'node:path'
import * as z from 'zod'
import { statOrUndefined } from '../../core/files.ts'
import { type JsonRecord, parseJsonlLine, readLines } from '../../core/jsonl.ts'
import { memoryReasons, memoryTypes } from '../../memory/memory.ts'
import { memoryDocumentFields } from '../../memory/schema.ts'
import { type ArticleHead, type ArticleKind, articleKinds, emptyHead } from '../../wiki/article.ts'
import { sectionsIn, withoutSections } from '../../wiki/sections.ts'
import { articleContent, pageName } from '../markdown-pages.ts'
import type { ImportedArticle, ImportedDay, ImportedItem, ImportedMemory, ImportSource } from '../source.ts'

export const recollectExport: ImportSource = {
  id: 'recollect',
  name: 'Recollect export',
  places: () => [],
  detect(path) {
    try {
      for (const { record } of recordsOf(path)) return record.kind === 'export' && typeof record.schema === 'number'
    } catch {
      // A file that cannot be opened is not recognised.
    }
    return false
  },
  *read(path, out) {
    const file = fileOf(path)
    let day: ImportedDay | undefined
    for (const { record, line, reason } of recordsOf(path)) {
      if (reason !== undefined) out.problem({ file, line, reason })
      const item = itemOf(record)
      if (item === undefined) continue
      if (typeof item === 'string') out.problem({ file, line, reason: item })
      else if ('session' in item) day?.entries?.push(item)
      else {
        // A day is followed by its entries.
        if (day) yield day
        day = item.kind === 'day' ? item : undefined
        if (item.kind !== 'day') yield item
      }
    }
    if (day) yield day
  },
}

/** The folder of the export can be given, too. */
function fileOf(path: string): string {
  return statOrUndefined(path)?.isDirectory() ? join(path, 'recollect.jsonl') : path
}

function* recordsOf(path: string): Generator<{ record: JsonRecord; line: number; reason?: string }> {
  let line = 0
  for (const one of readLines(fileOf(path))) {
    line++
    const { records, bad } = parseJsonlLine(one)
    if (bad) yield { record: {}, line, reason: bad.reason }
    for (const record of records) yield { record, line }
  }
}

type DayEntries = NonNullable<ImportedDay['entries']>

/** Undefined for a line without content of its own, a text for one that cannot be used. */
function itemOf(
  record: JsonRecord,
): Exclude<ImportedItem, { kind: 'note' | 'session' }> | DayEntries[number] | string | undefined {
  switch (record.kind) {
    case undefined:
      return undefined
    case 'export':
      return record.schema === 1 ? undefined : `schema ${record.schema} is of a later version of Recollect`
    case 'memory':
      return memoryOf(record)
    case 'article':
      return articleOf(record)
    case 'day': {
      const { data } = dayLine.safeParse(record)
      return data ? { kind: 'day', ...data, entries: [] } : 'not a day'
    }
    case 'entry':
      return entryLine.safeParse(record).data ?? 'not an entry of a day'
    default:
      return `unknown kind ${JSON.stringify(record.kind)}`
  }
}

const dayLine = z.object({ day: z.iso.date(), text: z.string() })
const entryLine = z.object({ session: z.string(), start: z.string(), text: z.string(), isEdited: z.boolean() })

const { said: _, kind, ...documentFields } = memoryDocumentFields
const memoryLine = z.object({
  ...documentFields,
  id: z.string().regex(/^m-[a-z0-9]{1,40}$/),
  memoryKind: kind,
  links: documentFields.links.transform((links) => links ?? []),
  because: z.enum(memoryReasons).catch('import'),
  score: z.number().nullable().catch(null),
  counts: z.object({ said: z.int().min(0), shown: z.int().min(0), used: z.int().min(0) }),
  space: z.string().nullable(),
  author: z.string().nullable(),
  type: z.enum(memoryTypes),
})

function memoryOf(record: JsonRecord): ImportedMemory | string {
  const { data, error } = memoryLine.safeParse(record)
  if (!data) {
    const [issue] = error.issues
    return `not a memory: ${issue?.path.join('.')}: ${issue?.message}`
  }
  const { memoryKind, evidence, ...memory } = data
  // Unknown fields of evidence are kept.
  return {
    kind: 'memory',
    memory: { ...memory, kind: memoryKind, evidence: evidence as ImportedMemory['memory']['evidence'] },
  }
}

const articleLine = z.object({
  articleKind: z.enum(articleKinds),
  path: z.string(),
  title: z.string(),
  head: z.record(z.string(), z.unknown()),
  body: z.string(),
})

/** Undefined for an article that the next build compiles from memories. */
function articleOf(record: JsonRecord): ImportedArticle | string | undefined {
  const { data } = articleLine.safeParse(record)
  if (!data) return 'not an article'
  if (isCompiled(data.articleKind, data.title, data.body)) return undefined
  const head = { ...emptyHead, ...(data.head as Partial<ArticleHead>), title: data.title }
  const name = pageName(basename(data.path))
  return { kind: 'article', articleKind: data.articleKind, name, content: articleContent(head, data.body) }
}

/** A concept with nothing but sections that no person has edited. */
function isCompiled(kind: ArticleKind, title: string, body: string): boolean {
  const content = Buffer.from(body)
  const sections = sectionsIn(content)
  if (kind !== 'concept' || sections.length === 0 || sections.some(({ isEdited }) => isEdited)) return false
  return ['', `# ${title}`].includes(withoutSections(content).toString('utf8').trim())
}
