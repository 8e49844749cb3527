// Recognises failures whose message and remedy speak for themselves: the same command passed once it
// was called differently (a variable, a wrapper, a flag, quotes) or after a set-up step.
import { commandNames } from '../../digest/command-names.ts'
import type { ResolvedFailure } from './resolved.ts'

export type Remedy =
  /** The command passed as it was called in the end. */
  | { kind: 'call' }
  /** It passed without this word. */
  | { kind: 'without'; word: string }
  /** It passed after another command. */
  | { kind: 'step'; command: string }

/** Undefined if the calls do not tell what the remedy was. */
export function remedyOf(resolved: ResolvedFailure): Remedy | undefined {
  const { failed, passed, edits, prompts } = resolved
  if (edits.length > 0 || prompts > 0 || passed.seq - failed.seq > maxEvents) return undefined
  const added = [...passed.words].filter((word) => !failed.words.has(word))
  const removed = [...failed.words].filter((word) => !passed.words.has(word))
  // A test that fails without a variable says little; that it passes with it is the message.
  if (
    removed.length === 0 &&
    added.length <= 3 &&
    added.some((word) => isVariable.test(word)) &&
    !added.some((word) => isOther.test(word))
  )
    return { kind: 'call' }
  if (failed.message === '' || isTransient.test(failed.message)) return undefined
  const step = setUpStep(resolved, added.length + removed.length === 0)
  if (step) return { kind: 'step', command: step }
  if (added.length + removed.length === 0)
    return isQuotedNow(failed.command, passed.command) ? { kind: 'call' } : undefined
  const rejected = rejectedWord(failed.message)
  if (rejected && failed.command.includes(rejected) && !passed.command.includes(rejected))
    return { kind: 'without', word: rejected }
  if (added.length === 0)
    return removed.length === 1 && isFlag.test(removed[0]!) ? { kind: 'without', word: removed[0]! } : undefined
  if (removed.length > 0 || failed.isTest || added.length > maxAdded || added.some((word) => isOther.test(word)))
    return undefined
  return added.some((word) => isFlag.test(word) || isWrapper.test(word)) && !isMissing.test(failed.message)
    ? { kind: 'call' }
    : undefined
}

/** Whether it only passed because a check was silenced. */
export function isBypassed({ failed, passed }: ResolvedFailure): boolean {
  return [...passed.words].some((word) => !failed.words.has(word) && bypasses.test(word))
}

const maxEvents = 40
const maxAdded = 6

const isVariable = /^[A-Z][A-Z0-9_]*=/
const isFlag = /^--?[A-Za-z][\w-]*(?:=.*)?$/
const isWrapper = /^(?:uv|uvx|npx|bunx|poetry|pipenv|mise|asdf|nix|direnv|docker|bundle|exec|trust|wsl|env)$/
const isOther = /^(?:cd|git|echo|sleep|timeout|pwd|ls|rm|cat|grep|stash|head|tail|for|while|if|test|until|wait)$/
const bypasses =
  /^(?:--no-verify|--force\S*|-f|--admin|--skip\S*|--no-\w*check\w*|-y|--yes|true|--list|--dry-run|--write|--fix|--watch\S*)$/
/** A missing file is a guess of the agent. */
const isMissing = /no such file|cannot find|not found: \//i

/** Failures that pass by themselves, or with another id. */
const isTransient =
  /^assert|timed out|HTTP (?:40[14]|5\d\d)|did not match any|rate limit|no checks reported|still in progress/i

/** A set-up command between both runs of the same call, or in front of the call that passed. */
function setUpStep({ failed, passed, commands }: ResolvedFailure, isSameCall: boolean): string | undefined {
  if (isSameCall) return commands.findLast(isSetUp)
  const [call, next] = [failed.command.trim(), passed.command.trim()]
  const before = next.endsWith(call) ? /^(.*?)\s*(?:&&|;|\n)\s*$/s.exec(next.slice(0, -call.length))?.[1] : undefined
  return before && isSetUp(before) ? before : undefined
}

function isSetUp(command: string): boolean {
  return commandNames(command).some((name) => setsUp.test(name)) || /\bgit (?:remote set-url|config)\b/.test(command)
}

const setsUp =
  /^(?:(?:npm|pnpm|yarn|bun) (?:i|install|ci|add|link|run build\S*|build|run generate\S*)|pip3? install|uv (?:sync|pip|add|venv|lock)|poetry (?:install|lock)|cargo (?:install|fetch|build)|go (?:generate|mod|install|get)|docker(?:-compose)?(?: \w+)?|mise (?:trust|install|use|run build\S*|run setup\S*)|asdf|brew|apt-get|apk|npx (?:playwright|prisma)|bundle install|composer (?:install|dump\S*)|mix (?:deps\S*|ecto\S*)|make (?:build|setup|install|generate|proto|deps)|terraform init|pod install|git (?:submodule|lfs)|gh auth|corepack|direnv|rustup|systemctl|service|pg_ctl|redis-server|createdb|dotnet (?:restore|build))(?![\w-])/

/** The flag, field or argument that a message rejects. */
function rejectedWord(message: string): string | undefined {
  return /\b(?:unknown|unrecogni[sz]ed|invalid|unexpected|unsupported|no such)(?: [\w ]{2,20})?:? ?(?:['"`]([\w-]{2,40})['"`]|(--?[A-Za-z][\w-]*))/i
    .exec(message)
    ?.slice(1)
    .find(Boolean)
}

/** The words are the same, with more quotes or escapes. */
function isQuotedNow(failed: string, passed: string): boolean {
  const quotes = (command: string) => command.replace(/[^'"\\]/g, '').length
  return quotes(passed) > quotes(failed)
}
