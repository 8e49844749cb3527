// Recognises failures whose message and remedy speak for themselves: the same command passed once it
// was called differently (a variable, a wrapper, a flag, quotes) or after a set-up step.
import { commandNames } from '../../digest/command-names.ts'
import type { ResolvedFailure } from './resolved.ts'
import type { CommandRun } from './runs.ts'

export type Remedy =
  /** The command passed as it was called in the end. */
  | { kind: 'call' }
  /** It passed without this flag, which the program has but which does not fit here. */
  | { kind: 'without'; flag: string }
  /** It passed through another program. */
  | { kind: 'wrapper'; words: string }
  /** It passed outside of the sandbox. */
  | { kind: 'unconfined' }
  /** It passed after another command. */
  | { kind: 'step'; command: string }

/** Undefined if the calls do not tell what the remedy was. */
export function remedyOf(resolved: ResolvedFailure): Remedy | undefined {
  const { failed, passed, edits, prompts } = resolved
  if (edits.length > 0 || prompts > 0 || passed.seq - failed.seq > maxEvents) return undefined
  const added = [...passed.words].filter((word) => !failed.words.has(word))
  const removed = [...failed.words].filter((word) => !passed.words.has(word))
  const isExtended = removed.length === 0 && added.length <= maxAdded && !added.some((word) => isOther.test(word))
  // A test that fails without a variable says little; that it passes with it is the message.
  if (isExtended && (failed.isTest || failed.message !== '') && added.some((word) => isVariable.test(word)))
    return { kind: 'call' }
  if (failed.message === '' || isTransient.test(failed.message)) return undefined
  if (passed.isUnconfined && !failed.isUnconfined)
    return removed.length === 0 && isConfined.test(failed.message) ? { kind: 'unconfined' } : undefined
  const step = setUpStep(resolved, added.length + removed.length === 0)
  if (step) return { kind: 'step', command: step }
  if (added.length + removed.length === 0)
    return isQuotedNow(failed.command, passed.command) ? { kind: 'call' } : undefined
  // A program that rejects a flag or a field says so itself.
  if (isUsageError.test(failed.message)) return undefined
  if (added.length === 0 && removed.length === 1 && isFlag.test(removed[0]!))
    return { kind: 'without', flag: removed[0]! }
  const wrapper = isNotInstalled.test(failed.message) ? wrapperOf(failed, passed) : undefined
  if (wrapper) return { kind: 'wrapper', words: wrapper }
  if (!isExtended || isMissing.test(failed.message)) return undefined
  // Another flag may select other tests.
  const changesCall = failed.isTest ? isToolchain : isFlag
  return added.some((word) => changesCall.test(word)) ? { kind: 'call' } : undefined
}

/** Whether it only passed because a check was silenced. */
export function isBypassed({ failed, passed }: ResolvedFailure): boolean {
  return [...passed.words].some((word) => !failed.words.has(word) && bypasses.test(word))
}

const maxEvents = 40
const maxAdded = 6

const isVariable = /^[A-Z][A-Z0-9_]*=/
const isFlag = /^(?:--?[A-Za-z][\w-]*(?:=.*)?|\+[\w.-]+)$/
const isToolchain = /^\+[\w.-]+$/
const isOther = /^(?:cd|git|echo|sleep|timeout|pwd|ls|rm|cat|grep|stash|head|tail|for|while|if|test|until|wait)$/
const bypasses =
  /^(?:--no-verify|--force\S*|-f|--admin|--skip\S*|--no-\w*check\w*|-y|--yes|true|--list|--dry-run|--write|--fix|--watch\S*)$/
/** A missing file is a guess of the agent. */
const isMissing = /no such file|cannot find|not found: \//i

/** What programs say when a sandbox denies files or the network. */
const isConfined =
  /not permitted|permission denied|read-only|\bEPERM|\bEACCES|\bENOTFOUND|\bECONNREFUSED|resolve host|error connecting|no such host|dial tcp|network|sandbox/i

/** Failures that pass by themselves, or with another id. */
export const isTransient =
  /^assert|timed out|HTTP (?:40[14]|5\d\d)|did not match any|rate limit|no checks reported|still in progress/i

const isNotInstalled =
  /command not found|no module named|cannot find module|no such command|not installed|not recognized as/i

/** `uv run` of `uv run python x.py`, if `python x.py` failed. */
function wrapperOf(failed: CommandRun, passed: CommandRun): string | undefined {
  const [program] = failed.programs[0]!.split(' ')
  const words = passed.command.slice(Math.max(0, passed.command.indexOf(passed.programs[0]!))).split(/\s+/)
  const at = words.indexOf(program!)
  return at > 0 && at <= maxWrapper && wraps.test(words[0]!) ? words.slice(0, at).join(' ') : undefined
}

const maxWrapper = 4
const wraps =
  /^(?:uv|uvx|npx|bunx|pnpm|yarn|poetry|pipenv|pdm|hatch|mise|asdf|nix|nix-shell|direnv|docker|bundle|wsl|conda)$/

/** A set-up command between both runs of the same call, or in front of the call that passed. */
function setUpStep({ failed, passed, commands }: ResolvedFailure, isSameCall: boolean): string | undefined {
  if (isSameCall) return commands.findLast(isSetUp)
  const [call, next] = [failed.command.trim(), passed.command.trim()]
  const before = next.endsWith(call)
    ? /^([^;&\n|]+?)\s*(?:&&|;|\n)\s*$/.exec(next.slice(0, -call.length))?.[1]
    : undefined
  return before && !isEdit.test(before) ? before : undefined
}

/** Not set-up: it changes files, waits, or only looks. */
const isEdit =
  /^(?:cd|sed|perl|awk|python3?|node|cat|echo|printf|tee|mv|cp|rm|mkdir|touch|sleep|timeout|pwd|ls|git (?:stash|pull|push|add|checkout|reset|fetch|status|diff|log)|gofmt|\w+=|set|export|source)\b|-w\b|--write\b|--fix\b/

function isSetUp(command: string): boolean {
  return commandNames(command).some((name) => setsUp.test(name)) || /\bgit (?:remote set-url|config)\b/.test(command)
}

const setsUp =
  /^(?:(?:npm|pnpm|yarn|bun) (?:i|install|ci|add|link|run build\S*|build|run generate\S*)|pip3? install|uv (?:sync|pip|add|venv|lock)|poetry (?:install|lock)|cargo (?:install|fetch|build)|go (?:generate|install|get)|docker(?:-compose)?(?: \w+)?|mise (?:trust|install|use|run build\S*|run setup\S*)|asdf|brew|apt-get|apk|npx (?:playwright|prisma)|bundle install|composer (?:install|dump\S*)|mix (?:deps\S*|ecto\S*)|make (?:build|setup|install|generate|proto|deps)|terraform init|pod install|git (?:submodule|lfs)|gh auth|corepack|direnv|rustup|systemctl|service|pg_ctl|redis-server|createdb|dotnet (?:restore|build))(?![\w-])/

export const isUsageError =
  /\b(?:unknown|unrecogni[sz]ed|invalid|unexpected|unsupported|no such)\b.{0,30}\b(?:flag|field|option|argument|arg|command|key|value)|were all set|mutually exclusive|cannot be used with/i

/** The words are the same, with more quotes or escapes. */
function isQuotedNow(failed: string, passed: string): boolean {
  const quotes = (command: string) => command.replace(/[^'"\\]/g, '').length
  return quotes(passed) > quotes(failed)
}
