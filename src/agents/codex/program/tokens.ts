// Tokens of the small JavaScript programs that Codex (0.144 and later) passes to its tool `exec`. Nothing is
// evaluated, and every character is read once: a program is the model's text and may be anything.

export type Token =
  /** Also a template without substitutions. */
  | { kind: 'string'; value: string }
  /** Its texts; the substitutions between them follow as tokens, each within `${` and `}$`. */
  | { kind: 'template'; texts: string[] }
  | { kind: 'number'; value: number }
  | { kind: 'name'; value: string }
  | { kind: 'mark'; value: string }
  | { kind: 'pattern' }

export interface Tokens {
  tokens: Token[]
  /** Of every opening bracket the place of the closing one, or the end. */
  closing: number[]
  /** Whether the program was read to its end. */
  isWhole: boolean
}

const maxSource = 1_000_000
const maxTokens = 50_000

const space = /\s+/y
const word = /[\p{L}_$][\p{L}\p{N}_$]*/uy
const number = /(?:0[xX][\da-fA-F]+|\d[\d_]*(?:\.\d+)?(?:[eE][+-]?\d+)?)n?/y
const mark =
  /=>|\.\.\.|\?\.(?!\d)|\?\?=?|&&=?|\|\|=?|[=!]==?|[<>]=|\+\+|--|\+=|-=|\*\*?=?|[{}()[\].,;:?<>=!+\-*/%&|^~@#]/y

export function readTokens(source: string): Tokens {
  const tokens: Token[] = []
  // One entry per substitution that is open: its template, and how many braces are open within it.
  const open: { template: { kind: 'template'; texts: string[] }; braces: number }[] = []
  let at = 0
  const match = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at
    return pattern.exec(source)?.[0]
  }
  const add = (token: Token, length: number): true => {
    tokens.push(token)
    at += length
    return true
  }

  function readToken(): boolean {
    const character = source[at]!
    if (character === '"' || character === "'") {
      const text = readText(source, at + 1, character)
      return text?.end === 'quote' && add({ kind: 'string', value: text.value }, text.next - at)
    }
    if (character === '`') return readTemplate({ kind: 'template', texts: [] }, true)
    const inner = open.at(-1)
    if (character === '}' && inner?.braces === 0) {
      open.pop()
      tokens.push({ kind: 'mark', value: '}$' })
      return readTemplate(inner.template, false)
    }
    const name = match(word)
    if (name) return add({ kind: 'name', value: name }, name.length)
    const digits = match(number)
    if (digits) return add({ kind: 'number', value: Number(digits.replace(/_|n$/g, '')) }, digits.length)
    if (character === '/' && !endsOperand(tokens.at(-1))) {
      const end = patternEnd(source, at)
      return end > 0 && add({ kind: 'pattern' }, end - at)
    }
    const value = match(mark)
    if (!value) return false
    if (inner && value === '{') inner.braces++
    if (inner && value === '}') inner.braces--
    return add({ kind: 'mark', value }, value.length)
  }

  /** Reads a text of a template, up to its end or the next substitution. */
  function readTemplate(template: { kind: 'template'; texts: string[] }, isStart: boolean): boolean {
    const text = readText(source, at + 1, '`')
    if (!text) return false
    template.texts.push(text.value)
    at = text.next
    const isPlain = isStart && text.end === 'quote'
    if (isStart) tokens.push(isPlain ? { kind: 'string', value: text.value } : template)
    if (text.end === 'quote') return true
    tokens.push({ kind: 'mark', value: '${' })
    open.push({ template, braces: 0 })
    return true
  }

  let isWhole = source.length <= maxSource
  while (isWhole && at < source.length) {
    if (source.startsWith('//', at)) at = endAfter(source, '\n', at)
    else if (source.startsWith('/*', at)) at = endAfter(source, '*/', at + 2)
    else {
      const length = match(space)?.length ?? 0
      at += length
      if (length === 0) isWhole = tokens.length < maxTokens && readToken()
    }
  }
  return { tokens, closing: closingBrackets(tokens), isWhole: isWhole && open.length === 0 }
}

function endAfter(source: string, end: string, from: number): number {
  const found = source.indexOf(end, from)
  return found < 0 ? source.length : found + end.length
}

/** Decodes the text of a string or template; undefined if it has no end. */
function readText(
  source: string,
  from: number,
  quote: string,
): { value: string; next: number; end: 'quote' | 'substitution' } | undefined {
  const parts: string[] = []
  let start = from
  for (let at = from; at < source.length; at++) {
    const character = source[at]
    if (character === quote) {
      parts.push(source.slice(start, at))
      return { value: parts.join(''), next: at + 1, end: 'quote' }
    }
    if (quote === '`' && character === '$' && source[at + 1] === '{') {
      parts.push(source.slice(start, at))
      return { value: parts.join(''), next: at + 2, end: 'substitution' }
    }
    if (character === '\n' && quote !== '`') return undefined
    if (character !== '\\') continue
    parts.push(source.slice(start, at))
    escapeSequence.lastIndex = at + 1
    const sequence = escapeSequence.exec(source)?.[0]
    if (sequence === undefined) return undefined
    parts.push(decodeEscape(sequence))
    at += sequence.length
    start = at + 1
  }
  return undefined
}

const escapeSequence = /x[\da-fA-F]{2}|u[\da-fA-F]{4}|u\{[\da-fA-F]{1,6}\}|\r\n|[\s\S]/y
const controls: Record<string, string> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f', v: '\v', 0: '\0' }

function decodeEscape(sequence: string): string {
  if (sequence.length > 2 && /^[xu]/.test(sequence)) {
    const code = Number.parseInt(sequence.replace(/[xu{}]/g, ''), 16)
    return code > 0x10ffff ? '' : sequence.includes('{') ? String.fromCodePoint(code) : String.fromCharCode(code)
  }
  if (sequence === '\n' || sequence === '\r\n') return ''
  return controls[sequence] ?? sequence
}

/** A slash after an operand divides; any other begins a pattern. */
function endsOperand(token: Token | undefined): boolean {
  if (!token) return false
  if (token.kind === 'mark') return [')', ']', '}', '}$'].includes(token.value)
  return token.kind !== 'name' || !/^(?:return|typeof|case|in|of|await|void)$/.test(token.value)
}

function patternEnd(source: string, from: number): number {
  let isInClass = false
  for (let at = from + 1; at < source.length && source[at] !== '\n'; at++) {
    if (source[at] === '\\') at++
    else if (source[at] === '[') isInClass = true
    else if (source[at] === ']') isInClass = false
    else if (source[at] === '/' && !isInClass)
      return at + (/^[a-z]*/.exec(source.slice(at + 1, at + 12))![0].length + 1)
  }
  return 0
}

const brackets: Record<string, string> = { '(': ')', '[': ']', '{': '}', '${': '}$' }
const closers = new Set(Object.values(brackets))

function closingBrackets(tokens: Token[]): number[] {
  const closing: number[] = new Array(tokens.length).fill(tokens.length)
  const open: { at: number; closer: string }[] = []
  for (const [at, token] of tokens.entries()) {
    if (token.kind !== 'mark') continue
    const closer = brackets[token.value]
    if (closer) open.push({ at, closer })
    else if (closers.has(token.value) && open.at(-1)?.closer === token.value) closing[open.pop()!.at] = at
  }
  return closing
}
