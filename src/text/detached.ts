/**
 * A copy of a text. A part of a long text keeps the whole of it in memory, so what is kept in a cache is
 * copied first.
 */
export function detached(text: string): string {
  return Buffer.from(text, 'utf16le').toString('utf16le')
}
