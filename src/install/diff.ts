// Edits as a unified diff, for people to read before they agree.
import type { Edit } from './plan.ts'

export function renderDiff(edits: readonly Edit[]): string {
  return edits
    .map(({ path, before, after }) => {
      const header = `--- ${before === undefined ? '/dev/null' : path}\n+++ ${after === undefined ? '/dev/null' : path}\n`
      return (
        header +
        hunksOf(compare(linesOf(before), linesOf(after)))
          .map(renderHunk)
          .join('')
      )
    })
    .join('')
}

const context = 3

interface Line {
  sign: ' ' | '-' | '+'
  text: string
  /** Lines of the old and the new text before this one. */
  old: number
  new: number
}

/** Every line with its line break; the last one may be without. */
function linesOf(text: string | undefined): string[] {
  return text?.match(/[^\n]*\n|[^\n]+$/g) ?? []
}

function compare(before: string[], after: string[]): Line[] {
  let start = 0
  while (start < before.length && before[start] === after[start]) start++
  let end = 0
  while (end < Math.min(before.length, after.length) - start && before.at(-1 - end) === after.at(-1 - end)) end++
  const signs = [
    ...before.slice(0, start).map((text) => ({ sign: ' ' as const, text })),
    ...compareMiddle(before.slice(start, before.length - end), after.slice(start, after.length - end)),
    ...before.slice(before.length - end).map((text) => ({ sign: ' ' as const, text })),
  ]
  const counts = { old: 0, new: 0 }
  return signs.map(({ sign, text }) => {
    const line = { sign, text, ...counts }
    if (sign !== '+') counts.old++
    if (sign !== '-') counts.new++
    return line
  })
}

/** The longest common lines stay. Beyond the limit a table of all pairs is too much, and nobody reads that far. */
function compareMiddle(before: string[], after: string[]): Pick<Line, 'sign' | 'text'>[] {
  const isHuge = before.length * after.length > 4_000_000
  const common = isHuge ? [] : commonLengths(before, after)
  const result: Pick<Line, 'sign' | 'text'>[] = []
  let old = 0
  let now = 0
  while (old < before.length || now < after.length) {
    if (!isHuge && old < before.length && now < after.length && before[old] === after[now]) {
      result.push({ sign: ' ', text: before[old++]! })
      now++
    } else if (
      old < before.length &&
      (isHuge || now === after.length || common[old + 1]![now]! >= common[old]![now + 1]!)
    ) {
      result.push({ sign: '-', text: before[old++]! })
    } else result.push({ sign: '+', text: after[now++]! })
  }
  return result
}

/** How many lines are common to the rests of both, by where the rests begin. */
function commonLengths(before: string[], after: string[]): Uint32Array[] {
  const table = Array.from({ length: before.length + 1 }, () => new Uint32Array(after.length + 1))
  for (let old = before.length - 1; old >= 0; old--) {
    for (let now = after.length - 1; now >= 0; now--) {
      table[old]![now] =
        before[old] === after[now]
          ? table[old + 1]![now + 1]! + 1
          : Math.max(table[old + 1]![now]!, table[old]![now + 1]!)
    }
  }
  return table
}

/** Changes with their context; what is closer together than two contexts is shown as one. */
function hunksOf(lines: Line[]): Line[][] {
  const hunks: { start: number; end: number }[] = []
  lines.forEach(({ sign }, index) => {
    if (sign === ' ') return
    const last = hunks.at(-1)
    if (last && index - context <= last.end) last.end = index + context + 1
    else hunks.push({ start: Math.max(0, index - context), end: index + context + 1 })
  })
  return hunks.map(({ start, end }) => lines.slice(start, end))
}

function renderHunk(lines: Line[]): string {
  const [first] = lines
  const range = (from: number, count: number): string => `${count > 0 ? from + 1 : from},${count}`
  const old = range(first!.old, lines.filter(({ sign }) => sign !== '+').length)
  const now = range(first!.new, lines.filter(({ sign }) => sign !== '-').length)
  const body = lines.map(
    ({ sign, text }) => sign + (text.endsWith('\n') ? text : `${text}\n\\ No newline at end of file\n`),
  )
  return `@@ -${old} +${now} @@\n${body.join('')}`
}
