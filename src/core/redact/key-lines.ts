// Private keys of which the first line, or the first and the last, are missing: lines of base64 in the widths
// that keys are written in.
import { startsWithText } from './encodings.ts'
import { hasClass, isStandardUnit, type SecretRange } from './units.ts'
import { looksGenerated } from './values.ts'

/** PEM and PGP have 64 letters in a line, OpenSSH and SSH2 have 70. */
const widths = [64, 70]

const isLineEnd = (code: number) => code === 10 || code === 13
const plus = 43

/** Nearly all runs are shorter, so a few places are all that is looked at. */
export function mayBeKeyLine(text: string, run: number): boolean {
  for (let at = run + 62; at > run + 20; at -= 9) if (!hasClass(text, at, isStandardUnit)) return false
  return true
}

/** Notes the line at a run, if it has the width of a line of a key. */
export function addKeyLine(text: string, run: number, lines: number[], hits: number[]): void {
  // A diff puts a sign in front of a line, which is also a letter of base64.
  const isPlus = text.charCodeAt(run) === plus
  for (let start = isPlus ? run + 1 : run; start >= run; start--) {
    for (const width of widths) {
      const end = text.charCodeAt(start + width)
      if (end === backslash) hits.push(start) // the text is escaped
      if (!isLineEnd(end) || !isLine(text, start, width)) continue
      lines.push(start)
      return
    }
  }
}

const backslash = 92

/** Random: small letters, capitals and digits. */
function isLine(text: string, start: number, width: number): boolean {
  for (let at = start; at < start + width; at++) if (!hasClass(text, at, isStandardUnit)) return false
  const line = text.slice(start, start + width)
  return /\d/.test(line) && (line.match(/[A-Z]/g)?.length ?? 0) > 8 && /[a-z]/.test(line) && looksGenerated(line)
}

/** Without a last line that says what they are, there are so many lines at least. */
const minLines = 3
const lastLine =
  /(?:\r?\n[ \t+]{0,40}(?:[A-Za-z0-9+/]{1,70}={0,2}|=[A-Za-z0-9+/]{4})(?=\r?\n|$)){0,3}(?:\r?\n[ \t+]{0,40}-{4,5} ?END ([A-Z0-9 ]{2,60}))?/y

/** Keys at the lines that `keyLineAt` found, in order. */
export function cutKeysIn(text: string, lines: readonly number[]): SecretRange[] {
  const found: SecretRange[] = []
  let behind = 0
  for (const start of lines) {
    if (start < behind) continue
    const width = widths.find((one) => isLineEnd(text.charCodeAt(start + one)))!
    let end = start + width
    let count = 1
    for (let next = nextLine(text, end, width); next > 0; next = nextLine(text, end, width)) {
      end = next + width
      count++
    }
    behind = end
    lastLine.lastIndex = end
    const last = lastLine.exec(text)
    const isKey = last?.[1] === undefined ? count >= minLines : last[1].includes('PRIVATE KEY')
    if (!isKey || isOther(text, start)) continue
    const from = startOfLines(text, start, found.at(-1)?.end ?? 0)
    behind = last?.[1] === undefined ? endOfLines(text, end) : lastLine.lastIndex
    found.push({ start: from, end: behind, kind: 'private-key' })
  }
  return found
}

function nextLine(text: string, end: number, width: number): number {
  let at = text.charCodeAt(end) === 13 ? end + 2 : end + 1
  while (' \t+'.includes(text.charAt(at)) && at < end + 40 && !isFullLine(text, at, width)) at++
  return isFullLine(text, at, width) ? at : 0
}

function isFullLine(text: string, at: number, width: number): boolean {
  return (at + width === text.length || isLineEnd(text.charCodeAt(at + width))) && isLine(text, at, width)
}

/** A line of another width: broken, the first that is left, or the last. */
const brokenLine = /^[ \t+]{0,40}([A-Za-z0-9+/]{8,70})={0,2}$/
const maxLineLength = 120

const isBroken = (line: string) => {
  const letters = brokenLine.exec(line)?.[1]
  return (
    letters !== undefined && (/=$/.test(line) || (letters.length >= 12 ? looksGenerated(letters) : /\d/.test(letters)))
  )
}

function startOfLines(text: string, start: number, limit: number): number {
  for (let at = start; ; ) {
    const near = text.slice(Math.max(limit, at - maxLineLength), at).replace(/[ \t+]*$/, '')
    const lines = near.split(/\r?\n/)
    const line = lines.at(-2)
    if (lines.at(-1) !== '' || line === undefined || !isBroken(line)) return at
    at -= text.slice(Math.max(limit, at - maxLineLength), at).length - near.lastIndexOf(line)
    if (at <= limit) return limit
  }
}

function endOfLines(text: string, end: number): number {
  for (let at = end; ; ) {
    const line = /^\r?\n([^\n\r]*)/.exec(text.slice(at, at + maxLineLength))
    if (!line || !isBroken(line[1]!)) return at
    at += line[0].length
  }
}

/** Certificates, messages and signatures say so before; the rest of a text or of a ciphertext begins so. */
function isOther(text: string, start: number): boolean {
  const near = text.slice(Math.max(0, start - 300), start)
  const begin = near.lastIndexOf('BEGIN ')
  if (begin >= 0 && begin > near.lastIndexOf('END ')) return true
  return /Content-Transfer-Encoding/i.test(near) || text.startsWith('U2FsdGVkX1', start) || startsWithText(text, start)
}
