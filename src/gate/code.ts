// Changed lines of code, as they may be told: without comments, and without the contents of strings,
// which are text that somebody wrote. Code that runs programs, reaches the network or switches a
// check off is held back.
import { directsAgents } from './directions.ts'

/** The lines with their signs, or the reason not to tell them. */
export function toldCode(diff: string): { lines: string[] } | { reason: string } {
  const lines = diff
    .split('\n')
    .map(withoutComment)
    .filter((line) => /[^\s+-]/.test(line))
  if (!lines.some((line) => line.startsWith('+'))) return { reason: 'an edit without code' }
  const code = lines.join('\n')
  if (runsOrReaches.test(code)) return { reason: 'code that runs programs or reaches the network' }
  if (disables.test(code)) return { reason: 'code that switches a check off' }
  if (directsAgents(wordsOf(code))) return { reason: 'text that tries to direct whoever reads it' }
  return { lines }
}

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
  /:\/\/|\b(?:eval|exec\w*|spawn\w*|system|popen|fork|shell_exec|passthru|proc_open|child_process|subprocess|os\.(?:system|popen|exec\w*)|Runtime\.getRuntime|ProcessBuilder|exec\.Command|Command::new|Invoke-\w+|Start-Process|importlib|__import__|compile|new Function|vm\.run\w*|deserialize|pickle|marshal|unserialize|yaml\.load|fetch|XMLHttpRequest|axios|requests\.\w+|urllib\w*|urlopen|http\.(?:Get|Post|request|get|post)|net\.(?:Dial|connect)|socket\.\w+|curl\w*|wget|sendBeacon|WebSocket|smtp\w*|ftp\w*|dlopen|LoadLibrary|atob|base64\w*|fromCharCode|chmod|chown|unlink\w*|rmtree|rmdir|rm|RemoveAll|setuid|sudo|process\.env|os\.environ|getenv|Getenv)\b\s*[.(`[!:="']|\b(?:pre|post)?install"?\s*:|"(?:prepare|prepublish\w*|pretest|posttest)"\s*:|[`$]\(/i

const disables =
  /verify\w*\s*[=:]\s*(?:false|no|0|None)|rejectUnauthorized|InsecureSkip\w*|check_hostname|CERT_NONE|_create_unverified|strict-?ssl|TLS_REJECT|NO_VERIFY|(?:auth\w*|csrf\w*|sandbox\w*|security\w*|permission\w*|sanitiz\w*|escap\w*|validat\w*|audit\w*|secure|httpOnly)\s*[=:]\s*(?:false|off|no|0|none|null|nil)\b|allow_?(?:all|any|unsafe\w*|dangerous\w*)|dangerously|0?o?777\b|--(?:no-verify|force|insecure)|Access-Control-Allow-Origin|innerHTML|AllowAny|permitAll|isAdmin|is_superuser|NOPASSWD|registry|index-url/i

/** Names as words: `ignore_all_rules`, `ignoreAllRules`. */
function wordsOf(code: string): string {
  return code.replace(/([a-z])([A-Z])/g, '$1 $2').replace(/[_\-.()]+/g, ' ')
}
