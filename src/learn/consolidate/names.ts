// What a statement names of a checkout: files, symbols, scripts of package.json and targets of a Makefile.

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

/** Inside the project: no absolute path, none of the home folder, none that leads out. */
const path = new RegExp(
  String.raw`(?<![\w./:@~\\$*{}-])(?:\./)?((?:[\w@+-][\w.@+-]*/)*[\w@+-][\w.@+-]*\.(?:${endings}))(?![\w/*-]|\.\w)`,
  'g',
)

const script = /\b(?:npm|pnpm|yarn|bun) run ([a-z][\w:.-]*[\w])/g
const target = /^make ([a-z][\w.-]*\w)$/g

/** `parseUrl`, `parse_url`, `parse()`, the last part of `url.parse()`: a plain word is no symbol. */
function symbolsIn(code: string): CodeName[] {
  const found = /^(?:[\w$]+(?:\.|::))*([A-Za-z_$][\w$]{3,})(\(.*\))?$/.exec(code)
  if (!found) return []
  const [, name, call] = found
  const isShaped = /[a-z][A-Z]/.test(name!) || /[A-Za-z]_[A-Za-z]/.test(name!)
  return isShaped || call ? [named('symbol', name!)] : []
}

/** Statements that speak of something going away are not made doubtful by its being gone. */
export function mentionsRemoval(text: string): boolean {
  return going.test(text)
}

const going =
  /\b(?:remov\w*|delet\w*|drop(?:s|ped|ping)?|retir\w*|deprecat\w*|renam\w*|mov(?:e|ed|es|ing)|replac\w*|rid of|obsolete|legacy|former\w*|old|no longer|gone|used to|migrat\w*|clean(?:ed|ing)?[ -]?up|split|merg\w*|extract\w*|instead of|rather than|inlin\w*|consolidat\w*|entfern\w*|gelöscht|umbenannt|veraltet)\b/i

/** As a part of a regular expression, of JavaScript and of git. */
export function escapeRegex(name: string): string {
  return name.replace(/[.$+*?()[\]{}|^\\]/g, '\\$&')
}
