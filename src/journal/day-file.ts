// Reads and writes the entries in a journal file that people edit, too. Text outside of our markers
// stays unchanged byte for byte, and an entry that a person has edited is not overwritten. The
// marker contains the hash of our text, so that edits are detected without the ledger.

import {
  applyLineChanges,
  fromByteString,
  hashOfText,
  type LineChange,
  lineEnding,
  readByteString,
  splitLines,
  type TextLine,
  toByteString,
} from '../core/vault/lines.ts'
import {
  isSectionMarker,
  type ManagedSection,
  managedSections,
  type SectionMarkers,
} from '../core/vault/managed-sections.ts'
import { closedFences } from '../text/markdown.ts'

/** An entry to write into the file. */
export interface EntryToWrite {
  session: string
  /** ISO time; entries are ordered by it. */
  start: string
  /** It was written before: if it is missing, a person has deleted it. */
  isKnown: boolean
  /** Receives the current text if it is ours. */
  text(existing: string | undefined): string
}

/** Result of writing an entry; `edited` and `deleted` by a person are left alone. */
export type EntryResult = { kind: 'written' | 'same'; hash: string } | { kind: 'edited' | 'deleted' }

export interface DayEntry {
  session: string
  start: string
  text: string
  isEdited: boolean
}

/** Writes entries into the content of a journal file; `content` is undefined for a new file. */
export function writeEntries(
  content: Buffer | undefined,
  day: string,
  wanted: readonly EntryToWrite[],
  totals = '',
): { content: Buffer; placed: Map<string, EntryResult> } {
  const source = content && content.length > 0 ? readByteString(content) : newDay(day, totals)
  const lines = splitLines(source)
  const frames = locateEntries(lines)
  // If a person has copied an entry, the first one is ours.
  const known = new Map(frames.toReversed().map((frame) => [frame.session, frame]))
  const placed = new Map<string, EntryResult>()
  const changes: LineChange[] = []
  const added: EntryFrame[] = []
  for (const one of wanted) {
    const frame = known.get(one.session)
    if (frame?.isEdited || (!frame && one.isKnown)) {
      placed.set(one.session, { kind: frame ? 'edited' : 'deleted' })
      continue
    }
    const text = one.text(frame?.text)
    const framed = { session: one.session, start: frame?.start ?? one.start, text, hash: hashOfText(text) }
    const isSame = frame?.hash === framed.hash
    placed.set(one.session, { kind: isSame ? 'same' : 'written', hash: framed.hash })
    if (!frame) added.push(framed)
    else if (!isSame) changes.push({ at: frame.from, removed: frame.to - frame.from + 1, lines: frameOf(framed) })
  }
  changes.push(...insertions(lines, frames, added), ...changedTotals(lines, totals))
  return { content: Buffer.from(applyLineChanges(lines, changes, lineEnding(source)), 'latin1'), placed }
}

/** An entry with its marker, as it is in the file. */
export interface EntryFrame {
  session: string
  start: string
  text: string
  hash: string
}

/** Removes the entries of these sessions, with the edits of people in them. */
export function removeEntries(
  content: Buffer,
  sessions: ReadonlySet<string>,
): { content: Buffer; removed: EntryFrame[] } {
  const source = readByteString(content)
  const lines = splitLines(source)
  const frames = locateEntries(lines).filter(({ session }) => sessions.has(session))
  const changes = frames.map(({ from, to }) => {
    const isBlankBehind = lines[to + 1]?.text.trim() === ''
    return { at: from, removed: to - from + (isBlankBehind ? 2 : 1), lines: [] }
  })
  return {
    content: Buffer.from(applyLineChanges(lines, changes, lineEnding(source)), 'latin1'),
    removed: frames.map(({ session, start, text, hash }) => ({ session, start, text, hash })),
  }
}

/** Adds entries as they were, except those that are there. */
export function restoreEntries(content: Buffer | undefined, day: string, entries: readonly EntryFrame[]): Buffer {
  const source = content && content.length > 0 ? readByteString(content) : newDay(day)
  const lines = splitLines(source)
  const frames = locateEntries(lines)
  const known = new Set(frames.map(({ session }) => session))
  const missing = entries.filter(({ session }) => !known.has(session))
  return Buffer.from(applyLineChanges(lines, insertions(lines, frames, missing), lineEnding(source)), 'latin1')
}

/** Replaces the totals of the day, where Recollect wrote them. */
export function replaceTotals(content: Buffer, totals: string): Buffer {
  const source = readByteString(content)
  const lines = splitLines(source)
  return Buffer.from(applyLineChanges(lines, changedTotals(lines, totals), lineEnding(source)), 'latin1')
}

/** The file without the totals of the day, which change with every session: what is told stays the same. */
export function withoutTotals(content: Buffer): Buffer {
  const source = readByteString(content)
  const lines = splitLines(source)
  const changes = managedSections(lines, totalsMarkers)
    .filter(({ isEdited }) => !isEdited)
    .map(({ from, to }) => ({ at: from, removed: to - from + 2, lines: [] }))
  if (changes.length === 0) return content
  return Buffer.from(applyLineChanges(lines, changes, lineEnding(source)), 'latin1')
}

/** Text of another program's journal, in a section of its own so that it can be removed again. */
export interface ImportedSection {
  /** Id of the source. */
  source: string
  text: string
}

/**
 * Adds the section at the end of the file, or replaces the one of the same source. `edited`: a person
 * has changed it, and it stays as it is.
 */
export function putImportedSection(
  content: Buffer | undefined,
  day: string,
  { source, text }: ImportedSection,
): { kind: 'written'; content: Buffer; hash: string } | { kind: 'same' | 'edited' } {
  const old = content && content.length > 0 ? readByteString(content) : newDay(day)
  const lines = splitLines(old)
  const hash = hashOfText(text)
  const found = importedSections(lines).find((section) => section.mark.groups!.source === source)
  if (found?.isEdited) return { kind: 'edited' }
  if (found?.hash === hash) return { kind: 'same' }
  const opening = `<!-- recollect:imported ${source} ${hash} -->`
  const framed = [opening, ...toByteString(text).split('\n'), importedMarkers.closing]
  const change = found
    ? { at: found.from, removed: found.to - found.from + 1, lines: framed }
    : { at: lines.length, removed: 0, lines: ['', ...framed] }
  return { kind: 'written', hash, content: Buffer.from(applyLineChanges(lines, [change], lineEnding(old)), 'latin1') }
}

/** Undefined if there is no such section, or a person has changed it. */
export function removeImportedSection(content: Buffer, hash: string): Buffer | undefined {
  const source = readByteString(content)
  const lines = splitLines(source)
  const found = importedSections(lines).find((section) => section.hash === hash && !section.isEdited)
  if (!found) return undefined
  const isBlankBefore = lines[found.from - 1]?.text.trim() === ''
  const at = isBlankBefore ? found.from - 1 : found.from
  const changes = [{ at, removed: found.to - at + 1, lines: [] }]
  return Buffer.from(applyLineChanges(lines, changes, lineEnding(source)), 'latin1')
}

function importedSections(lines: readonly TextLine[]): ManagedSection[] {
  return managedSections(lines, importedMarkers)
}

/** Wraps entries in the text of an exported day into their markers again. */
export function dayWithEntries(text: string, entries: readonly DayEntry[]): Buffer {
  let rest = text
  let content = ''
  for (const entry of entries) {
    const at = rest.indexOf(entry.text)
    if (at < 0) continue
    // Any other hash says that a person has edited it.
    const hash = entry.isEdited ? '0'.repeat(12) : hashOfText(entry.text)
    content += `${rest.slice(0, at)}${fromByteString(frameOf({ ...entry, hash }).join('\n'))}`
    rest = rest.slice(at + entry.text.length)
  }
  return Buffer.from(`${(content + rest).trimEnd()}\n`)
}

/** Whether the file has nothing but the headings that Recollect writes. */
export function isEmptyDay(content: Buffer): boolean {
  return entriesIn(content).length === 0 && textOutside(content) === ''
}

export function entriesIn(content: Buffer): DayEntry[] {
  return locateEntries(splitLines(readByteString(content))).map(({ session, start, text, isEdited }) => ({
    session,
    start,
    text,
    isEdited,
  }))
}

/** Text that people wrote outside of entries, without the two standard headings. */
export function textOutside(content: Buffer): string {
  const lines = splitLines(readByteString(content))
  const frames = locateEntries(lines)
  const ours = [...frames, ...managedSections(lines, totalsMarkers)]
  const isOurs = (at: number) => ours.some(({ from, to }) => at >= from && at <= to)
  const isHeading = (text: string) =>
    text === heading || dayHeading.test(text) || isSectionMarker(text, importedMarkers)
  const own = lines.filter(({ text }, at) => !isOurs(at) && !isHeading(text))
  return fromByteString(own.map(({ text }) => text).join('\n')).trim()
}

/** Whether a line begins or ends an entry. */
export function isEntryMarker(line: string): boolean {
  return isSectionMarker(line, entryMarkers)
}

/** Whether a line is a marker of ours, which people do not want to read. */
export function isDayMarker(line: string): boolean {
  return isEntryMarker(line) || isSectionMarker(line, totalsMarkers) || isSectionMarker(line, importedMarkers)
}

const entryMarkers: SectionMarkers = {
  opening: /^<!-- recollect:entry (?<session>\S+) (?<start>\d{4}-\d\d-\d\dT[\d:.]+Z) (?<hash>[0-9a-f]{12}) -->$/,
  closing: '<!-- /recollect:entry -->',
}

/** The line with the totals of the day. A person who edits or deletes it keeps it so. */
const totalsMarkers: SectionMarkers = {
  opening: /^<!-- recollect:totals (?<hash>[0-9a-f]{12}) -->$/,
  closing: '<!-- /recollect:totals -->',
}

const importedMarkers: SectionMarkers = {
  opening: /^<!-- recollect:imported (?<source>[a-z][a-z-]*) (?<hash>[0-9a-f]{12}) -->$/,
  closing: '<!-- /recollect:imported -->',
}

interface LocatedEntry extends EntryFrame, Pick<ManagedSection, 'from' | 'to' | 'isEdited'> {}

const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']
const heading = '## Sessions'
const dayHeading = /^# [A-Z][a-z]+day, \d{4}-\d\d-\d\d$/

function newDay(day: string, totals = ''): string {
  const title = `# ${weekdays[new Date(`${day}T00:00:00Z`).getUTCDay()]}, ${day}`
  const parts = totals === '' ? [title, heading] : [title, totalsFrame(totals).join('\n'), heading]
  return `${parts.join('\n\n')}\n`
}

function totalsFrame(totals: string): string[] {
  const text = `_${toByteString(totals)}_`
  return [`<!-- recollect:totals ${hashOfText(`_${totals}_`)} -->`, text, totalsMarkers.closing]
}

/** Only where the line is: it is not added to a file that a person began. */
function changedTotals(lines: readonly TextLine[], totals: string): LineChange[] {
  const [found] = managedSections(lines, totalsMarkers)
  if (totals === '' || !found || found.isEdited || found.text === `_${totals}_`) return []
  return [{ at: found.from, removed: found.to - found.from + 1, lines: totalsFrame(totals) }]
}

function locateEntries(lines: readonly TextLine[]): LocatedEntry[] {
  return managedSections(lines, entryMarkers).map(({ mark, ...frame }) => ({
    ...frame,
    session: decode(mark.groups!.session!),
    start: mark.groups!.start!,
  }))
}

/**
 * Inserts entries in the order of their start; text that a person wrote after an entry stays after
 * it.
 */
function insertions(
  lines: readonly TextLine[],
  frames: readonly LocatedEntry[],
  added: readonly EntryFrame[],
): LineChange[] {
  if (added.length === 0) return []
  const section = findSessionsSection(lines, frames)
  const around = section ? frames.filter(({ from }) => from > section.from && from < section.to) : frames
  const last = around.at(-1)
  const end = last ? last.to + 1 : section ? section.from + 1 : lines.length
  const hasTextBehind = end < lines.length && lines[end]!.text.trim() !== ''
  const changes: LineChange[] = []
  if (!section && !last) changes.push({ at: end, removed: 0, lines: ['', heading] })
  const ordered = added.toSorted(byStart)
  for (const entry of ordered) {
    const next = around.find((frame) => byStart(frame, entry) > 0)
    changes.push(
      next
        ? { at: next.from, removed: 0, lines: [...frameOf(entry), ''] }
        : { at: end, removed: 0, lines: ['', ...frameOf(entry)] },
    )
  }
  if (hasTextBehind && changes.some(({ at }) => at === end)) changes.push({ at: end, removed: 0, lines: [''] })
  return changes
}

/** The lines of the section `## Sessions`; ignores headings in code and in entries. */
function findSessionsSection(
  lines: readonly TextLine[],
  frames: readonly LocatedEntry[],
): { from: number; to: number } | undefined {
  const isCode = closedFences(lines.map(({ text }) => text))
  const isOurs = (at: number) => frames.some(({ from, to }) => at >= from && at <= to)
  const isHeading = (at: number, pattern: RegExp) => pattern.test(lines[at]!.text) && !isCode[at] && !isOurs(at)
  const from = lines.findIndex((_, at) => isHeading(at, /^##[ \t]+Sessions[ \t]*#*[ \t]*$/i))
  if (from < 0) return undefined
  const to = lines.findIndex((_, at) => at > from && isHeading(at, /^##?[ \t]/))
  return { from, to: to < 0 ? lines.length : to }
}

function byStart(a: EntryFrame, b: EntryFrame): number {
  return Date.parse(a.start) - Date.parse(b.start) || (a.session < b.session ? -1 : 1)
}

function frameOf({ session, start, text, hash }: EntryFrame): string[] {
  const lines = toByteString(text).split('\n')
  return [`<!-- recollect:entry ${encode(session)} ${start} ${hash} -->`, ...lines, entryMarkers.closing]
}

/** A marker must not contain spaces or anything that ends a comment; ids may contain both. */
function encode(session: string): string {
  return encodeURIComponent(session).replace(/%3A/g, ':').replace(/%2F/g, '/').replace(/%40/g, '@')
}

function decode(session: string): string {
  try {
    return decodeURIComponent(session)
  } catch {
    return session
  }
}
