// Changed lines of code, as they may be told: without comments, and without the contents of strings,
// which are text that somebody wrote. Code that runs programs, reaches the network or switches a
// check off is held back.
import { withoutNewNames } from './code-names.ts'
import { directsAgents } from './directions.ts'

/**
 * The lines with their signs, or the reason not to tell them. `file` is what was edited, if it is
 * known, `error` the message that the edit answers.
 */
export function toldCode(diff: string, file = '', error = ''): { lines: string[] } | { reason: string } {
  if (decidesWhatRuns.test(file)) return { reason: 'an edit of a file that decides what is installed or run' }
  const lines = diff
    .split('\n')
    .map(withoutComment)
    .filter((line) => /[^\s+-]/.test(line))
    .map((line, _, all) => withoutPackage(line, all))
  if (!lines.some((line) => line.startsWith('+'))) return { reason: 'an edit without code' }
  const code = lines.join('\n')
  if (runsOrReaches.test(code)) return { reason: 'code that runs programs or reaches the network' }
  if (disables.test(code)) return { reason: 'code that switches a check off' }
  if (lines.some(isProse)) return { reason: 'an edit of text' }
  if (leaksSecret.test(code)) return { reason: 'code that prints a secret' }
  if (removesGuard(lines)) return { reason: 'code that switches a check off' }
  if (directsAgents(wordsOf(code)) || orders.test(wordsOf(code)))
    return { reason: 'text that tries to direct whoever reads it' }
  if (lines.some((line) => line.startsWith('+') && silencesOther(line, error)))
    return { reason: 'code that switches a check off' }
  const told = withoutNewNames(lines)
  return told ? { lines: told } : { reason: 'code of names that were not there before' }
}

/** An import that was not there before may be of a package that somebody else has published. */
function withoutPackage(line: string, all: readonly string[]): string {
  if (!line.startsWith('+') || !/\b(?:import|from|require|use|include)\b/.test(line)) return line
  return line.replace(/(["'])(?![./#@~]{0,2}[./])([\w@./:-]+)\1/g, (whole, sign: string) =>
    all.some((other) => other.startsWith('-') && other.includes(whole)) ? whole : `${sign}…${sign}`,
  )
}

/** Manifests, settings, pipelines, images, and text that is no code. */
const decidesWhatRuns =
  /(?:^|[/\\])(?:\.[\w.-]+|package(?:-lock)?\.json|go\.(?:mod|sum|work)|requirements[\w.-]*|Pipfile\S*|Gemfile\S*|Cargo\.\w+|composer\.\w+|pom\.xml|[\w.-]*Dockerfile[\w.-]*|Jenkinsfile|Makefile|Procfile|CODEOWNERS|setup\.(?:py|cfg))$|\.(?:md|mdx|txt|rst|adoc|ya?ml|toml|ini|cfg|conf|json5?|jsonc|lock|sh|bash|zsh|ps1|bat|cmd|gradle|kts|tf|hcl|nix|properties|xml|html?|svg|csv)$|(?:^|[/\\])\.(?:github|git|husky|claude|cursor)[/\\]/i

/** Four words in a row that no language joins, or a letter that names in code do not have. */
function isProse(line: string): boolean {
  if (/[^\p{ASCII}…–—‘’“”]/u.test(line)) return true
  const runs = line
    .slice(1)
    .split(/[^A-Za-z' .]+|(?<=\w)\.(?=\w)/)
    .map((run) =>
      run.split(/\s+/).filter((word) => /^[A-Za-z][A-Za-z']+[.,]?$/.test(word) && !keywords.has(word.toLowerCase())),
    )
  return runs.some((words) => words.length >= maxBareWords)
}

const maxBareWords = 3

const keywords = new Set(
  'abstract and any as asserts async await begin bool boolean break by byte case catch char class const constexpr continue crate def default defer del delete do double dyn else elif end enum except export extends extern false final finally float fn for from func function go goto if impl implements import in inline instanceof int interface internal is keyof lambda let local long loop match mod module move mut mutable namespace native new nil none not null object of open operator or override package pass private protected protocol pub public raise readonly record ref register require return sealed self short signed sizeof static string struct super switch synchronized template then this throw throws trait transient true try type typedef typename typeof undefined union unless unsafe unsigned until use using val var virtual void volatile when where while with yield select insert update into values set table group order join left right inner outer'.split(
    ' ',
  ),
)

/** A name of a secret in a call that writes. */
const leaksSecret =
  /\b(?:log\w*|print\w*|console|logger|info|debug|warn|error|echo|puts|write\w*|send\w*|emit|dump\w*)(?:\.\w+)?\s*[(\s][^)\n]*(?:secret|api_?key|token|passw|credential|private_?key)/i

/** What an added line says of approval, push and review. */
const orders =
  /\b(?:always|never|auto|bypass|skip|without)\b.{0,20}\b(?:approv\w*|allow\w*|accept\w*|asking|ask|push\w*|deploy\w*|review\w*|permissions?|verif\w*|confirm\w*)\b/i

/** A check in the removed lines that the added ones do not have, or a refusal without another. */
function removesGuard(lines: readonly string[]): boolean {
  const of = (sign: string) => lines.filter((line) => line.startsWith(sign)).join('\n')
  const [removed, added] = [of('-'), of('+')]
  const wordsIn = (code: string) => new Set((code.match(guardWords) ?? []).map((word) => word.toLowerCase()))
  const still = wordsIn(added)
  return (
    [...wordsIn(removed)].some((word) => !still.has(word)) ||
    (refuses.test(removed) && !goesOn.test(added)) ||
    (asserts.test(removed) && !asserts.test(added)) ||
    (!skips.test(removed) && skips.test(added))
  )
}

const refuses = /\b(?:throw|raise|deny|reject|forbid|abort)\b/i
const goesOn = /\b(?:throw|raise|deny|reject|forbid|abort|return|panic|exit|fail\w*)\b/i
const asserts = /\b(?:assert\w*|require|expect)\b/i
const skips =
  /\.(?:skip|todo|only|fixme)\b|\.Skip\w*\(|mark\.(?:skip|xfail)|@(?:Ignore|Disabled)\b|\bx(?:it|describe|test)\(/

const guardWords =
  /verif|auth(?!or)|(?:in)?valid|sanitiz|escap|permission|csrf|signature|secure|encrypt|allowlist|whitelist|strict|sandbox/gi

/** A string is kept if it is a name: one word, no address. */
const strings = /"(?:[^"\\\n]|\\.)*"?|'(?:[^'\\\n]|\\.)*'?|`(?:[^`\\\n]|\\.)*`?/g
const isName = /^["'`][\w@./:-]{0,40}["'`]$/

function withoutComment(line: string): string {
  const directive = linterDirective.exec(line)?.[0]
  const bare = line
    .replace(/^(\s*[-+]?\s*)…\s*/, '$1')
    .replace(strings, (text) => (isName.test(text) && !/:\/\/|\.\w+\.\w/.test(text) ? text : `${text[0]}…${text[0]}`))
    .replace(
      /(?:\/\/|(?<![\w&$])#(?![[!\w{])|(?<=^\s*[-+]?\s*)#|\/\*|<!--|(?<=\s|^[-+]\s*)--(?=\s)|(?<=^\s*[-+]?\s*)[*;](?=\s)).*$/,
      '',
    )
    .trimEnd()
  return directive ? `${bare.trimEnd()} ${directive}` : bare
}

/** Directives for tools are code, with the names of rules only. */
const linterDirective =
  /\/\/ ?nolint(?::[\w,-]{1,60})?|# ?noqa(?:: ?[A-Z]\d{2,4}(?:, ?[A-Z]\d{2,4})*)?|# ?type: ?ignore(?:\[[\w,-]{1,60}\])?|\/\/ ?@ts-(?:expect-error|ignore)|(?:\/\/|\/\*) ?(?:eslint|biome|oxlint)-(?:disable|ignore)(?:-next-line|-line)?(?: +[\w@/-]{1,50}(?:, ?[\w@/-]{1,50})*)?|# ?pylint: ?disable=[\w,-]{1,60}|\/\/ ?#nosec(?: G\d+)?|# ?(?:rubocop|shellcheck)[: ]disable[= ][\w/,-]{1,60}/

const runsOrReaches =
  /:\/\/|\b(?:eval|exec\w*|spawn\w*|system|popen|fork|shell_exec|passthru|proc_open|child_process|subprocess|os\.(?:system|popen|exec\w*)|Runtime\.getRuntime|ProcessBuilder|exec\.Command|Command::new|Invoke-\w+|Start-Process|importlib|__import__|compile|new Function|vm\.run\w*|deserialize|pickle|marshal|unserialize|yaml\.load|fetch|XMLHttpRequest|axios|requests\.\w+|urllib\w*|urlopen|http\.(?:Get|Post|request|get|post)|net\.(?:Dial|connect)|socket\.\w+|curl\w*|wget|sendBeacon|WebSocket|smtp\w*|ftp\w*|dlopen|LoadLibrary|atob|base64\w*|fromCharCode|chmod|chown|unlink\w*|rmtree|rmdir|rm|rmSync|rimraf|remove_dir_all|RemoveAll|deleteMany|dropTable|truncate|getattr|__builtins__|setuid|sudo|process\.env|os\.environ|getenv|Getenv)\b\s*[.(`[!:="']|\b(?:pre|post)?install"?\s*:|"(?:prepare|prepublish\w*|pretest|posttest)"\s*:|[`$]\(|\b(?:globalThis|window|self|global|process|child\w*)\[/i

const disables =
  /strict\w*["']?\s*[=:]\s*(?:false|off|no|0)\b|verify\w*\s*[=:]\s*(?:false|no|0|None)|rejectUnauthorized|InsecureSkip\w*|check_hostname|CERT_NONE|_create_unverified|strict-?ssl|TLS_REJECT|NO_VERIFY|(?:auth\w*|csrf\w*|sandbox\w*|security\w*|permission\w*|sanitiz\w*|escap\w*|validat\w*|audit\w*|secure|httpOnly)\s*[=:]\s*(?:false|off|no|0|none|null|nil)\b|allow_?(?:all|any|unsafe\w*|dangerous\w*)|dangerously|0?o?777\b|--(?:no-verify|force|insecure)|Access-Control-Allow-Origin|innerHTML|AllowAny|permitAll|isAdmin|is_superuser|NOPASSWD|registry|index-url|\bunsafe\s*\{|\bif\s*\(?\s*(?:false|true|0|1)\s*[):{]|\|\|\s*true\b|&&\s*false\b|\b(?:import|require)\s*\(\s*[^"'\s)]/i

/** A directive for a security rule that the message does not name. */
function silencesOther(line: string, error: string): boolean {
  const [rule] = /gosec|nosec|bandit|\bS\d{3}\b|security\S*/i.exec(linterDirective.exec(line)?.[0] ?? '') ?? []
  return rule !== undefined && !error.includes(rule === 'nosec' ? 'gosec' : rule)
}

/** Names as words: `ignore_all_rules`, `ignoreAllRules`. */
function wordsOf(code: string): string {
  return code.replace(/([a-z])([A-Z])/g, '$1 $2').replace(/[_\-.()]+/g, ' ')
}
