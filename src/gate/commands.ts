// Decides which commands an agent may be told that it has not asked for: those of known classes that
// harm nobody if an attacker has chosen their words. Everything else is held back, with the reason.
import { isInside, isLocalUrl, isPlainArgument, namesDanger } from './arguments.ts'
import { type CommandUse, commandClasses } from './command-classes.ts'
import { parseShellLine, type ShellWord, type SimpleCommand } from './shell-line.ts'
import { whyVariableIsHeld } from './variables.ts'

/** The reason not to tell it; undefined if every command in it is harmless. */
export function whyCommandIsHeld(line: string, use: CommandUse): string | undefined {
  // Numbers of issues and pull requests are stored as `<n>`.
  const commands = parseShellLine(line.replaceAll('<n>', '1'))
  if (commands === undefined) return 'a command whose parts cannot be read'
  if (commands.length === 0) return 'no command'
  for (const command of commands) {
    const reason = whyHeld(command, use)
    if (reason) return reason
  }
  return undefined
}

function whyHeld({ variables, words, files, isPiped }: SimpleCommand, use: CommandUse): string | undefined {
  if (files.some((file) => file !== '/dev/null')) return 'a command that writes or reads another file'
  const variable = variables.map(({ text }) => whyVariableIsHeld(text)).find((reason) => reason !== undefined)
  if (variable) return variable
  const texts = words.map(({ text }) => text)
  if (texts.length === 0) return undefined
  const all = texts.join(' ')
  if (hasRemoteUrl(all) || remoteHost.test(all)) return 'a command with an address outside of this machine'
  const flag = texts.find((word) => refusedFlags.test(word))
  if (flag) return `the option ${flag.split('=')[0]}`
  const loading = texts.find((word) => loadsCode.test(word))
  if (loading) return `an option that loads code: ${loading.split('=')[0]!.slice(0, 40)}`
  if (texts.some((word) => /^\/dev\/(?!null$)/.test(word.replace(/^\w+=/, '')))) return 'a device'
  if (isProseIn(words)) return 'a command with free text'
  if (isPiped) return filters.has(texts[0]!) && !writesOrRuns.test(all) ? undefined : 'a pipe into another program'
  return whyProgramIsHeld(texts, use)
}

function whyProgramIsHeld([named = '', ...given]: string[], use: CommandUse): string | undefined {
  const program = named
    .replace(/^(?:\.\/)?(?:node_modules\/\.bin|\.?venv\/bin|vendor\/bin|bin(?=\/(?:rails|rake|rspec)$))\//, '')
    .replace(/^(python|pip)3?\.\d+$/, '$13')
  const wrapped = wrappedCommand(program, given)
  if (wrapped) return wrapped.length === 0 ? undefined : whyProgramIsHeld(wrapped, use)
  const isHarmless = commandClasses.get(program)
  if (isHarmless?.(given, use)) return undefined
  if (isHarmless === undefined && isScript(named) && given.every(isPlainArgument)) return undefined
  // Of a program that has a class, other calls are known to be none of it.
  const isSame =
    isHarmless === undefined && !named.includes('/') && use.same.some((one) => one.split(' ')[0] === program)
  if (isSame && !refusedPrograms.test(program) && (isHelp(given) || !given.some(isRefusedInSame))) return undefined
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
    case 'xvfb-run':
      return given[0] === '-a' ? rest(1) : given[0]?.startsWith('-') ? undefined : given
    case 'timeout':
      return /^\d+[smh]?$/.test(given[0] ?? '') ? rest(1) : undefined
    case 'env': {
      const at = given.findIndex((word) => !/^\w+=/.test(word))
      return at < 0 || given.slice(0, at).some((word) => whyVariableIsHeld(word)) ? undefined : rest(at)
    }
    case 'mise':
    case 'asdf':
    case 'direnv': {
      const at = given[0] === 'exec' || given[0] === 'x' ? given.indexOf('--') : -1
      return at > 0 && given.slice(1, at).every((word) => ownTools.test(word)) ? rest(at + 1) : undefined
    }
    case 'uv':
    case 'poetry':
    case 'pipenv':
    case 'pdm':
    case 'hatch':
      return given[0] === 'run' ? runOf(given.slice(1)) : undefined
    case 'docker':
    case 'podman':
      return given[0] === 'compose' && /^(?:exec|run)$/.test(given[1] ?? '') ? inService(given.slice(2)) : undefined
    case 'docker-compose':
      return /^(?:exec|run)$/.test(given[0] ?? '') ? inService(given.slice(1)) : undefined
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

/** Versions of tools that everybody knows. */
const ownTools = /^(?:node|python|go|ruby|java|rust|deno|bun|pnpm|yarn|terraform|golangci-lint)@\d[\d.]*$/

/** Behind options that choose an environment of the project. */
function runOf(given: string[]): string[] | undefined {
  let at = 0
  while (given[at]?.startsWith('-')) {
    if (!runOptions.test(given[at]!)) return undefined
    at += /^--?(?:extra|group|package|p|python)$/.test(given[at]!) ? 2 : 1
  }
  return given.slice(at)
}

const runOptions = /^--?(?:q|quiet|active|frozen|locked|no-sync|all-extras|all-groups|extra|group|package|p|python)$/

/** In a container of the project. */
function inService(given: string[]): string[] | undefined {
  const at = given.findIndex((word) => !/^(?:-T|-it?|--rm|--no-deps)$/.test(word))
  return at < 0 || !/^[\w-]+$/.test(given[at]!) || at + 1 >= given.length ? undefined : given.slice(at + 1)
}

/** A script of the project: by a path inside of it. */
function isScript(program: string): boolean {
  return (
    /^(?:\.\/)?[\w@.-]+(?:\/[\w@.-]+)*$/.test(program) &&
    program.includes('/') &&
    isInside(program) &&
    !namesDanger(nameOf(program)) &&
    !/(?:^|\/)(?:node_modules|\.git|bin\/console)\b/.test(program)
  )
}

function nameOf(path: string): string {
  return path.replace(/^.*\//, '').replace(/\.\w+$/, '')
}

/** `tool verb --help` */
function isHelp(given: string[]): boolean {
  return given.at(-1) === '--help' && given.slice(0, -1).every((word) => /^[a-z][\w-]*$/.test(word))
}

function isRefusedInSame(word: string): boolean {
  return destroys.test(word) || runsCode.test(word) || !isPlainArgument(word) || /\s/.test(word)
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
  return urls.some((url) => !isLocalUrl(url))
}

/** A host without an address: `-h evil.example`, `--proxyHost=evil.example`. */
const remoteHost =
  /(?:\s(?:-h|--host(?:name)?|--server|--address|--endpoint)[\s=]|\w*(?:host|proxy|server|url|mirror|repo|endpoint|address)=)["']?(?!localhost\b|127\.0\.0\.1\b|0\.0\.0\.0\b)[\w-]+(?:\.[\w-]+)+/i

/** They switch a check off, change where something comes from, or run what they are given. */
const refusedFlags =
  /^(?:--?(?:toolexec|vettool|to-command|checkpoint-action|use-compress-program|node-options|ignore-scripts|init-file|rcfile|install-extension|force(?!-color|-exclude)[\w-]*|no-verify[\w-]*|insecure[\w-]*|[\w-]*skip-(?:verify|tls|ssl)[\w-]*|allow-(?:unauthenticated|all|root|run|net|read|write|env|ffi|dirty|empty)|trusted-host|registry|(?:extra-)?index(?:-url)?|find-links|default-index|proxy|no-check-[\w-]*|no-gpg[\w-]*|nogpgcheck|dangerously[\w-]*|privileged|unsafe[\w-]*|admin|auto-approve|no-sandbox|disable-[\w-]*(?:security|sandbox|verif)[\w-]*|bypass[\w-]*|yolo|full-auto|exec|exec-path|eval|upload-pack|receive-pack|rsh|preload|import|require|global|user-agent|delete|mirror|hard|no-preserve-root|userconfig|globalconfig|script-shell|config-settings|ignore-certificate[\w-]*|strict-ssl|cafile|tls-[\w-]*|approval-mode|permission-mode|sandbox|ask-for-approval|yes-always|plugins?|load-plugins?|post-renderer|shell|from-module|accept-data-loss|allow-unrelated-histories|allow-untrusted|skip-?tests?|pass-?with-?no-?tests|[\w-]*(?:delete|destroy|wipe|purge|erase|overwrite)[\w-]*)(?:=.*)?|-D(?:maven\.test\.)?skip(?:Tests)?(?:=.*)?|-fdx?|-[xX]?df)$/i

/** Agents of a virtual machine, plugins of a compiler, another linker, plugins of a test runner. */
const loadsCode = /-(?:javaagent|agentlib|agentpath)\b|-extld|-fplugin|^-?-overlay\b|\baddopts\b|^--?\w*argLine\b/

const destroys =
  /^(?:(?:install|add|get|tap|link|stop|down|flush\S*|gist|\S*\.(?:delete|drop)|delete|destroy|drop|purge|wipe|erase|truncate|format|reset|clean|prune|rm|rmi|remove|uninstall|unlink|kill|terminate|revoke|disable|publish|upload|send|push|deploy|release|login|logout|auth|token|secrets?|exec|eval|shell|ssh|cp|mv|sync|import|run-script|config|set|alias|approve|merge)(?:[:-].*)?|-f|-k|-X|-d|-F|-T|--?(?:data\S*|upload\S*|form|request|method|input|output|field|raw-field|remove|config|command))$/i
const runsCode = /^-[ce]$|^--(?:eval|command)\b/

const refusedPrograms =
  /^(?:sudo|su|doas|pkexec|dd|mkfs\S*|shred|rm|rmdir|mv|cp|ln|install|chmod|chown|chgrp|kill|killall|pkill|curl|wget|fetch|http|https|xh|nc|ncat|netcat|socat|ssh|scp|sftp|rsync|telnet|ftp|eval|exec|source|\.|bash|sh|zsh|dash|ksh|fish|pwsh|powershell|cmd|xargs|parallel|find|awk|gawk|sed|perl|python[\d.]*|ruby|node|deno|bun|php|lua|osascript|crontab|at|batch|iptables|nft|ufw|mount|umount|fdisk|parted|diskutil|reboot|shutdown|halt|poweroff|passwd|user\w+|group\w+|visudo|setenforce|launchctl|reg|schtasks|base64|openssl|gpg|security|keytool|history|tee|truncate|tar|unzip|zip|less|more|man|vi|vim|nvim|nano|emacs|ed|nohup|setsid|watch|script|stdbuf|ionice|mongo|mongosh|env|printenv|set|declare|code|cursor|npx|bunx|pnpx|uvx|pipx|dlx|claude|codex|gemini|recollect|echo|printf|export|alias|trap|git|npm|pnpm|yarn|pip[\d.]*|docker|podman|sysctl|chsh|unset|drop(?:db|user)|(?:add-)?apt-(?:key|add-repository)|add-apt-repository|nix\S*|snap|flatpak|setfacl|chattr|xattr|defaults|networksetup|csrutil|spctl|systemd-run|loginctl|modprobe|insmod|ip|route|ifconfig|ngrok|cloudflared|tailscale|vagrant|packer|ansible\S*|helmfile|argocd|flux|eksctl|kops|twine|vsce|ovsx|semantic-release|release-it|goreleaser|fastlane|serverless|sls|surge|update-ca-certificates)$/

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
