/** Which lines belong to fenced code. A fence that nobody closed is taken for a slip, not for code down to the end. */
export function closedFences(lines: readonly string[]): boolean[] {
  const isCode = lines.map(() => false)
  for (let from = 0; from < lines.length; from++) {
    const fence = /^ {0,3}(`{3,}|~{3,})/.exec(lines[from]!)?.[1]
    if (!fence) continue
    const to = lines.findIndex((line, at) => at > from && closes(line, fence))
    if (to < 0) continue
    isCode.fill(true, from, to + 1)
    from = to
  }
  return isCode
}

function closes(line: string, fence: string): boolean {
  const found = /^ {0,3}(`{3,}|~{3,})[ \t]*\r?$/.exec(line)?.[1]
  return found !== undefined && found[0] === fence[0] && found.length >= fence.length
}
