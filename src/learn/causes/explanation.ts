// Picks the sentence in which the agent names the cause of a failure, and the one that names the fix.
// Most explanations are about code that the agent has just written; a later session is helped only by
// those about the platform, the set-up, a service, or how a program is called.
import { splitSentences } from '../../text/sentences.ts'
import { oneLine } from '../../text/truncate.ts'

export interface Explanation {
  /** One whole sentence. */
  cause: string
  /** What the agent decided to do, as an instruction; null if it did not say. */
  fix: string | null
  /** The words of the agent. */
  quote: string
  /** About platforms, set-up, services or versions. */
  isEnvironmental: boolean
  /** About how a shell or a program is called. */
  isUsage: boolean
}

/** `said` is what was said after the last failure. The last of equally good sentences wins. */
export function explanationIn(said: readonly string[]): Explanation | undefined {
  let best: { explanation: Explanation; rank: number } | undefined
  const sentences = said.flatMap((text) => sentencesOf(text))
  for (const [index, quote] of sentences.entries()) {
    const [claim, plan] = splitPlan(proseOf(quote))
    const cause = sentence(claim)
    if (!isCause(cause)) continue
    const isExplicit = explicit.test(cause)
    const isBehaviour = behaviour.test(cause)
    if (!isExplicit && !isBehaviour) continue
    const isEnvironmental = environment.test(withoutNames(cause))
    const isUsage = usage.test(cause)
    const rank = (isEnvironmental ? 4 : isUsage ? 3 : 0) + (isExplicit ? 2 : 0) + (isBehaviour ? 1 : 0)
    if (best && rank < best.rank) continue
    const fix = plan ?? planIn(sentences.slice(index + 1, index + 4))
    best = { rank, explanation: { cause, fix: fix && sentence(fix), quote, isEnvironmental, isUsage } }
  }
  return best?.explanation
}

/** Names of the project's own code say nothing about the environment. */
function withoutNames(cause: string): string {
  return cause.replace(/`[\w.]+(?:\([^`]*\))?`/g, '``')
}

function sentencesOf(text: string): string[] {
  return splitSentences(text.replace(/```[\s\S]*?(?:```|$)/g, '\n')).filter(({ length }) => length <= maxLength)
}

const minLength = 25
const maxLength = 400

function isCause(cause: string): boolean {
  if (cause.length < minLength || !/^["'`(\p{Lu}\p{N}/$.-]/u.test(cause) || /[:,;(]\.?$/.test(cause)) return false
  if ((cause.match(/`/g)?.length ?? 0) % 2 === 1 || /[→=]/.test(cause.replace(/`[^`]*`/g, '')) || glued.test(cause))
    return false
  return ![needsContext, doubtful, ownWork, plans, trivial].some((pattern) => pattern.test(cause))
}

/** Two sentences that the agent wrote without a space in between. */
const glued = /\p{Ll}{2}(?:The|This|That|It|In|So|Let|Now|But) |[.:]\d\./u

const explicit =
  /\b(?:because|root cause|caus(?:ed|ing|es)|due to|turns? out|which is why|the (?:actual |real |underlying |main |key |core )?(?:problem|issue|reason|culprit|bug|catch|gotcha) (?:here )?(?:is|was|comes)|fail(?:s|ed|ing)? (?:since|as|when|if|unless|on|in|under|without))\b/i

const behaviour =
  /\b(?:requires?|needs? (?:to be|a|an|the)\b|must (?:be|not|have|use|run|come)|only (?:accepts?|supports?|works?|runs?|allows?)|(?:does|do|did|will|would)(?:n't| not) (?:support|accept|allow|work|exist|have|inherit|expand|resolve|include|understand|recogni[sz]e|load|read|see|pass|match|persist|handle|like|know|return|follow|respect|find|take)|(?:is|are|was|were)(?:n't| not) (?:installed|available|set|allowed|found|recogni[sz]ed|running|exported|supported|defined|included|reachable|trusted|built|loaded|permitted|accessible|on)|can(?:'t|not)\b|no longer|(?:is|are|was|were|gets?|got|being) (?:\w+ly )?(?:interpret|expand|escap|strip|overrid|overwrit|resolv|wip|block|denied|reset|mangl|swallow|truncat|buffer|cach|ignor|lock|shadow|convert|treat|parsed|killed|disabled|missing|stale|outdated)\w*|(?:interpret|expand|escap|strip|overrid|mangl|swallow|truncat|treat|convert|default|resolv|reject)(?:s|es|ed|ing)\b|(?:will|would|always) (?:resolve|expand|strip|escape|fail|block)|conflicts? with|times? out|returns? \d|exits? (?:with )?\d)/i

const environment = new RegExp(
  String.raw`\b(?:${[
    'mac ?os|os x|darwin|windows|linux|ubuntu|alpine|debian|wsl2?|msys2?|git bash|cygwin|busybox|gnu|bsd|arm64|x86',
    String.raw`symlink(?:s|ed)?|/private/var|case[- ](?:in)?sensitiv\w+|line endings?|crlf|time ?zones?|locales?|utf-?(?:8|16)|code ?page`,
    'permissions?|sudo|umask|sandbox(?:ed|ing)?|containers?|docker(?:file)?|docker[- ]compose|podman|kubernetes|devcontainer',
    String.raw`ci (?:runner|environment|job)s?|on ci|in ci|github actions?|environment variables?|env(?:ironment)? vars?|\.env(?:\.\w+)?`,
    String.raw`localhost|network(?:ing)?|proxy|firewall|dns|tls|ssl|certificates?|offline|daemon|database|postgres(?:ql)?|mysql|redis|mongodb|ports?(?: \d+)?`,
    'rate limit(?:s|ed|ing)?|credentials?|lock ?files?|node_modules|virtualenv|venv|site-packages|globally|peer dependenc(?:y|ies)|transitive',
    'npm|npx|pnpm|yarn|bun|deno|pip|uv|poetry|conda|homebrew|brew|apt|mise|asdf|nvm|corepack|cargo|rustc|gradle|maven|cmake|xcode|toolchain',
    String.raw`(?:node(?:\.js)?|python|java|jdk|go|ruby|typescript|react) ?v?\d[\w.]*|v\d+\.\d+[\w.]*|versions? \d[\w.]*`,
    'es ?modules?|esm|commonjs|cjs|hoist(?:s|ed|ing)?|jsdom|happy-dom|headless|chromium|playwright|tsconfig|turbopack|webpack|vite|esbuild',
    'stale (?:cache|build|binary|dist|lock|bundle)|build cache|test cache|cached (?:build|version|binary)|race conditions?|flaky|in parallel|concurrently|parallel (?:tests?|runs?|workers?)',
    String.raw`default branch|git config|git lfs|submodules?|index\.lock|pre-commit hooks?|gitignored?`,
  ].join('|')})(?![\w-])`,
  'i',
)

const usage =
  /\b(?:zsh|bash|fish|powershell|pwsh|cmd\.exe|shells?|glob(?:s|bing)?|quot(?:e|es|ed|ing)|escap(?:e|es|ed|ing)|heredocs?|here-docs?|stdin|tty|interactive|flags?|options?|arguments?|subcommands?|endpoints?|exit codes?|pipefail|PATH|wildcards?|backticks?)\b|(?<![\w-])--?[a-z][\w-]*|\$[A-Z_]{2,}/

/** Begins with a word that points to the sentence before it. */
const needsContext =
  /^(?:it|its|this|that|these|those|they|their|he|she|both|either|neither|same|another|also|but|and|so|or|then|however|which|where|here|there(?:'s| is| are)? (?:also|another|still)|the (?:first|second|third|other|former|latter|above|following|next|remaining|same|error is just))\b/i

const doubtful =
  /\b(?:might|maybe|may be|likely|possibly|probably|perhaps|could be|seems?|suggests?|appears?|i think|i suspect|i believe|guess|hypothesis|presumably|not sure|unclear|assum\w+|whether|wonder\w*|if i|let's|looks like|either)\b|\?$/i

/** What was done a minute ago, and code in the making. */
const ownWork =
  /\b(?:i|we)(?:'m|'ve|'ll|'d|'re)?\b(?! can(?:'t|not)\b)|\b(?:my|our) (?:\w+ )?(?:changes?|edits?|fix(?:es)?|tests?|code|refactor\w*|implementation|logic|script|command|regex|mock|new|patch|addition|assertion|version|heredoc|first)\b|\b(?:new|just) (?:code|test|function|added|introduced|file)\b|as expected|pre-?existing|red phase|\btdd\b|\bmy own\b/i

const plans =
  /^(?:let me|now |next|first,? let|need to|try|add|update|change|remove|fix|use|run|check|verify|instead|perfect|all )\b/i

const trivial =
  /\bunused\b|\bimports?\b(?! (?:cycle|path|alias|hoist|map|attribute))|\btypos?\b|closing (?:brace|paren|bracket|tag)|syntax error|\bindentation|\bnolint\b|\blint(?:er|ing|s)?\b|\bformat(?:ting|ter)\b|\bprettier\b|gofmt|expectations?\b|tests? expects?|assert(?:s|ion)|expected (?:value|output|string)|merge conflict|undefined:|wrong (?:dir|folder|path|file)|working directory|current directory|different directory|correct (?:dir|path)|subdirectory|not in the (?:right|correct)|line \d+|which is fine|\bunrelated\b|\b(?:tests?|build|checks?|suite) (?:now )?pass(?:ed|es)?\b|test (?:case )?is (?:checking|failing)/i

/** `…, so I should use jq instead` is a cause and a plan. */
function splitPlan(prose: string): [claim: string, plan: string | null] {
  const found =
    /^(.{20,}?)(?:,? so|;|,? and|\s+[—–-]+)\s+(?:that )?(i(?:'ll| should| need to| will| can| have to|'m going to)|let me|we (?:need to|should|must|have to)|need to)\s+(.{8,}?)\.?$/i.exec(
      prose,
    )
  const since =
    /^since (.{15,}?), (?:let me|i(?:'ll| should| need to| will)|we (?:need to|should|must)) (.{8,}?)\.?$/i.exec(prose)
  if (since) return [since[1]!, isAction(since[2]!) ? since[2]! : null]
  if (!found) return [prose, null]
  return [found[1]!, isAction(found[3]!) ? found[3]! : null]
}

/** The plan that follows a cause: `Let me quote it.` */
function planIn(next: readonly string[]): string | null {
  for (const one of next) {
    const found = intends.exec(proseOf(one))?.[1]?.replace(/[.:!]+$/, '')
    if (found && isAction(found)) return found
  }
  return null
}

const intends =
  /^(?:(?:so|then|now|therefore|instead),? )?(?:i(?:'ll| should| need to| will| have to|'m going to)|let me|let's|we (?:need to|should|must|have to)|need to|the (?:fix|solution) is to|(?:fix|solution):) (?:just |now |also |instead |simply )?(.{10,200})$/i

/** To look again is no fix. */
function isAction(plan: string): boolean {
  return !/^(?:check|look|see|verify|read|find|debug|try|run|investigate|examine|understand|trace|search|confirm|explore|think|inspect|view|get|fix (?:it|that|this|the|these)|rerun|re-run|test|continue|do|review|figure|focus|list|also|compare|wait|first)\b|\b(?:my|this|that|these|it) (?:test|again|edit|first)\b/i.test(
    plan,
  )
}

/** Without Markdown and the words that lead to the statement. */
function proseOf(quote: string): string {
  let text = oneLine(quote)
    .replace(/\*\*([^*]+)\*\*/g, '$1')
    .replace(/\[([^[\]]{1,300})\]\([^)]{1,1000}\)/g, '$1')
    .replace(/\s*\([^)]*\b(?:my|i|our|we)\b[^)]*\)/gi, '')
    .trim()
  for (let shorter = text.replace(leadIn, ''); shorter !== text; shorter = text.replace(leadIn, '')) text = shorter
  return text
}

const leadIn =
  /^(?:[-—–*•:]+\s+|(?:ah+|oh|ok(?:ay)?|hm+|interesting|great|good|right|wait|actually|aha|yes|no|indeed|perfect|clear(?:ly)?|nice|found it|got it|confirmed|of course|unfortunately)\b[,.!:—–-]*\s+|(?:now )?i (?:can )?(?:now )?(?:see|found|understand|realized?|know)(?: (?:the|what the) (?:issue|problem|cause|root cause|bug|error))?(?: now| here| is)?\s*[:!.,—–-]+\s*|i (?:can )?(?:see|realized?|found|notice[d]?) that\s+|(?:the )?(?:root cause|cause|problem|issue|reason|why|diagnosis|explanation|clear cause|what happened|found the (?:issue|problem|bug|cause))(?: is clear| here| now)?\s*[:—–]\s*|(?:so|and|but|now),?\s+(?=the |`))/i

function sentence(text: string): string {
  const plain = text.trim().replace(/[.:,;]+$/, '')
  return `${plain.charAt(0).toUpperCase()}${plain.slice(1)}${/[!?]$/.test(plain) ? '' : '.'}`
}
