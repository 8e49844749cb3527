// A shell line as the words of its commands, for lines so plain that every shell reads them in the same way. Whatever could
// mean more (variables, substitution, globs, redirection, escapes, several lines, the background) makes the line unreadable
// here: to be understood in part is to be misunderstood.

/** One list of words per command; undefined for a line that is not plain. */
export function plainCommands(line: string): string[][] | undefined {
  if (line.length > longestLine) return undefined
  const commands: string[][] = [[]]
  let rest = line
  while (rest !== '') {
    const token = tokenPatterns.map((pattern) => pattern.exec(rest)?.[0]).find((found) => found !== undefined)
    if (token === undefined) return undefined
    rest = rest.slice(token.length)
    if (/^[ \t]+$/.test(token) || harmlessRedirections.includes(token.trim())) continue
    if (operators.includes(token)) commands.push([])
    else commands.at(-1)!.push(unquoted(token))
  }
  return commands.every((words) => words.length > 0) ? commands : undefined
}

const longestLine = 2000
const operators = ['&&', '||', '|', ';']
const harmlessRedirections = ['2>&1', '2>/dev/null', '>/dev/null']

/** What stands between quotes is text, unless the shell looks into it or a terminal would. */
const inSingle = String.raw`'[^'\x00-\x1f\x7f]*'`
const inDouble = String.raw`"[^"$\x60\\!\x00-\x1f\x7f]*"`
/** A tilde is a letter in `HEAD~2` and a home at the beginning of a word; an equals sign there is a search of the path in zsh. */
const plain = String.raw`[A-Za-z0-9_./:=,@%+-]|(?<=[A-Za-z0-9])~(?=\d|[ \t|;&]|$)`
const wordEnd = String.raw`(?=[ \t|;&]|$)`

const tokenPatterns = [
  /^[ \t]+(?:2>&1|2>\/dev\/null|>\/dev\/null)(?=[ \t]|$)/,
  /^[ \t]+/,
  /^(?:&&|\|\||\|(?!&)|;(?!;))/,
  new RegExp(`^(?!=)(?:${plain}|${inSingle}|${inDouble})+${wordEnd}`),
]

function unquoted(word: string): string {
  return word.replace(/'([^']*)'|"([^"]*)"/g, (_, single?: string, double?: string) => single ?? double ?? '')
}
