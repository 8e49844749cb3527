// The line that an agent runs at an event. Agents that ask for trust ask again when it changes, so it names nothing that a
// new version moves: what the hook itself says may change, where it lies does not.
import { join } from 'node:path'

export interface HookLocation {
  /** Recollect's own folder. */
  root: string
  platform: NodeJS.Platform
  /** The Node to run where there is no sh. */
  node: string
}

export function hookPath({ root, platform }: HookLocation): string {
  return join(root, 'bin', platform === 'win32' ? 'hook.cjs' : 'hook')
}

/** A hook that is gone must look like success to the agent, which would stop at a 2; no shell stays behind to wait for it. */
export function hookCommand(place: HookLocation, agent: string, event: string): string {
  const path = hookPath(place)
  if (place.platform === 'win32') return `"${place.node}" "${path}" ${agent} ${event}`
  return `test -x ${shellQuote(path)} || exit 0; exec ${shellQuote(path)} ${agent} ${event}`
}

/** In place of an event: the hook then leaves no file, and lets the program itself answer the prompt. */
export const promptMoment = 'prompt'

/** For sh: in single quotes nothing has a meaning but the quote itself. */
export function shellQuote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}

/** Ours, as a whole line: the folder can be anywhere, but nobody else guards and runs `bin/hook` in this way. */
export function isHookCommand(line: string): boolean {
  return posix.test(line) || windows.test(line)
}

const posix = /^test -x ('.*\/bin\/hook') \|\| exit 0; exec \1 [a-z-]+ [A-Za-z.]+(?: plugin)?$/s
const windows = /^(?:& )?"[^"]*" "[^"]*[\\/]bin[\\/]hook\.cjs" [a-z-]+ [A-Za-z.]+(?: plugin)?$/
