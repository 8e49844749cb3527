/** The beginning of a text, with no character cut in half. */
export function truncate(text: string, max: number): string {
  if (text.length <= max) return text
  const last = text.charCodeAt(max - 1)
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? max - 1 : max)
}

/** Foreign text on one line, without control characters. */
export function oneLine(text: string): string {
  return text.replace(/[\s\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ').trim()
}

export function shortLine(text: string, max: number): string {
  const line = oneLine(text)
  return line.length <= max ? line : `${truncate(line, max)}…`
}
