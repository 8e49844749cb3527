// Whole sentences of what was said, without code blocks: what an answer quotes is never cut inside a sentence.

/** More than this of one message is a paste. */
const maxRead = 12_000
const maxSentences = 80
/** A sentence that never ends is no sentence. */
const longest = 1200

export function sentencesIn(text: string): string[] {
  const prose = text.slice(0, maxRead).replace(/```[\s\S]*?(?:```|$)/g, '\n')
  const sentences = prose
    .split(/\n+/)
    .flatMap((line) => splitLine(line.replace(/^\s*(?:[#>]+|[-*•]|\d{1,2}[.)])\s+/, '')))
  return sentences
    .filter((sentence) => /[\p{L}\p{N}]/u.test(sentence) && sentence.length <= longest)
    .slice(0, maxSentences)
}

function splitLine(line: string): string[] {
  const pieces: string[] = []
  let from = 0
  for (const { index, 0: mark } of line.matchAll(/(?<![.!?])[.!?]+["'”’)\]*]*(?=\s)|[。！？]/g)) {
    const to = index + mark.length
    if (isInside(line.slice(from, to), line.slice(to).trimStart())) continue
    pieces.push(line.slice(from, to).trim())
    from = to
  }
  pieces.push(line.slice(from).trim())
  return pieces
}

/** An abbreviation, a name that ends in a dot (`host.example.`), a pause, the end of a bracket. */
function isInside(before: string, after: string): boolean {
  if (/(?:\b(?:e\.g|i\.e|etc|vs|approx|resp|incl|cf|mr|dr))\.$/i.test(before)) return /^[a-z0-9]/.test(after)
  if (/\bno\.$/i.test(before)) return /^\d/.test(after)
  return /(?:\.\.|\w\.\w[\w-]*\.|[)\]])$/.test(before) && /^[a-z-]/.test(after)
}
