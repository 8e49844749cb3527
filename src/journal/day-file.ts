// A day of the journal as a file that people write in, too: what stands outside of our frames stays byte for byte, and a frame
// whose text a person has changed is theirs. So a frame says itself what we wrote in it, and no ledger is needed to tell.

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
} from '../core/lines.ts'
import { isSectionMarker, type ManagedSection, managedSections, type SectionMarkers } from '../core/managed-sections.ts'
import { closedFences } from '../text/markdown.ts'

/** An entry that is to stand in the file. */
export interface Wanted {
  session: string
  /** ISO time: entries stand in this order. */
  start: string
  /** It was written before: if it is gone, a person has deleted it. */
  isKnown: boolean
  /** Made from what stands there, if that is still ours. */
  text(existing: string | undefined): string
}

/** What became of it: in the file as it should be, newly or already; or a person's, and left alone. */
export type Placed = { kind: 'written' | 'same'; hash: string } | { kind: 'edited' | 'deleted' }

export interface DayEntry {
  session: string
  start: string
  text: string
  isEdited: boolean
}

/** Entries into the content of a day's file; undefined where there is none yet. */
export function putEntries(
  content: Buffer | undefined,
  day: string,
  wanted: readonly Wanted[],
): { content: Buffer; placed: Map<string, Placed> } {
  const source = content && content.length > 0 ? readByteString(content) : newDay(day)
  const lines = splitLines(source)
  const frames = entriesAmong(lines)
  // Of an entry that a person has copied, the first is ours.
  const known = new Map(frames.toReversed().map((frame) => [frame.session, frame]))
  const placed = new Map<string, Placed>()
  const changes: LineChange[] = []
  const added: Framed[] = []
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
  const result = applyLineChanges(lines, [...changes, ...insertions(lines, frames, added)], lineEnding(source))
  return { content: Buffer.from(result, 'latin1'), placed }
}

export function entriesIn(content: Buffer): DayEntry[] {
  return entriesAmong(splitLines(readByteString(content))).map(({ session, start, text, isEdited }) => ({
    session,
    start,
    text,
    isEdited,
  }))
}

/** What people wrote besides entries; without the two headings that every day has. */
export function textOutside(content: Buffer): string {
  const lines = splitLines(readByteString(content))
  const frames = entriesAmong(lines)
  const isOurs = (at: number) => frames.some(({ from, to }) => at >= from && at <= to)
  const own = lines.filter(({ text }, at) => !isOurs(at) && text !== heading && !dayHeading.test(text))
  return fromByteString(own.map(({ text }) => text).join('\n')).trim()
}

/** Whether a line is one of ours that says nothing to people. */
export function isFrameLine(line: string): boolean {
  return isSectionMarker(line, marks)
}

const marks: SectionMarkers = {
  opening: /^<!-- recollect:entry (?<session>\S+) (?<start>\d{4}-\d\d-\d\dT[\d:.]+Z) (?<hash>[0-9a-f]{12}) -->$/,
  closing: '<!-- /recollect:entry -->',
}

interface Framed {
  session: string
  start: string
  text: string
  hash: string
}

interface Entry extends Framed, Pick<ManagedSection, 'from' | 'to' | 'isEdited'> {}

const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']
const heading = '## Sessions'
const dayHeading = /^# [A-Z][a-z]+day, \d{4}-\d\d-\d\d$/

function newDay(day: string): string {
  return `# ${weekdays[new Date(`${day}T00:00:00Z`).getUTCDay()]}, ${day}\n\n${heading}\n`
}

function entriesAmong(lines: readonly TextLine[]): Entry[] {
  return managedSections(lines, marks).map(({ mark, ...frame }) => ({
    ...frame,
    session: decode(mark.groups!.session!),
    start: mark.groups!.start!,
  }))
}

/** In the order of their start among the entries of the section; what a person wrote after an entry stays behind it. */
function insertions(lines: readonly TextLine[], frames: readonly Entry[], added: readonly Framed[]): LineChange[] {
  if (added.length === 0) return []
  const section = sectionIn(lines, frames)
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

/** The lines of `## Sessions`, outside of code and of entries. */
function sectionIn(lines: readonly TextLine[], frames: readonly Entry[]): { from: number; to: number } | undefined {
  const isCode = closedFences(lines.map(({ text }) => text))
  const isOurs = (at: number) => frames.some(({ from, to }) => at >= from && at <= to)
  const isHeading = (at: number, pattern: RegExp) => pattern.test(lines[at]!.text) && !isCode[at] && !isOurs(at)
  const from = lines.findIndex((_, at) => isHeading(at, /^##[ \t]+Sessions[ \t]*#*[ \t]*$/i))
  if (from < 0) return undefined
  const to = lines.findIndex((_, at) => at > from && isHeading(at, /^##?[ \t]/))
  return { from, to: to < 0 ? lines.length : to }
}

function byStart(a: Framed, b: Framed): number {
  return Date.parse(a.start) - Date.parse(b.start) || (a.session < b.session ? -1 : 1)
}

function frameOf({ session, start, text, hash }: Framed): string[] {
  const lines = toByteString(text).split('\n')
  return [`<!-- recollect:entry ${encode(session)} ${start} ${hash} -->`, ...lines, marks.closing]
}

/** Ids may hold anything; a sentinel holds no space and nothing that ends a comment. */
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
