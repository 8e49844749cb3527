// Reads CHANGELOG.md (Keep a Changelog): the notes of the versions after a given one.

export interface ReleaseNotes {
  version: string
  /** Markdown, without the heading of the version. */
  text: string
}

/** The newest first. What is not released has no version and is left out. */
export function notesAfter(changelog: string, version: string): ReleaseNotes[] {
  return changelog
    .split(/^## /m)
    .slice(1)
    .flatMap((section) => {
      const [, found] = /^\[?v?(\d+\.\d+\.\d+[^\s\]]*)/.exec(section) ?? []
      return found ? [{ version: found, text: section.slice(section.indexOf('\n') + 1).trim() }] : []
    })
    .filter((notes) => compareVersions(notes.version, version) > 0)
}

/** By the order of semantic versions; of two pre-releases of one version the names decide. */
export function compareVersions(a: string, b: string): number {
  const parts = (version: string) => /^(\d+)\.(\d+)\.(\d+)(?:-([^+]*))?/.exec(version)
  const [first, second] = [parts(a), parts(b)]
  if (!first || !second) return 0
  for (const index of [1, 2, 3]) {
    const difference = Number(first[index]) - Number(second[index])
    if (difference !== 0) return difference
  }
  const [early, late] = [first[4], second[4]]
  if (early === late) return 0
  if (early === undefined || late === undefined) return early === undefined ? 1 : -1
  return early.localeCompare(late, 'en', { numeric: true })
}
