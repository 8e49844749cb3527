// basic-memory (basicmachines-co/basic-memory): Markdown notes with frontmatter, observations such as
// `- [decision] We use SQLite #storage (simple to back up)`, and relations. Known from the published
// source of 0.22.1 and its documentation; the program itself was not run.
import { basename, dirname, join, relative } from 'node:path'
import { listEntries } from '../../agents/files.ts'
import { asObject, asString, fingerprint, parseJson } from '../../agents/json-values.ts'
import { messageOf } from '../../core/errors.ts'
import { readForeignText, readTextOrEmpty, statOrUndefined } from '../../core/files.ts'
import { expandHome, type Machine } from '../../core/paths.ts'
import type { MemoryKind } from '../../memory/memory.ts'
import { closedFences } from '../../text/markdown.ts'
import { emptyHead } from '../../wiki/article.ts'
import {
  articleContent,
  listField,
  type MarkdownPage,
  pageName,
  readMarkdownPage,
  textField,
  timeField,
} from '../markdown-pages.ts'
import type { ImportedItem, ImportedNote, ImportSource } from '../source.ts'

export const basicMemory: ImportSource = {
  id: 'basic-memory',
  name: 'basic-memory',
  places: (machine) => [...new Set([...projectFolders(machine), defaultFolder(machine)])],
  detect: (path) => notesIn(path).slice(0, maxProbed).some(isNote),
  async *read(path, out) {
    const files = notesIn(path)
    const names = namesOf(path, files)
    for (const file of files) {
      try {
        yield* itemsOf(await readMarkdownPage(file, out), { file, name: names.get(file)! })
      } catch (error) {
        out.problem({ file, reason: messageOf(error) })
      }
    }
  },
}

function defaultFolder({ home, env }: Machine): string {
  return expandHome(env.BASIC_MEMORY_HOME ?? '~/basic-memory', home)
}

/** `projects` of its configuration: a path, or an object with one. */
function projectFolders({ home, env }: Machine): string[] {
  const config = expandHome(env.BASIC_MEMORY_CONFIG_DIR ?? '~/.basic-memory', home)
  const { projects } = asObject(parseJson(readTextOrEmpty(join(config, 'config.json'))))
  return Object.values(asObject(projects))
    .map((project) => asString(project) || asString(asObject(project).path))
    .filter((folder) => folder !== '')
    .map((folder) => expandHome(folder, home))
}

/** A folder may have other Markdown files beside notes. */
const maxProbed = 200
const maxDepth = 8

function notesIn(path: string): string[] {
  if (statOrUndefined(path)?.isFile()) return path.endsWith('.md') ? [path] : []
  return [...markdownBelow(path, maxDepth)]
}

function* markdownBelow(folder: string, depth: number): Generator<string> {
  for (const entry of listEntries(folder)) {
    if (/^\.|^node_modules$/.test(entry.name)) continue
    const path = join(folder, entry.name)
    if (entry.isFile() && entry.name.endsWith('.md')) yield path
    if (entry.isDirectory() && depth > 0) yield* markdownBelow(path, depth - 1)
  }
}

function isNote(file: string): boolean {
  try {
    const text = readForeignText(file).slice(0, 20_000)
    return /^---\s*\n[\s\S]*?^permalink:/m.test(text) || observationsIn(text).length > 1
  } catch {
    return false
  }
}

/** The name of a note is that of its file; folders tell apart those with the same name. */
function namesOf(root: string, files: readonly string[]): Map<string, string> {
  const counts = Map.groupBy(files, (file) => basename(file).toLowerCase())
  return new Map(
    files.map((file) => {
      const isShared = counts.get(basename(file).toLowerCase())!.length > 1
      const folder = isShared ? relative(root, dirname(file)) : ''
      return [file, pageName(`${folder} ${basename(file, '.md')}`) || 'note']
    }),
  )
}

function* itemsOf(page: MarkdownPage, { file, name }: { file: string; name: string }): Generator<ImportedItem> {
  const { fields, body, modified } = page
  if (body.trim() === '') return
  const title = textField(fields, 'title') || name
  const tags = listField(fields, 'tags').map((tag) => tag.replace(/^#/, ''))
  const created = timeField(fields, 'created') ?? modified
  const updated = timeField(fields, 'modified') ?? timeField(fields, 'updated') ?? modified
  const permalink = textField(fields, 'permalink') || name
  const head = {
    ...emptyHead,
    title,
    tags,
    // A place outside of the vault.
    sources: [`basic-memory:${permalink.replace(/\s+/g, '-')}`],
    created: created.slice(0, 10),
    updated: updated.slice(0, 10),
  }
  yield { kind: 'article', articleKind: 'concept', name, content: articleContent(head, body) }
  for (const observation of observationsIn(body))
    yield noteOf(observation, { file, title, tags, at: updated, permalink })
}

interface Observation {
  category: string
  text: string
  tags: string[]
  context: string
}

/** List items with a category in brackets, outside of code and quotations. */
function observationsIn(body: string): Observation[] {
  const lines = body.replace(/\r\n?/g, '\n').split('\n')
  const isCode = closedFences(lines)
  return lines.flatMap((line, at) => {
    const [, label = '', content = ''] = isCode[at] ? [] : (/^\s*[-*+] \[([^[\]()]+)\] +(.+)$/.exec(line) ?? [])
    const category = label.trim()
    return content === '' || isTask(category) || isTime(category) ? [] : observationOf(category, content.trim())
  })
}

/** `[x]`, `[/]` and the like are check boxes. */
function isTask(category: string): boolean {
  return category.length === 0 || /^(?:[xX]|[^\p{L}\p{N}])$/u.test(category)
}

/** `[00:01:12]` is a time in a transcript. */
function isTime(category: string): boolean {
  return /^[\d:.,\s-]+$/.test(category)
}

function observationOf(category: string, content: string): Observation {
  const [, said = content, context = ''] = /^(.*\S)\s*\(([^()]*)\)$/s.exec(content) ?? []
  const tags = said.match(/(?<=^|\s)#[^\s#]+/g) ?? []
  return {
    category,
    text: said.replace(/(?:\s+#[^\s#]+)+$/, '').trim(),
    tags: tags.map((tag) => tag.slice(1)),
    context: context.trim(),
  }
}

function noteOf(
  { category, text, tags, context }: Observation,
  note: { file: string; title: string; tags: string[]; at: string; permalink: string },
): ImportedNote {
  const memoryKind = kinds.find(({ words }) => words.test(category))?.kind ?? 'fact'
  return {
    kind: 'note',
    key: `${note.permalink}/${fingerprint(category, text)}`,
    file: note.file,
    subject: note.title,
    text,
    memoryKind,
    type: memoryKind === 'preference' ? 'feedback' : 'project',
    ...(context === '' ? {} : { why: context }),
    tags: [...new Set([category.toLowerCase(), ...tags, ...note.tags])],
    keywords: [],
    at: note.at,
  }
}

const kinds: { words: RegExp; kind: MemoryKind }[] = [
  { words: /prefer|convention|rule|style|guideline/i, kind: 'preference' },
  { words: /decision|decided|requirement|constraint|trade-?off/i, kind: 'decision' },
  { words: /workaround/i, kind: 'workaround' },
  { words: /problem|issue|bug|gotcha|pitfall|cause|fix|solution|lesson/i, kind: 'debugging' },
  { words: /method|technique|process|procedure|command|config|setup|tip|howto|how-to/i, kind: 'operational' },
]
