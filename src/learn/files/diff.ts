// What a person has changed in the file of a memory, as the memory that it is now.
import type { Memory } from '../../memory/memory.ts'
import { normaliseText } from './body.ts'
import type { TextRedactor } from './context.ts'
import type { MemoryFileFields } from './parse.ts'
import { isTailLine, type RenderContext, tailOf } from './render.ts'

/** Undefined where the file says what the memory says. Fields that a file cannot change stay as they are. */
export function editedMemory(memory: Memory, said: MemoryFileFields, at: string): Memory | undefined {
  const edited: Partial<Memory> = {}
  if (said.text !== normaliseText(memory.text)) edited.text = said.text
  if (said.why !== cleanOrNull(memory.why)) edited.why = said.why
  if (said.apply !== cleanOrNull(memory.apply)) edited.apply = said.apply
  if (said.type && said.type !== memory.type) edited.type = said.type
  if (said.kind && said.kind !== memory.kind) edited.kind = said.kind
  if (said.status && said.status !== memory.status) edited.status = said.status
  if (said.importance !== undefined && said.importance !== memory.importance) edited.importance = said.importance
  if (memory.doubt && said.doubt === undefined) edited.doubt = null
  if (said.tags && said.tags.join('\n') !== memory.tags.join('\n')) edited.tags = said.tags
  if (Object.keys(edited).length === 0) return undefined
  return {
    ...memory,
    ...edited,
    trust: 'user said',
    confirmedAt: at,
    // What was said earlier and is learned later must not take the place of it.
    ...(edited.text === undefined ? {} : { validFrom: at }),
    version: memory.version + 1,
  }
}

function cleanOrNull(text: string | null): string | null {
  return text === null ? null : normaliseText(text) || null
}

/**
 * People write at the end of a file, which is below our headings: what is not ours there belongs to the text. Where the memory
 * has changed since the file was written, lines of our form are taken for old ones of ours.
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
  // A doubt that came after the file was written is not one that somebody took out of it.
  return { ...said, text, doubt: isCurrent ? said.doubt : (memory.doubt ?? undefined) }
}

/** The border: what a person typed may hold a secret, too. */
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
