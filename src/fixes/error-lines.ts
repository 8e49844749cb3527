// Finds the lines of an output that tell an error, each with the place and the source line that it
// is about. An output of a linter or a compiler has many; fingerprints of whole outputs take one.
import { errorShape } from '../digest/fingerprint.ts'
import { removeControls } from '../text/control-characters.ts'
import { ellipsize, oneLine, truncateMiddle } from '../text/truncate.ts'

export interface ErrorLine {
  /** Without its place. */
  message: string
  /** The message without its variable parts: the same for the same error elsewhere. */
  shape: string
  /** The quoted parts, which say what it is about. */
  details: string[]
  /** Null if the line names no place. */
  file: string | null
  /** The line of source that the tool printed below the error; '' if it printed none. */
  source: string
}

export const isTestFile = /(?:^|[._/\\-])(?:tests?|spec)[._/\\-]/i

const maxOutput = 40_000
const maxErrors = 12
/** Longer ones are data. */
const maxLine = 2000
const maxMessage = 240
const minMessage = 8

/** The errors in an output, in order, each once. */
export function errorLinesIn(output: string): ErrorLine[] {
  const lines = linesOf(output)
  const found = new Map<string, ErrorLine>()
  let heading: string | null = null
  for (const [index, line] of lines.entries()) {
    if (found.size >= maxErrors) break
    if (line.length > maxLine) continue
    if (isHeading.test(line)) heading = line.trim()
    const error = locatedError(line, heading, lines[index + 1] ?? '') ?? namedError(line)
    if (error) found.set(`${error.file} ${error.shape} ${error.details.join()}`, error)
  }
  return [...found.values()]
}

/** A line that is known to be an error, such as one that a person asks about. */
export function errorLineOf(text: string): ErrorLine {
  const [line = ''] = linesOf(text)
  return locatedError(line, null, '') ?? errorOf(line, null, '')
}

function linesOf(output: string): string[] {
  return removeControls(truncateMiddle(output, maxOutput))
    .replace(/<\/?tool_use_error>/g, '')
    .split('\n')
    .map((line) => line.replace(taskPrefix, '').trimEnd())
}

/** Task runners put the name of the task in front of each line. */
const taskPrefix = /^\[[\w:.-]{1,40}\] (?!\$ )/

/** ESLint prints the file once, above its errors. */
const isHeading = /^(?:[A-Za-z]:)?[\w./\\@~+-]*[/\\][\w.@+-]+\.\w{1,6}$/

const file = String.raw`((?:[A-Za-z]:)?[\w./\\@~+-]*[\w@+-]\.[A-Za-z]\w{0,9})`
/** `a.go:51:14: message`, `a.py:3: error: message`, `a.ts(3,5): error TS1: message`, `a.ts:1:2 rule`. */
const located = new RegExp(String.raw`^\s*(?:-->\s*)?${file}[:(](\d+)(?:[:,](\d+))?\)?:?\s+(?:-\s+)?(\S.*)$`)
const eslint = /^\s+\d+:\d+\s+(?:error|warning)\s+(\S.*?)\s{2,}([\w@/-]+)$/
const saysError = /\b(?:error|warning|undefined|unresolved|cannot|can't|not found|invalid|expected)\b/i

function locatedError(line: string, heading: string | null, next: string): ErrorLine | undefined {
  const stylish = eslint.exec(line)
  if (stylish && heading) return errorOf(`${stylish[1]} (${stylish[2]})`, heading, '')
  const [, path, , column, text] = located.exec(line) ?? []
  if (!path || !text || (column === undefined && !saysError.test(text)) || isLog.test(text)) return undefined
  const message = text.replace(/^(?:fatal )?(?:error|warning)(?:\[\w+\])?:\s*/i, (kind) =>
    /\[/.test(kind) ? kind : '',
  )
  return message.length < minMessage ? undefined : errorOf(message, path, sourceIn(next))
}

/** Frames of a stack and lines that a test prints. */
const isLog = /^(?:in |at |Error Trace|\+0x|=== |--- |(?:INFO|DEBUG|WARN)\b)/

function sourceIn(next: string): string {
  const source = next.replace(/^\s*\d*\s*\|/, '').trim()
  return /^\s/.test(next) && source.length >= 4 && !/^[\^~]+/.test(source) ? source : ''
}

const named =
  /^\s*(?:error:\s*)?(?:(?:\w+\.)*[A-Z]\w*(?:Error|Exception|Panic)\b: \S|(?:error|fatal|panic|mise ERROR|ERR!|npm ERR!)(?:\[[\w-]+\])?:? +\S|E {3}\w+(?:Error|Exception)\b|! \[(?:remote )?rejected\])/i
const shell =
  /^(?:\(eval\)|zsh|bash|sh|\/\S+\/(?:ba|z)?sh)(?::(?:line )?\d+)?: \S|: command not found$|^\S+: (?:unknown|unrecogni[sz]ed|invalid|illegal) |^unknown (?:flag|option|command|shorthand)/i
const assertion = /\bAssertionError\b|\bexpect\(|^\s*E {3}assert|\bNot equal\b|Error Trace|^\s*Error: +\t/

function namedError(line: string): ErrorLine | undefined {
  if (!(named.test(line) || shell.test(line)) || assertion.test(line)) return undefined
  return errorOf(line.trim(), null, '')
}

function errorOf(text: string, file: string | null, source: string): ErrorLine {
  const message = ellipsize(oneLine(text), maxMessage)
  const shape = errorShape(message.replace(refs, '[rejected] <ref>').replace(behind, '(behind)'))
  return { message, shape, details: detailsOf(message), file, source: oneLine(source) }
}

/** Branches are other ones each time; git does not quote them. */
const refs = /\[(?:remote )?rejected\]\s+\S+\s+->\s+\S+/
/** The same reason in two words of git. */
const behind = /\((?:fetch first|non-fast-forward)\)/

/** Without texts that are longer than a name. */
function detailsOf(message: string): string[] {
  const quoted = [...message.matchAll(/'([^']+)'|"([^"]+)"|`([^`]+)`/g)].map(([, a, b, c]) => a ?? b ?? c ?? '')
  return [...new Set(quoted)].slice(0, 6)
}
