const named: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/** Text in HTML, between tags or in an attribute. */
export function escaped(text: string): string {
  return withoutUnseen(text).replace(/[&<>"']/g, (sign) => named[sign]!)
}

/** Without what no page can show, and what would turn round the words behind it: who said a thing stands there. */
export function withoutUnseen(text: string): string {
  return text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, '')
}

/** Foreign text on its lines; what stands in backticks as code. */
export function prose(text: string): string {
  return text
    .split(/(`[^`\n]+`)/)
    .map((part, at) => (at % 2 === 1 ? `<code>${escaped(part.slice(1, -1))}</code>` : escaped(part)))
    .join('')
}
