// Where the start hook looks for a brief: the tree of folders is mirrored below briefs/folders, so that a few lines of sh
// find a project by its path without turning the path into a name first. Each place holds the name of a brief.

export const pointerName = '.brief'

export function placeOfFolder(folder: string): string {
  const isWindows = /^(?:[A-Za-z]:|\\\\)/.test(folder)
  const parts = folder.replace(/^([A-Za-z]):/, '$1').split(isWindows ? /[\\/]/ : '/')
  return ['folders', ...parts.filter((part) => part !== '' && part !== '.' && part !== '..')].join('/')
}

/** `remote` is a normalised one: `github.com/owner/name`. */
export function placeOfRemote(remote: string): string {
  return ['remotes', ...remote.split('/').filter((part) => part !== '' && part !== '.' && part !== '..')].join('/')
}
