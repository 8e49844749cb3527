// Recognises files that a shell line deletes.

/** Those of the known paths that the line deletes by `rm`. A name that several files have deletes none. */
export function removedFiles(line: string, known: readonly string[]): string[] {
  if (!/\brm\b/.test(line)) return []
  return argumentsOfRm(line).flatMap((argument) => pathsNamed(argument, known))
}

const removal = /(?:^|&&|\|\||[;\n(])\s*(?:sudo\s+)?(?:git\s+)?rm\s+((?:"[^"\n]*"|'[^'\n]*'|[^"'\s;&|)]+|[ \t]+)+)/g

function argumentsOfRm(line: string): string[] {
  const script = line.slice(0, 20_000).replace(/<<-?\s*['"]?(\w+)['"]?[\s\S]*?\n\s*\1\b/g, ' ')
  return [...script.matchAll(removal)].flatMap(([, rest]) =>
    (rest!.match(/"[^"]*"|'[^']*'|\S+/g) ?? [])
      .map((word) => word.replace(/^["']|["']$/g, ''))
      .filter((word) => !/^-|[$*?<>]/.test(word)),
  )
}

function pathsNamed(argument: string, known: readonly string[]): string[] {
  const name = plain(argument).replace(/\/+$/, '')
  const isFolder = (path: string) => plain(path).startsWith(`${name}/`)
  const found = known.filter((path) => plain(path) === name || plain(path).endsWith(`/${name}`))
  return found.length === 1 ? found : known.filter((path) => /^(?:\/|[a-z]:)/.test(name) && isFolder(path))
}

function plain(path: string): string {
  return path
    .replaceAll('\\', '/')
    .replace(/^(?:\.\/)+/, '')
    .replace(/^[A-Za-z]:/, (drive) => drive.toLowerCase())
}
