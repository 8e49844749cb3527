// Width of text in a terminal, where East Asian characters and emoji take two columns.

/** Number of columns that the text takes. */
export function displayWidth(text: string): number {
  if (isNarrow.test(text)) return text.length
  let width = 0
  for (const segment of graphemes(text)) width += segmentWidth(segment)
  return width
}

/** As much of the beginning as fits into the width, and an ellipsis if that is not all. */
export function fitWidth(text: string, width: number): string {
  if (displayWidth(text) <= width) return text
  let kept = ''
  let used = 1 // the ellipsis
  for (const segment of graphemes(text)) {
    used += segmentWidth(segment)
    if (used > width) break
    kept += segment
  }
  return `${kept}…`
}

/** Parts of at most the width; a single character may be wider. */
export function splitWidth(text: string, width: number): string[] {
  if (displayWidth(text) <= width) return [text]
  const parts: string[] = []
  let part = ''
  let used = 0
  for (const segment of graphemes(text)) {
    const wide = segmentWidth(segment)
    if (part !== '' && used + wide > width) {
      parts.push(part)
      part = ''
      used = 0
    }
    part += segment
    used += wide
  }
  return [...parts, part]
}

let segmenter: Intl.Segmenter | undefined

/** Characters as people count them. The segmenter takes milliseconds to create, and little text needs it. */
export function graphemes(text: string): Iterable<string> {
  if (isUncombined.test(text)) return text.includes(emojiStyle) ? text.match(/.\ufe0f?/gsu)! : text
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' })
  return Array.from(segmenter.segment(text), ({ segment }) => segment)
}

/** Shows the symbol before it as an emoji, as in ⚠️. */
const emojiStyle = '\ufe0f'

/** Ideographs, syllables, symbols and emoji, of which each is a character of its own. */
const isUncombined =
  /^(?:[\u0020-\u007e\u00a0-\u00ac\u00ae-\u02ff\u2010-\u2027\u2030-\u205e]|(?!\p{Mark})[\u20a0-\u2bff\u3001-\ua4cf\uac00-\ud7a3\uf900-\ufaff\uff01-\uff60\uffe0-\uffe6]\ufe0f?|(?![\u{1f1e6}-\u{1f1ff}\u{1f3fb}-\u{1f3ff}])\p{Emoji_Presentation})*$/u

/** Latin, Greek and Cyrillic letters, punctuation and box drawing: by far most text. */
const isNarrow =
  /^[\u0020-\u007e\u00a0-\u02ff\u0370-\u0482\u048a-\u052f\u2010-\u2027\u2030-\u205e\u2190-\u21ff\u2500-\u259f]*$/
const isWide =
  /^(?:[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|[\u{1b000}-\u{1b2ff}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}|.\ufe0f)/u

function segmentWidth(segment: string): number {
  if (isWide.test(segment)) return 2
  return /^[\p{Mark}\p{Format}]/u.test(segment) ? 0 : 1
}
