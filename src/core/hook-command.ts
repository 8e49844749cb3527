// Builds and recognises the command line that agents run at an event.
// Agents that ask for trust ask again when the line changes, so it contains no path that a new
// version moves.
import { join } from 'node:path'

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
  if (place.platform === 'win32') return `"${place.node}" "${path}" ${agent} ${event}`
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

/** In single quotes sh interprets nothing but the quote itself. */
export function shellQuote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}

/** A command for people to copy: it is to be run in a folder. Empty without a command. */
export function commandInFolder(folder: string | null, command: string, platform: string): string {
  if (folder === null || command === '') return command
  const isPlain = /^[\w@%+=:,./\\-]+$/.test(folder) && (platform === 'win32' || !folder.includes('\\'))
  const quoted = platform === 'win32' ? `"${folder}"` : shellQuote(folder)
  return `cd ${isPlain ? folder : quoted} && ${command}`
}

/**
 * Whether a complete line is ours: the folder may be anywhere, but no other program guards and runs
 * `bin/hook` in this way.
 */
export function isHookCommand(line: string): boolean {
  return posix.test(line) || windows.test(line)
}

const posix = /^test -x ('.*\/bin\/hook') \|\| exit 0; exec \1 [a-z-]+ [A-Za-z._]+(?: plugin)?$/s
const windows = /^(?:& )?"[^"]*" "[^"]*[\\/]bin[\\/]hook\.cjs" [a-z-]+ [A-Za-z._]+(?: plugin)?$/
