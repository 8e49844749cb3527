// Decides which commands an agent may be told that it has not asked for: those of known classes that
// harm nobody if an attacker has chosen their words. Everything else is held back, with the reason.
import { commandClasses, isInside, isPlainArgument } from './command-classes.ts'
import { parseShellLine, type ShellWord, type SimpleCommand } from './shell-line.ts'

/**
 * The reason not to tell it; undefined if every command in it is harmless. `same` are programs, with
 * their subcommand, that the reader runs or asks for: they may be called in another way.
 */
export function whyCommandIsHeld(line: string, same: readonly string[] = []): string | undefined {
  // Numbers of issues and pull requests are stored as `<n>`.
  const commands = parseShellLine(line.replaceAll('<n>', '1'))
  if (commands === undefined) return 'a command whose parts cannot be read'
  if (commands.length === 0) return 'no command'
  for (const command of commands) {
    const reason = whyHeld(command, same)
    if (reason) return reason
  }
  return undefined
}

function whyHeld({ variables, words, files, isPiped }: SimpleCommand, same: readonly string[]): string | undefined {
  if (files.some((file) => file !== '/dev/null')) return 'a command that writes or reads another file'
  for (const { text } of variables) {
    if (refusedVariables.test(text) || hasRemoteUrl(text)) return `the variable ${nameOf(text)}`
  }
  const texts = words.map(({ text }) => text)
  if (texts.length === 0) return undefined
  const all = texts.join(' ')
  if (hasRemoteUrl(all)) return 'a command with an address outside of this machine'
  const flag = texts.find((word) => refusedFlags.test(word))
  if (flag) return `the option ${flag.split('=')[0]}`
  if (texts.some((word) => /^\/dev\/(?!null$)/.test(word.replace(/^\w+=/, '')))) return 'a device'
  if (isProseIn(words)) return 'a command with free text'
  if (isPiped) return filters.has(texts[0]!) && !writesOrRuns.test(all) ? undefined : 'a pipe into another program'
  return whyProgramIsHeld(texts, same)
}

function whyProgramIsHeld([named = '', ...given]: string[], same: readonly string[]): string | undefined {
  const program = named.replace(/^(?:\.\/)?(?:node_modules\/\.bin|\.?venv\/bin)\//, '')
  const wrapped = wrappedCommand(program, given)
  if (wrapped) return wrapped.length === 0 ? undefined : whyProgramIsHeld(wrapped, same)
  const isHarmless = commandClasses.get(program)
  if (isHarmless?.(given)) return undefined
  if (isScript(named) && given.every(isPlainArgument)) return undefined
  const isSame = same.some((one) => one.split(' ')[0] === program)
  if (isSame && !refusedPrograms.test(program) && !given.some(isRefusedInSame)) return undefined
  return `${program.slice(0, 40)} is not known to be harmless`
}

/** `timeout 60 npm test`, `mise exec -- npm test`: the command that is run. */
function wrappedCommand(program: string, given: string[]): string[] | undefined {
  const rest = (from: number) => given.slice(from)
  switch (program) {
    case 'time':
    case 'command':
    case 'nice':
      return given[0]?.startsWith('-') || given[0]?.includes('=') ? undefined : given
    case 'timeout':
      return /^\d+[smh]?$/.test(given[0] ?? '') ? rest(1) : undefined
    case 'env': {
      const at = given.findIndex((word) => !/^\w+=/.test(word))
      return at < 0 || given.slice(0, at).some((word) => refusedVariables.test(word)) ? undefined : rest(at)
    }
    case 'mise':
    case 'asdf':
    case 'direnv': {
      const at = given[0] === 'exec' || given[0] === 'x' ? given.indexOf('--') : -1
      return at > 0 ? rest(at + 1) : undefined
    }
    case 'uv':
    case 'poetry':
    case 'pipenv':
    case 'pdm':
    case 'hatch':
      return given[0] === 'run' && !given[1]?.startsWith('-') ? rest(1) : undefined
    case 'bundle':
      return given[0] === 'exec' ? rest(1) : undefined
    case 'pnpm':
    case 'yarn':
    case 'npm':
      if (program === 'npm') return undefined
      if (given[0] === 'exec') return rest(given[1] === '--' ? 2 : 1)
      // A program of a dependency: `pnpm vitest run`.
      return commandClasses.has(given[0] ?? '') ? given : undefined
    default:
      return undefined
  }
}

/** A script of the project: by a path inside of it. */
function isScript(program: string): boolean {
  return /^(?:\.\/)?[\w@.-]+(?:\/[\w@.-]+)+$/.test(program) && isInside(program)
}

function isRefusedInSame(word: string): boolean {
  return destroys.test(word) || runsCode.test(word) || !isInside(word)
}

function nameOf(variable: string): string {
  return variable.slice(0, variable.indexOf('=')).replace(/\+$/, '')
}

/** Sentences in arguments, such as the message of a commit, are text that somebody wrote. */
function isProseIn(words: readonly ShellWord[]): boolean {
  const isSentence = ({ text, isQuoted }: ShellWord) =>
    isQuoted && (text.match(/(?<![\w.\-/=:])[A-Za-z]{2,}(?![\w\-/=:])/g)?.length ?? 0) >= 3 && /\s/.test(text)
  const loose = words.slice(1).filter(({ text }) => /^[A-Za-z]{2,}[,.!]?$/.test(text))
  return words.some(isSentence) || loose.length > maxLooseWords
}

const maxLooseWords = 5

function hasRemoteUrl(text: string): boolean {
  const urls = text.match(/[a-z][a-z\d+.-]*:\/\/\S*|\bgit@\S+|\b[\w.-]+@[\w.-]+:\S+|\bgit\+\S+/gi) ?? []
  return urls.some((url) => !localUrl.test(url))
}

const localUrl =
  /^(?:https?|wss?|postgres(?:ql)?|mysql|redis|mongodb|amqp):\/\/(?:[\w.-]*(?::[^@/\s]*)?@)?(?:localhost|127\.0\.0\.1|0\.0\.0\.0|\[::1\])(?=[:/?#\s]|$)/i

/** They change what is loaded, run, trusted, or where packages come from. */
const refusedVariables =
  /^(?:LD_\w+|DYLD_\w+|PATH|IFS|ENV|BASH_ENV|PROMPT_COMMAND|SHELL|EDITOR|VISUAL|PAGER|BROWSER|NODE_(?:OPTIONS|TLS\w*|EXTRA\w*|PATH)|PYTHON(?:STARTUP|PATH|HOME|HTTPSVERIFY|INSPECT)|PERL5\w*|RUBY(?:OPT|LIB)|JAVA_TOOL_OPTIONS|GIT_(?!CONFIG_(?:GLOBAL|SYSTEM)=\/dev\/null$|CONFIG_NOSYSTEM=|AUTHOR_|COMMITTER_|PAGER=cat$|TERMINAL_PROMPT=0$|EDITOR=true$)\w+|SSH_\w+|npm_config_\w+|PIP_\w+|UV_\w+|GO(?:PROXY|FLAGS|NOSUM\w*|NOSUMDB|SUMDB|INSECURE|PRIVATE)|CARGO_\w+|RUSTC_WRAPPER|\w*PROXY|\w*(?:REGISTRY|INDEX_URL|MIRROR)\w*|\w*(?:INSECURE|UNSAFE|NO_VERIFY|SKIP_VERIFY|DANGEROUS)\w*|\w*(?:TOKEN|SECRET|PASSWORD|PASSWD|API_?KEY|CREDENTIAL)\w*|AWS_\w+|HUSKY|SKIP|(?:RECOLLECT|CLAUDE|CODEX|GEMINI|ANTHROPIC|OPENAI)\w*)\+?=/i

/** They switch a check off, change where something comes from, or run what they are given. */
const refusedFlags =
  /^(?:--?(?:force(?!-color|-exclude)[\w-]*|no-verify[\w-]*|insecure[\w-]*|[\w-]*skip-(?:verify|tls|ssl)[\w-]*|allow-(?:unauthenticated|all|root|run|net|read|write|env|ffi|dirty|empty)|trusted-host|registry|(?:extra-)?index(?:-url)?|find-links|default-index|proxy|no-check-[\w-]*|no-gpg[\w-]*|nogpgcheck|dangerously[\w-]*|privileged|unsafe[\w-]*|admin|auto-approve|no-sandbox|disable-[\w-]*(?:security|sandbox|verif)[\w-]*|bypass[\w-]*|yolo|full-auto|exec|exec-path|eval|upload-pack|receive-pack|rsh|preload|import|require|global|user-agent|delete|mirror|hard|no-preserve-root|userconfig|globalconfig|script-shell|config-settings|ignore-certificate[\w-]*|strict-ssl|cafile|tls-[\w-]*|approval-mode|permission-mode|sandbox|ask-for-approval|yes-always)(?:=.*)?|-fdx?|-[xX]?df)$/i

const destroys =
  /^(?:(?:delete|destroy|drop|purge|wipe|erase|truncate|format|reset|clean|prune|rm|rmi|remove|uninstall|unlink|kill|terminate|revoke|disable|publish|upload|send|push|deploy|release|login|logout|auth|token|secrets?|exec|eval|shell|ssh|cp|mv|sync|import|run-script|config|set|alias|approve|merge)(?:[:-].*)?|-f|-k|-X|-d|-F|-T|--?(?:data\S*|upload\S*|form|request|method|input|output|field|raw-field|remove|config|command))$/i
const runsCode = /^-[ce]$|^--(?:eval|command)\b/

const refusedPrograms =
  /^(?:sudo|su|doas|pkexec|dd|mkfs\S*|shred|rm|rmdir|mv|cp|ln|install|chmod|chown|chgrp|kill|killall|pkill|curl|wget|fetch|http|https|xh|nc|ncat|netcat|socat|ssh|scp|sftp|rsync|telnet|ftp|eval|exec|source|\.|bash|sh|zsh|dash|ksh|fish|pwsh|powershell|cmd|xargs|parallel|find|awk|gawk|sed|perl|python[\d.]*|ruby|node|deno|bun|php|lua|osascript|crontab|at|batch|iptables|nft|ufw|mount|umount|fdisk|parted|diskutil|reboot|shutdown|halt|poweroff|passwd|user\w+|group\w+|visudo|setenforce|launchctl|reg|schtasks|base64|openssl|gpg|security|keytool|history|tee|truncate|npx|bunx|pnpx|uvx|pipx|dlx|claude|codex|gemini|recollect|echo|printf|export|alias|trap|git|npm|pnpm|yarn|pip[\d.]*|docker|podman)$/

/** Behind a pipe they only shorten what is printed. */
const filters = new Set([
  'head',
  'tail',
  'grep',
  'egrep',
  'rg',
  'sort',
  'uniq',
  'wc',
  'cut',
  'tr',
  'jq',
  'less',
  'more',
  'cat',
  'column',
  'nl',
])
const writesOrRuns = /\s-(?:o|-output|-pre|-files0-from)\b|--(?:output|pre)\b/
