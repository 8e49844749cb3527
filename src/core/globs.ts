/** Whether a text is the pattern, or lies below it; `*` stands for any part of one name, `**` for any number of folders. */
export function matchesGlob(text: string, pattern: string): boolean {
  const source = pattern
    .replace(/[/\\]+$/, '')
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replace(/\*\*|\*|\?/g, (star) => (star === '**' ? '.*' : star === '*' ? '[^/\\\\]*' : '.'))
  return new RegExp(`^${source}(?:[/\\\\]|$)`).test(text)
}
