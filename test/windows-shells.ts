// How Windows reads a command line, written from the documentation of cmd ("How does the Windows command interpreter
// parse scripts"), PowerShell (about_Parsing, about_Quoting_Rules) and CommandLineToArgvW. A line that a shell would
// expand, split in an unknown way or refuse throws. Results are the commands that `&&` joins.

/** cmd at its prompt, with delayed expansion on: the worst case. */
export function readByCmd(line: string): string[][] {
  if (/[\r\n\0]/.test(line)) throw new Error('cmd ends the command at a line end')
  // Variables are expanded first, also between quotes.
  if (/%[^%\s]+%/.test(line) || /%[^%:]+:[^%]*%/.test(line)) throw new Error('cmd expands %')
  if (line.includes('!')) throw new Error('cmd expands !')
  const commands = ['']
  let isQuoted = false
  for (let at = 0; at < line.length; at++) {
    const character = line[at]!
    if (character === '"') isQuoted = !isQuoted
    if (!isQuoted && character === '^') throw new Error('cmd takes a caret away')
    if (!isQuoted && line.startsWith('&&', at)) {
      commands.push('')
      at++
    } else if (!isQuoted && /[&|<>()]/.test(character)) throw new Error(`cmd acts on ${character}`)
    else commands[commands.length - 1] += character
  }
  return commands.map(argumentsOf)
}

/** PowerShell: each argument is passed on as version 5.1 does it, in quotes if it has a blank. */
export function readByPowerShell(line: string): string[][] {
  const commands: string[][] = [[]]
  let at = 0
  while (at < line.length) {
    if (/\s/.test(line[at]!)) at++
    else if (line.startsWith('&&', at)) {
      commands.push([])
      at += 2
    } else {
      const [word, end] = line[at] === '"' ? stringAt(line, at + 1) : bareWordAt(line, at)
      commands.at(-1)!.push(word)
      at = end
    }
  }
  return commands.map(([program, ...args]) => [
    program!,
    // cd is a cmdlet, which gets the text itself.
    ...(program === 'cd' ? args : argumentsOf(args.map((arg) => (/\s/.test(arg) ? `"${arg}"` : arg)).join(' '))),
  ])
}

function stringAt(line: string, from: number): [text: string, end: number] {
  for (let at = from; at < line.length; at++) {
    if (/["\u201c-\u201e]/.test(line[at]!)) {
      if (line[at] !== '"' || /\S/.test(line[at + 1] ?? ' ')) throw new Error('PowerShell reads another quote')
      return [line.slice(from, at), at + 1]
    }
    if (/[$`]/.test(line[at]!)) throw new Error(`PowerShell interprets ${line[at]}`)
  }
  throw new Error('PowerShell waits for the end of a string')
}

function bareWordAt(line: string, from: number): [text: string, end: number] {
  const word = /^\S+/.exec(line.slice(from))![0]
  if (/[$`"'\u2018-\u201e;|&<>(){}@,\u2013-\u2015]/.test(word)) throw new Error(`PowerShell interprets ${word}`)
  if (word.startsWith('#')) throw new Error('PowerShell reads a comment')
  if (/^-[^:.]*[:.]/.test(word)) throw new Error(`PowerShell splits ${word}`)
  if (word === '--%') throw new Error('PowerShell stops parsing')
  return [word, from + word.length]
}

/** CommandLineToArgvW: 2n backslashes before a quote are n, one more makes the quote literal. */
function argumentsOf(line: string): string[] {
  const found: string[] = []
  let current: string | undefined
  let isQuoted = false
  for (let at = 0; at < line.length; at++) {
    const slashes = /^\\*/.exec(line.slice(at))![0].length
    if (slashes > 0 && line[at + slashes] === '"') {
      current = (current ?? '') + '\\'.repeat(slashes >> 1)
      at += slashes
      if (slashes % 2 === 1) current += '"'
      else isQuoted = !isQuoted
    } else if (line[at] === '"') {
      current ??= ''
      isQuoted = !isQuoted
    } else if (!isQuoted && /[ \t]/.test(line[at]!)) {
      if (current !== undefined) found.push(current)
      current = undefined
    } else current = (current ?? '') + line[at]
  }
  return current === undefined ? found : [...found, current]
}
