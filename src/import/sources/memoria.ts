// memoria and other compilers of daily logs (coleam00/claude-memory-compiler has the same layout): a
// Markdown file a day in daily/, and articles in knowledge/. Known from its published source and
// schema; the files are written by a model, so every part may be missing.
import { basename, dirname, join } from 'node:path'
import { findFiles } from '../../agents/files.ts'
import { messageOf } from '../../core/errors.ts'
import { readForeignText, statOrUndefined } from '../../core/files.ts'
import { type ArticleKind, emptyHead } from '../../wiki/article.ts'
import { articleContent, listField, pageName, readMarkdownPage, textField, timeField } from '../markdown-pages.ts'
import type { ImportedArticle, ImportedDay, ImportOutput, ImportSource } from '../source.ts'

export const memoria: ImportSource = {
  id: 'memoria',
  name: 'memoria',
  places: ({ home }) => ['memoria', 'claude-memory-compiler'].map((name) => join(home, name)),
  detect(path) {
    const root = rootOf(path)
    return dayFiles(root).length > 0 || articleFiles(root).length > 0
  },
  async *read(path, out) {
    const root = rootOf(path)
    for (const file of dayFiles(root)) {
      const day = tryRead(file, out, () => readDay(file))
      if (day) yield day
    }
    for (const one of articleFiles(root)) {
      const article = await readArticle(one, out)
      if (article) yield article
    }
  },
}

/** One of its two folders can be given, too. */
function rootOf(path: string): string {
  return /^(?:daily|knowledge)$/.test(basename(path)) ? dirname(path) : path
}

function dayFiles(root: string): string[] {
  return [...findFiles(join(root, 'daily'), /^\d{4}-\d\d-\d\d\.md$/, 0)]
}

interface ArticleFilePlace {
  file: string
  kind: ArticleKind
}

const folders: Record<string, ArticleKind> = { concepts: 'concept', connections: 'connection', qa: 'answer' }

function articleFiles(root: string): ArticleFilePlace[] {
  if (!statOrUndefined(join(root, 'knowledge'))?.isDirectory()) return []
  return Object.entries(folders).flatMap(([folder, kind]) =>
    [...findFiles(join(root, 'knowledge', folder), /\.md$/, 0)].map((file) => ({ file, kind })),
  )
}

function tryRead<T>(file: string, out: ImportOutput, read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    out.problem({ file, reason: messageOf(error) })
    return undefined
  }
}

/** Undefined if the day has nothing but headings and notes that nothing was worth keeping. */
function readDay(file: string): ImportedDay | undefined {
  const sections = readForeignText(file)
    .replace(/\r\n?/g, '\n')
    .split(/^(?=###? )/m)
    .filter((section) => !/^## |^# /.test(section) && !/^### Memory Flush\b/.test(section))
    .map((section) => withOurLinks(section).trim())
    .filter((section) => section.split('\n').slice(1).join('').trim() !== '')
  if (sections.length === 0) return undefined
  return { kind: 'day', day: basename(file, '.md'), text: sections.join('\n\n') }
}

async function readArticle({ file, kind }: ArticleFilePlace, out: ImportOutput): Promise<ImportedArticle | undefined> {
  try {
    const { fields, body, modified } = await readMarkdownPage(file, out)
    const name = pageName(basename(file, '.md'))
    if (body.trim() === '' || name === '') return undefined
    const day = (field: string) => (timeField(fields, field) ?? timeField(fields, 'filed') ?? modified).slice(0, 10)
    const head = {
      ...emptyHead,
      title: textField(fields, 'title') || name,
      aliases: listField(fields, 'aliases'),
      tags: listField(fields, 'tags'),
      connects: listField(fields, 'connects').map(ourPath),
      question: textField(fields, 'question') || null,
      sources: [...listField(fields, 'sources'), ...listField(fields, 'consulted')].map(ourPath),
      created: day('created'),
      updated: day('updated'),
    }
    return { kind: 'article', articleKind: kind, name, content: articleContent(head, withOurLinks(body)) }
  } catch (error) {
    out.problem({ file, reason: messageOf(error) })
    return undefined
  }
}

/** `daily/2026-04-01.md` is a day of the journal, `qa/x` an answer. */
function ourPath(path: string): string {
  return path
    .replace(/^\[\[|\]\]$/g, '')
    .replace(/\.md$/, '')
    .replace(/^(?:knowledge\/)?daily\//, 'journal/')
    .replace(/^(?:knowledge\/)?qa\//, 'wiki/answers/')
    .replace(/^(?:knowledge\/)?(concepts|connections)\//, 'wiki/$1/')
}

function withOurLinks(text: string): string {
  return text.replace(
    /\[\[([^[\]|#\n]+)((?:#[^[\]|\n]*)?(?:\|[^[\]\n]*)?)\]\]/g,
    (_, target: string, rest: string) => `[[${ourPath(target)}${rest}]]`,
  )
}
