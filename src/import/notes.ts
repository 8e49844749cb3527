// Turns notes of other programs into drafts for admission. The key of a note and the hash of its
// content are the event of its evidence: a note that was imported before is recognised by it, also
// from a copy of the file elsewhere, and a changed one supersedes its earlier version.
import { fingerprint } from '../agents/json-values.ts'
import { isoTime } from '../core/clock.ts'
import { splitNote } from '../learn/bridge/notes.ts'
import type { MemoryDraft } from '../memory/draft.ts'
import { memoriesByOriginEvent } from '../store/imported.ts'
import type { Ledger } from '../store/ledger.ts'
import { memoryById } from '../store/memories/memories.ts'
import { truncate } from '../text/truncate.ts'
import type { ImportedNote } from './source.ts'

export interface NoteScope {
  /** Id of the source. */
  source: string
  /** Project for all notes; null if they hold everywhere. */
  project: string | null
  nowMs: number
  redact(text: string): string
}

export interface NoteDrafts {
  drafts: MemoryDraft[]
  /** Notes that were imported before. */
  known: number
}

export function draftNotes(ledger: Ledger, notes: readonly ImportedNote[], scope: NoteScope): NoteDrafts {
  const imported = memoriesByOriginEvent(ledger, scope.source)
  const latest = new Map([...imported].map(([event, id]) => [event.slice(0, event.lastIndexOf(' ')), id]))
  const result: NoteDrafts = { drafts: [], known: 0 }
  for (const note of notes) {
    for (const [index, text] of textsOf(note, scope.redact).entries()) {
      const place = `${scope.source}:${truncate(note.key, 200)}${index === 0 ? '' : `/${index + 1}`}`
      const event = `${place} ${fingerprint(text, note.memoryKind, note.why)}`
      if (imported.has(event)) {
        result.known++
        continue
      }
      const before = memoryById(ledger, latest.get(place) ?? '')
      const isValid = before?.state === 'kept' && before.supersededBy === null
      const draft = draftOf(note, { text, event, isFirst: index === 0 }, scope)
      result.drafts.push(isValid ? { ...draft, supersedes: before.id } : draft)
    }
  }
  return result
}

/** A statement has to be understood without the note around it. */
function textsOf({ subject = '', text }: ImportedNote, redact: (text: string) => string): string[] {
  const said = redact(text.trim())
  const about = redact(subject.trim())
  const isNamed = about === '' || said.toLowerCase().includes(about.toLowerCase())
  return splitNote(said, about === '' ? [] : [about]).map((piece) =>
    isNamed || piece.startsWith(`${about}: `) ? piece : `${about}: ${piece}`,
  )
}

function draftOf(
  note: ImportedNote,
  { text, event, isFirst }: { text: string; event: string; isFirst: boolean },
  { project, nowMs, redact }: NoteScope,
): MemoryDraft {
  const clean = (words: readonly string[], max: number) =>
    [...new Set(words.map((word) => truncate(redact(word), 60)))].slice(0, max)
  return {
    project,
    type: note.type,
    kind: note.memoryKind,
    status: 'settled',
    text,
    why: isFirst && note.why ? truncate(redact(note.why), 1000) : null,
    apply: null,
    because: note.isProposal ? 'rules' : 'import',
    // Behind everything that our own rules propose.
    score: note.isProposal ? 0.05 : null,
    importance: note.importance ?? 0.5,
    tags: clean(note.tags, 12),
    keywords: clean(note.keywords, 20),
    evidence: [{ session: null, event, quote: truncate(text, 300), file: note.file }],
    trust: 'imported',
    at: timeOf(note.at, nowMs),
  }
}

/** Times of other programs may have an offset, and must not be in the future. */
function timeOf(at: string | null, nowMs: number): string {
  const ms = at === null ? Number.NaN : Date.parse(at)
  return isoTime(Number.isNaN(ms) || ms > nowMs ? nowMs : ms)
}
