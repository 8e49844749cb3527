// Sorts the notes of a file into new, known and changed ones, and splits long notes.
import type { MemoryDraft } from '../../memory/draft.ts'
import { type Memory, maxMemoryLength } from '../../memory/memory.ts'
import type { Ledger } from '../../store/ledger.ts'
import { memoryById } from '../../store/memories/memories.ts'
import { statementSimilarity, statementTerms } from '../../text/statement.ts'
import { truncate } from '../../text/truncate.ts'

export interface SortedNotes {
  fresh: MemoryDraft[]
  /** Same text, but another reason or use. */
  updated: Memory[]
  known: number
  /** Memories of notes that are no longer in the file, and that no other note replaces. */
  gone: Memory[]
}

export function sortNotes(
  ledger: Ledger,
  path: string,
  notes: readonly MemoryDraft[],
  ids: readonly string[],
): SortedNotes {
  const memories = ids.flatMap((id) => memoryById(ledger, id) ?? [])
  const marks = ({ evidence }: Pick<Memory, 'evidence'>) =>
    evidence.filter(({ file }) => file === path).map(({ event }) => event)
  const before = new Set(memories.flatMap(marks))
  const now = new Set(notes.flatMap(marks))
  const fresh = notes.filter((note) => !marks(note).some((mark) => before.has(mark)))
  const gone = memories.filter(
    (memory) => memory.state !== 'forgotten' && !memory.supersededBy && !marks(memory).some((mark) => now.has(mark)),
  )
  return { ...withPlaces(fresh, gone, path), known: notes.length - fresh.length }
}

/** A new note supersedes the most similar one that is gone from the same file. */
function withPlaces(notes: readonly MemoryDraft[], gone: readonly Memory[], path: string): Omit<SortedNotes, 'known'> {
  const left = new Set(gone)
  const isOne = notes.length === 1 && gone.length === 1
  const fresh: MemoryDraft[] = []
  const updated: Memory[] = []
  for (const note of notes) {
    const alike = isOne ? gone[0] : mostSimilar(note, left)
    if (alike) left.delete(alike)
    if (alike && alike.text === note.text && alike.project === note.project)
      updated.push(...updatedBy(note, alike, path))
    else fresh.push(alike ? { ...note, supersedes: alike.id } : note)
  }
  return { fresh, updated, gone: [...left] }
}

function mostSimilar(note: MemoryDraft, memories: Iterable<Memory>): Memory | undefined {
  const mine = statementTerms(note.text)
  return [...memories]
    .map((memory) => ({ memory, share: statementSimilarity(mine, statementTerms(memory.text)) }))
    .filter(({ share }) => share >= 0.3)
    .sort((a, b) => b.share - a.share)[0]?.memory
}

/** A memory that the user stated is not changed by a note. */
function updatedBy({ why, apply, type, evidence }: MemoryDraft, memory: Memory, path: string): Memory[] {
  if (memory.trust === 'user said') return []
  const others = memory.evidence.filter(({ file }) => file !== path)
  return [{ ...memory, why, apply, type, evidence: [...others, ...evidence], version: memory.version + 1 }]
}

/**
 * Splits a note at headings, then paragraphs and bullets, then lines and words. Each piece begins
 * with the subject of the note, so that it can be read alone.
 */
export function splitNote(text: string, headings: readonly string[]): string[] {
  const whole = text.trim()
  if (whole === '') return []
  if (whole.length <= maxMemoryLength) return [whole]
  return sectionsOf(whole).flatMap(({ heading, body }) => {
    const subject = truncate([...headings, heading].filter(Boolean).join(': '), 200)
    const lead = subject ? `${subject}: ` : ''
    return packed(blocksOf(body), maxMemoryLength - lead.length).map((piece) => lead + piece)
  })
}

function sectionsOf(text: string): { heading: string; body: string }[] {
  const sections = [{ heading: '', lines: [] as string[] }]
  for (const line of text.split('\n')) {
    const heading = /^#{1,6}\s+(.*?)\s*#*$/.exec(line)?.[1]
    if (heading === undefined) sections.at(-1)!.lines.push(line)
    else sections.push({ heading, lines: [] })
  }
  return sections
    .map(({ heading, lines }) => ({ heading, body: lines.join('\n').trim() }))
    .filter(({ body }) => body !== '')
}

/** Paragraphs and bullets. */
function blocksOf(body: string): string[] {
  return body
    .split(/\n\s*\n|\n(?=[-*+] |\d+[.)] )/)
    .map((block) => block.trimEnd())
    .filter((block) => block.trim() !== '')
}

/** Joins as many blocks as fit. */
function packed(blocks: readonly string[], max: number): string[] {
  const pieces: string[] = []
  let piece = ''
  for (const block of blocks.flatMap((one) => cut(one, max))) {
    const joined = piece === '' ? block : `${piece}\n${block}`
    if (joined.length > max) pieces.push(piece)
    piece = joined.length > max ? block : joined
  }
  return [...pieces, piece].map((one) => one.trim()).filter(Boolean)
}

function cut(block: string, max: number): string[] {
  const parts: string[] = []
  let rest = block
  while (rest.length > max) {
    const part = truncate(rest, max)
    const at = [part.lastIndexOf('\n'), part.lastIndexOf('. ') + 1, part.lastIndexOf(' ')].find(
      (place) => place > max / 2,
    )
    parts.push(rest.slice(0, at ?? part.length))
    rest = rest.slice(at ?? part.length).trimStart()
  }
  return [...parts, rest]
}
