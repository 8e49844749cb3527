// What stands in place of what was removed.

export function markOf(kind: string): string {
  return kind === 'private' ? '[private]' : `[secret: ${kind}]`
}

const mark = /\[(?:secret: [\w-]+|private)\]/
const marks = new RegExp(mark, 'g')

/** Whether something was removed from the text, or from the JSON as which the value is written. */
export function hasMark(value: unknown): boolean {
  return mark.test(typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))
}

export function countMarks(text: string): number {
  return text.match(marks)?.length ?? 0
}
