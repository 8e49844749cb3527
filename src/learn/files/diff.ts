// Compares an edited file with its memory.
import { memoryFieldEntries } from '../../memory/fields.ts'
import type { Memory } from '../../memory/memory.ts'
import { type MemoryEdits, withEdits } from '../review/edit-memory.ts'
import { normaliseText } from './body.ts'
import type { TextRedactor } from './context.ts'
import type { MemoryFileFields } from './parse.ts'
import { isTailLine, type RenderContext, tailOf } from './render.ts'

/** What a person has changed in a file. Fields that a file cannot change are left out. */
export function editsOf(memory: Memory, said: MemoryFileFields): MemoryEdits {
  return {
    ...(said.text === normaliseText(memory.text) ? {} : { text: said.text }),
    ...(said.why === cleanOrNull(memory.why) ? {} : { why: said.why }),
    ...(said.apply === cleanOrNull(memory.apply) ? {} : { apply: said.apply }),
    ...(memory.doubt && said.doubt === undefined ? { doubt: null } : {}),
    ...editedFields(memory, said),
  }
}

/** Undefined if nothing differs. */
export function editedMemory(memory: Memory, said: MemoryFileFields, at: string): Memory | undefined {
  const edits = editsOf(memory, said)
  return Object.keys(edits).length === 0 ? undefined : withEdits(memory, edits, at)
}

/** Frontmatter fields that a person can edit and has changed. */
function editedFields(memory: Memory, said: MemoryFileFields): Partial<Memory> {
  const given: Record<string, unknown> = { ...said }
  const before: Record<string, unknown> = { ...memory }
  const changed = memoryFieldEntries
    .filter(([, { frontmatter }]) => frontmatter?.isEditable)
    .filter(([name]) => given[name] !== undefined && JSON.stringify(given[name]) !== JSON.stringify(before[name]))
  return Object.fromEntries(changed.map(([name]) => [name, given[name]]))
}

function cleanOrNull(text: string | null): string | null {
  return text === null ? null : normaliseText(text) || null
}

/**
 * People write at the end of a file, below our headings: lines there that are not ours are added to
 * the text. If the memory has changed since the file was written, lines of our format count as
 * outdated ones of ours.
 */
export function withUserLines(
  said: MemoryFileFields,
  memory: Memory,
  around: RenderContext,
  isCurrent: boolean,
): MemoryFileFields {
  const ours = new Set(tailOf(memory, around).map((line) => line.trim()))
  const own = said.tail.filter((line) => !ours.has(line.trim()) && !(isTailLine(line) && !isCurrent))
  const text = own.some((line) => line.trim() !== '') ? normaliseText(`${said.text}\n\n${own.join('\n')}`) : said.text
  // A doubt that is newer than the file was not removed by the person.
  return { ...said, text, doubt: isCurrent ? said.doubt : (memory.doubt ?? undefined) }
}

/** A person may type a secret, too. */
export function redactFields(
  said: MemoryFileFields,
  redact: TextRedactor,
): { said: MemoryFileFields; counts: Record<string, number> } {
  const tags = said.tags ?? []
  const { texts, counts } = redact([said.text, said.why ?? '', said.apply ?? '', ...tags])
  const [text, why, apply, ...rest] = texts
  return {
    said: {
      ...said,
      text: text!,
      why: said.why === null ? null : why!,
      apply: said.apply === null ? null : apply!,
      tags: said.tags && rest,
    },
    counts,
  }
}
