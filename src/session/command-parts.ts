// Reads a shell line as the commands that somebody would run again: each part by itself, without what
// prepares it or shortens its output, and with `…` for values that are others next time.

export interface CommandPart {
  /** The program with its subcommand: `mise run test`. */
  program: string
  /** The command on one line. */
  text: string
}

export interface CommandParts {
  /** The folder that the line changed to first, relative to the folder of the session; '' if none. */
  folder: string
  parts: CommandPart[]
}

const maxLine = 4000
const maxParts = 12
const maxWords = 30

export function commandParts(line: string, cwd: string | null): CommandParts {
  const found: CommandParts = { folder: '', parts: [] }
  for (const words of simpleCommands(line.slice(0, maxLine))) {
    if (found.parts.length === maxParts) break
    const [first = '', second = ''] = words
    if (/^(?:cd|pushd|popd)$/.test(first)) {
      // What follows runs in another folder than what came before.
      if (found.parts.length > 0) break
      const folder = unquoted(second).replace(/^\.\/|^\.$|(?<=.)\/$/g, '')
      // Another place than the project: what runs there says nothing of it.
      if (/[$`]/.test(folder)) return { folder: '', parts: [] }
      found.folder = /^[/~.]|^[A-Za-z]:/.test(folder) ? relativeFolder(folder, cwd) : joined(found.folder, folder)
      continue
    }
    const part = partOf(words, cwd)
    if (part) found.parts.push(part)
  }
  return found
}

function joined(outer: string, inner: string): string {
  return [outer, inner].filter((part) => part !== '').join('/')
}

function relativeFolder(folder: string, cwd: string | null): string {
  if (!cwd) return /^[/~]|^[A-Za-z]:/.test(folder) ? '' : folder
  if (folder === cwd) return ''
  if (folder.startsWith(`${cwd}/`)) return folder.slice(cwd.length + 1)
  return /^[/~]|^[A-Za-z]:/.test(folder) ? '' : folder
}

/** Undefined for a command that nobody needs to be told: one that only looks, prints, moves files or decides. */
function partOf(all: readonly string[], cwd: string | null): CommandPart | undefined {
  const words = withoutPrefix(all)
  const name = unquoted(words[0] ?? '')
  if (!isProgram.test(name) || isPlumbing.test(name)) return undefined
  if (interpreters.test(name) && words.some((word) => /^-(?:[a-z]*[ce]|-eval|-command)$/.test(word))) return undefined
  if (interpreters.test(name) && (words.length === 1 || words[1] === '-')) return undefined
  if (words.some((word) => /^--?(?:help|version)$/.test(word)) || words.length > maxWords) return undefined
  if (/^(?:help|version)$/.test(words[1] ?? '') || looksOnly.test(words.slice(0, 3).join(' '))) return undefined
  const shaped = words.map((word) => shapedWord(word, cwd))
  const text = mergeGaps(shaped).join(' ')
  return { program: programOf(shaped), text }
}

/** `do timeout 60 FOO=1 npm test`: variables, words of the shell, and programs that run others unchanged. */
function withoutPrefix(words: readonly string[]): readonly string[] {
  let at = 0
  while (at < words.length) {
    const word = words[at]!
    if (/^[A-Za-z_]\w*=/.test(word) || /^(?:sudo|time|nohup|env|exec|do|then|else|if|elif|while|until|!)$/.test(word))
      at++
    else if (word === 'timeout') {
      at++
      while (/^-|^\d+[smh]?$/.test(words[at] ?? '')) at++
    } else break
  }
  return words.slice(at)
}

function programOf(words: readonly string[]): string {
  const [name = '', ...rest] = words
  const verbs: string[] = []
  for (const word of rest) {
    if (word !== '-m' && !/^[a-z][a-z\d]*(?:[-:][a-z\d]+)*$/.test(word)) {
      if (verbs.length === 0 && /^-/.test(word) && !/^-[a-z]$/i.test(word)) continue
      break
    }
    verbs.push(word)
    if (!/^(?:run|exec|pr|issue|-m)$/.test(word)) break
  }
  return [name, ...verbs].join(' ').slice(0, 60)
}

function shapedWord(word: string, cwd: string | null): string {
  const [, name = '', value = word] = /^((?:--?)?[A-Za-z_][\w.-]*=)([\s\S]*)$/.exec(word) ?? []
  const plain = unquoted(value)
  const own = cwd && cwd.length > 3 ? plain.replaceAll(`${cwd}/`, '') : plain
  if (isChanging(own)) return `${name}…`
  if (/\s/.test(own))
    return own.length > maxQuoted || /\n/.test(own) ? `${name}…` : `${name}'${own.replaceAll("'", '"')}'`
  return `${name}${own.length > maxWord ? '…' : own.replace(/(?<=\/|^)\d{2,}(?=\/|$)/g, '…')}`
}

const maxQuoted = 60
const maxWord = 80

/** Ids, hashes, temporary and foreign paths, what another command prints. */
function isChanging(value: string): boolean {
  return (
    /\$\(|`|\$\{?[A-Za-z_\d]/.test(value) ||
    /^#?\d{2,}$/.test(value) ||
    /^[\da-f]{8,}$/i.test(value) ||
    /[\da-f]{8}-[\da-f]{4}-[\da-f]{4}/i.test(value) ||
    /^(?:\/private)?\/(?:tmp|var|home|Users|root|mnt|workspaces?)(?:\/|$)/.test(value) ||
    /^[A-Za-z]:[\\/]/.test(value)
  )
}

function mergeGaps(words: readonly string[]): string[] {
  return words.filter((word, index) => word !== '…' || words[index - 1] !== '…')
}

function unquoted(word: string): string {
  return word.replace(/^(["'])([\s\S]*)\1$/, '$2')
}

const isProgram = /^[\w@.~-][\w@./~+-]*$/

/** Tools for files and text, words of the shell, and git, which every agent knows. */
const isPlumbing =
  /^(?:ls|ll|cat|bat|sed|awk|gawk|grep|egrep|fgrep|rg|ag|fd|find|head|tail|wc|sort|uniq|diff|cmp|echo|printf|mkdir|rmdir|rm|cp|mv|touch|chmod|chown|ln|tee|xargs|which|whereis|type|pwd|cd|pushd|popd|test|true|false|date|sleep|wait|kill|pkill|killall|pgrep|ps|lsof|set|unset|export|source|read|tr|cut|column|nl|file|stat|du|df|tree|less|more|open|xdg-open|command|where|basename|dirname|realpath|readlink|seq|yes|id|whoami|hostname|uname|env|printenv|for|do|done|if|then|else|elif|fi|while|until|case|esac|select|function|return|exit|break|continue|local|declare|trap|eval|let|alias|history|clear|tmux|vi|vim|nano|jq|yq|base64|md5sum|sha1sum|sha256sum|mktemp|apply_patch|str_replace|strReplace|git|code|cursor|start|\.{1,2}|~|-+)$/
/** Every agent knows how to look at an issue, and finds out how to ask a program for what it has. */
const looksOnly =
  /^(?:gh|glab) (?:pr|mr|issue|run|repo|release|workflow) (?:view|list|diff|checks|status|watch)$|^(?:gh|glab) (?:auth|search)|^(?!(?:npm|pnpm|yarn|bun|make|just|task|mise)\b)[\w.-]+ (?:[a-z]+ )?(?:ls|list|show|view|status|info|describe|doctor|current|whoami|logs?|which|init|onboard|login|logout)(?= |$)/
const interpreters =
  /^(?:.*\/)?(?:python[\d.]*|node|ruby|perl|php|bash|sh|zsh|dash|fish|pwsh|powershell|bun|deno|lua|osascript|cmd)$/

/** The words of each command; what reads the output of another is left out. */
function simpleCommands(line: string): string[][] {
  const text = line.replace(/<<-?\s*['"]?(\w+)['"]?[\s\S]*?(?:\n\s*\1\b|$)/g, ' ').replace(/\\\r?\n/g, ' ')
  const commands: string[][] = []
  let words: string[] = []
  let word = ''
  let isPiped = false
  const closeWord = () => {
    if (word !== '') words.push(word)
    word = ''
  }
  const close = (piped: boolean) => {
    closeWord()
    if (words.length > 0 && !isPiped) commands.push(words)
    words = []
    isPiped = piped
  }
  for (let at = 0; at < text.length; ) {
    const rest = text.slice(at, at + 300)
    const sign = text[at]!
    const redirection = /^(?:\d*>&\d|&>>?|\d*>>?|\d*<(?!\())\s*(?:(?!&)[^\s;&|]+)?/.exec(rest)?.[0]
    const separator = /^(?:\|\||&&|\|&?|;+|&|\r?\n|[()]|[{}](?=\s|;|$))/.exec(rest)?.[0]
    if (sign === '"' || sign === "'") {
      const end = endOfQuote(text, at)
      word += text.slice(at, end)
      at = end
    } else if (text.startsWith('$(', at) || sign === '`') {
      const end = sign === '`' ? text.indexOf('`', at + 1) + 1 || text.length : endOfSubstitution(text, at + 1)
      word += '$(…)'
      at = end
    } else if (sign === '#' && word === '') {
      at = text.indexOf('\n', at) < 0 ? text.length : text.indexOf('\n', at)
    } else if (redirection && (word === '' || !/^\d/.test(redirection))) {
      closeWord()
      at += redirection.length
    } else if (separator) {
      close(/^\|&?$/.test(separator))
      at += separator.length
    } else if (/\s/.test(sign)) {
      closeWord()
      at++
    } else {
      const length = sign === '\\' ? 2 : 1
      word += text.slice(at, at + length)
      at += length
    }
  }
  close(false)
  return commands
}

function endOfQuote(text: string, from: number): number {
  const quote = text[from]!
  for (let at = from + 1; at < text.length; at++) {
    if (text[at] === '\\' && quote === '"') at++
    else if (text[at] === quote) return at + 1
  }
  return text.length
}

function endOfSubstitution(text: string, from: number): number {
  let depth = 0
  for (let at = from; at < text.length; at++) {
    if (text[at] === '(') depth++
    else if (text[at] === ')' && --depth === 0) return at + 1
  }
  return text.length
}
