// Paths of the pointer files by which the start hook finds a brief. The folder tree is mirrored
// below briefs/folders, so that a few lines of sh can look up a path; each pointer holds the name
// of a brief.

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
