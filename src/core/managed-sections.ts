// Parts of a file that are ours, among what people write: each stands between two comments, and the first says what we wrote in
// it. So whether a person has changed it is told by the file alone.
import { fromByteString, hashOfText, type TextLine } from './lines.ts'

export interface SectionMarkers {
  /** With the hash of the text in the group `hash`. */
  opening: RegExp
  closing: string
}

export interface ManagedSection {
  /** What the opening mark says. */
  mark: RegExpExecArray
  text: string
  hash: string
  /** The lines of its marks; without a closing one, the opening line alone. */
  from: number
  to: number
  isEdited: boolean
}

/** Marks may have space behind them: editors leave it. */
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

/** Whether a line is one of ours that says nothing to people. */
export function isSectionMarker(line: string, { opening, closing }: SectionMarkers): boolean {
  if (!line.startsWith('<!-- ')) return false
  const mark = line.trimEnd()
  return mark === closing || opening.test(mark)
}
