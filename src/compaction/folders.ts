// Writes paths of one folder together, as a shell expands them, because long paths fill a budget.

/** `src/net/a.ts` and `src/net/b.ts` become `src/net/{a.ts, b.ts}`. */
export function inFolders(paths: readonly string[]): string[] {
  const groups = Map.groupBy(paths, folderOf)
  return [...groups].map(([folder, files]) =>
    files.length === 1 || folder === ''
      ? files.join(', ')
      : `${folder}{${files.map((path) => path.slice(folder.length)).join(', ')}}`,
  )
}

export function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1)
}

/** The same text with every path written out, to compare it with others. */
export function expandFolders(text: string): string {
  return text.replace(/([^\s,{}]*\/)\{([^{}\n]+)\}/g, (_, folder: string, files: string) =>
    files
      .split(', ')
      .map((file) => folder + file)
      .join(', '),
  )
}
