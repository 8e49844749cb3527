// Names that a text of code defines: functions, types and classes of common languages.

const definitions =
  /^[ \t]*(?:export +|pub(?:\([a-z]+\))? +|public +|private +|protected +|internal +|static +|abstract +|default +|async +|final +|open +|override +)*(?:func(?: *\([^)\n]{0,80}\))?|function\*?|class|interface|type|def|fn|struct|enum|trait|impl|module|protocol|record) +([A-Za-z_]\w{2,60})\b/gm
const constants =
  /^(?:export +)?const +([A-Za-z_]\w{2,60})\b *(?::[^=\n]{0,80})?= *(?:async *)?(?:\(|function\b|[A-Za-z_]\w* *=>)/gm
const maxSymbols = 12
const maxRead = 20_000

/** In the order of the text, each once. */
export function symbolsIn(code: string): string[] {
  const text = code.slice(0, maxRead)
  const found = [...text.matchAll(definitions), ...text.matchAll(constants)].toSorted((a, b) => a.index - b.index)
  return [...new Set(found.map(([, name = '']) => name))]
    .filter((name) => !/^[tT]est(?:_|[A-Z])/.test(name))
    .slice(0, maxSymbols)
}
