// Matches a token by its rule, also where it continues on the next line.
import type { TokenRule } from './tokens.ts'
import { endOf, hasClass, isAlphanumericUnit, isEncodedUnit, isNameUnit, type SecretRange, startOf } from './units.ts'
import { looksGenerated, looksLikeWords } from './values.ts'

/** The token whose marker is at `at`. */
export function tokenAt(text: string, at: number, rule: TokenRule): SecretRange | undefined {
  const start = tokenStart(text, at, rule)
  if (start === undefined) return undefined
  rule.pattern.lastIndex = at
  const match = rule.pattern.exec(text)
  if (!match) return splitTokenAt(text, start, at, rule)
  if (!isLikely(match[0], rule)) return undefined
  let end = rule.pattern.lastIndex
  if (text.charCodeAt(end - 1) === dot)
    end-- // of the sentence
  else end = endOfToken(text, end, rule)
  return { start, end, kind: rule.kind }
}

const dot = 46

function tokenStart(text: string, at: number, { border, before, isChecked }: TokenRule): number | undefined {
  if (isChecked && at - startOf(text, at, isEncodedUnit, maxBefore) >= maxBefore / 2) return undefined
  if (border === 'word' && hasClass(text, at - 1, isAlphanumericUnit)) return undefined
  if (border === 'blob' && at - startOf(text, at, isEncodedUnit, maxBefore) === maxBefore) return undefined
  if (!before) return at
  let start = at
  while (start > 0 && at - start < before.max && before.set.test(text.charAt(start - 1))) start--
  if (at - start < before.min) return undefined
  if (before.min === before.max && hasClass(text, start - 1, isAlphanumericUnit)) return undefined
  return start
}

const maxBefore = 40

/** Not a word with the same prefix, such as `npm_config_registry`, and not `sk-xxxxxxxx`. */
function isLikely(token: string, { marker, border, before, isChecked }: TokenRule): boolean {
  const body = token.slice(marker.length)
  if (before) return true
  if (isChecked) return looksGenerated(body)
  if (/^(?:[xX]+|0+|\*+|[._-]+)$/.test(body)) return false
  if (border === 'blob' && body.length >= 40) return looksGenerated(body)
  if (border === 'any') return true
  const digits = body.replace(/\D/g, '').length
  return digits * 8 >= body.length || body.length < 12 || !looksLikeWords(body)
}

function endOfToken(text: string, at: number, { pattern }: TokenRule): number {
  const isBase64 = pattern.source.includes('+/') || pattern.source.includes('+\\/')
  let end = isBase64 ? endOf(text, at, isEncodedUnit) : endOf(text, at, isNameUnit)
  if (isBase64) while (text.charCodeAt(end) === equals && end < at + 3) end++
  for (let line = 0; line < maxLines; line++) {
    const next = continuationAt(text, end)
    if (!next || !looksContinued(text.slice(next.start, next.end))) break
    end = next.end
  }
  return end
}

const equals = 61
const maxLines = 30

/** A line end inside of a token: wrapped by a terminal, or a string that code puts together. */
const lineBreak = /(?:["'][ \t]{0,4}[+.&]?[ \t]{0,4}\\?)?\r?\n[ \t]{0,40}(?:[+.&][ \t]{0,4})?["']?/y

function continuationAt(text: string, at: number): { start: number; end: number } | undefined {
  const code = text.charCodeAt(at)
  if (code !== 10 && code !== 13 && code !== 34 && code !== 39) return undefined
  lineBreak.lastIndex = at
  if (!lineBreak.test(text)) return undefined
  const start = lineBreak.lastIndex
  const end = endOf(text, start, isEncodedUnit)
  return end - start >= 4 && (end >= text.length || /[\s"',;)\]}=<]/.test(text.charAt(end)))
    ? { start, end }
    : undefined
}

function looksContinued(line: string): boolean {
  if (line.length >= 12) return looksGenerated(line)
  return /\d/.test(line) && /[A-Za-z]/.test(line) && !/^[A-Za-z]+\d{1,4}$|^\d{1,4}[a-z]{1,2}$/.test(line)
}

/** The rule is tried on the lines put together. */
function splitTokenAt(text: string, start: number, at: number, rule: TokenRule): SecretRange | undefined {
  // Bounded, because markers occur by chance in a long run: looking for its end each time would take
  // quadratic time.
  let end = endOf(text, at, isEncodedUnit, maxFirstLine + 1)
  if (end - at > maxFirstLine) return undefined
  let joined = text.slice(at, end)
  for (let line = 0; line < 4; line++) {
    const next = continuationAt(text, end)
    if (!next) return undefined
    end = next.end
    joined += text.slice(next.start, next.end)
    rule.pattern.lastIndex = 0
    const match = rule.pattern.exec(joined)
    if (match && match.index === 0)
      return looksGenerated(joined.slice(rule.marker.length)) ? { start, end, kind: rule.kind } : undefined
  }
  return undefined
}

const maxFirstLine = 200
