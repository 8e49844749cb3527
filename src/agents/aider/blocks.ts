// Who wrote which lines of Aider's history.

export interface Block {
  kind: 'user' | 'status' | 'reply'
  text: string
}

/**
 * Code fences do not tell: an interrupted answer leaves one open, and prompts follow it. What Aider
 * writes for itself and for the user ends with two spaces, and an answer begins after a blank line.
 */
export function* blocksOf(lines: string[], keepsBreaks: boolean): Generator<Block> {
  let reply: string[] = []
  let last: Block['kind'] = 'status'
  const isUser = (line: string): boolean =>
    /^####(?: |$)/.test(line) && (keepsBreaks ? line.endsWith('  ') : last !== 'reply')
  const isStatus = (line: string): boolean =>
    /^>(?: |$)/.test(line) && (last !== 'reply' || (keepsBreaks && line.endsWith('  ')) || statusOpener.test(line))
  for (let at = 0; at < lines.length; ) {
    const line = lines[at]!
    if (!isUser(line) && !isStatus(line)) {
      if (line.trim() !== '') last = 'reply'
      reply.push(line)
      at++
      continue
    }
    const said = reply.join('\n').trim()
    if (said) yield { kind: 'reply', text: said }
    reply = []
    last = isUser(line) ? 'user' : 'status'
    const end = last === 'user' ? userEnd(lines, at) : statusEnd(lines, at, keepsBreaks)
    const own = last === 'user' ? /^#### ?/ : /^> ?/
    const text = lines
      .slice(at, end)
      .map((each, index) => (last === 'user' || index === 0 ? each.replace(own, '') : each))
    yield {
      kind: last,
      text: text
        .map((each) => each.trimEnd())
        .join('\n')
        .trim(),
    }
    at = end
  }
  const said = reply.join('\n').trim()
  if (said) yield { kind: 'reply', text: said }
}

/** How Aider's own lines begin, where an answer that quotes something stands before them. */
const statusOpener =
  /^> (?:Tokens:|Applied edit|Commit |Committing |Did not apply|Skipping |Creating |Add |Added |Allow |Create |Removed|Running |Run shell|Attempt |Aider v|Main model|Models?:|Git repo|Repo-map|\^C|Retrying|litellm\.|Unexpected error|The LLM did not|You can use \/undo|# Fix any)/

function userEnd(lines: string[], from: number): number {
  let end = from + 1
  while (end < lines.length && /^####(?: |$)/.test(lines[end]!)) end++
  return end
}

/** Output of several lines is marked only on its first: the two spaces stand at its end, or no blank line comes between. */
function statusEnd(lines: string[], from: number, keepsBreaks: boolean): number {
  let end = from + 1
  if (keepsBreaks && !lines[from]!.endsWith('  ')) {
    let close = end
    while (close < lines.length && !/\S {2}$/.test(lines[close]!)) close++
    if (close < lines.length && !lines[close]!.startsWith('#### ')) end = close + 1
  }
  while (end < lines.length && lines[end]!.trim() !== '' && !/^(?:####|>)(?: |$)/.test(lines[end]!)) end++
  return end
}
