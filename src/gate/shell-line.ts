// Reads a shell line as the simple commands that it runs, with quotes resolved. A line whose commands
// cannot be known from its text (substitutions, here-documents, subshells, comments) is not read.

export interface ShellWord {
  /** Without its quotes. */
  text: string
  isQuoted: boolean
  /** Where it is in the line. */
  from: number
  to: number
}

export interface SimpleCommand {
  /** `NAME=value` in front of the program. */
  variables: ShellWord[]
  words: ShellWord[]
  /** Files that its output is written to or its input is read from; not other streams. */
  files: string[]
  /** Reads the output of the command before it. */
  isPiped: boolean
}

const maxLine = 4000

/** Undefined if the line runs something that its words do not show. */
export function parseShellLine(line: string): SimpleCommand[] | undefined {
  if (line.length > maxLine) return undefined
  const commands: SimpleCommand[] = []
  let command = emptyCommand(false)
  let at = 0
  while (at < line.length) {
    const rest = line.slice(at)
    const space = /^(?:[ \t]+|\\\r?\n)+/.exec(rest)?.[0]
    if (space) {
      at += space.length
      continue
    }
    if (rest.startsWith('#')) return undefined
    const redirection = /^(?:\d*>&\d|&>>?|\d*>>?|\d*<)(?![<(&])\s*/.exec(rest)?.[0]
    if (redirection) {
      at += redirection.length
      if (/&\d\s*$/.test(redirection)) continue
      const target = readWord(line, at)
      if (!target) return undefined
      command.files.push(target.text)
      at = target.to
      continue
    }
    const separator = /^(?:\|\||&&|\|&?|;|&|\n)/.exec(rest)?.[0]
    if (separator) {
      if (command.words.length + command.variables.length > 0) commands.push(command)
      command = emptyCommand(separator.startsWith('|') && separator !== '||')
      at += separator.length
      continue
    }
    const word = readWord(line, at)
    if (!word) return undefined
    const isVariable = command.words.length === 0 && /^[A-Za-z_]\w*\+?=/.test(line.slice(word.from, word.to))
    ;(isVariable ? command.variables : command.words).push(word)
    at = word.to
  }
  if (command.words.length + command.variables.length > 0) commands.push(command)
  return commands
}

function emptyCommand(isPiped: boolean): SimpleCommand {
  return { variables: [], words: [], files: [], isPiped }
}

/** Undefined for an unclosed quote, a substitution, or a sign that begins another construct. */
function readWord(line: string, from: number): ShellWord | undefined {
  let text = ''
  let isQuoted = false
  let at = from
  while (at < line.length) {
    const sign = line[at]!
    if (/[\s;&|<>]/.test(sign)) break
    if (/[`()]/.test(sign) || line.startsWith("$'", at)) return undefined
    if (sign === "'") {
      const end = line.indexOf("'", at + 1)
      if (end < 0) return undefined
      text += line.slice(at + 1, end)
      isQuoted = true
      at = end + 1
    } else if (sign === '"') {
      const quoted = /^"((?:[^"\\]|\\[\s\S])*)"/.exec(line.slice(at))
      if (!quoted || /`|\$\(/.test(quoted[1]!)) return undefined
      text += quoted[1]!.replace(/\\(["\\$`])/g, '$1')
      isQuoted = true
      at += quoted[0].length
    } else if (sign === '\\') {
      text += line[at + 1] ?? ''
      at += 2
    } else {
      text += sign
      at++
    }
  }
  return at === from ? undefined : { text, isQuoted, from, to: Math.min(at, line.length) }
}
