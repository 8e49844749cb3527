// Private keys of several lines, and spans that a person marked as private.
import type { SecretRange } from './units.ts'

/** A whole key has its last line within this length. */
const maxKeyLength = 20_000

const keyBegin = /-{4,5}[ ]?BEGIN[ A-Z0-9_-]{0,60}PRIVATE KEY(?: BLOCK)?(?: ?-{4,5})?/g
const keyEnd = /-{4,5}[ ]?END[ A-Z0-9_-]{0,60}PRIVATE KEY(?: BLOCK)?(?: ?-{4,5})?/g
const puttyLines = /Private-Lines: \d{1,4}/g

export function privateKeysIn(text: string): SecretRange[] {
  if (text.includes('Private-Lines:')) return [...pemKeysIn(text), ...puttyKeysIn(text)]
  return text.includes('PRIVATE KEY') ? pemKeysIn(text) : []
}

/**
 * From the first line of a key to its last. Of a key that was cut, everything that looks like key
 * material. Each position is visited a fixed number of times, however many keys have no end.
 */
function pemKeysIn(text: string): SecretRange[] {
  const found: SecretRange[] = []
  const ends = text.matchAll(keyEnd)
  let next = ends.next()
  let behind = 0
  const begins = [...text.matchAll(keyBegin)]
  for (const [number, { index, 0: line }] of begins.entries()) {
    if (index < behind) continue
    const from = index + line.length
    while (!next.done && next.value.index < from) next = ends.next()
    const end = next.done ? Number.POSITIVE_INFINITY : next.value.index
    const isLast = end <= (begins[number + 1]?.index ?? text.length)
    const isWhole = isLast && end - from <= maxKeyLength && hasKeyMaterial(text.slice(from, end))
    if (isWhole) behind = end + next.value![0].length
    else {
      behind = Math.min(endOfKeyMaterial(text, from), end)
      if (behind - from < 16) continue // the line is quoted, no key follows
    }
    found.push({ start: index, end: behind, kind: 'private-key' })
  }
  return found
}

function hasKeyMaterial(body: string): boolean {
  return (
    /[A-Za-z0-9+/]{20}/.test(body) || /^(?:\\+[nr]|\s|["'+,\\])*[A-Za-z0-9+/=]+(?:\\+[nr]|\s|["'+,\\])*$/.test(body)
  )
}

function puttyKeysIn(text: string): SecretRange[] {
  const found: SecretRange[] = []
  for (const { index, 0: line } of text.matchAll(puttyLines)) {
    const from = index + line.length
    let end = endOfKeyMaterial(text, from)
    if (end === from) continue
    const mac = /(?:\s|\\+[nr])*Private-MAC:\s*[0-9a-f]*/y
    mac.lastIndex = end
    if (mac.test(text)) end = mac.lastIndex
    if (end > (found.at(-1)?.end ?? 0)) found.push({ start: index, end, kind: 'private-key' })
  }
  return found
}

const minKeyLine = 16

/** Skips lines of base64 with the signs between them: line ends, also escaped, quotes, headers. */
function endOfKeyMaterial(text: string, from: number): number {
  let end = from
  let at = from
  let wasLong = false
  while (at < text.length) {
    const begin = skipBetween(text, at)
    const header = /(?:Proc-Type|DEK-Info|Comment|Version|Hash|MessageID|Charset):[^\n\\]{0,200}/y
    header.lastIndex = begin
    if (header.test(text)) {
      at = header.lastIndex
      continue
    }
    const close = endOfBase64(text, begin)
    const isLine = close - begin >= minKeyLine || (wasLong && close > begin && isLastLine(text, at, begin, close))
    if (!isLine) break
    wasLong = close - begin >= minKeyLine
    end = close
    at = close
    if (!wasLong) break
  }
  return end
}

function skipBetween(text: string, from: number): number {
  let at = from
  for (;;) {
    const code = text.charCodeAt(at)
    if (code === 92 && /[nrt"\\]/.test(text.charAt(at + 1))) at += text.charCodeAt(at + 1) === 92 ? 1 : 2
    else if (code === 10 || code === 13 || code === 32 || code === 9 || code === 34 || code === 39 || code === 44) at++
    else if (code === 43 && /[\s"']/.test(text.charAt(at + 1))) at++
    else return at
  }
}

function endOfBase64(text: string, from: number): number {
  let end = from
  for (;;) {
    const code = text.charCodeAt(end)
    const letter = code | 32
    const isBase64 =
      (letter >= 97 && letter <= 122) || (code >= 48 && code <= 57) || code === 43 || code === 47 || code === 61
    if (!isBase64) return end
    end++
  }
}

/** A short line, which only the last one is. */
function isLastLine(text: string, before: number, begin: number, end: number): boolean {
  if (!/\n|\\n/.test(text.slice(before, begin))) return false
  return end >= text.length || /[\s"'\\]/.test(text.charAt(end))
}

const privateOpen = /<(private|PRIVATE)>/g

/**
 * A tag that is never closed marks the rest, if it stands alone: `List<private>` is a type, and
 * `<private>` in backquotes is about the tag.
 */
export function privateSpansIn(text: string): SecretRange[] {
  if (!text.includes('<private>') && !text.includes('<PRIVATE>')) return []
  const found: SecretRange[] = []
  let behind = 0
  /** Where the search for a closing tag ended without one, by the name of the tag. */
  const isNeverClosed = new Set<string>()
  for (const { index, 0: tag, 1: name } of text.matchAll(privateOpen)) {
    if (index < behind) continue
    const close = isNeverClosed.has(name!) ? -1 : text.indexOf(`</${name}>`, index)
    if (close < 0) isNeverClosed.add(name!)
    if (close < 0 && index > 0 && !/\s/.test(text.charAt(index - 1))) continue
    behind = close < 0 ? text.length : close + tag.length + 1
    found.push({ start: index, end: behind, kind: 'private' })
  }
  return found
}
