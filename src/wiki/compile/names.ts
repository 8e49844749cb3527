// Extracts names from a text: files, dotted names, symbols, abbreviations. Does not decide which
// are topics.
import { codeEndings, plainEndings, withoutTest } from './modules.ts'

export interface TextNames {
  /** Paths and file names as written, with counts. */
  paths: Map<string, number>
  /** Parts of dotted names such as `boltons.urlutils.URL` and `store::ledger`. */
  dotted: string[][]
  /** Identifiers, including those in backticks. */
  symbols: Map<string, number>
  /** Possible module names in lower case: words in backticks, and long words. */
  coded: Map<string, number>
  words: Map<string, number>
  /** `ERP`, `SLA`. */
  abbreviations: Map<string, number>
}

export function namesIn(text: string): TextNames {
  const named: TextNames = {
    paths: new Map(),
    dotted: [],
    symbols: new Map(),
    coded: new Map(),
    words: new Map(),
    abbreviations: new Map(),
  }
  const noSymbols = new Set<string>()
  for (const match of text.matchAll(tokens)) {
    const end = match.index + match[0].length
    const before = text[match.index - 1]
    const isCode = before === '`' && /^(?:\(\))?`/.test(text.slice(end, end + 3))
    // Quoted words are examples, and `@name` is a person.
    const isExample = (before === "'" || before === '"') && text[end] === before
    for (const { kind, name } of partsOf(match[0])) {
      if (kind === 'person' || isExample) noSymbols.add(name)
      else addName(named, kind, name, isCode)
    }
  }
  for (const name of noSymbols) named.symbols.delete(name)
  return named
}

type NameKind = 'path' | 'dotted' | 'symbol' | 'abbreviation' | 'word' | 'short' | 'person'

interface NamePart {
  kind: NameKind
  name: string
}

function addName(named: TextNames, kind: NameKind, name: string, isCode: boolean): void {
  if (kind === 'path') addCount(named.paths, name)
  if (kind === 'dotted') named.dotted.push(name.split(/\.|::/))
  if (kind === 'symbol') addCount(named.symbols, name)
  if (kind === 'abbreviation') addCount(named.abbreviations, name)
  if (isCode && kind !== 'path' && kind !== 'dotted' && name.length > 2) {
    addCount(named.coded, name.toLowerCase())
    if (kind !== 'symbol' && isSymbol(name)) addCount(named.symbols, name)
  } else if (kind === 'word' || kind === 'symbol') addCount(named.words, name.toLowerCase())
}

const tokens = /[\w@~./\\][\w@~./\\:+-]*/g

/** Cache: texts repeat their words. */
const knownTokens = new Map<string, readonly NamePart[]>()
const maxKnown = 50_000

function partsOf(token: string): readonly NamePart[] {
  const known = knownTokens.get(token)
  if (known) return known
  if (knownTokens.size >= maxKnown) knownTokens.clear()
  const parts = readToken(token)
  knownTokens.set(token, parts)
  return parts
}

function readToken(token: string): NamePart[] {
  const plain = token.replace(/[.:/\\+-]+$/, '')
  if (/^https?:/.test(plain)) return []
  if (plain.startsWith('@')) return [{ kind: 'person', name: plain.slice(1) }]
  // `test_retry.py::test_backoff`, `retry.py:12`
  const [file = '', ...rest] = plain.split(/:+(?=\w)/)
  if (isPath.test(file)) return isProduct.test(file) ? [] : [{ kind: 'path', name: file }]
  if (isDotted.test(plain))
    return languageLibraries.has(/^\w+/.exec(plain)![0].toLowerCase()) ? [] : [{ kind: 'dotted', name: plain }]
  return [file, ...rest].flatMap((part) => part.split(/[^\w]+/)).flatMap(readWord)
}

function readWord(word: string): NamePart[] {
  if (!/^[A-Za-z_]/.test(word)) return []
  if (/^[A-Z]{2,6}$/.test(word))
    return word.length > 2 && !commonAbbreviations.has(word) ? [{ kind: 'abbreviation', name: word }] : []
  if (isIdentifier(word) && isSymbol(word)) return [{ kind: 'symbol', name: word }]
  return [{ kind: word.length >= 7 || /[_\d]/.test(word) ? 'word' : 'short', name: word }]
}

/** The heuristic judge prefixes a text with the names that the conversation was about. */
export function leadNames(text: string): string[] {
  return /^[\w.]+(?:, [\w.]+)*(?= - |: )/.exec(text)?.[0].split(', ') ?? []
}

const endings = [...codeEndings, ...plainEndings].join('|')
const isPath = new RegExp(`^[\\w@~./\\\\+:-]*[\\w-]\\.(?:${endings})$`)
/** Products with names like files. */
const isProduct =
  /^(?:[A-Z]\w*|node|next|nuxt|vue|express|three|d3|socket|discord|chart|deno|bun|ember|backbone)\.(?:js|go|rs|ml)$/
const isDotted = /^[A-Za-z_]\w*(?:(?:\.|::)[A-Za-z_]\w*)+$/

/** Standard libraries, which are no modules of the project. */
const languageLibraries = new Set(
  'os sys io re json math time functools itertools collections asyncio typing std core fmt strings errors context http react console process window document object array promise self this cls super e i'.split(
    ' ',
  ),
)

/** `apply_discounts`, `IndexedSet`, `parseQuery`, `under2camel`: not natural-language words. */
export function isIdentifier(word: string): boolean {
  return /^[A-Za-z]\w*[a-z0-9]_\w+$|^[A-Z][a-z0-9]+[A-Z]\w*$|^[a-z]+[A-Z]\w*$|^[a-z]{2,}\d[a-z]{2,}$|^[A-Z]+_[A-Z_]+$/.test(
    word,
  )
}

function isSymbol(word: string): boolean {
  return !noSymbols.test(word) && withoutTest(word) === word && !/^[a-f0-9]{6,}$/.test(word)
}

/** Errors, constants, case styles, products and languages. */
const noSymbols =
  /^(?:assert\w*|[KMGT]iB|\w*(?:Error|Exception|Warning|Interrupt)|NotImplemented|None|True|False|NaN|null|undefined|true|false|self|this|cls|args|kwargs|__\w+__|(?:snake|camel|pascal|kebab|title|lower|upper)_?[cC]ase|CamelCase|PascalCase|camelCase|isort|black|mypy|ruff|eslint|prettier|pytest|unittest|vitest|jest|npm|npx|pnpm|yarn|pip|git|main|master|dev|develop|list|dict|tuple|set|str|int|float|bool|bytes|object|string|number|boolean|array|map|type|class|def|async|await|import|return|any|unknown|void|never|GitHub|GitLab|JavaScript|TypeScript|PostgreSQL|MySQL|SQLite|YouTube|OpenAI|ChatGPT|LinkedIn|MacBook|macOS|iOS|iPhone|PyPI|PyPy|CPython|NodeJS|NextJS|WebSocket|AppVeyor|DevOps|README|TODO|py\d*|utf\d*|python\d*)$/

/** Too common to be a topic. */
const commonAbbreviations = new Set(
  `API URL URI HTTP HTTPS JSON YAML XML HTML CSS CSV SQL PDF PNG SVG TODO FIXME README ASCII UTF UUID NULL NONE TRUE FALSE
  NOT AND THE ALL ANY ONLY NEVER ALWAYS MUST EXACT EXCEPT AFTER BEFORE ONE TWO YES NOW EVERY WHOLE SAME FIRST LAST ALSO BOTH EACH THIS THAT
  WHAT WHEN THEN THEY WITH WITHOUT FROM INTO BELOW ABOVE NAME TYPE STILL REALLY PLEASE STOP DONT WILL WONT CANNOT SHOULD COULD WOULD
  GET PUT POST HEAD PATCH DELETE SELECT INSERT UPDATE WHERE LGTM FYI WIP ASAP IMO IIRC AFAIK BTW WTF OMG OK CLI IDE RAM CPU GPU USD EUR UTC
  DOES DONE ARE HAS HAVE WAS NEW OLD USE RUN FIX BUG ADD SET END LIST ITEM KEY VALUE WOULD BEST GOOD BAD`.split(/\s+/),
)

function addCount(counts: Map<string, number>, name: string, by = 1): void {
  counts.set(name, (counts.get(name) ?? 0) + by)
}
