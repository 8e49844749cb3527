// Finds managed sections: parts of a user's file that Recollect writes, between two HTML comments.
// The opening comment has the hash of the text, so the file alone shows whether a user has edited
// the section.
import { fromByteString, hashOfText, type TextLine } from './lines.ts'

export interface SectionMarkers {
  /** Has the hash of the text in the group `hash`. */
  opening: RegExp
  closing: string
}

export interface ManagedSection {
  /** Match of the opening marker. */
  mark: RegExpExecArray
  text: string
  hash: string
  /** Line numbers of its markers; without a closing marker both are the opening line. */
  from: number
  to: number
  isEdited: boolean
}

/** Ignores trailing space, which editors add to markers. */
export function managedSections(lines: readonly TextLine[], marks: SectionMarkers): ManagedSection[] {
  const frames: ManagedSection[] = []
  for (let from = 0; from < lines.length; from++) {
    const mark = marks.opening.exec(lines[from]!.text.trimEnd())
    if (!mark) continue
    let to = from + 1
    while (to < lines.length && !isSectionMarker(lines[to]!.text, marks)) to++
    const isClosed = lines[to]?.text.trimEnd() === marks.closing
    if (!isClosed) to = from
    const inside = lines.slice(from + 1, to).map((line) => line.text)
    const text = fromByteString(inside.join('\n')).trim()
    const hash = mark.groups!.hash!
    frames.push({ mark, text, hash, from, to, isEdited: !isClosed || hashOfText(text) !== hash })
    from = to
  }
  return frames
}

/** Whether a line is an opening or closing marker. */
export function isSectionMarker(line: string, { opening, closing }: SectionMarkers): boolean {
  if (!line.startsWith('<!-- ')) return false
  const mark = line.trimEnd()
  return mark === closing || opening.test(mark)
}
