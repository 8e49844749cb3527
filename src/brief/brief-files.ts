// Paths of the pointer files by which the start hook finds a brief. The folder tree is mirrored
// below briefs/folders, so that a few lines of sh can look up a path; each pointer holds the name
// of a brief. Beside its text, a brief is there as a JSON string and as a script for sh.

export const pointerName = '.brief'

export function folderPointer(folder: string): string {
  const isWindows = /^(?:[A-Za-z]:|\\\\)/.test(folder)
  const parts = folder.replace(/^([A-Za-z]):/, '$1').split(isWindows ? /[\\/]/ : '/')
  return ['folders', ...parts.filter((part) => part !== '' && part !== '.' && part !== '..')].join('/')
}

/** `remote` is normalised: `github.com/owner/name`. */
export function remotePointer(remote: string): string {
  return ['remotes', ...remote.split('/').filter((part) => part !== '' && part !== '.' && part !== '..')].join('/')
}

/**
 * The brief as the JSON string `text` of a script: sh reads a script without starting a program. No
 * quote and no byte above 127 is left in it, so nothing in it can end the quoted word in any locale.
 */
export function briefScript(text: string): string {
  const unicode = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
  return `text='${JSON.stringify(text).replace(/['\u007f-\uffff]/g, unicode)}'\n`
}
