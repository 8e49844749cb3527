// Reads Markdown files with frontmatter, and renders them as articles of the wiki.
import { readForeignText, statOrUndefined } from '../core/files.ts'
import { frontmatterFence, parseFrontmatter, splitFrontmatter } from '../core/vault/frontmatter.ts'
import type { ArticleHead } from '../wiki/article.ts'
import { headLines } from '../wiki/article-file.ts'
import type { ImportOutput } from './source.ts'

export interface MarkdownPage {
  fields: Record<string, unknown>
  body: string
  /** Line of the file on which the body begins. */
  bodyLine: number
  modified: string
}

/** Frontmatter that cannot be parsed is reported, and the text is used without it. */
export async function readMarkdownPage(file: string, out: ImportOutput): Promise<MarkdownPage> {
  const content = readForeignText(file)
  const modified = new Date(Math.floor(statOrUndefined(file)?.mtimeMs ?? 0)).toISOString()
  const split = splitFrontmatter(content)
  if (!split) {
    out.problem({ file, line: 1, reason: 'the frontmatter begins and does not end' })
    return { fields: {}, body: content, bodyLine: 1, modified }
  }
  const { front, body, bodyLine } = split
  const parsed = front === undefined ? { kind: 'read' as const, fields: {} } : await parseFrontmatter(front)
  if (parsed.kind === 'bad') out.problem({ file, line: parsed.line, reason: parsed.reason })
  return { fields: parsed.kind === 'bad' ? {} : parsed.fields, body, bodyLine, modified }
}

export function textField(fields: MarkdownPage['fields'], name: string): string {
  const value = fields[name]
  if (value instanceof Date) return value.toISOString()
  return typeof value === 'string' || typeof value === 'number' ? String(value).trim() : ''
}

/** A list, or one text with commas. */
export function listField(fields: MarkdownPage['fields'], name: string): string[] {
  const value = fields[name]
  const items = Array.isArray(value) ? value.map(String) : textField(fields, name).split(',')
  return items.map((one) => one.trim()).filter(Boolean)
}

/** ISO time of a field with a date or a time; undefined if there is none. */
export function timeField(fields: MarkdownPage['fields'], name: string): string | undefined {
  const ms = Date.parse(textField(fields, name))
  return Number.isNaN(ms) ? undefined : new Date(ms).toISOString()
}

export function articleContent(head: ArticleHead, body: string): string {
  const text = body.trim()
  const title = /^# /m.test(text) ? '' : `# ${head.title}\n\n`
  return `${[frontmatterFence, ...headLines(head), frontmatterFence].join('\n')}\n\n${title}${text}\n`
}

/** A name for the file of an article that every file system and every link accepts. */
export function pageName(name: string): string {
  return name
    .normalize('NFC')
    .replace(/[\0-\x1f\\/<>:"|?*#^[\]]+/g, ' ')
    .replace(/\s+/g, ' ')
    .replace(/^[. ]+|[. ]+$/g, '')
    .slice(0, 120)
    .trim()
}
