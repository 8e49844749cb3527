// Tells commands that are worth giving back from those that any agent writes without being told.
import { commandNames, isInspection } from '../digest/command-names.ts'

/** Only inspects, or is too common to be forgotten: `git status`, `ls src`, `cat x | head`. */
export function isRoutine(command: string): boolean {
  if (command.length < 6 || / --?help\b| -h$|^\w+=\$\(/.test(command)) return true
  return commandNames(command).every((name) => isInspection(name) || common.test(name))
}

const common =
  /^(?:pwd|cd|mkdir|rm|cp|mv|touch|date|printf|echo|sleep|kill|git (?:add|fetch|pull|stash|checkout|commit|push))(?: |$)/

/** Without the filters behind it: the same command with `| tail -20` and `| tail -30`. */
export function withoutFilters(command: string): string {
  return command
    .replace(/(?:\s*\|\s*(?:head|tail)(?:\s+-\S+|\s+\d+)*)+\s*$/, '')
    .replace(/\s*2>&1\s*$/, '')
    .trim()
}
