import { splitCommands } from '../core/commands.ts'
import { truncate } from '../text/truncate.ts'

/**
 * Names of the commands of a shell line: `cd app && FOO=1 npm test -- --watch && git commit` gives
 * `npm test` and `git commit`.
 */
export function commandNames(command: string): string[] {
  const known = knownLines.get(command)
  if (known) return known
  const names = namesIn(command)
  if (knownLines.size >= maxKnown) knownLines.clear()
  if (command.length <= maxKnownLength) knownLines.set(command, names)
  return names
}

/** A cache: a line is requested several times for one call, and many lines are run again. */
const knownLines = new Map<string, string[]>()
const maxKnown = 2000
const maxKnownLength = 4000

/**
 * Name of the commands that a failure is attributed to. A line does not show where it stopped, so
 * all commands that change or check something are joined; inspecting ones only count when there is
 * nothing else.
 */
export function commandToBlame(names: readonly string[]): string {
  const doing = names.filter((name) => !isInspection(name))
  return truncate((doing.length > 0 ? doing : names.slice(0, 1)).join(' && '), 120)
}

function namesIn(command: string): string[] {
  const names = splitCommands(stripOpenText(command)).map((part) => {
    const words = part.replace(prefixes, '').replace(leadingOptions, '$1').split(/\s+/)
    const verbs = words[1] === 'run' || words[1] === '-m' ? 3 : 2
    return isProgram.test(words[0]!)
      ? words
          .slice(0, hasVerb.test(words[0]!) ? verbs : 1)
          .join(' ')
          .slice(0, 60)
      : ''
  })
  return [...new Set(names.filter((name) => name !== '' && !isPlumbing.test(name)))]
}

/**
 * Removes unfinished here-documents and quotes, which long lines have because they are truncated
 * when stored.
 */
function stripOpenText(command: string): string {
  return command
    .replace(/\\\r?\n/g, ' ')
    .replace(/\d?>&\d?|&>>?/g, ' > ')
    .replace(/<<-?\s*['"]?(\w+)['"]?[\s\S]*?(?:\n\s*\1\b|$)/g, ' ')
    .replace(/'[^']*'|"(?:[^"\\]|\\.)*"/g, '""')
    .replace(/'[^']*$|"(?!")[^"]*$/, '')
}

const isProgram = /^[A-Za-z_./~][\w./~-]*$/
/** Variables and programs that run others. */
const prefixes = /^(?:(?:\w+=\S*|sudo|time|nohup|env|exec|timeout(?:\s+-\S+)*\s+\d+\w*)\s+)+/
const hasVerb =
  /^(?:git|npm|npx|pnpm|yarn|bun|bunx|cargo|go|docker|kubectl|gh|make|mise|just|task|python3?|uv|pip|poetry|dotnet|mvn|gradle|apt-get|brew|systemctl|terraform|aws|gcloud|deno|bundle|rails|rake|mix|composer|helm)$/
/** Options that say where, not what: `git -C app status`, `npm --prefix app test`. */
const leadingOptions =
  /^((?:git|npm|pnpm|yarn|bun|make|go|cargo|docker|kubectl)\s+)(?:(?:-C|-c|-F|-w|-f|-n|--prefix|--cwd|--dir|--filter|--workspace|--manifest-path|--namespace)[= ]\S+\s+|--[\w-]+(?:=\S+)?\s+)+(?=\w)/
const isPlumbing =
  /^(?:cd|export|set|source|\.|sleep|echo|true|head|tail|grep|sort|uniq|wc|cat|xargs|tee|cut|tr|then|else|fi|do|done|for|if|while|case|esac|[A-Z]\w+-[A-Z]\w+)(?: |$)/

/**
 * Commands of a line that change or check something; `names` are all its commands. Inspecting
 * commands are left out, because they differ every time.
 */
export function workSteps(line: string, names: string[]): string[] {
  const asked = /\bgh (?:pr|issue|release|workflow) (?:create|merge|edit|close|comment|ready|run|review)\b/.exec(
    line,
  )?.[0]
  const steps = names.filter((name) => !isInspection(name) && !isTrifle.test(name))
  return asked ? [...steps, asked] : steps
}

/** Includes task runners, whose task name tells: `mise run test:unit`, `just test`. */
export function isTestStep(name: string): boolean {
  return tests.test(name)
}

const tests =
  /[\s:_-](?:tests?|spec|e2e)(?:$|[\s:_-])|^(?:pytest|vitest|jest|ctest|rspec)\b|\b(?:unittest|pytest|vitest|jest)\b/

/** A build, a linter or a type check, also as a task of a runner. */
export function isCheckStep(name: string): boolean {
  return checks.test(name)
}

const checks =
  /[\s:_-](?:lint|build|check|checks|typecheck|type-check|compile|verify|validate|clippy|vet|ci)(?:$|[\s:_-])|^(?:tsc|eslint|biome|ruff|mypy|pyright|golangci-lint|shellcheck|hadolint|gofmt|make|ninja|cmake|msbuild|xcodebuild)(?: |$)/

/** Publishes a package or brings it into service, also as a task of a runner. */
export function isReleaseStep(name: string): boolean {
  return releases.test(name)
}

const releases = /[\s:_-](?:publish|release|deploy)(?:$|[\s:_-])/

/** Whether the output of a command is filtered: `npm run build 2>&1 | tail -5`. */
export function isPiped(command: string): boolean {
  return /[^|]\|\s*(?:head|tail|grep|tee|cat|sed|awk|less)\b/.test(command)
}

/** Whether a command only inspects; its failure just means that nothing was found. */
export function isInspection(name: string): boolean {
  return looks.test(name)
}

const looks =
  /^(?:rg|ls|find|fd|diff|which|sed|awk|test|cmp|jq|stat|file|tree|type|command|curl|pgrep|ps|lsof|nl|git (?:diff|grep|show|log|status|rev-parse|branch|ls-files|ls-tree|ls-remote|show-ref|count-objects|verify-pack|diff-index|fsck|--version|cat-file|merge-base|check-ignore|remote|config|blame|reflog|describe|rev-list|for-each-ref))(?: |$)/
const isTrifle =
  /^(?:pwd|code|tmux|mktemp|rmdir|bash|sh|zsh|pwsh|exit|time|env|printenv|date|printf|read|wait|kill|mkdir|rm|cp|mv|touch|chmod|node|python3?(?: -c| -|$)|gh)(?: |$)|^[./]|\/$/
