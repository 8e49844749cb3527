// An element taken out of a list or an object, with its comma and its line; comments around it stay.
import { type Container, commentsIn, type Document, type Element } from './json-tree.ts'
import type { Splice } from './splices.ts'

export function removeElement(text: string, document: Document, from: Container, element: Element): Splice {
  const index = from.elements.indexOf(element)
  const previous = from.elements[index - 1]
  const next = from.elements[index + 1]
  if (!previous && !next && !hasRemarks(document, from, element)) return cut(text, from.start + 1, from.end - 1)

  const leadStart = previous ? previous.comma! + 1 : from.start + 1
  const remark = commentsIn(document, leadStart, element.start).at(-1)
  const end = element.comma === undefined ? element.end : element.comma + 1
  // Without the line break, a line comment before our element would swallow what comes after it.
  const isSwallowing = remark?.isLine && !/^[ \t]*[\r\n]/.test(text.slice(end))

  if (previous && element.comma === undefined) {
    const kept = text.slice(leadStart, isSwallowing ? element.start : (remark?.end ?? leadStart))
    return cut(text, previous.comma!, end, kept)
  }
  const isAfterBreak = /[\r\n]/.test(text.slice(leadStart, element.start))
  if (next && !previous && !isAfterBreak && commentsIn(document, leadStart, next.start).length === 0) {
    return cut(text, element.start, next.start)
  }
  const start = isSwallowing ? element.start : (remark?.end ?? leadStart)
  const hasInnerRemark = commentsIn(document, element.end, end).length > 0
  return cut(text, start, end, hasInnerRemark ? text.slice(element.end, end - 1) : '')
}

/** Whether there are comments in the container that are not part of the element. */
export function hasRemarks(document: Document, container: Container, element: Element): boolean {
  const all = commentsIn(document, container.start, container.end)
  return all.length > commentsIn(document, element.start, element.end).length
}

function cut(text: string, start: number, end: number, added = ''): Splice {
  return { at: start, removed: text.slice(start, end), added }
}
