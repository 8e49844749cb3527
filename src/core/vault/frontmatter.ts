// Reads and writes the YAML frontmatter of vault files.
// It is written as JSON-compatible YAML, one line per field, so that no value can end it. User
// edits are read with a full YAML parser, which is only loaded then.
import { escapeControlsInJson } from '../../text/control-characters.ts'

export interface FileParts {
  /** Undefined when the file has no frontmatter. */
  front: string | undefined
  body: string
  /** Line number at which the body begins. */
  bodyLine: number
}

/** Undefined for frontmatter without an end. Accepts Windows line ends. */
export function splitFrontmatter(content: string): FileParts | undefined {
  const lines = normaliseNewlines(content.replace(/^\ufeff/, '')).split('\n')
  if (lines[0]?.trimEnd() !== frontmatterFence) return { front: undefined, body: lines.join('\n'), bodyLine: 1 }
  const end = lines.findIndex((line, index) => index > 0 && line.trimEnd() === frontmatterFence)
  if (end < 0) return undefined
  return { front: lines.slice(1, end).join('\n'), body: lines.slice(end + 1).join('\n'), bodyLine: end + 2 }
}

export const frontmatterFence = '---'

/** Normalises line ends and removes NUL characters, which would make the file binary. */
export function normaliseNewlines(text: string): string {
  return text.replace(/\r\n?/g, '\n').replaceAll('\0', '')
}

/** A text as a YAML string on one line, with invisible characters escaped. */
export function yamlString(text: string): string {
  return escapeControlsInJson(JSON.stringify(text))
}

export type ParsedFrontmatter =
  | { kind: 'read'; fields: Record<string, unknown> }
  | { kind: 'bad'; line: number; reason: string }

export async function parseFrontmatter(front: string): Promise<ParsedFrontmatter> {
  // The default export, because a bundle drops named exports of lazily imported CommonJS modules.
  const { parseDocument } = (await import('yaml')).default
  // Aliases are disabled, because a small file could expand to a huge value.
  const document = parseDocument(front, { schema: 'core', prettyErrors: true, uniqueKeys: true })
  const error = document.errors[0]
  if (error) {
    // Line 1 of the file is the fence.
    return { kind: 'bad', line: (error.linePos?.[0].line ?? 1) + 1, reason: error.message.split('\n')[0]! }
  }
  const value: unknown = safely(() => document.toJS({ maxAliasCount: 0 }))
  if (value === null || value === undefined) return { kind: 'read', fields: {} }
  if (typeof value !== 'object' || Array.isArray(value))
    return { kind: 'bad', line: 2, reason: 'The frontmatter is not a list of `name: value` lines' }
  return { kind: 'read', fields: value as Record<string, unknown> }
}

function safely(read: () => unknown): unknown {
  try {
    return read()
  } catch {
    return [] // reported as frontmatter of the wrong shape
  }
}

/**
 * Lines of fields that are not ours, and comments, unchanged: they belong to the user or another
 * program.
 */
export function foreignFieldLines(front: string, own: ReadonlySet<string>): string[] {
  let isForeign = false
  return front.split('\n').filter((line) => {
    const name = /^["']?([^\s#"'-][^:"']*?)["']?[ \t]*:(?:\s|$)/.exec(line)?.[1]
    if (name !== undefined) isForeign = !own.has(name)
    return (isForeign && line.trim() !== '') || line.startsWith('#')
  })
}
