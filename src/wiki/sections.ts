// The sections of ours in a file that people write in, too. Each stands in a frame that says what we wrote in it: a frame whose
// text has changed is a person's, one that is gone was deleted by a person, and what stands outside of frames is never touched.

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
  /** What a model wrote is replaced and removed only by what a model wrote. */
  isByModel?: boolean
}

export interface WrittenSections {
  content: Buffer
  /** The hash of every section of ours, also of those that a person has deleted: so they stay deleted. */
  hashes: Record<string, string>
  /** Sections that a person has made theirs. */
  edited: string[]
}

export interface WriteSectionsOptions {
  /** How sections stand. */
  order: readonly string[]
  /** The hashes of those that were written before. */
  known: Readonly<Record<string, string>>
  /** For a section that is a list of other files: editing it makes it nobody's. */
  replacesEdited?: boolean
}

/** Sections of ours that are not wanted any more are taken out. */
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
    // Who edits it into what we would write has left it ours: so does an editor that follows a renamed file.
    const isTheirs = frame?.isEdited && !replacesEdited && hashOfText(frame.text) !== hash
    if (isTheirs) edited.push(section.name)
    if (frame ? isTheirs : section.name in known) continue
    if (frame?.isByModel && !section.isByModel) continue
    hashes[section.name] = hash
    if (frame && !frame.isEdited && frame.hash === hash && frame.isByModel === Boolean(section.isByModel)) continue
    changes.push(frame ? replacement(frame, section) : insertion(lines, frames, section, order))
  }
  const isByModel = wanted.some((section) => section.isByModel)
  for (const frame of frames) {
    const isKept = frame.isEdited || frame.isByModel !== isByModel || wanted.some(({ name }) => name === frame.name)
    if (isKept) continue
    changes.push(removal(lines, frame))
    delete hashes[frame.name]
  }
  return { content: Buffer.from(applyLineChanges(lines, changes, lineEnding(source)), 'latin1'), hashes, edited }
}

/** Without any section of ours, by rules or by a model: what is left is a person's. */
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
  isByModel: boolean
}

export function sectionsIn(content: Buffer): ParsedSection[] {
  return locateSections(splitLines(readByteString(content))).map(({ name, text, isEdited, isByModel }) => ({
    name,
    text,
    isEdited,
    isByModel,
  }))
}

/** Whether a line says nothing to people. */
export function isSectionMarkerLine(line: string): boolean {
  return isSectionMarker(line, sectionMarkers)
}

const sectionMarkers: SectionMarkers = {
  opening: /^<!-- recollect:section (?<name>[a-z][a-z-]*) (?<hash>[0-9a-f]{12})(?<model> model)? -->$/,
  closing: '<!-- /recollect:section -->',
}

interface LocatedSection extends ParsedSection, Pick<ManagedSection, 'hash' | 'from' | 'to'> {}

/** Of a section that a person has copied, the first is ours. */
function locateSections(lines: readonly TextLine[]): LocatedSection[] {
  const sections = managedSections(lines, sectionMarkers).map(({ mark, ...frame }) => ({
    ...frame,
    name: mark.groups!.name!.replaceAll('-', ' '),
    isByModel: mark.groups!.model !== undefined,
  }))
  return sections.filter(({ name }, at) => sections.findIndex((section) => section.name === name) === at)
}

function replacement(frame: LocatedSection, section: SectionToWrite): LineChange {
  return { at: frame.from, removed: frame.to - frame.from + 1, lines: frameOf(section) }
}

/** With the empty line before it. */
function removal(lines: readonly TextLine[], { from, to }: LocatedSection): LineChange {
  const at = from > 0 && lines[from - 1]!.text.trim() === '' ? from - 1 : from
  return { at, removed: to - at + 1, lines: [] }
}

/** Behind the section that it follows in the order, or before the first that follows it; else at the end. */
function insertion(
  lines: readonly TextLine[],
  frames: readonly LocatedSection[],
  section: SectionToWrite,
  order: readonly string[],
): LineChange {
  const place = order.indexOf(section.name)
  const before = frames.filter(({ name }) => order.indexOf(name) < place).at(-1)
  if (before) return { at: before.to + 1, removed: 0, lines: ['', ...frameOf(section)] }
  const after = frames.find(({ name }) => order.indexOf(name) > place)
  if (after) return { at: after.from, removed: 0, lines: [...frameOf(section), ''] }
  return { at: lines.length, removed: 0, lines: ['', ...frameOf(section)] }
}

function frameOf({ name, text, isByModel }: SectionToWrite): string[] {
  const mark = `<!-- recollect:section ${name.replaceAll(' ', '-')} ${hashOfSection(text)}${isByModel ? ' model' : ''} -->`
  return [mark, ...toByteString(withoutMarkers(text)).split('\n'), sectionMarkers.closing]
}

export function hashOfSection(text: string): string {
  return hashOfText(withoutMarkers(text))
}

/** A text that quotes one of our marks must not become one. */
function withoutMarkers(text: string): string {
  return text.trim().replace(/<!--(?=\s*\/?recollect:)/g, '<!- -')
}
