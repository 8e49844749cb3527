// Edits of a text as data: small enough for installed.json, exact enough to be reverted byte for
// byte.

export interface TextEdit {
  /** Offset in the text before the change. */
  at: number
  removed: string
  added: string
}

/** Edits must be ordered by offset and must not overlap or touch. */
export function applyTextEdits(text: string, edits: readonly TextEdit[]): string {
  let result = ''
  let done = 0
  for (const { at, removed, added } of edits) {
    result += text.slice(done, at) + added
    done = at + removed.length
  }
  return result + text.slice(done)
}

export function revertTextEdits(text: string, edits: readonly TextEdit[]): string {
  const back = rangesInResult(edits).map(({ edit, start }) => ({
    at: start,
    removed: edit.added,
    added: edit.removed,
  }))
  return applyTextEdits(text, back)
}

/**
 * Finds earlier edits in a text that has changed since, by their added text, in order. Reverting
 * the result takes our text out of a file that others have edited. Undefined if an edit is not
 * found.
 */
export function locateTextEdits(text: string, edits: readonly TextEdit[]): TextEdit[] | undefined {
  const found: TextEdit[] = []
  let from = 0
  let shift = 0
  for (const { removed, added } of edits) {
    const start = added ? text.indexOf(added, from) : -1
    if (start < 0) return undefined
    found.push({ at: start - shift, removed, added })
    shift += added.length - removed.length
    from = start + added.length
  }
  return found
}

/** Merges `first` and then `second` (offsets in the result of `first`) into one list of edits. */
export function composeTextEdits(first: readonly TextEdit[], second: readonly TextEdit[]): TextEdit[] {
  return second
    .toReversed()
    .reduce(composeOne, [...first])
    .filter(({ removed, added }) => removed !== added)
}

/** Merges touching edits into one, so that a later insertion into our text is part of our text. */
function composeOne(first: TextEdit[], next: TextEdit): TextEdit[] {
  const nextEnd = next.at + next.removed.length
  const ranges = rangesInResult(first)
  const touched = ranges.filter(({ start, end }) => start <= nextEnd && end >= next.at)
  const before = ranges.filter(({ end }) => end < next.at).map(({ edit }) => edit)
  const after = ranges.filter(({ start }) => start > nextEnd).map(({ edit }) => edit)
  const start = Math.min(next.at, touched[0]?.start ?? next.at)
  const end = Math.max(nextEnd, touched.at(-1)?.end ?? nextEnd)

  let removed = ''
  let between = ''
  let done = start
  const keep = (until: number): void => {
    const text = next.removed.slice(done - next.at, until - next.at)
    removed += text
    between += text
  }
  for (const { edit, start: from, end: until } of touched) {
    if (from > done) keep(from)
    removed += edit.removed
    between += edit.added
    done = until
  }
  if (end > done) keep(end)

  const shift = before.reduce((sum, edit) => sum + edit.added.length - edit.removed.length, 0)
  const added = between.slice(0, next.at - start) + next.added + between.slice(nextEnd - start)
  return [...before, { at: start - shift, removed, added }, ...after]
}

interface EditRange {
  edit: TextEdit
  /** The range of the added text in the result. */
  start: number
  end: number
}

function rangesInResult(edits: readonly TextEdit[]): EditRange[] {
  let shift = 0
  return edits.map((edit) => {
    const start = edit.at + shift
    shift += edit.added.length - edit.removed.length
    return { edit, start, end: start + edit.added.length }
  })
}
