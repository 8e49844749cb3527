/** The beginning of a text, with no character cut in half. */
export function beginning(text: string, most: number): string {
  if (text.length <= most) return text
  const last = text.charCodeAt(most - 1)
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? most - 1 : most)
}

/** Foreign text on one line, without control characters. */
export function oneLine(text: string): string {
  return text.replace(/[\s\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ').trim()
}

export function shortLine(text: string, most: number): string {
  const line = oneLine(text)
  return line.length <= most ? line : `${beginning(line, most)}…`
}
