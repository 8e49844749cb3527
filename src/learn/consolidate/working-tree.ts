// Checks whether the names in statements (files, symbols, scripts of package.json, Makefile
// targets) exist in a checkout: in the working tree or on the main branch.
import { lstatSync } from 'node:fs'
import { join } from 'node:path'
import { gitArgs, gitEnv, runProgram } from '../../core/shell/run-program.ts'

export interface MissingNames {
  names: CodeName[]
  /** All files that exist in any of the places. */
  paths: Set<string>
}

/** Names that are in none of the checkouts; undefined if git fails. */
export function findMissingNames(places: readonly Checkout[], names: readonly CodeName[]): MissingNames | undefined {
  const paths = new Set<string>()
  let left = [...names]
  for (const place of places) {
    const main = mainBranch(place)
    for (const tree of [undefined, ...(main === undefined ? [] : [main])]) {
      const listed = pathsIn(place, tree)
      const there = linesIn(place, left, tree)
      if (!listed || !there) return undefined
      for (const path of listed) paths.add(path)
      left = left.filter((name) => !there.has(name))
    }
  }
  const ends = endsOf(paths)
  left = left.filter(({ kind, text }) => kind !== 'path' || !(ends.has(text.toLowerCase()) || isOnDisk(places, text)))
  return { names: left, paths }
}

/** All files of the working trees; undefined if git fails. */
export function filesOf(places: readonly Checkout[]): Set<string> | undefined {
  const listed = places.map((place) => pathsIn(place, undefined))
  return listed.includes(undefined) ? undefined : new Set(listed.flatMap((paths) => paths ?? []))
}

/** The symbols that a line of a working tree defines; undefined if git fails. */
export function definedSymbols(places: readonly Checkout[], names: readonly string[]): Set<string> | undefined {
  const defined = new Set<string>()
  if (names.length === 0) return defined
  const form = ['grep', '-I', '-h', '--no-color', '--untracked', '-w', '-F']
  for (const place of places) {
    const out = runGit(place, [...form, ...names.flatMap((name) => ['-e', name])], '', [1])
    if (out === undefined) return undefined
    for (const line of out.split('\n'))
      for (const name of names)
        if (line.includes(name) && definesSymbol(escapeRegex(name)).test(line)) defined.add(name)
  }
  return defined
}

/** A feature branch may lack what the main branch has. */
function mainBranch(place: Checkout): string | undefined {
  const names = [
    'remotes/origin/HEAD',
    'remotes/origin/main',
    'remotes/origin/master',
    'heads/main',
    'heads/master',
  ].map((name) => `refs/${name}`)
  const found = runGit(place, ['for-each-ref', '--format=%(refname)', ...names])?.split('\n') ?? []
  return names.find((name) => found.includes(name))
}

function pathsIn(place: Checkout, tree: string | undefined): string[] | undefined {
  const listing =
    tree === undefined
      ? ['ls-files', '-z', '--cached', '--others', '--exclude-standard']
      : ['ls-tree', '-r', '-z', '--name-only', tree]
  return runGit(place, listing)
    ?.split('\0')
    .filter((path) => path !== '')
}

/**
 * Every suffix of every path (`src/a/b.ts`, `a/b.ts`, `b.ts`), in lower case: a file that only
 * changed its case is not gone.
 */
function endsOf(paths: ReadonlySet<string>): Set<string> {
  const folded = [...paths].map((path) => path.toLowerCase())
  const ends = new Set(folded)
  for (const path of folded)
    for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1)) ends.add(path.slice(at + 1))
  return ends
}

/** Ignored files are in no list. Everything behind a link counts as existing. */
export function isOnDisk(places: readonly Checkout[], path: string): boolean {
  return places.some(({ folder }) => {
    let at = folder
    for (const part of path.split('/')) {
      at = join(at, part)
      const found = lstatSync(at, { throwIfNoEntry: false })
      if (!found?.isDirectory()) return found !== undefined
    }
    return true
  })
}

/** Names within lines: symbols anywhere, scripts and targets where they are defined. */
function linesIn(place: Checkout, names: readonly CodeName[], tree: string | undefined): Set<CodeName> | undefined {
  const found = new Set<CodeName>()
  for (const kind of ['symbol', 'script', 'target'] as const) {
    const wanted = names.filter((name) => name.kind === kind)
    if (wanted.length === 0) continue
    const { form, patternOf, nameIn, files } = searches[kind]
    const patterns = wanted.flatMap(({ text }) => ['-e', patternOf(text)])
    const where = tree === undefined ? ['--untracked'] : [tree]
    // Git exits with 1 if it finds nothing.
    const out = runGit(
      place,
      ['grep', '-I', '-h', '-o', '--no-color', ...form, ...patterns, ...where, '--', ...files],
      '',
      [1],
    )
    if (out === undefined) return undefined
    const there = new Set(out.split('\n').map(nameIn))
    for (const name of wanted) if (there.has(name.text)) found.add(name)
  }
  return found
}

export const scriptFiles = [':(glob)**/package.json']
export const targetFiles = [':(glob,icase)**/*makefile', ':(glob)**/*.mk']

const searches = {
  symbol: {
    form: ['-w', '-F'],
    patternOf: (text: string) => text,
    nameIn: (line: string) => line,
    files: [] as string[],
  },
  script: {
    form: ['-E'],
    patternOf: (text: string) => `"${escapeRegex(text)}"[[:space:]]*:`,
    nameIn: (line: string) => line.split('"')[1] ?? '',
    files: scriptFiles,
  },
  target: {
    form: ['-E'],
    patternOf: (text: string) => `^${escapeRegex(text)}[[:space:]]*:`,
    nameIn: (line: string) => line.replace(/\s*:$/, ''),
    files: targetFiles,
  },
}

export interface Checkout {
  folder: string
  env: Readonly<Record<string, string | undefined>>
  /** Deadline by `performance.now()`. */
  untilMs: number
}

const maxMs = 10_000

/**
 * Runs git in a checkout of the user. Its configuration must not run programs or prompt, and the
 * time is limited. Undefined if git is missing, fails or takes too long. `fine` are further exit
 * codes of success.
 */
export function runGit(
  { folder, env, untilMs }: Checkout,
  args: string[],
  input = '',
  fine: number[] = [],
): string | undefined {
  const timeout = Math.min(maxMs, Math.floor(untilMs - performance.now()))
  if (timeout <= 0) return undefined
  const { status, stdout, error } = runProgram('git', [...gitArgs(folder, plain), ...args], {
    env: gitEnv(env),
    input,
    maxBuffer: 1 << 26,
    timeout,
    killSignal: 'SIGKILL',
  })
  if (error || (status !== 0 && !fine.includes(status ?? -1))) return undefined
  return stdout.toString()
}

/** Settings of the user that would change the output. */
const plain = ['grep.fallbackToNoIndex=false', 'grep.lineNumber=false', 'grep.column=false', 'log.follow=false']

export interface CodeName {
  kind: 'path' | 'symbol' | 'script' | 'target'
  text: string
}

export function codeNamesIn(text: string): CodeName[] {
  const plain = text.replace(/\bhttps?:\/\/\S+/g, ' ')
  const coded = [...plain.matchAll(/`([^`\n]+)`/g)].map(([, inner]) => inner!.trim())
  const names = [
    ...[...plain.matchAll(path)].map(([, found]) => named('path', found!)),
    ...coded.flatMap(symbolsIn),
    ...[...plain.matchAll(script)].map(([, found]) => named('script', found!)),
    ...coded.flatMap((inner) => [...inner.matchAll(target)].map(([, found]) => named('target', found!))),
  ]
  return [...new Map(names.map((name) => [`${name.kind} ${name.text}`, name])).values()].slice(0, maxNames)
}

const maxNames = 20

function named(kind: CodeName['kind'], text: string): CodeName {
  return { kind, text }
}

const endings =
  'tsx?|jsx?|[mc][jt]s|py|rb|go|rs|java|kt|swift|c|h|cc|cpp|hpp|cs|php|sh|bash|ps1|sql|mdx?|rst|txt|jsonc?|ya?ml|toml|ini|cfg|conf|xml|html|s?css|less|vue|svelte|proto|graphql|tf|gradle|mk|cmake|exs?|erl|clj|scala|lua|pl|dart|zig'

/** Inside of the project: no absolute path, none of the home folder, none with `..`. */
const path = new RegExp(
  String.raw`(?<![\w./:@~\\$*{}-])(?:\./)?((?:[\w@+-][\w.@+-]*/)*[\w@+-][\w.@+-]*\.(?:${endings}))(?![\w/*-]|\.\w)`,
  'g',
)

const script = /\b(?:npm|pnpm|yarn|bun) run ([a-z][\w:.-]*[\w])/g
const target = /^make ([a-z][\w.-]*\w)$/g

/**
 * `parseUrl`, `parse_url`, `parse()`, the last part of `url.parse()`; a plain word is not a symbol.
 */
function symbolsIn(code: string): CodeName[] {
  const found = /^(?:[\w$]+(?:\.|::))*([A-Za-z_$][\w$]{3,})(\(.*\))?$/.exec(code)
  if (!found) return []
  const [, name, call] = found
  const isShaped = /[a-z][A-Z]/.test(name!) || /[A-Za-z]_[A-Za-z]/.test(name!)
  return isShaped || call ? [named('symbol', name!)] : []
}

/** Whether a line defines a symbol; the name is escaped. */
export function definesSymbol(name: string): RegExp {
  return new RegExp(
    `\\b(?:${keywords})\\s+(?:\\([^)]*\\)\\s*)?${name}\\b|^\\s*(?:(?:${modifiers})\\s+)*${name}\\s*(?:[:=](?!=)|\\([^)]*\\)[^;]*\\{)`,
  )
}

const keywords =
  'def|class|function\\*?|const|let|var|func|fn|type|interface|enum|struct|trait|module|macro|define|record|object|val|protocol'
const modifiers = 'export|default|public|private|protected|internal|static|async|final|override|readonly|get|set'

/** Statements about a removal do not become doubtful when the name is gone. */
export function mentionsRemoval(text: string): boolean {
  return going.test(text)
}

const going =
  /\b(?:remov\w*|delet\w*|drop(?:s|ped|ping)?|retir\w*|deprecat\w*|renam\w*|mov(?:e|ed|es|ing)|replac\w*|rid of|obsolete|legacy|former\w*|old|no longer|gone|used to|migrat\w*|clean(?:ed|ing)?[ -]?up|split|merg\w*|extract\w*|instead of|rather than|inlin\w*|consolidat\w*|entfern\w*|gelöscht|umbenannt|veraltet)\b/i

/** Escapes for regular expressions of JavaScript and git. */
export function escapeRegex(name: string): string {
  return name.replace(/[.$+*?()[\]{}|^\\]/g, '\\$&')
}
