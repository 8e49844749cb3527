// One more element in a list or an object, written the way its neighbours are written.
import type { Json } from '../core/session.ts'
import { type Container, commentsIn, type Document, type Element } from './json-tree.ts'
import type { Splice } from './splices.ts'

export interface NewElement {
  /** Of a member; missing for an item of a list. */
  key?: string
  value: Json
}

export function insertElement(text: string, document: Document, into: Container, element: NewElement): Splice {
  const last = into.elements.at(-1)
  return last ? insertAfter(text, document, into, last, element) : insertFirst(text, document, into, element)
}

/** The whole value of a file that has none yet. */
export function insertRoot(text: string, document: Document, value: Json): Splice {
  const eol = lineEnd(text)
  const lead = document.comments.at(-1)?.end === text.length ? eol : ''
  return { at: text.length, removed: '', added: lead + printLines({ value }, { eol, unit: '  ' }, '') + eol }
}

/** Another value in the place of one, on one line where that one was. */
export function replaceValue(text: string, document: Document, { value: old }: Element, value: Json): Splice {
  const style = styleOf(text, document)
  const indent = indentAt(text, old.start)
  const added = isOneLine(text, old) ? printInline({ value }, style) : printLines({ value }, style, indent)
  return { at: old.start, removed: text.slice(old.start, old.end), added }
}

function insertAfter(text: string, document: Document, into: Container, last: Element, element: NewElement): Splice {
  const hasComma = last.comma !== undefined
  const anchor = hasComma ? last.comma! + 1 : last.end
  // A comment behind the last element, on its line, is about that element and stays beside it.
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

function insertFirst(text: string, document: Document, into: Container, element: NewElement): Splice {
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

interface Style {
  eol: string
  unit: string
  /** Between two things on one line: a space, or nothing in a file without any. */
  gap: string
  /** Inside of braces on one line. */
  pad: string
}

function styleOf(text: string, document: Document): Style {
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

/** The white space before an offset, where nothing else stands before it on its line. */
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

/** A list or object with something in it, all on one line: the next one is written like it. */
function isCompact(text: string, element: Element): boolean {
  return element.value.kind !== 'scalar' && element.value.elements.length > 0 && isOneLine(text, element)
}

function printLines({ key, value }: NewElement, { eol, unit }: Pick<Style, 'eol' | 'unit'>, indent: string): string {
  const name = key === undefined ? '' : `${JSON.stringify(key)}: `
  return name + JSON.stringify(value, null, unit).replaceAll('\n', eol + indent)
}

function printInline({ key, value }: NewElement, style: Style): string {
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
