// Checks that a shell line changes nothing and reads nothing outside of the given folders. A line
// that is not understood completely is refused.
import { isInsideFolders } from './path-containment.ts'
import { findTests, type ReadOnlyCommand, readOnlyCommands } from './read-only-commands.ts'

export interface ReadScope {
  /** Base of relative paths. */
  cwd: string
  folders: readonly string[]
}

/** Why the line may not run; undefined if it may. */
export function shellObjection(line: string, sight: ReadScope): string | undefined {
  // Many commands read the current folder by default.
  if (!isInsideFolders(sight.cwd, sight.folders)) return 'it would run outside of the project'
  const commands = plainCommands(line)
  if (commands === undefined) return 'only plain commands: no redirection, substitution, variables, globs or escapes'
  for (const words of commands) {
    const objection = objectionToCommand(words, sight)
    if (objection) return objection
  }
  return undefined
}

function objectionToCommand([name = '', ...words]: string[], sight: ReadScope): string | undefined {
  const command = named(readOnlyCommands, name)
  if (command === undefined) return `${name || 'an empty command'} is not known to be read-only`
  if (name === 'find') return objectionToFind(words, sight)
  if (!command.subcommands) return objectionToWords(name, command, words, sight)
  const [second = '', ...rest] = words
  const subcommand = named(command.subcommands, second)
  if (subcommand === undefined) return `${name} ${second} is not known to be read-only`
  return objectionToWords(`${name} ${second}`, subcommand, rest, sight)
}

function objectionToWords(
  name: string,
  command: ReadOnlyCommand,
  words: string[],
  sight: ReadScope,
): string | undefined {
  const others: string[] = []
  let isPatternGiven = false
  for (let index = 0; index < words.length; index++) {
    const word = words[index]!
    if (word === '--') {
      others.push(...words.slice(index + 1))
      break
    }
    if (!word.startsWith('-') || word === '-') {
      others.push(word)
      continue
    }
    const option = optionOf(command, word)
    if (option === undefined) return `${name} ${word} is not known to be read-only`
    if (/^-[a-zA-Z]*e|^--regexp/.test(word) && name === 'grep') isPatternGiven = true
    if (option.takesNext && ++index >= words.length) return `${name} ${word} needs a value`
  }
  if (others.length > (command.max ?? Number.POSITIVE_INFINITY)) return `${name} takes fewer words`
  const texts = isPatternGiven ? 0 : (command.texts ?? 0)
  if (command.text && !others.slice(0, texts).every((text) => command.text!.test(text))) {
    return `${name} runs a script that is not known to be read-only`
  }
  return objectionToPaths(others.slice(texts), sight)
}

/** Undefined if the option is not in the table. */
function optionOf(command: ReadOnlyCommand, word: string): { takesNext: boolean } | undefined {
  if (word.startsWith('--')) {
    const [long = '', value] = splitAt(word.slice(2), '=')
    const isKnown = command.long?.includes(value === undefined ? long : `${long}=`)
    return isKnown ? { takesNext: false } : undefined
  }
  if (command.takesNumber && /^-\d+$/.test(word)) return { takesNext: false }
  const [alone = '', valued = ''] = (command.letters ?? '').split(':')
  for (let at = 1; at < word.length; at++) {
    // The rest of the word is the value of this option.
    if (valued.includes(word[at]!)) return { takesNext: at === word.length - 1 }
    if (!alone.includes(word[at]!)) return undefined
  }
  return { takesNext: false }
}

function objectionToFind(words: string[], sight: ReadScope): string | undefined {
  const start = words.findIndex((word) => word.startsWith('-'))
  const folders = start === -1 ? words : words.slice(0, start)
  const tests = start === -1 ? [] : words.slice(start)
  for (let index = 0; index < tests.length; index++) {
    const kind = named(findTests, tests[index]!)
    if (kind === undefined) return `find ${tests[index]} is not known to be read-only`
    if (kind === 'value') index++
  }
  return objectionToPaths(folders, sight)
}

/**
 * Any word that is not an option may be a path. A plain word resolves to a path below the folder,
 * which does no harm.
 */
function objectionToPaths(words: string[], { cwd, folders }: ReadScope): string | undefined {
  for (const word of words) {
    if (word !== '-' && !isInsideFolders(word, folders, cwd)) return `${word} lies outside of the project`
  }
  return undefined
}

function named<T>(table: Record<string, T>, name: string): T | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined
}

function splitAt(text: string, mark: string): [string, string | undefined] {
  const at = text.indexOf(mark)
  return at === -1 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)]
}

// Splits a shell line into the words of its commands, if it is so plain that every shell reads it
// alike. Variables, substitution, globs, redirection, escapes, several lines and background jobs
// are not parsed: partial understanding would be misunderstanding.

/** One list of words per command; undefined for a line that is not plain. */
function plainCommands(line: string): string[][] | undefined {
  if (line.length > maxLineLength) return undefined
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

const maxLineLength = 2000
const operators = ['&&', '||', '|', ';']
const harmlessRedirections = ['2>&1', '2>/dev/null', '>/dev/null']

/** Quoted text without characters that a shell or terminal interprets. */
const inSingle = String.raw`'[^'\x00-\x1f\x7f]*'`
const inDouble = String.raw`"[^"$\x60\\!\x00-\x1f\x7f]*"`
/**
 * A tilde is a plain character in `HEAD~2` but the home folder at the start of a word; a leading
 * equals sign is a path lookup in zsh.
 */
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
