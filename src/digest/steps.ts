// The commands of a way of working: those that change or prove something. Looking around is left out, it differs every time.

/** Those of a line; `names` are all its commands. */
export function workSteps(line: string, names: string[]): string[] {
  const asked = /\bgh (?:pr|issue|release|workflow) (?:create|merge|edit|close|comment|ready|run|review)\b/.exec(
    line,
  )?.[0]
  const steps = names.filter((name) => !isInspection(name) && !isTrifle.test(name))
  return asked ? [...steps, asked] : steps
}

/** `mise run test:unit`, `just test`: a runner of tasks says what it runs. */
export function isTestStep(name: string): boolean {
  return tests.test(name)
}

const tests =
  /[\s:_-](?:tests?|spec|e2e)(?:$|[\s:_-])|^(?:pytest|vitest|jest|ctest|rspec)\b|\b(?:unittest|pytest|vitest|jest)\b/

/** A command that only looks: that it fails says no more than that nothing is there. */
export function isInspection(name: string): boolean {
  return looks.test(name)
}

const looks =
  /^(?:rg|ls|find|fd|diff|which|sed|awk|test|cmp|jq|stat|file|tree|type|command|curl|pgrep|ps|lsof|nl|git (?:diff|grep|show|log|status|rev-parse|branch|ls-files|ls-tree|ls-remote|show-ref|count-objects|verify-pack|diff-index|fsck|--version|cat-file|merge-base|check-ignore|remote|config|blame|reflog|describe|rev-list|for-each-ref))(?: |$)/
const isTrifle =
  /^(?:pwd|code|tmux|mktemp|rmdir|bash|sh|zsh|pwsh|exit|time|env|printenv|date|printf|read|wait|kill|mkdir|rm|cp|mv|touch|chmod|node|python3?(?: -c| -|$)|gh)(?: |$)|^[./]|\/$/
