// Shortens text without splitting a character.
import { removeControls } from './control-characters.ts'

/** The first `max` UTF-16 units; a surrogate pair at the end is left out. */
export function truncate(text: string, max: number): string {
  if (text.length <= max) return text
  const last = text.charCodeAt(max - 1)
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? max - 1 : max)
}

/** The last `max` UTF-16 units, likewise. */
export function truncateStart(text: string, max: number): string {
  if (text.length <= max) return text
  return max <= 0 ? '' : text.slice(-max).replace(/^[\udc00-\udfff]/, '')
}

/** Both ends of a text with `gap` between them; the gap counts. */
export function truncateMiddle(text: string, max: number, gap = '\n[...]\n'): string {
  if (text.length <= max) return text
  const half = Math.max(0, Math.floor((max - gap.length) / 2))
  return `${truncate(text, half)}${gap}${truncateStart(text, half)}`
}

/** Text from elsewhere on one line, without control characters and direction marks. */
export function oneLine(text: string): string {
  return removeControls(text.replace(/[\s\u2028\u2029\u0085]+/g, ' '))
    .replace(/ {2,}/g, ' ')
    .trim()
}

/** At most `max` units with an ellipsis, cut at a word where there is one in the second half. */
export function ellipsize(line: string, max: number): string {
  if (line.length <= max) return line
  const cut = truncate(line, max - 1)
  const space = cut.lastIndexOf(' ')
  return `${(space > max / 2 ? cut.slice(0, space) : cut).trimEnd()}…`
}

/** The same, cut at the end of a sentence if that leaves more than half. */
export function ellipsizeSentence(line: string, max: number): string {
  if (line.length <= max) return line
  const sentence = /^.*[.!?](?=\s)/.exec(truncate(line, max))?.[0]
  return sentence && sentence.length > max / 2 ? sentence : ellipsize(line, max)
}

export function shortLine(text: string, max: number): string {
  return ellipsize(oneLine(text), max)
}
