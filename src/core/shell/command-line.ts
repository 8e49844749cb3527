// Writes argument lists as command lines: the only place that quotes for a shell, so that no part of
// a line that comes from a transcript, a folder or a repository is ever read as anything else.
import { UserError } from '../errors.ts'

/**
 * `sh` stands for sh, bash, dash, zsh and fish, `windows` for cmd and PowerShell: which of them a
 * person pastes a line into is not known, so a line is written so that all of them read it alike.
 */
export type ShellFamily = 'sh' | 'windows'

export function shellOf(platform: string): ShellFamily {
  return platform === 'win32' ? 'windows' : 'sh'
}

/** Undefined if the shells of the platform do not agree on any form of one of the arguments. */
export function commandLine(args: readonly string[], shell: ShellFamily): string | undefined {
  const words = args.map((arg) => quoteArgument(arg, shell))
  return words.includes(undefined) ? undefined : words.join(' ')
}

/** Without quotes where none are needed. */
export function quoteArgument(text: string, shell: ShellFamily): string | undefined {
  if (shell === 'sh') return plainInSh.test(text) ? text : shellQuote(text)
  if (plainInWindows.test(text)) return text
  return quotableInWindows.test(text) ? `"${text}"` : undefined
}

/**
 * In single quotes sh interprets nothing but the quote itself, and fish the backslash too: both are
 * written in double quotes, where all shells read them alike. sh has no form for a NUL.
 */
export function shellQuote(text: string): string {
  return `'${text.replace(/['\\]/g, (one) => (one === "'" ? `'"'"'` : `'"\\\\"'`))}'`
}

/**
 * A word that begins with `=` is the path of a program for zsh, `~` and `%` have meanings too, and
 * `#` begins a comment, but not within a word.
 */
const plainInSh = /^[\w@+:,./-][\w@+:,./#-]*$/

/** PowerShell splits `-a.b` and `-a:b` in two. */
const plainInWindows = /^(?!-.*[.:])[\w+:./\\-][\w+:./\\#-]*$/

/**
 * What cmd and PowerShell both take literally between double quotes: no `%` or `!` of cmd, no `$` or
 * backtick of PowerShell, none of its quotes, no control or invisible character. A backslash at the
 * end would escape the quote for the program that is started, and PowerShell 5.1 drops `""`.
 */
const quotableInWindows = /^(?!.*\\$)[^%!$`"\u201c-\u201e\p{C}\p{Zl}\p{Zp}]+$/u

/** Always in quotes. A path of our own that cannot be written would run something else. */
export function windowsQuote(path: string): string {
  if (quotableInWindows.test(path)) return `"${path}"`
  throw new UserError(
    `${path} cannot be part of a Windows command line`,
    'Set RECOLLECT_HOME to a folder whose path has no % ! $ ` or quote.',
  )
}

/** A command of our own for the person to type, as messages name it. */
export function ownCommand(...args: string[]): string {
  return typedCommand('recollect', ...args)
}

/** Any command for the person to type here: `...` stands for what its shells would misread. */
export function typedCommand(...args: string[]): string {
  const shell = shellOf(process.platform)
  return args.map((arg) => quoteArgument(arg, shell) ?? '...').join(' ')
}

/**
 * A line for people to copy: the command is to be run in a folder. Undefined if it cannot be written
 * so that it means just that; the folder is then to be told beside it.
 */
export function commandInFolder(folder: string | null, args: readonly string[], platform: string): string | undefined {
  const shell = shellOf(platform)
  const command = commandLine(args, shell)
  if (folder === null || command === undefined || command === '') return command
  const place = folderArgument(folder, shell)
  return place === undefined ? undefined : `cd ${place} && ${command}`
}

/** What cannot be seen cannot be judged by who copies it. `-` and `-P` are options of cd. */
function folderArgument(folder: string, shell: ShellFamily): string | undefined {
  if (folder === '' || /[\p{C}\p{Zl}\p{Zp}]/u.test(folder)) return undefined
  if (shell === 'sh') return quoteArgument(folder.startsWith('/') ? folder : `./${folder}`, shell)
  // PowerShell takes brackets for a pattern, and no path begins with these.
  return /[[\]*?]|^[-+~]/.test(folder) ? undefined : quoteArgument(folder, shell)
}
