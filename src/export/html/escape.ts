const named: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/** Text in HTML, between tags or in an attribute. What no page can show is left out. */
export function escaped(text: string): string {
  return text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g, '').replace(/[&<>"']/g, (sign) => named[sign]!)
}

/** Foreign text on its lines; what stands in backticks as code. */
export function prose(text: string): string {
  return text
    .split(/(`[^`\n]+`)/)
    .map((part, at) => (at % 2 === 1 ? `<code>${escaped(part.slice(1, -1))}</code>` : escaped(part)))
    .join('')
}
