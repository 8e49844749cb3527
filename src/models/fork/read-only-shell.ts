// Checks that a shell line changes nothing and reads nothing outside of the given folders. A line
// that is not understood completely is refused.
import { isInsideFolders } from './path-containment.ts'

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

// Commands that change nothing with the listed options. Other options are refused, which excludes
// `sort -o`, `find -exec`, `git diff --output` and options of later versions.

interface ReadOnlyCommand {
  /** Options of one letter, also combined behind one dash; those after the colon take a value. */
  letters?: string
  /** `--name`; with a trailing `=` it needs a value in the same word. */
  long?: string[]
  /** Whether `-20` is a number of lines. */
  takesNumber?: boolean
  /** How many non-option words come before the files: a pattern, a script. */
  texts?: number
  /** Pattern for such a text. */
  text?: RegExp
  /** Maximum of non-option words, for programs that write into a further one. */
  max?: number
  /** Subcommands, each with its own rules. */
  subcommands?: Record<string, ReadOnlyCommand>
}

const counted = { letters: 'qv:cn', takesNumber: true, long: ['lines=', 'bytes=', 'quiet', 'verbose'] }
const commits = {
  letters: 'bimpsuwz:nSGLU',
  takesNumber: true,
  long: [
    ...['oneline', 'stat', 'shortstat', 'numstat', 'name-only', 'name-status', 'summary', 'patch', 'no-patch', 'raw'],
    ...['graph', 'all', 'branches', 'tags', 'remotes', 'decorate', 'no-decorate', 'abbrev-commit', 'follow', 'reverse'],
    ...['merges', 'no-merges', 'first-parent', 'no-color', 'no-renames', 'full-index', 'word-diff', 'no-ext-diff'],
    ...['cached', 'staged', 'merge-base', 'ignore-all-space', 'ignore-space-change', 'no-textconv', 'check'],
    ...['max-count=', 'skip=', 'since=', 'until=', 'after=', 'before=', 'author=', 'committer=', 'grep='],
    ...['format=', 'pretty=', 'date=', 'unified=', 'diff-filter='],
  ],
}

export const readOnlyCommands: Record<string, ReadOnlyCommand> = {
  basename: {},
  cat: { letters: 'AbeEnstTuv' },
  cmp: { letters: 'bls' },
  cut: { letters: 's:bcdf', long: ['bytes=', 'characters=', 'delimiter=', 'fields=', 'only-delimited'] },
  diff: { letters: 'abBdiNpqstuwy:UC', long: ['brief', 'unified=', 'side-by-side'] }, // -r would follow links,
  dirname: {},
  du: { letters: 'abchkms:d', long: ['max-depth=', 'summarize', 'human-readable'] },
  echo: { letters: 'n', texts: Number.POSITIVE_INFINITY },
  find: {}, // its options are not like those of others: see below
  git: {
    subcommands: {
      blame: { letters: 'beflnstw:L', long: ['porcelain', 'line-porcelain', 'date='] },
      branch: { letters: 'arv', long: ['all', 'list', 'remotes', 'show-current', 'verbose', 'no-color'], max: 0 },
      diff: commits,
      log: commits,
      'ls-files': {
        letters: 'cdmostz',
        long: ['cached', 'deleted', 'modified', 'others', 'exclude-standard', 'stage'],
      },
      'rev-parse': {
        long: ['show-toplevel', 'abbrev-ref', 'short', 'verify', 'git-dir', 'is-inside-work-tree', 'show-prefix'],
      },
      show: commits,
      status: { letters: 'bsuvz', long: ['short', 'branch', 'porcelain', 'long', 'verbose', 'ignored', 'show-stash'] },
    },
  },
  grep: {
    letters: 'EFGPciloqrsvwxnHhaLz:ABCem',
    long: [
      ...['recursive', 'ignore-case', 'line-number', 'files-with-matches', 'count', 'word-regexp', 'fixed-strings'],
      ...[
        'extended-regexp',
        'perl-regexp',
        'invert-match',
        'only-matching',
        'no-messages',
        'with-filename',
        'no-filename',
      ],
      ...['include=', 'exclude=', 'exclude-dir=', 'max-count=', 'context=', 'color=', 'regexp='],
    ],
    texts: 1,
  },
  head: counted,
  ls: {
    letters: '1AaBCFGghiLlmnopqRrSstUux',
    long: ['all', 'almost-all', 'human-readable', 'recursive', 'color=', 'reverse'],
  },
  nl: { letters: ':b' },
  pwd: { letters: 'LP', max: 0 },
  sed: { letters: 'nE', texts: 1, text: /^\d+(?:,\d+)?p$/ },
  sort: { letters: 'bdfghinrsuVz:kt', long: ['reverse', 'numeric-sort', 'unique', 'key=', 'human-numeric-sort'] },
  stat: { letters: 'Lft:c', long: ['format=', 'terse', 'dereference'] },
  tail: counted,
  tr: { letters: 'cds', texts: 2, max: 2 },
  true: { max: 0 },
  uniq: { letters: 'cdiu', long: ['count', 'repeated', 'unique', 'ignore-case'], max: 1 },
  wc: { letters: 'clmwL', long: ['lines', 'words', 'bytes', 'chars'] },
}

/** Tests of `find` that only read; each takes a value, or none. */
const findTests: Record<string, 'value' | 'alone'> = {
  '-name': 'value',
  '-iname': 'value',
  '-path': 'value',
  '-ipath': 'value',
  '-type': 'value',
  '-maxdepth': 'value',
  '-mindepth': 'value',
  '-mtime': 'value',
  '-mmin': 'value',
  '-size': 'value',
  '-newermt': 'value',
  '-not': 'alone',
  '-o': 'alone',
  '-a': 'alone',
  '-empty': 'alone',
  '-print': 'alone',
  '-prune': 'alone',
}
