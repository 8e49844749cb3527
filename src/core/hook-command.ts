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
  return `${store}; test -x "$r/bin/hook" || exit 0; exec "$r/bin/hook" ${agent} ${event} plugin`
}

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
