// Finds what an agent would have to look up again after a compaction: paths, identifiers and values.
import { truncate } from '../text/truncate.ts'

export type NameKind = 'path' | 'identifier' | 'value'

export interface FoundName {
  kind: NameKind
  text: string
}

/** Longer texts are file contents and output; nothing in them was meant as a name. */
const maxTextLength = 20_000
export const maxNameLength = 160

/**
 * The names in a text, each once, in the order of their first occurrence. In prose `red/green` is no
 * path, unless it stands in a code span.
 */
export function namesIn(text: string, form: 'code' | 'prose'): FoundName[] {
  const found = new Map<string, FoundName>()
  const parts = truncate(text, maxTextLength).split('`')
  for (const [index, part] of parts.entries()) {
    const isCode = form === 'code' || index % 2 === 1
    for (const [word] of part.matchAll(words)) {
      const name = nameOf(trimmed(word), isCode)
      if (name && name.text.length <= maxNameLength && !found.has(name.text)) found.set(name.text, name)
    }
  }
  return [...found.values()]
}

/** White space, quotes, brackets and signs of shells separate words. */
const words = /[^\s"'`()[\]{}<>|;,=&*?!$^…“”‘’]{3,400}/g

/** Without punctuation of prose, and without the place behind a path in the output of a search. */
function trimmed(word: string): string {
  return word
    .replace(/^[:.@+-]+(?=[A-Za-z0-9])(?<!\.)|[:.\\/+-]+$/g, '')
    .replace(/(\.\w{1,6})[:-]\d+(?:[:-].*)?$/, '$1')
}

function nameOf(word: string, isCode: boolean): FoundName | undefined {
  if (url.test(word)) return { kind: 'value', text: word }
  if (value.test(word)) return { kind: 'value', text: word }
  if (isPath(word, isCode)) return { kind: 'path', text: word }
  const plain = word.replace(/^#+/, '')
  if (hash.test(plain) && /\d/.test(plain) && /[a-f]/i.test(plain)) return { kind: 'value', text: plain }
  return isIdentifier(plain) ? { kind: 'identifier', text: plain } : undefined
}

const url = /^(?:https?|wss?|git|ssh|postgres(?:ql)?|redis|file):\/\/[^\s]+\w/i
/** A version, an address with a port, a number of four digits or with a unit, an issue. */
const value =
  /^(?:v?\d+\.\d+\.\d+[\w.+-]*|(?:localhost|\d{1,3}(?:\.\d{1,3}){3}|[\w-]+(?:\.[\w-]+)+):\d{2,5}|#\d{1,7}|\d{4,12}|\d{2,12}(?:\.\d+)?(?:ms|s|m|h|d|[kKmMgG]i?[bB]?|px|rpm|%)|\d+(?:ms|[kKmMgG]i?[bB]|%))$/
const hash = /^(?:[0-9a-f]{7,40}|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})$/i

function isPath(word: string, isCode: boolean): boolean {
  if (/[^\w@.~/\\+-]/.test(word) || word.includes('//') || word.includes('..') || !/[A-Za-z]{2}/.test(word))
    return false
  if (/^[A-Za-z]:\\[\w.\\-]+$/.test(word) || fileName.test(word)) return true
  if (!/[\w.@~-]\/[\w.@-]/.test(word) || /^[\w-]+\.(?:com|org|io|net|dev)\//.test(word)) return false
  return isCode || /^~?\//.test(word)
}

/** Recognised by an extension that is no word of prose. */
const fileName =
  /^[\w./@~-]*\w\.(?:[cm]?[jt]sx?|json[lc5]?|ya?ml|toml|mdx?|py|go|rs|rb|java|kt|swift|c|h|cc|cpp|hpp|cs|php|sh|sql|html?|s?css|txt|lock|cfg|ini|xml|proto|vue|svelte|tf|exs?|zig|lua|[ct]sv|log|db|sqlite|mod|gradle|gyp)$/

/** Written as in code: words joined by case or an underscore, or a long name with dashes. */
function isIdentifier(word: string): boolean {
  if (word.length < 5 || !/^[A-Za-z_@][\w.:-]*$/.test(word)) return false
  const isCamel = /[a-z][A-Z]/.test(word) && !/-/.test(word)
  const isSnake = /[A-Za-z0-9]_[A-Za-z0-9]/.test(word)
  const isDashed = /^[a-z0-9]+(?:-[a-z0-9]+)+$/.test(word) && (/\d/.test(word) || word.split('-').length > 2)
  return isCamel || isSnake || isDashed
}
