// The head of a file in the vault. It is written as the part of YAML that is also JSON, one line per field, so that no text can end
// it; what a person has made of it is read by a real YAML parser, and only then is that loaded.

export interface FileParts {
  /** Undefined where the file has no head. */
  front: string | undefined
  body: string
  /** The line that the body begins on. */
  bodyLine: number
}

/** Undefined where a head begins and does not end. Windows line ends are taken as ours. */
export function splitFrontmatter(content: string): FileParts | undefined {
  const lines = normaliseNewlines(content.replace(/^\ufeff/, '')).split('\n')
  if (lines[0]?.trimEnd() !== frontmatterFence) return { front: undefined, body: lines.join('\n'), bodyLine: 1 }
  const end = lines.findIndex((line, index) => index > 0 && line.trimEnd() === frontmatterFence)
  if (end < 0) return undefined
  return { front: lines.slice(1, end).join('\n'), body: lines.slice(end + 1).join('\n'), bodyLine: end + 2 }
}

export const frontmatterFence = '---'

/** Line ends of one kind, and no signs that make a file a binary one. */
export function normaliseNewlines(text: string): string {
  return text.replace(/\r\n?/g, '\n').replaceAll('\0', '')
}

/** A text as a YAML scalar that stays on its line. */
export function yamlString(text: string): string {
  return JSON.stringify(text).replace(
    /[\x7f-\x9f\u2028\u2029\ufeff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

export type ParsedFrontmatter =
  | { kind: 'read'; fields: Record<string, unknown> }
  | { kind: 'bad'; line: number; reason: string }

export async function parseFrontmatter(front: string): Promise<ParsedFrontmatter> {
  const { parseDocument } = await import('./yaml.ts')
  // Without aliases: a small file could otherwise stand for a huge value.
  const document = parseDocument(front, { schema: 'core', prettyErrors: true, uniqueKeys: true })
  const error = document.errors[0]
  if (error) {
    // The first line of the file is the fence.
    return { kind: 'bad', line: (error.linePos?.[0].line ?? 1) + 1, reason: error.message.split('\n')[0]! }
  }
  const value: unknown = safely(() => document.toJS({ maxAliasCount: 0 }))
  if (value === null || value === undefined) return { kind: 'read', fields: {} }
  if (typeof value !== 'object' || Array.isArray(value))
    return { kind: 'bad', line: 2, reason: 'The head is no list of `name: value` lines' }
  return { kind: 'read', fields: value as Record<string, unknown> }
}

function safely(read: () => unknown): unknown {
  try {
    return read()
  } catch {
    return [] // told as a head of the wrong shape
  }
}

/** Lines of a head under names that are not ours, and comments, as they are: another program's, or the person's own. */
export function foreignFieldLines(front: string, own: ReadonlySet<string>): string[] {
  let isForeign = false
  return front.split('\n').filter((line) => {
    const name = /^["']?([^\s#"'-][^:"']*?)["']?[ \t]*:(?:\s|$)/.exec(line)?.[1]
    if (name !== undefined) isForeign = !own.has(name)
    return (isForeign && line.trim() !== '') || line.startsWith('#')
  })
}
