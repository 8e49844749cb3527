// Inserts, replaces and removes elements of JSON text as text edits. New elements are formatted
// like their neighbours; comments around a removed element stay.
import type { Json } from '../../core/session.ts'
import { commentsIn, type JsonContainer, type JsonDocument, type JsonElement } from './json-document.ts'
import type { TextEdit } from './text-edits.ts'

interface NewJsonElement {
  /** Undefined for an item of a list. */
  key?: string
  value: Json
}

export function insertElement(
  text: string,
  document: JsonDocument,
  into: JsonContainer,
  element: NewJsonElement,
): TextEdit {
  const last = into.elements.at(-1)
  return last ? insertAfter(text, document, into, last, element) : insertFirst(text, document, into, element)
}

/** Writes the whole value into an empty file. */
export function insertRoot(text: string, document: JsonDocument, value: Json): TextEdit {
  const eol = lineEnd(text)
  const lead = document.comments.at(-1)?.end === text.length ? eol : ''
  return { at: text.length, removed: '', added: lead + printLines({ value }, { eol, unit: '  ' }, '') + eol }
}

/** Replaces a value; stays on one line if the old value was on one. */
export function replaceValue(text: string, document: JsonDocument, { value: old }: JsonElement, value: Json): TextEdit {
  const style = styleOf(text, document)
  const indent = indentAt(text, old.start)
  const added = isOneLine(text, old) ? printInline({ value }, style) : printLines({ value }, style, indent)
  return { at: old.start, removed: text.slice(old.start, old.end), added }
}

function insertAfter(
  text: string,
  document: JsonDocument,
  into: JsonContainer,
  last: JsonElement,
  element: NewJsonElement,
): TextEdit {
  const hasComma = last.comma !== undefined
  const anchor = hasComma ? last.comma! + 1 : last.end
  // A comment after the last element on the same line belongs to that element.
  const remarks = commentsIn(document, anchor, into.end).filter(
    ({ start }) => !/[\r\n]/.test(text.slice(anchor, start)),
  )
  const tail = text.slice(anchor, remarks.at(-1)?.end ?? anchor)
  const style = styleOf(text, document)
  const indent = indentAt(text, last.start)

  const isOnOwnLine = ownIndent(text, last.start) !== undefined
  const isInline = isOneLine(text, into) || (isOnOwnLine && into.kind === 'list' && isCompact(text, last))
  const isBelow = isOnOwnLine || remarks.at(-1)?.isLine
  const lead = isBelow ? style.eol + indent : style.gap
  const body = isInline ? printInline(element, style) : printLines(element, style, indent)
  return hasComma
    ? { at: anchor + tail.length, removed: '', added: `${lead}${body},` }
    : { at: anchor, removed: tail, added: `,${tail}${lead}${body}` }
}

function insertFirst(text: string, document: JsonDocument, into: JsonContainer, element: NewJsonElement): TextEdit {
  const style = styleOf(text, document)
  const inner = text.slice(into.start + 1, into.end - 1)
  const root = document.root!
  if (into !== root && inner.trim() === '' && isOneLine(text, root)) {
    return { at: into.start + 1, removed: inner, added: printInline(element, style) }
  }
  const indent = indentAt(text, into.start)
  const body = style.eol + indent + style.unit + printLines(element, style, indent + style.unit)
  const remark = commentsIn(document, into.start, into.end).at(-1)
  if (!remark) return { at: into.start + 1, removed: inner, added: body + style.eol + indent }
  const isClosedBelow = /[\r\n]/.test(text.slice(remark.end, into.end))
  return { at: remark.end, removed: '', added: isClosedBelow ? body : body + style.eol + indent }
}

interface JsonStyle {
  eol: string
  unit: string
  /** Space between elements on one line; empty in a compact file. */
  gap: string
  /** Space inside braces on one line. */
  pad: string
}

function styleOf(text: string, document: JsonDocument): JsonStyle {
  const elements = document.root && document.root.kind !== 'scalar' ? document.root.elements : []
  const units = elements.map((element) => ownIndent(text, element.start))
  const isDense = elements.some(({ key, value }) => key !== undefined && text[value.start - 1] === ':')
  return {
    eol: lineEnd(text),
    unit: units.find(Boolean) ?? '  ',
    gap: isDense ? '' : ' ',
    pad: /\{ +"/.test(text) ? ' ' : '',
  }
}

function lineEnd(text: string): string {
  return /\r?\n/.exec(text)?.[0] ?? '\n'
}

/** Indentation before an offset; undefined if other text precedes it on its line. */
function ownIndent(text: string, offset: number): string | undefined {
  const line = text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset)
  return /^[ \t]*$/.test(line) ? line : undefined
}

function indentAt(text: string, offset: number): string {
  return /^\uFEFF?([ \t]*)/.exec(text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset))![1]!
}

function isOneLine(text: string, { start, end }: { start: number; end: number }): boolean {
  return !/[\r\n]/.test(text.slice(start, end))
}

/** Whether a non-empty list or object is on one line, so that a new sibling should be, too. */
function isCompact(text: string, element: JsonElement): boolean {
  return element.value.kind !== 'scalar' && element.value.elements.length > 0 && isOneLine(text, element)
}

function printLines(
  { key, value }: NewJsonElement,
  { eol, unit }: Pick<JsonStyle, 'eol' | 'unit'>,
  indent: string,
): string {
  const name = key === undefined ? '' : `${JSON.stringify(key)}: `
  return name + JSON.stringify(value, null, unit).replaceAll('\n', eol + indent)
}

function printInline({ key, value }: NewJsonElement, style: JsonStyle): string {
  const name = key === undefined ? '' : `${JSON.stringify(key)}:${style.gap}`
  if (value === null || typeof value !== 'object') return name + JSON.stringify(value)
  const parts = Array.isArray(value)
    ? value.map((item) => printInline({ value: item }, style))
    : Object.entries(value).flatMap(([inner, item]) =>
        item === undefined ? [] : printInline({ key: inner, value: item }, style),
      )
  const list = parts.join(`,${style.gap}`)
  const braces = list === '' ? '{}' : `{${style.pad}${list}${style.pad}}`
  return name + (Array.isArray(value) ? `[${list}]` : braces)
}

/** Removes an element with its comma and its line. */
export function removeElement(
  text: string,
  document: JsonDocument,
  from: JsonContainer,
  element: JsonElement,
): TextEdit {
  const index = from.elements.indexOf(element)
  const previous = from.elements[index - 1]
  const next = from.elements[index + 1]
  if (!previous && !next && !hasRemarks(document, from, element)) return cut(text, from.start + 1, from.end - 1)

  const leadStart = previous ? previous.comma! + 1 : from.start + 1
  const remark = commentsIn(document, leadStart, element.start).at(-1)
  const end = element.comma === undefined ? element.end : element.comma + 1
  // Keep the line break after a line comment: it would comment out the text that follows.
  const needsLineBreak = remark?.isLine && !/^[ \t]*[\r\n]/.test(text.slice(end))

  if (previous && element.comma === undefined) {
    const kept = text.slice(leadStart, needsLineBreak ? element.start : (remark?.end ?? leadStart))
    return cut(text, previous.comma!, end, kept)
  }
  const isAfterBreak = /[\r\n]/.test(text.slice(leadStart, element.start))
  if (next && !previous && !isAfterBreak && commentsIn(document, leadStart, next.start).length === 0) {
    return cut(text, element.start, next.start)
  }
  const start = needsLineBreak ? element.start : (remark?.end ?? leadStart)
  const hasInnerRemark = commentsIn(document, element.end, end).length > 0
  return cut(text, start, end, hasInnerRemark ? text.slice(element.end, end - 1) : '')
}

/** Whether the container has comments outside of the element. */
export function hasRemarks(document: JsonDocument, container: JsonContainer, element: JsonElement): boolean {
  const all = commentsIn(document, container.start, container.end)
  return all.length > commentsIn(document, element.start, element.end).length
}

function cut(text: string, start: number, end: number, added = ''): TextEdit {
  return { at: start, removed: text.slice(start, end), added }
}
