// Values that stand apart from the name that says what they are: on the next line, in a list, and in a column
// of a table.
import type { SecretRange } from './units.ts'
import { isSecret, type SecretNoun, type ValueSyntax } from './values.ts'

/** A name with nothing behind it in its line that belongs to it. */
export interface Heading {
  kind: 'below' | 'list' | 'cell'
  start: number
  end: number
  noun: SecretNoun
  /** Where the values or their list begin; of a cell, where the name ends. */
  at: number
}

/** Bounded, because it is tried behind every word such as `token`. */
const rest =
  /\\{0,3}["'`*_]{0,3}[ \t]{0,20}(?:(?::=|=>|[:=：])\*{0,2}[ \t]{0,20}(?:[|>][+-]?[ \t]{0,4}(?=\r?\n)|(?:[\w<>[\]]{1,24}[ \t]{1,4}=[ \t]{0,4})?(?:\[\][\w.]{1,20}|%[wi])?([[({])|(?=\r?\n))|(\r?\n|$)|([,;|\t<]|[ ]{2}))/y

/** What follows the name, if its values are not directly behind it. */
export function headingAt(text: string, start: number, end: number, noun: SecretNoun): Heading | undefined {
  if (text.charCodeAt(end) === 62)
    return isElement(text, end + 1) ? { kind: 'list', start, end, noun, at: end + 1 } : undefined
  if (noun === 'loose' || isWordNext(text, end) || text.slice(start, end) === 'PASS') return undefined
  rest.lastIndex = end
  const match = rest.exec(text)
  if (!match) return undefined
  const [whole, bracket, lineEnd, cell] = match
  const at = end + whole.length
  if (bracket !== undefined) return { kind: 'list', start, end, noun, at }
  if (cell !== undefined || (lineEnd !== undefined && isLastCell(text, start)))
    return { kind: 'cell', start, end, noun, at: end }
  return lineEnd === undefined || isTitle(text, start, end) ? { kind: 'below', start, end, noun, at } : undefined
}

const isSmallLetter = (code: number) => code >= 97 && code <= 122

/** Nearly all names stand in a sentence or in code. */
function isWordNext(text: string, end: number): boolean {
  const code = text.charCodeAt(end)
  return code === 40 || code === 46 || (code === 32 && isSmallLetter(text.charCodeAt(end + 1)))
}

function isElement(text: string, at: number): boolean {
  element.lastIndex = at
  return element.test(text)
}

/** Whether a separator of columns is in front of the name. */
function isLastCell(text: string, start: number): boolean {
  return /[,;|\t]\\{0,3}["'`* ]{0,3}$|[^\s] {2,}$/.test(text.slice(Math.max(0, start - 30), start))
}

/** A heading of Markdown, or a name that is all of its line. */
function isTitle(text: string, start: number, end: number): boolean {
  const line = text.slice(lineStart(text, start), start)
  return end - start < 40 && /^[ \t]*(?:#{1,6}[ \t].*|\*\*[^*]*|(?:[\w-]+[ \t]){0,2})$/.test(line)
}

const maxLine = 2000

function lineStart(text: string, at: number, max = maxLine): number {
  const from = Math.max(0, at - max)
  return from + text.slice(from, at).lastIndexOf('\n') + 1
}

/** The secrets under the headings. No part of the text is read twice for the same kind of heading. */
export function valuesUnder(text: string, headings: readonly Heading[]): SecretRange[] {
  const found: SecretRange[] = []
  /** Where the last list and the last table end. */
  let listEnd = 0
  let tableEnd = 0
  for (const [index, heading] of headings.entries()) {
    if (heading.kind === 'cell') {
      if (heading.start >= tableEnd) tableEnd = addTable(text, headings, index, found)
    } else if (heading.start >= listEnd) {
      listEnd = heading.kind === 'list' ? addItems(text, heading, found) : addBelow(text, heading, found)
    }
  }
  return found
}

function addIf(text: string, span: Span, noun: SecretNoun, syntax: ValueSyntax, found: SecretRange[]): boolean {
  const value = text.slice(span.start, span.end)
  // An address, a prompt, another heading, a call.
  if (/^[\w.-]+@[\w.-]+(?:\.\w+$|:)|^\*\*|:$|[({]$|^[\w.]+\(/.test(value)) return false
  if (!isSecret(value, noun, span.isQuoted ? 'quoted' : syntax)) return false
  found.push({ start: span.start, end: span.end, kind: 'password' })
  return true
}

interface Span {
  start: number
  end: number
  isQuoted: boolean
}

const item =
  /[\s,;]{0,200}(?:\\{0,3}(["'`])((?:(?!\1)[^\n\\]){1,1000}?)\\{0,3}\1|([^\s"'`,;()[\]{}<>=]{5,1000}))(?=[\s,;)\]}]|$)/y

/** Items of a list in brackets. */
function addItems(text: string, { at, noun }: Heading, found: SecretRange[]): number {
  if (text.charCodeAt(at - 1) === 62) return addElements(text, at, noun, found)
  for (item.lastIndex = at; ; ) {
    const match = item.exec(text)
    if (!match) return Math.max(at, item.lastIndex)
    const value = match[2] ?? match[3]!
    const end = item.lastIndex - (match[2] === undefined ? 0 : tailOf(match[0], value))
    addIf(text, { start: end - value.length, end, isQuoted: match[2] !== undefined }, noun, 'bare', found)
    at = item.lastIndex
  }
}

function addElements(text: string, from: number, noun: SecretNoun, found: SecretRange[]): number {
  let at = from
  element.lastIndex = from
  for (let match = element.exec(text); match; match = element.exec(text)) {
    at = element.lastIndex
    const end = at - tailOf(match[0], match[1]!)
    addIf(text, { start: end - match[1]!.length, end, isQuoted: true }, noun, 'quoted', found)
  }
  return at
}

function tailOf(whole: string, value: string): number {
  return whole.length - whole.lastIndexOf(value) - value.length
}

/** A line with one value: after a sign of a list, in quotes, or alone. */
const single =
  /[ \t]{0,200}(?:(?:[-*•]|\d{1,3}[.)])[ \t]{1,8})?(["'`]{0,2})([^\s"'`]{5,1000})\1[ \t]{0,8}[,;]?[ \t]{0,8}(?=\r?\n|$)/y
const element = /\s{0,40}<[\w:-]{1,40}>([^<>\s]{5,1000})<\/[\w:-]{1,40}>/y
const fence = /(?:[ \t]{0,8}\r?\n)?[ \t]{0,8}(?:```\w{0,20}[ \t]{0,4}\r?\n)?/y

/** A value on the lines below, or several, each on a line. */
function addBelow(text: string, { start, at, noun }: Heading, found: SecretRange[]): number {
  let from = text.charCodeAt(at - 1) === 10 ? at : text.indexOf('\n', at) + 1
  fence.lastIndex = from
  if (fence.test(text)) from = fence.lastIndex
  for (let count = 0; ; count++) {
    single.lastIndex = from
    const match = single.exec(text)
    if (!match) return Math.max(start, from)
    const isItem = /^[ \t]*(?:[-*•]|\d{1,3}[.)])[ \t]/.test(match[0])
    if (count > 0 && !isItem) return from
    const [whole, quote, value] = match
    const valueStart = from + whole.lastIndexOf(value!)
    addIf(
      text,
      { start: valueStart, end: valueStart + value!.length, isQuoted: quote === '"' || quote === "'" },
      noun,
      'bare',
      found,
    )
    from = text.indexOf('\n', single.lastIndex) + 1
    if (from === 0) return text.length
  }
}

/** Cells of a row: quoted or not, with the separators between them. */
function cellsOf(text: string, start: number, end: number, separator: string): Span[] {
  const line = text.slice(start, end)
  const cells: Span[] = []
  for (let at = 0; at <= line.length && cells.length < maxColumns; ) {
    while (line.charAt(at) === ' ') at++
    const quote = line.charAt(at)
    const close = quote === '"' || quote === '`' ? line.indexOf(quote, at + 1) : -1
    const found = line.indexOf(separator, Math.max(at, close + 1))
    const next = found < 0 ? line.length : found
    const isQuoted = close > at
    cells.push({
      start: start + (isQuoted ? at + 1 : at),
      end: start + (isQuoted ? close : trimmedEnd(line, at, next)),
      isQuoted,
    })
    at = next + 1
  }
  return cells
}

/** A header has short names in it. */
const maxHeader = 400
const maxColumns = 60
const maxRows = 10_000

function trimmedEnd(text: string, start: number, end: number): number {
  let last = end
  while (last > start && /[\s*]/.test(text.charAt(last - 1))) last--
  return last
}

/** The column under the name, and others under the names in the same row. Returns the end of the table. */
function addTable(text: string, headings: readonly Heading[], index: number, found: SecretRange[]): number {
  const heading = headings[index]!
  if (text.startsWith('</th>', heading.end)) return addRows(text, headings, index, found)
  let end = endOfLine(text, heading.end, maxHeader)
  if (end === text.length || end - heading.end > maxHeader) return heading.end
  const start = lineStart(text, heading.start, maxHeader)
  const separator = heading.start - start < maxHeader ? separatorOf(text, heading, end) : undefined
  if (separator === undefined) return heading.end
  if (separator === ' ') return addAligned(text, heading, end, found)
  const header = cellsOf(text, start, end, separator)
  if (header.length < 2 || !isTitleRow(text, header, separator)) return end
  // Words alone are passwords only beside those whose they are: lists in code look like rows.
  const line = text.slice(start, end)
  const isTight = separator !== '|' && !/[,;] /.test(line) && /user|name|login|mail|account|host/i.test(line)
  const columns = headingsTo(headings, index, end).map(({ start: name, noun }) => ({
    noun,
    index: header.findIndex((cell) => cell.start <= name && name < cell.end),
  }))
  for (let row = 0; row < maxRows && end < text.length; row++) {
    const next = end + 1
    const close = endOfLine(text, next)
    if (!/^[\s|+:=-]+$/.test(text.slice(next, Math.min(close, next + maxLine)))) {
      const cells = cellsOf(text, next, close, separator)
      if (close - next > maxLine || cells.length !== header.length) break
      for (const { index, noun } of columns)
        if (index >= 0) addIf(text, cells[index]!, noun, isTight ? 'tight' : 'bare', found)
    } else if (close === next) break
    end = close
  }
  return end
}

function headingsTo(headings: readonly Heading[], index: number, end: number): Heading[] {
  const row: Heading[] = []
  for (let next = index; next < headings.length && headings[next]!.end <= end; next++) row.push(headings[next]!)
  return row
}

/** Of a longer line a place that is too far away. */
function endOfLine(text: string, from: number, max = maxLine): number {
  const end = text.slice(from, from + max + 1).indexOf('\n')
  return end < 0 ? Math.min(text.length, from + max + 1) : from + end
}

function separatorOf(text: string, { start, end }: Heading, lineEnd: number): string | undefined {
  const next = /^\\{0,3}["'`*]{0,3}[ \t]*([,;|\t])/.exec(text.slice(end, Math.min(lineEnd, end + 40)))?.[1]
  const before = /([,;|\t]|[^\s] {2,})\\{0,3}["'`* ]{0,3}$/.exec(text.slice(Math.max(0, start - 30), start))?.[1]
  return (
    next ?? (before === undefined ? (text.startsWith('  ', end) ? ' ' : undefined) : before.length > 1 ? ' ' : before)
  )
}

/** In front of the first cell there may be a word of a log. */
function isTitleRow(text: string, header: readonly Span[], separator: string): boolean {
  return header.every(({ start, end }, index) => {
    const cell = text.slice(start, end)
    if (cell === '' && separator !== '|') return false // the end of a line of code
    return isTitleCell(index === 0 ? cell.slice(cell.search(/[^:\]>]*$/)) : cell)
  })
}

function isTitleCell(cell: string): boolean {
  return cell.length <= 40 && /^[\w .#/*&()-]*$|^[^\s\x00-\x7f]+$/.test(cell) && !/[()]./.test(cell)
}

/** Columns that begin at the same place in every line. */
function addAligned(text: string, { start, noun }: Heading, lineEnd: number, found: SecretRange[]): number {
  const column = start - lineStart(text, start)
  let end = lineEnd
  for (let row = 0; row < maxRows && end < text.length; row++) {
    const next = end + 1
    end = endOfLine(text, next)
    const at = next + column
    const isColumn = at < end && (column === 0 || text.charCodeAt(at - 1) === 32)
    if (!isColumn || end - next > maxLine) break
    const value = /^[^\s"'`]{5,200}/.exec(text.slice(at, Math.min(end, at + 200)))?.[0]
    if (value !== undefined) addIf(text, { start: at, end: at + value.length, isQuoted: false }, noun, 'bare', found)
  }
  return end
}

const maxTable = 20_000

/** Columns of a table in HTML. */
function addRows(text: string, headings: readonly Heading[], index: number, found: SecretRange[]): number {
  const { start, end } = headings[index]!
  const from = Math.max(0, start - maxHeader)
  const rowStart = Math.max(0, text.slice(from, start).lastIndexOf('<tr')) + from
  const table = text.slice(end, end + maxTable)
  const rowEnd = table.slice(0, maxLine).indexOf('</tr>')
  const close = table.indexOf('</table')
  if (rowEnd < 0) return end
  const columns = headingsTo(headings, index, end + rowEnd).map(({ noun, start: name }) => ({
    noun,
    index: (text.slice(rowStart, name).match(/<th\b/g)?.length ?? 0) - 1,
  }))
  for (const row of table.slice(0, close < 0 ? table.length : close).matchAll(/<tr\b[^<>]*>([\s\S]*?)<\/tr>/g)) {
    const cells = [...row[1]!.matchAll(/<td\b[^<>]*>(?:<\w+>)?([^<]*)/g)]
    for (const column of columns) {
      const cell = cells[column.index]
      if (!cell) continue
      const value = cell[1]!.trim()
      const at = end + row.index + row[0].indexOf(row[1]!) + cell.index + cell[0].lastIndexOf(value)
      addIf(text, { start: at, end: at + value.length, isQuoted: false }, column.noun, 'bare', found)
    }
  }
  return end + (close < 0 ? table.length : close)
}
