// Reads and writes our sections in files that people edit, too. Markers around a section contain
// the hash of our text: a section with another hash was edited by a person and is kept, a missing
// one was deleted and stays deleted, and text outside of the markers is never changed.

import {
  applyLineChanges,
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

export interface SectionToWrite {
  name: string
  text: string
}

interface WrittenSections {
  content: Buffer
  /**
   * Hashes of all our sections, including those that a person has deleted, so that they stay
   * deleted.
   */
  hashes: Record<string, string>
  /** Sections that a person has edited. */
  edited: string[]
}

interface WriteSectionsOptions {
  /** Order of the sections in the file. */
  order: readonly string[]
  /** Hashes of the sections that were written before. */
  known: Readonly<Record<string, string>>
  /** Overwrite edits, for generated lists. */
  replacesEdited?: boolean
}

/** Writes the given sections and removes our other sections. */
export function writeSections(
  content: Buffer,
  wanted: readonly SectionToWrite[],
  { order, known, replacesEdited = false }: WriteSectionsOptions,
): WrittenSections {
  const source = readByteString(content)
  const lines = splitLines(source)
  const frames = locateSections(lines)
  const changes: LineChange[] = []
  const hashes: Record<string, string> = { ...known }
  const edited: string[] = []
  for (const section of wanted) {
    const frame = frames.find(({ name }) => name === section.name)
    const hash = hashOfSection(section.text)
    // An edit that equals our new text does not count, as when an editor updates links to a renamed
    // file.
    const isEdited = frame?.isEdited && !replacesEdited && hashOfText(frame.text) !== hash
    if (isEdited) edited.push(section.name)
    if (frame ? isEdited : section.name in known) continue
    hashes[section.name] = hash
    if (frame && !frame.isEdited && frame.hash === hash) continue
    changes.push(frame ? replacement(frame, section) : insertion(lines, frames, section, order))
  }
  for (const frame of frames) {
    const isKept = frame.isEdited || wanted.some(({ name }) => name === frame.name)
    if (isKept) continue
    changes.push(removal(lines, frame))
    delete hashes[frame.name]
  }
  return { content: Buffer.from(applyLineChanges(lines, changes, lineEnding(source)), 'latin1'), hashes, edited }
}

/** Removes all our sections that a person has not edited. */
export function withoutSections(content: Buffer): Buffer {
  const source = readByteString(content)
  const lines = splitLines(source)
  const ours = locateSections(lines).filter(({ isEdited }) => !isEdited)
  const changes = ours.map((frame) => removal(lines, frame))
  return Buffer.from(applyLineChanges(lines, changes, lineEnding(source)), 'latin1')
}

export interface ParsedSection {
  name: string
  text: string
  isEdited: boolean
}

export function sectionsIn(content: Buffer): ParsedSection[] {
  return locateSections(splitLines(readByteString(content))).map(({ name, text, isEdited }) => ({
    name,
    text,
    isEdited,
  }))
}

/** Whether a line is a marker of ours. */
export function isSectionMarkerLine(line: string): boolean {
  return isSectionMarker(line, sectionMarkers)
}

const sectionMarkers: SectionMarkers = {
  opening: /^<!-- recollect:section (?<name>[a-z][a-z-]*) (?<hash>[0-9a-f]{12})(?: model)? -->$/,
  closing: '<!-- /recollect:section -->',
}

interface LocatedSection extends ParsedSection, Pick<ManagedSection, 'hash' | 'from' | 'to'> {}

/** If a person has copied a section, the first one is ours. */
function locateSections(lines: readonly TextLine[]): LocatedSection[] {
  const sections = managedSections(lines, sectionMarkers).map(({ mark, ...frame }) => ({
    ...frame,
    name: mark.groups!.name!.replaceAll('-', ' '),
  }))
  return sections.filter(({ name }, at) => sections.findIndex((section) => section.name === name) === at)
}

function replacement(frame: LocatedSection, section: SectionToWrite): LineChange {
  return { at: frame.from, removed: frame.to - frame.from + 1, lines: frameOf(section) }
}

/** Includes the empty line before it. */
function removal(lines: readonly TextLine[], { from, to }: LocatedSection): LineChange {
  const at = from > 0 && lines[from - 1]!.text.trim() === '' ? from - 1 : from
  return { at, removed: to - at + 1, lines: [] }
}

/**
 * Inserts after the preceding section in the order, or before the following one; otherwise at the
 * end.
 */
function insertion(
  lines: readonly TextLine[],
  frames: readonly LocatedSection[],
  section: SectionToWrite,
  order: readonly string[],
): LineChange {
  const place = order.indexOf(section.name)
  const preceding = new Set(order.slice(0, Math.max(0, place)))
  const before = frames.filter(({ name }) => preceding.has(name)).at(-1)
  if (before) return { at: before.to + 1, removed: 0, lines: ['', ...frameOf(section)] }
  const after = frames.find(({ name }) => order.indexOf(name) > place)
  if (after) return { at: after.from, removed: 0, lines: [...frameOf(section), ''] }
  return { at: lines.length, removed: 0, lines: ['', ...frameOf(section)] }
}

function frameOf({ name, text }: SectionToWrite): string[] {
  const mark = `<!-- recollect:section ${name.replaceAll(' ', '-')} ${hashOfSection(text)} -->`
  return [mark, ...toByteString(withoutMarkers(text)).split('\n'), sectionMarkers.closing]
}

export function hashOfSection(text: string): string {
  return hashOfText(withoutMarkers(text))
}

/** Prevents a quoted marker in the text from becoming one. */
function withoutMarkers(text: string): string {
  return text.trim().replace(/<!--(?=\s*\/?recollect:)/g, '<!- -')
}
