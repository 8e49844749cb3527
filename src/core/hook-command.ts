// Builds and recognises the command line that agents run at an event.
// Agents that ask for trust ask again when the line changes, so it contains no path that a new
// version moves.
import { join } from 'node:path'
import { shellQuote, windowsQuote } from './shell/command-line.ts'

export interface HookLocation {
  /** Folder of Recollect's data. */
  root: string
  platform: NodeJS.Platform
  /** Node executable for machines without sh. */
  node: string
}

export function hookPath({ root, platform }: HookLocation): string {
  return join(root, 'bin', platform === 'win32' ? 'hook.cjs' : 'hook')
}

/** A missing hook must exit with 0, because agents stop at a 2. `exec` leaves no shell behind. */
export function hookCommand(place: HookLocation, agent: string, event: string): string {
  const path = hookPath(place)
  if (place.platform === 'win32') return `${windowsQuote(place.node)} ${windowsQuote(path)} ${agent} ${event}`
  return `test -x ${shellQuote(path)} || exit 0; exec ${shellQuote(path)} ${agent} ${event}`
}

/**
 * The same for a plugin that is made for any machine: it finds the store when it runs. Only with
 * variables that no agent expands itself, as Gemini CLI does with those in braces.
 */
export function portableHookCommand(agent: string, event: string): string {
  const store = 'r=$RECOLLECT_HOME; test "$r" || r=$HOME/.recollect'
  const missing = event === 'SessionStart' ? `{ ${tellOnce}; exit 0; }` : 'exit 0'
  return `${store}; test -x "$r/bin/hook" || ${missing}; exec "$r/bin/hook" ${agent} ${event} plugin`
}

/** Without quotes and backslashes: it stands in JSON, in sh and in a string of JavaScript. */
export const notInstalled =
  'The Recollect plugin is enabled, but Recollect is not installed on this machine, so nothing is captured or remembered. To install it: https://github.com/recollect-dev/recollect/blob/main/docs/install.md'

/** A message that the agent shows to the person, and a line in a file that keeps it from being repeated. */
const tellOnce = [
  'test -e "$r/logs/plugin.log" || command -v recollect >/dev/null',
  `(umask 077; m="${notInstalled}"; mkdir -p "$r/logs" && echo "$m" >"$r/logs/plugin.log" && echo "{\\"systemMessage\\":\\"$m\\"}") 2>/dev/null`,
].join(' || ')

/**
 * Used instead of an event name: the hook writes no file and lets the program answer the prompt.
 */
export const promptMoment = 'prompt'

/**
 * Whether a complete line is ours: the folder may be anywhere, but no other program guards and runs
 * `bin/hook` in this way.
 */
export function isHookCommand(line: string): boolean {
  return posix.test(line) || windows.test(line)
}

const posix = /^test -x ('.*\/bin\/hook') \|\| exit 0; exec \1 [a-z-]+ [A-Za-z._]+(?: plugin)?$/s
const windows = /^(?:& )?"[^"]*" "[^"]*[\\/]bin[\\/]hook\.cjs" [a-z-]+ [A-Za-z._]+(?: plugin)?$/
