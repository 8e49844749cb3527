// Redacts and truncates text that is sent to a model.

/** In characters, unless the question says otherwise. */
export const maxTextLength = 15_000

/** Redacts before it truncates: half a secret is not recognised. */
export function sanitiseText(text: string, redact: (text: string) => string, max = maxTextLength): string {
  return keepEnd(redact(text), max)
}

/** The same text with the problem of the first answer appended, within the same length. */
export function repairText(text: string, answer: string, problem: string, max = maxTextLength): string {
  const note = [
    '',
    'You have answered this before, and the answer could not be used:',
    `- what was wrong: ${problem}`,
    `- how it began: ${answer.slice(0, 1000)}`,
    'Answer again, with the JSON object alone.',
  ].join('\n')
  return keepEnd(text, max - note.length) + note
}

const mark = '[the beginning is left out]\n'

/**
 * Drops the beginning, since the newest text is at the end; at a line break if one is near, and
 * never within a character.
 */
export function keepEnd(text: string, max: number): string {
  if (text.length <= max) return text
  let from = text.length - max + mark.length
  const line = text.indexOf('\n', from)
  if (line >= 0 && line - from < max / 10) from = line + 1
  else if (/[\udc00-\udfff]/.test(text[from]!)) from++
  return mark + text.slice(from)
}
