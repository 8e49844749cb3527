// Names of projects as people see them: the last part of the identity, and as much before it as is
// needed to tell it from all others.

/** A name for every project; no two are the same, whatever their case. */
export function projectNamesOf(keys: readonly string[]): Map<string, string> {
  const endings = new Map<string, Set<string>>()
  for (const key of keys) {
    for (const ending of endingsOf(key)) {
      const same = ending.toLowerCase()
      endings.set(same, (endings.get(same) ?? new Set()).add(key))
    }
  }
  const isFree = (ending: string, key: string) => {
    const others = [...endings.get(ending.toLowerCase())!].filter((other) => other !== key)
    // `owner/name` is the usual name of a remote, also if a folder ends like that.
    return others.every((other) => isOwnerAndName(ending, key) && !isOwnerAndName(ending, other))
  }
  return new Map(keys.map((key) => [key, endingsOf(key).find((ending) => isFree(ending, key)) ?? key]))
}

/** Last part of an identity, also of a Windows path on another system. */
export function lastPart(key: string): string {
  return endingsOf(key)[0]!
}

/** All endings of a path with thousands of parts would take gigabytes. */
const maxEndings = 40

/** `c`, `b/c` and `a/b/c` of `a/b/c`: what a person may call the project. */
export function endingsOf(key: string): string[] {
  const parts = key.split(/[\\/]/).filter((part) => part !== '')
  if (parts.length === 0) return [key]
  return parts.slice(-maxEndings).map((_, index) => parts.slice(parts.length - 1 - index).join('/'))
}

function isOwnerAndName(ending: string, key: string): boolean {
  return isRemote(key) && endingsOf(key)[1] === ending
}

function isRemote(key: string): boolean {
  return !/^(?:[\\/]|[A-Za-z]:)/.test(key)
}
