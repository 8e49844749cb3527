// Renders and parses article files: a head, a title, and our sections among text that people write.
// Edits of a person are kept: per field in the head, per section below it.

import {
  foreignFieldLines,
  frontmatterFence,
  type ParsedFrontmatter,
  parseFrontmatter,
  splitFrontmatter,
  yamlString,
} from '../core/vault/frontmatter.ts'
import { fromByteString, readByteString, splitLines, type TextLine, toByteString } from '../core/vault/lines.ts'
import { oneLine } from '../text/truncate.ts'
import { type ArticleHead, sectionNames } from './article.ts'
import { type SectionToWrite, withoutSections, writeSections } from './sections.ts'

/** Content that we wrote last, from the ledger. */
interface WrittenState {
  head: Readonly<Record<string, unknown>>
  sections: Readonly<Record<string, string>>
}

export interface RenderedArticle extends WrittenState {
  content: Buffer
  /** The title in the file, which may be a person's. */
  title: string
  /** Sections that a person has edited. */
  edited: string[]
}

/** Merges the article into the existing file. Returns a problem if the head cannot be parsed. */
export async function renderArticle(
  { head, sections }: { head: ArticleHead; sections: readonly SectionToWrite[] },
  existing: Buffer | undefined,
  written: WrittenState = { head: {}, sections: {} },
): Promise<RenderedArticle | { problem: string }> {
  const parts = splitFile(existing ?? Buffer.from(`\n${titleLine(head.title)}\n`))
  if (!parts) return { problem: unclosedHead }
  const { mark, front, body } = parts
  const parsed = front === undefined ? { kind: 'read' as const, fields: {} } : await fieldsOf(front)
  if (parsed.kind === 'bad') return { problem: `line ${parsed.line}: ${parsed.reason}` }
  const merged = mergeHead(head, parsed.fields, written.head)
  const put = writeSections(withTitle(body, written.head.title, head.title), sections, {
    order: sectionNames,
    known: written.sections,
  })
  const foreign = front === undefined ? [] : foreignFieldLines(front, ownFields)
  const top = [frontmatterFence, ...headLines(merged), ...foreign, frontmatterFence, ''].join('\n')
  const end = existing && /\r\n/.test(readByteString(existing)) ? '\r\n' : '\n'
  return {
    content: Buffer.concat([mark, Buffer.from(top.replaceAll('\n', end)), put.content]),
    title: merged.title,
    head: { ...head },
    sections: put.hashes,
    edited: put.edited,
  }
}

/** Replaces the title above the text if it is still the one that we wrote. */
function withTitle(body: Buffer, before: unknown, title: string): Buffer {
  if (typeof before !== 'string' || before === title) return body
  const lines = splitLines(readByteString(body))
  const line = lines.find(({ text }) => text === toByteString(titleLine(before)))
  if (line) line.text = toByteString(titleLine(title))
  return Buffer.from(lines.map(({ text, end }) => text + end).join(''), 'latin1')
}

/** A parsed file. People may have changed or removed fields of the head. */
export interface ArticleFile {
  head: Partial<ArticleHead>
  /** Why the head could not be parsed. */
  problem: string | null
  /** Text below the head, with our markers. */
  body: string
  /** Line of the file on which the body starts. */
  bodyLine: number
}

export async function readArticle(content: Buffer): Promise<ArticleFile> {
  const split = splitFrontmatter(content.toString('utf8'))
  if (!split) return { head: {}, problem: unclosedHead, body: '', bodyLine: 1 }
  const { front, body, bodyLine } = split
  if (front === undefined) return { head: {}, problem: 'It has no head', body, bodyLine }
  const read = await fieldsOf(front)
  if (read.kind === 'bad') return { head: {}, problem: `line ${read.line}: ${read.reason}`, body, bodyLine }
  return { head: typedHead(read.fields), problem: null, body, bodyLine }
}

/** The file without our sections; undefined if then it contains only our head and title. */
export function textOfPeople(file: Buffer, title: string): Buffer | undefined {
  const content = withoutSections(file)
  const parts = splitFile(content)
  if (!parts || foreignFieldLines(parts.front ?? '', ownFields).length > 0) return content
  return ['', titleLine(title)].includes(parts.body.toString('utf8').trim()) ? undefined : content
}

const ownFields: ReadonlySet<string> = new Set<keyof ArticleHead>([
  'title',
  'aliases',
  'tags',
  'project',
  'topic',
  'connects',
  'question',
  'sources',
  'created',
  'updated',
])

/** Lists that people may edit item by item. */
const editableLists: readonly (keyof ArticleHead)[] = ['aliases', 'tags']

function mergeHead(
  head: ArticleHead,
  current: Readonly<Record<string, unknown>>,
  written: Readonly<Record<string, unknown>>,
): ArticleHead {
  const merged = { ...head }
  const isEdited = (name: keyof ArticleHead) =>
    current[name] !== undefined && !isSame(current[name], written[name] ?? head[name])
  if (isEdited('title') && typeof current.title === 'string' && current.title.trim() !== '')
    merged.title = current.title
  for (const name of editableLists) {
    if (!isEdited(name)) continue
    const known = strings(written[name])
    const fresh = (head[name] as string[]).filter((one) => !known.includes(one))
    Object.assign(merged, { [name]: [...new Set([...strings(current[name]), ...fresh])] })
  }
  return merged
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

function strings(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return Array.isArray(value) ? value.map(String) : []
}

/** The lines of the frontmatter, without its fences. */
export function headLines(head: ArticleHead): string[] {
  const list = (values: readonly string[]) => `[${values.map(yamlString).join(', ')}]`
  return [
    `title: ${yamlString(head.title)}`,
    `aliases: ${list(head.aliases)}`,
    `tags: ${list(head.tags)}`,
    ...(head.project === null ? [] : [`project: ${yamlString(head.project)}`]),
    ...(head.topic === null ? [] : [`topic: ${yamlString(head.topic)}`]),
    ...(head.connects.length === 0 ? [] : [`connects: ${list(head.connects)}`]),
    ...(head.question === null ? [] : [`question: ${yamlString(head.question)}`]),
    `sources: ${list(head.sources)}`,
    `created: ${head.created}`,
    `updated: ${head.updated}`,
  ]
}

const unclosedHead = 'The head begins and does not end'

interface FileParts {
  /** Byte order mark, if there is one. */
  mark: Buffer
  front: string | undefined
  body: Buffer
}

/**
 * Works on bytes, so that text of a person stays unchanged. Undefined if the head is not closed.
 */
function splitFile(content: Buffer): FileParts | undefined {
  const mark = content.subarray(0, readByteString(content.subarray(0, 3)) === '\xef\xbb\xbf' ? 3 : 0)
  const rest = content.subarray(mark.length)
  const lines = splitLines(readByteString(rest))
  const isFence = ({ text }: TextLine) => text.trimEnd() === frontmatterFence
  if (!lines[0] || !isFence(lines[0])) return { mark, front: undefined, body: rest }
  const end = lines.findIndex((line, at) => at > 0 && isFence(line))
  if (end < 0) return undefined
  const joined = (some: readonly TextLine[]) => some.map((line) => line.text + line.end).join('')
  return {
    mark,
    front: fromByteString(
      lines
        .slice(1, end)
        .map(({ text }) => text)
        .join('\n'),
    ),
    body: Buffer.from(joined(lines.slice(end + 1)), 'latin1'),
  }
}

async function fieldsOf(front: string): Promise<ParsedFrontmatter> {
  const plain = plainFields(front)
  return plain ? { kind: 'read', fields: plain } : await parseFrontmatter(front)
}

/** Parses the form that we write ourselves without loading a YAML parser. */
function plainFields(front: string): Record<string, unknown> | undefined {
  const fields: Record<string, unknown> = {}
  for (const line of front.split('\n')) {
    if (line.trim() === '') continue
    const match = /^([a-z]+): (?:(["[].*)|(\d{4}-\d\d-\d\d))$/.exec(line)
    if (!match) return undefined
    try {
      fields[match[1]!] = match[2] === undefined ? match[3] : JSON.parse(match[2])
    } catch {
      return undefined
    }
  }
  return fields
}

function typedHead(fields: Readonly<Record<string, unknown>>): Partial<ArticleHead> {
  const text = (name: string) => (typeof fields[name] === 'string' ? { [name]: fields[name] } : {})
  const list = (name: string) => (fields[name] === undefined ? {} : { [name]: strings(fields[name]) })
  return {
    ...text('title'),
    ...list('aliases'),
    ...list('tags'),
    ...text('project'),
    ...text('topic'),
    ...list('connects'),
    ...text('question'),
    ...list('sources'),
    ...text('created'),
    ...text('updated'),
  }
}

function titleLine(title: string): string {
  return `# ${oneLine(title)}`
}
